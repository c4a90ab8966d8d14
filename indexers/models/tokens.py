"""Token vectors by a late-interaction model of sentence-transformers (HELIOS, equations 2 and 3)."""

import asyncio
from collections.abc import Sequence
from functools import cached_property
from threading import Lock
from typing import Any

import numpy as np

from heliograph.paths import expanded
from heliograph.protocols import Vectors
from indexers.models.fingerprint import model_name
from indexers.models.first_use import on_first_use
from indexers.models.multi_vector import load_multi_vector, token_vectors
from indexers.models.precision import quickened
from indexers.models.pytorch import loaded_torch


class MultiVectorTokenEncoder:
    """Encode with a MultiVectorEncoder, from a folder or by name from the hub; nothing is loaded before the first text.

    Texts go through the model in batches of like length; the last digits of a vector may depend on its batch, so keep
    vectors (`TokenStore`). Documents have no vectors for the words that the model is told to skip.

    Raises:
        ModelMissing: at the first text: there is no such model, or it is not one of late interaction.
    """

    name: str = on_first_use(lambda self: model_name(self._given))
    dimensions: int = on_first_use(lambda self: int(self._model.get_embedding_dimension()))

    def __init__(self, model: str) -> None:
        self._given = model
        self._turn = Lock()

    async def encode_queries(self, texts: Sequence[str]) -> tuple[Vectors, ...]:
        """Return shape (tokens, dimensions) for each text, in the order given."""
        return await asyncio.to_thread(self._encode, texts, "query")

    async def encode_documents(self, texts: Sequence[str]) -> tuple[Vectors, ...]:
        """Return shape (tokens, dimensions) for each text, in the order given."""
        return await asyncio.to_thread(self._encode, texts, "document")

    def _encode(self, texts: Sequence[str], task: str) -> tuple[Vectors, ...]:
        torch = loaded_torch()
        plain = [text.encode("utf-8", "replace").decode("utf-8") for text in texts]
        with self._turn, torch.no_grad():
            found = token_vectors(self._model, plain, task)
        return tuple(np.asarray(vectors.cpu().numpy(), np.float32) for vectors in found)

    @cached_property
    def _model(self) -> Any:
        model = load_multi_vector(str(expanded(self._given)) if self.name != self._given else self._given)
        quickened(model)
        model.eval()
        return model
