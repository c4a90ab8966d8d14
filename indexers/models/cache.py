"""Embeddings kept by content: a text is embedded once by a model, ever."""

import asyncio
import hashlib
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from sqlite3 import Connection

import numpy as np

from heliograph.errors import StoreDamaged
from heliograph.protocols import Embedder, Vectors
from indexers.database import connected, create, size_of

SCHEMA = "CREATE TABLE IF NOT EXISTS vectors (key BLOB PRIMARY KEY, vector BLOB NOT NULL)"
"""With row ids: without, SQLite gives each vector a page of its own."""
KEYS_A_SELECT = 500
TEXTS_A_COMMIT = 256
"""Texts embedded between two commits: what an interrupted run keeps."""


@dataclass(frozen=True, slots=True)
class Embedded:
    """Vectors in the order asked, and how many of them the model had to compute."""

    vectors: Vectors
    computed: int


class CachedEmbedder:
    """Give back the vectors of known texts from a SQLite file and embed only the others.

    Several threads and processes may share the file. `embedded` counts what this object computed.

    Raises:
        StoreDamaged | StoreFull | StoreLocked: the file cannot be used.
    """

    def __init__(self, embedder: Embedder, path: Path) -> None:
        self.name = embedder.name
        self.dimensions = embedder.dimensions
        self.embedded = 0
        self._embedder = embedder
        self._path = path
        self._created = False

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """Return one unit vector a text, in the order given."""
        return (await self.embed_counted(texts)).vectors

    async def embed_counted(self, texts: Sequence[str]) -> Embedded:
        """Embed, and say how many texts were new."""
        keys = [self._key(text) for text in texts]
        known = await asyncio.to_thread(self._known, sorted(set(keys)))
        new = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        known.update(await self._compute(new))
        self.embedded += len(new)
        rows = [np.frombuffer(known[key], dtype=np.float32) for key in keys]
        vectors = np.stack(rows) if rows else np.zeros((0, self.dimensions), dtype=np.float32)
        return Embedded(vectors, len(new))

    def size(self) -> int:
        """Return the bytes that the cache takes on the disk."""
        return size_of(self._path)

    async def _compute(self, new: dict[bytes, str]) -> dict[bytes, bytes]:
        computed: dict[bytes, bytes] = {}
        keys = list(new)
        for start in range(0, len(keys), TEXTS_A_COMMIT):
            part = keys[start : start + TEXTS_A_COMMIT]
            vectors = await self._embedder.embed([new[key] for key in part])
            fresh = {key: row.astype(np.float32).tobytes() for key, row in zip(part, vectors, strict=True)}
            await asyncio.to_thread(self._keep, fresh)
            computed.update(fresh)
        return computed

    def _known(self, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        found: dict[bytes, bytes] = {}
        with self._connection() as connection:
            for start in range(0, len(keys), KEYS_A_SELECT):
                part = keys[start : start + KEYS_A_SELECT]
                marks = ",".join("?" * len(part))
                rows: list[tuple[bytes, bytes]] = connection.execute(
                    f"SELECT key, vector FROM vectors WHERE key IN ({marks})", part
                ).fetchall()
                found.update(rows)
        if any(len(vector) != 4 * self.dimensions for vector in found.values()):
            raise StoreDamaged(f"{self._path} holds a cut vector; run heliograph store purge --indexes")
        return found

    def _keep(self, vectors: dict[bytes, bytes]) -> None:
        with self._connection() as connection:
            connection.executemany("INSERT OR IGNORE INTO vectors VALUES (?, ?)", vectors.items())

    def _connection(self) -> AbstractContextManager[Connection]:
        if not self._created:
            create(self._path, SCHEMA)
            self._created = True
        return connected(self._path)

    def _key(self, text: str) -> bytes:
        return hashlib.sha256(f"{self.name}\0{text}".encode("utf-8", "replace")).digest()
