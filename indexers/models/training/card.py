"""A model card: what was learned from what, how well it does, and the hashes by which its files are known.

A training writes one beside the weights. The exported form carries it along with its own files named, and figures that
are found afterwards are noted in it.
"""

import hashlib
import re
from dataclasses import asdict, dataclass
from pathlib import Path

from heliograph.paths import expanded
from heliograph.storage import storage_error
from indexers.models.fingerprint import model_name
from indexers.models.training.loop import Plan, Trained

CARD = "README.md"
FILES, DATA, COMMAND = "Files", "Data", "How it is made"
"""Headings of a card."""
OURS = "by `heliograph train"
"""What only our cards say."""
EXPORTED = "onnxruntime"


@dataclass(frozen=True, slots=True)
class Card:
    """What a card says; `sources` are the data and where they come from, one a line, `command` what makes it again."""

    plan: Plan
    digest: str
    learned_from: str
    trained: Trained
    measured: str = "nDCG@50"
    library: str = "sentence-transformers"
    sources: tuple[str, ...] = ()
    command: str = ""


@dataclass(frozen=True, slots=True)
class Origin:
    """What a model began from: its name, its licence where its card tells it, and what a training of ours said."""

    name: str
    licence: str
    trained: str

    @classmethod
    def of(cls, start: str) -> "Origin":
        """Read the card that stands in the folder of a start; a name on the hub is only named."""
        text = _text(expanded(start) / CARD)
        matter, body = _front(text)
        title = re.search(r"^# (.+)$", body, re.MULTILINE)
        own = f"{title[1].strip()} ({model_name(start)})" if title else model_name(start)
        name = matter.get("base_model", own).strip()
        return cls(name, matter.get("license", "").strip(), body.strip() if OURS in body else "")


def write_card(folder: Path, card: Card) -> None:
    """Write README.md beside the weights.

    Raises:
        StoreFull | StoreError: it cannot be written.
    """
    _write(folder, render(card, _weights(folder)))


def render(card: Card, weights: str) -> str:
    """Return the card as Markdown."""
    plan, trained, origin = card.plan, card.trained, Origin.of(card.plan.start)
    epochs = "\n".join(f"| {number} | {figure:.3f} |" for number, figure in enumerate(trained.figures, start=1))
    settings = "\n".join(f"- {name.replace('_', ' ')}: {value}" for name, value in asdict(plan.schedule).items())
    told = f"license: {origin.licence}\n" if origin.licence else ""
    parts = [
        f"""---
library_name: {card.library}
base_model: {origin.name}
{told}tags: [heliograph, {plan.kind}]
---
# {plan.kind}

Trained {OURS} {plan.kind.partition(" ")[0]}` from {model_name(plan.start)}, seed {plan.seed}.

Licence: {f"{origin.licence}, as" if origin.licence else "that of"} {origin.name}, whose vocabulary it has.

Learned from {card.learned_from} (digest {card.digest[:12]}).

{settings}

{card.measured} of the development questions: {trained.before:.3f} before; weights of epoch {trained.best}.

| epoch | {card.measured} |
| --- | --- |
{epochs}

Weights: sha256 {weights}. Trained in {trained.seconds / 60:.0f} minutes."""
    ]
    if origin.trained:
        parts.append("#" + origin.trained)  # the stage before, one heading lower
    if card.sources:
        parts.append(f"## {DATA}\n\n" + "\n".join(f"- {source}" for source in card.sources))
    if card.command:
        parts.append(f"## {COMMAND}\n\n```\n{card.command}\n```")
    return "\n\n".join(parts) + "\n"


def carry_card(model: Path, folder: Path) -> None:
    """Write the card of a model's exported form: what the model's own says, and the files of the form.

    A card that somebody wrote there by hand stays as it is.

    Raises:
        StoreFull | StoreError: it cannot be written.
    """
    if (folder / CARD).exists() and OURS not in _text(folder / CARD):
        return
    matter, body = _front(_text(model / CARD))
    if OURS not in body:  # the card of a model that others trained speaks of other files
        matter, body = {"tags": "[heliograph]"}, f"# {folder.name}\n\nExported {OURS} export` from {model.name}."
    matter |= {"library_name": EXPORTED, "tags": f"{matter['tags'].rstrip(']')}, onnx, int8]"}
    front = "".join(f"{name}: {value}\n" for name, value in matter.items())
    _write(folder, f"---\n{front}---\n{body}")
    note(folder, FILES, _files(folder))


def note(folder: Path, heading: str, text: str) -> None:
    """Put a section into a folder's card, in place of one with its heading, and the hashes of its files as they are.

    Raises:
        StoreFull | StoreError: there is no card, or it cannot be written.
    """
    try:
        sections = re.split(r"^(?=## )", (folder / CARD).read_text(encoding="utf-8"), flags=re.MULTILINE)
    except OSError as err:
        raise storage_error(err, folder / CARD) from err
    for title, body in ((heading, text), (FILES, _files(folder))):
        kept = [section for section in sections if not section.startswith(f"## {title}\n")]
        sections = [*kept, f"## {title}\n\n{body}\n"]
    _write(folder, "\n\n".join(section.strip() for section in sections) + "\n")


def _files(folder: Path) -> str:
    lines = ["| file | bytes | sha256 |", "| --- | --- | --- |"]
    for path in sorted(folder.iterdir()):
        if path.is_file() and path.name != CARD:
            digest = hashlib.sha256(path.read_bytes()).hexdigest()
            lines.append(f"| `{path.name}` | {path.stat().st_size:,} | {digest} |")
    return "\n".join(lines)


def _front(text: str) -> tuple[dict[str, str], str]:
    """Return the plain fields that stand before a card, and the card."""
    if not text.startswith("---\n") or "\n---\n" not in text:
        return {}, text
    front, _, body = text.removeprefix("---\n").partition("\n---\n")
    fields = (line.partition(":") for line in front.splitlines() if not line.startswith((" ", "-")))
    return {name: value.strip() for name, colon, value in fields if colon and value.strip()}, body


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, ValueError):
        return ""


def _write(folder: Path, text: str) -> None:
    try:
        (folder / CARD).write_text(text, encoding="utf-8")
    except OSError as err:
        raise storage_error(err, folder / CARD) from err


def _weights(folder: Path) -> str:
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*.safetensors")):
        with path.open("rb") as file:
            digest.update(hashlib.file_digest(file, "sha256").digest())
    return digest.hexdigest()
