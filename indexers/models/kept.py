"""Vectors by key in a SQLite file: what a model has computed once is never computed again."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from sqlite3 import Connection
from typing import TypeVar

import numpy as np

from heliograph.errors import StoreDamaged, StoreError
from heliograph.protocols import Vectors
from indexers.database import PURGE, connected, create, size_of

T = TypeVar("T")
U = TypeVar("U")
V = TypeVar("V")

SCHEMA = "CREATE TABLE IF NOT EXISTS vectors (key BLOB PRIMARY KEY, vector BLOB NOT NULL)"
"""With row ids: without, SQLite gives each vector a page of its own."""
KEYS_A_SELECT = 500
ITEMS_A_COMMIT = 256
"""Items embedded between two commits: what an interrupted run keeps."""


@dataclass(frozen=True, slots=True)
class Embedded:
    """Vectors in the order asked, and how many of them the model had to compute."""

    vectors: Vectors
    computed: int


class KeptVectors:
    """The file; several threads and processes may share it. `dimensions` is asked when there are vectors to check.

    `remedy` is the next step where the file is damaged. `unused` hears why the file cannot be used: vectors are then
    computed, and not kept. What `embed` raises is raised.

    Raises:
        StoreDamaged | StoreFull | StoreLocked: the file cannot be used, and nothing hears of it.
    """

    def __init__(
        self,
        path: Path,
        dimensions: Callable[[], int],
        remedy: str = PURGE,
        unused: Callable[[StoreError], None] | None = None,
    ) -> None:
        self._path = path
        self._remedy = remedy
        self._dimensions = dimensions
        self._unused = unused
        self._created = False

    async def filled(
        self, items: Sequence[tuple[bytes, T]], embed: Callable[[Sequence[T]], Awaitable[Vectors]]
    ) -> Embedded:
        """Return the vectors of items, each given with its key; `embed` is called for those that are not known."""
        known = await self._used(self._known, sorted({key for key, _ in items})) or {}
        new = {key: item for key, item in items if key not in known}
        known.update(await self._compute(new, embed))
        rows = [np.frombuffer(known[key], dtype=np.float32) for key, _ in items]
        empty = np.zeros((0, 0 if rows else await asyncio.to_thread(self._dimensions)), dtype=np.float32)
        return Embedded(np.stack(rows) if rows else empty, len(new))

    def size(self) -> int:
        """Return the bytes that the vectors take on the disk."""
        return size_of(self._path)

    async def _compute(
        self, new: dict[bytes, T], embed: Callable[[Sequence[T]], Awaitable[Vectors]]
    ) -> dict[bytes, bytes]:
        computed: dict[bytes, bytes] = {}
        keys = list(new)
        for start in range(0, len(keys), ITEMS_A_COMMIT):
            part = keys[start : start + ITEMS_A_COMMIT]
            vectors = await embed([new[key] for key in part])
            fresh = {key: row.astype(np.float32).tobytes() for key, row in zip(part, vectors, strict=True)}
            await self._used(self._keep, fresh)
            computed.update(fresh)
        return computed

    async def _used(self, use: Callable[[U], V], given: U) -> V | None:
        """Use the file in a thread; None if it cannot be used, and somebody hears of it."""
        try:
            return await asyncio.to_thread(use, given)
        except StoreError as err:
            if self._unused is None:
                raise
            self._unused(err)
            return None

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
        if found:
            size = 4 * self._dimensions()
            if not all(isinstance(vector, bytes) and len(vector) == size for vector in found.values()):
                raise StoreDamaged(f"{self._path} holds a cut vector; {self._remedy}")
            if not np.isfinite(np.frombuffer(b"".join(found.values()), np.float32)).all():
                raise StoreDamaged(f"{self._path} holds a vector that was altered; {self._remedy}")
        return found

    def _keep(self, vectors: dict[bytes, bytes]) -> None:
        with self._connection() as connection:
            connection.executemany("INSERT OR IGNORE INTO vectors VALUES (?, ?)", vectors.items())

    def _connection(self) -> AbstractContextManager[Connection]:
        if not self._created:
            create(self._path, SCHEMA, self._remedy)
            self._created = True
        return connected(self._path, self._remedy)
