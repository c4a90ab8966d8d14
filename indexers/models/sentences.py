"""Sentence embeddings by sentence-transformers: any of its models, from a folder or by name from the hub.

`Alibaba-NLP/gte-modernbert-base` is the one to name in `embed.model`: GTE, as OMG-QA's best systems use it (section
4.3), of the generation that needs no code of its own. Nothing is imported and nothing read before the first text.
"""

import asyncio
from collections.abc import Sequence
from functools import cached_property
from threading import Lock
from typing import Any

import numpy as np

from heliograph.errors import ModelMissing
from heliograph.paths import expanded
from heliograph.protocols import Vectors
from indexers.models.fingerprint import folder_name
from indexers.models.first_use import on_first_use
from indexers.models.named import loader

GTE = "Alibaba-NLP/gte-modernbert-base"
BATCH = 32
"""Texts that go through the model together."""


class SentenceEmbedder:
    """Embed texts with a sentence-transformers model: unit vectors in float32.

    Weights are read as safetensors only, and no code that comes with a model is ever run. Texts go through the model in
    batches of like length; the last digits of a vector may depend on its batch, so keep vectors (`CachedEmbedder`).
    `name` is that on the hub, or that of the folder with a digest of what is in it.

    Args:
        model: a folder, or a name on the hub, which is downloaded once and found again without a network.
        batch: texts that go through the model together.

    Raises:
        ModelMissing: at the first text, or when name or dimensions are asked for: the folder does not exist or holds no
            such model, or the hub cannot be reached.
    """

    name: str = on_first_use(lambda self: self._named())
    dimensions: int = on_first_use(lambda self: int(self._model.get_embedding_dimension()))

    def __init__(self, model: str = GTE, *, batch: int = BATCH) -> None:
        self._given = model
        self._batch = batch
        self._turn = Lock()

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """Return one unit vector a text, in the order given."""
        return await asyncio.to_thread(self._embed, [text.encode("utf-8", "replace").decode("utf-8") for text in texts])

    def _named(self) -> str:
        folder = expanded(self._given)
        if folder.is_dir():
            return folder_name(folder)
        if _is_path(self._given):
            raise ModelMissing(f"no folder {folder} with an embedding model; correct embed.model")
        return self._given

    def _embed(self, texts: list[str]) -> Vectors:
        if not texts:
            return np.zeros((0, self.dimensions), dtype=np.float32)
        with self._turn:
            vectors = self._model.encode(
                texts,
                batch_size=self._batch,
                normalize_embeddings=True,
                convert_to_numpy=True,
                show_progress_bar=False,
            )
        return np.asarray(vectors, dtype=np.float32)

    @cached_property
    def _model(self) -> Any:
        where = str(expanded(self._given)) if self.name != self._given else self._given
        remedy = "name a folder with its safetensors in embed.model, or let it be downloaded once"
        with loader("SentenceTransformer", f"the embedding model {self._given!r}", remedy) as load:
            return load(where)


def _is_path(name: str) -> bool:
    """Tell a path from a name on the hub, which is OWNER/MODEL or one word."""
    return name.startswith(("/", ".", "~")) or name.count("/") > 1 or "\\" in name
