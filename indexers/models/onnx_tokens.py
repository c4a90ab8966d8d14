"""Token vectors by a late-interaction model in ONNX form (HELIOS, equations 2 and 3): no PyTorch, no hub.

As in `indexers.models.onnx` every text runs alone on a session of one thread, so its vectors depend on nothing else.
"""

import asyncio
import string
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property, partial
from pathlib import Path

from heliograph.protocols import Vectors
from indexers.models.fingerprint import fingerprint
from indexers.models.multi_vector import DIMENSIONS
from indexers.models.onnx import MOST_THREADS, LoadedModel, ModelFile, ModelFiles, processors

SHIPPED = Path(__file__).parent / "shipped" / "edge-retriever"
"""The edge retriever that comes with Heliograph; its card stands beside it."""


class OnnxTokenEncoder:
    """Encode with the edge retriever that ships with Heliograph, or one of the same kind in a folder.

    Documents get no vectors for punctuation, as in the model's training.

    Args:
        folder: holds `model.onnx` and `tokenizer.json`, as `heliograph train export` writes them.
        threads: texts encoded at a time; None is one a processor.

    Raises:
        ModelMissing: a file is missing or no model, here or at the first text.
    """

    dimensions = DIMENSIONS

    def __init__(self, folder: Path = SHIPPED, *, threads: int | None = None) -> None:
        self._files = ModelFiles(ModelFile(folder / "model.onnx"), ModelFile(folder / "tokenizer.json"))
        self._threads = threads or min(processors(), MOST_THREADS)
        self.name = f"{folder.name}-{fingerprint((self._files.model.path, self._files.tokenizer.path))}"

    async def encode_queries(self, texts: Sequence[str]) -> tuple[Vectors, ...]:
        """Return shape (tokens, dimensions) for each text, in the order given; the two end marks are tokens."""
        return await asyncio.to_thread(self._mapped, _query, texts)

    async def encode_documents(self, texts: Sequence[str]) -> tuple[Vectors, ...]:
        """Return the same without the vectors of punctuation."""
        return await asyncio.to_thread(self._mapped, _document, texts)

    def _mapped(self, encode: Callable[[LoadedModel, str], Vectors], texts: Sequence[str]) -> tuple[Vectors, ...]:
        plain = [text.encode("utf-8", "replace").decode("utf-8") for text in texts]
        encode_one = partial(encode, self._model)  # loaded before the threads begin: cached_property has no lock
        if len(plain) < 2:
            return tuple(map(encode_one, plain))
        with ThreadPoolExecutor(self._threads) as pool:
            return tuple(pool.map(encode_one, plain))

    @cached_property
    def _model(self) -> LoadedModel:
        return LoadedModel.load(self._files, self.dimensions)


def _query(model: LoadedModel, text: str) -> Vectors:
    return model.token_vectors(text).vectors


def _document(model: LoadedModel, text: str) -> Vectors:
    found = model.token_vectors(text)
    marks = [start < end and text[start:end] in string.punctuation for start, end in found.offsets]
    return found.vectors[[not mark for mark in marks]]
