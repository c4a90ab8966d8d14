"""All-to-all interaction by a CrossEncoder of sentence-transformers: the rerankers g_e and g_n (HELIOS, section 4)."""

import asyncio
from collections.abc import Sequence
from functools import cached_property
from threading import Lock
from typing import Any

from indexers.models.fingerprint import model_name
from indexers.models.first_use import on_first_use
from indexers.models.multi_vector import STEP
from indexers.models.named import loader
from indexers.models.precision import quickened
from indexers.models.pytorch import loaded_torch

LONGEST = 320
"""Tokens of a query and an edge together; what is longer is cut at the end of the edge."""
BATCH = 32


def load_cross_encoder(model: str) -> Any:
    """Load a CrossEncoder with one output by folder or name; blocks, and may download.

    A model that is no reranker yet gets an output of random weights, and must be trained.

    Raises:
        ModelMissing: there is no such model.
    """
    called, remedy = f"the reranker {model!r}", "correct its name"
    with loader("CrossEncoder", called, remedy, attn_implementation="eager") as load:
        encoder = load(model, num_labels=1)
    places = getattr(encoder.model.config, "max_position_embeddings", LONGEST)
    encoder.max_seq_length = min(LONGEST, places - places % STEP)
    return encoder


class CrossEncoderScorer:
    """Score texts against a question, each read together with it; nothing is loaded before the first text.

    Raises:
        ModelMissing: at the first text: there is no such model.
    """

    name: str = on_first_use(lambda self: model_name(self._given))

    def __init__(self, model: str) -> None:
        self._given = model
        self._turn = Lock()

    async def score(self, question: str, texts: Sequence[str]) -> tuple[float, ...]:
        """Return the model's logit for each text, in the order given."""
        return await asyncio.to_thread(self._score, question, texts)

    def _score(self, question: str, texts: Sequence[str]) -> tuple[float, ...]:
        if not texts:
            return ()
        with self._turn:
            scores = self._model.predict(
                [(question, text) for text in texts],
                batch_size=BATCH,
                activation_fn=loaded_torch().nn.Identity(),
                show_progress_bar=False,
            )
        return tuple(float(score) for score in scores)

    @cached_property
    def _model(self) -> Any:
        model = load_cross_encoder(self._given)
        quickened(model.model)
        model.model.eval()
        return model
