"""LlamaIndex's document store in one SQLite file: which pages are indexed, and in which state.

Imports LlamaIndex (1 s): import this module on first use only. The store's own JSON file would be written anew with
every page.
"""

import json
import sqlite3
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import Any

from llama_index.core.storage.kvstore.types import DEFAULT_COLLECTION, BaseKVStore

from indexers.database import WAIT_SECONDS, create, translated

SCHEMA = """
CREATE TABLE IF NOT EXISTS entries (
  collection TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (collection, key)
) WITHOUT ROWID
"""

Entry = dict[str, Any]
"""The signatures are LlamaIndex's."""


class SqliteEntries(BaseKVStore):
    """Keep LlamaIndex's entries in SQLite, each call a transaction; threads take turns on one connection.

    Raises:
        StoreDamaged | StoreFull | StoreLocked: the file cannot be used.
    """

    def __init__(self, path: Path) -> None:
        create(path, SCHEMA)
        self._path = path
        self._turn = Lock()
        with translated(path):
            self._connection = sqlite3.connect(path, timeout=WAIT_SECONDS, check_same_thread=False)

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def put(self, key: str, val: Entry, collection: str = DEFAULT_COLLECTION) -> None:
        """Keep one entry."""
        self.put_all([(key, val)], collection)

    def put_all(
        self,
        kv_pairs: list[tuple[str, Entry]],
        collection: str = DEFAULT_COLLECTION,
        batch_size: int = 1,  # noqa: ARG002 - the signature is the library's; all entries are one transaction
    ) -> None:
        """Keep all entries or none."""
        rows = [(collection, key, json.dumps(value, ensure_ascii=False)) for key, value in kv_pairs]
        with self._transaction() as connection:
            connection.executemany("INSERT OR REPLACE INTO entries VALUES (?, ?, ?)", rows)

    def get(self, key: str, collection: str = DEFAULT_COLLECTION) -> Entry | None:
        """Return one entry."""
        query = "SELECT value FROM entries WHERE collection = ? AND key = ?"
        with self._transaction() as connection:
            row: tuple[str] | None = connection.execute(query, (collection, key)).fetchone()
        return None if row is None else json.loads(row[0])

    def get_all(self, collection: str = DEFAULT_COLLECTION) -> dict[str, Entry]:
        """Return a collection, by key."""
        query = "SELECT key, value FROM entries WHERE collection = ? ORDER BY key"
        with self._transaction() as connection:
            rows: list[tuple[str, str]] = connection.execute(query, (collection,)).fetchall()
        return {key: json.loads(value) for key, value in rows}

    def delete(self, key: str, collection: str = DEFAULT_COLLECTION) -> bool:
        """Forget one entry; False where there was none."""
        with self._transaction() as connection:
            found = connection.execute("DELETE FROM entries WHERE collection = ? AND key = ?", (collection, key))
        return found.rowcount > 0

    def namespaces(self) -> frozenset[str]:
        """Name every namespace that holds an entry."""
        with self._transaction() as connection:
            known = connection.execute("SELECT DISTINCT collection FROM entries").fetchall()
        return frozenset(name.split("/", 1)[0] for (name,) in known)

    def forget_others(self, namespaces: AbstractSet[str]) -> None:
        """Forget every collection outside the namespaces: those of indexes that are gone."""
        with self._transaction() as connection:
            known = [name for (name,) in connection.execute("SELECT DISTINCT collection FROM entries")]
            gone = [(name,) for name in known if name.split("/", 1)[0] not in namespaces]
            connection.executemany("DELETE FROM entries WHERE collection = ?", gone)

    async def aput(self, key: str, val: Entry, collection: str = DEFAULT_COLLECTION) -> None:
        """Keep one entry; entries are small, so the event loop may wait for them."""
        self.put(key, val, collection)

    async def aput_all(
        self, kv_pairs: list[tuple[str, Entry]], collection: str = DEFAULT_COLLECTION, batch_size: int = 1
    ) -> None:
        """Keep all entries or none."""
        self.put_all(kv_pairs, collection, batch_size)

    async def aget(self, key: str, collection: str = DEFAULT_COLLECTION) -> Entry | None:
        """Return one entry."""
        return self.get(key, collection)

    async def aget_all(self, collection: str = DEFAULT_COLLECTION) -> dict[str, Entry]:
        """Return a collection, by key."""
        return self.get_all(collection)

    async def adelete(self, key: str, collection: str = DEFAULT_COLLECTION) -> bool:
        """Forget one entry."""
        return self.delete(key, collection)

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        with self._turn, translated(self._path), self._connection as connection:
            yield connection
