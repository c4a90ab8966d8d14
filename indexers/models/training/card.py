"""A model card: what was learned from what, how well it does, and the hash by which the weights are known."""

import hashlib
from dataclasses import asdict, dataclass
from pathlib import Path

from heliograph.storage import storage_error
from indexers.models.fingerprint import model_name
from indexers.models.training.loop import Plan, Trained

CARD = "README.md"


@dataclass(frozen=True, slots=True)
class Card:
    """What a card says."""

    plan: Plan
    digest: str
    learned_from: str
    trained: Trained
    measured: str = "nDCG@50"
    library: str = "sentence-transformers"


def write_card(folder: Path, card: Card) -> None:
    """Write README.md beside the weights.

    Raises:
        StoreFull | StoreError: it cannot be written.
    """
    try:
        (folder / CARD).write_text(render(card, _weights(folder)), encoding="utf-8")
    except OSError as err:
        raise storage_error(err, folder / CARD) from err


def render(card: Card, weights: str) -> str:
    """Return the card as Markdown."""
    plan, trained = card.plan, card.trained
    epochs = "\n".join(f"| {number} | {figure:.3f} |" for number, figure in enumerate(trained.figures, start=1))
    settings = "\n".join(f"- {name.replace('_', ' ')}: {value}" for name, value in asdict(plan.schedule).items())
    return f"""---
library_name: {card.library}
tags: [heliograph, {plan.kind}]
---
# {plan.kind}

Trained by `heliograph train {plan.kind}` from {model_name(plan.start)}, seed {plan.seed}.

Learned from {card.learned_from} (digest {card.digest[:12]}).

{settings}

{card.measured} of the development questions: {trained.before:.3f} before; weights of epoch {trained.best}.

| epoch | {card.measured} |
| --- | --- |
{epochs}

Weights: sha256 {weights}. Trained in {trained.seconds / 60:.0f} minutes.
"""


def _weights(folder: Path) -> str:
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*.safetensors")):
        with path.open("rb") as file:
            digest.update(hashlib.file_digest(file, "sha256").digest())
    return digest.hexdigest()
