"""Embeddings kept by content: a text or a picture is embedded once by a model, ever."""

import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

from heliograph.errors import StoreError
from heliograph.protocols import Embedder, ImageEmbedder, Vectors
from indexers.database import PURGE
from indexers.models.first_use import on_first_use
from indexers.models.kept import Embedded, KeptVectors


class CachedEmbedder:
    """Give back the vectors of known texts from a SQLite file and embed only the others.

    Several threads and processes may share the file. `embedded` counts what this object computed, and `remedy` is the
    next step where the file is damaged. `unused` hears why the file cannot be used; texts are embedded all the same.

    Raises:
        StoreDamaged | StoreFull | StoreLocked: the file cannot be used, and nothing hears of it.
    """

    dimensions: int = on_first_use(lambda self: self._embedder.dimensions)

    def __init__(
        self,
        embedder: Embedder,
        path: Path,
        remedy: str = PURGE,
        unused: Callable[[StoreError], None] | None = None,
    ) -> None:
        self.name = embedder.name
        self.embedded = 0
        self._embedder = embedder
        self._kept = KeptVectors(path, lambda: self.dimensions, remedy, unused)

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """Return one unit vector a text, in the order given."""
        return (await self.embed_counted(texts)).vectors

    async def embed_counted(self, texts: Sequence[str]) -> Embedded:
        """Embed, and say how many texts were new."""
        embedded = await self._kept.filled([(self._key(text), text) for text in texts], self._embedder.embed)
        self.embedded += embedded.computed
        return embedded

    def size(self) -> int:
        """Return the bytes that the cache takes on the disk."""
        return self._kept.size()

    def _key(self, text: str) -> bytes:
        return hashlib.sha256(f"{self.name}\0{text}".encode("utf-8", "replace")).digest()


class ScaledImageEmbedder(ImageEmbedder, Protocol):
    """An image model that knows how steep its cosines are: `logit_scale` is the inverse of its learned temperature."""

    logit_scale: float


class CachedImageEmbedder:
    """The same for an image model: pictures by their bytes, and texts.

    Raises:
        StoreDamaged | StoreFull | StoreLocked: the file cannot be used.
    """

    name: str = on_first_use(lambda self: self._embedder.name)
    dimensions: int = on_first_use(lambda self: self._embedder.dimensions)
    logit_scale: float = on_first_use(lambda self: self._embedder.logit_scale)

    def __init__(self, embedder: ScaledImageEmbedder, path: Path) -> None:
        self._embedder = embedder
        self._kept = KeptVectors(path, lambda: self.dimensions)

    async def embed_images(self, images: Sequence[bytes]) -> Vectors:
        """Return one unit vector a picture, in the order given."""
        return (await self.embed_images_counted(images)).vectors

    async def embed_images_counted(self, images: Sequence[bytes]) -> Embedded:
        """Embed, and say how many pictures were new."""
        keyed = [(self._key(b"image", image), image) for image in images]
        return await self._kept.filled(keyed, self._embedder.embed_images)

    async def embed_texts(self, texts: Sequence[str]) -> Vectors:
        """Return one unit vector a text, in the space of the pictures."""
        keyed = [(self._key(b"text", text.encode("utf-8", "replace")), text) for text in texts]
        return (await self._kept.filled(keyed, self._embedder.embed_texts)).vectors

    def size(self) -> int:
        """Return the bytes that the cache takes on the disk."""
        return self._kept.size()

    def _key(self, kind: bytes, content: bytes) -> bytes:
        return hashlib.sha256(b"\0".join((self.name.encode(), kind, content))).digest()
