"""The SQLite file that conversations are kept in, and the tables in it."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from memory.private_file import WAIT_SECONDS, private_file

FILE = "conversations.sqlite"
SCHEMA = (
    "CREATE TABLE IF NOT EXISTS conversations (id TEXT PRIMARY KEY, started REAL NOT NULL, title TEXT NOT NULL, "
    "used INTEGER NOT NULL, owner TEXT NOT NULL DEFAULT '')",
    "CREATE TABLE IF NOT EXISTS turns (conversation TEXT NOT NULL REFERENCES conversations ON DELETE CASCADE, "
    "number INTEGER NOT NULL, typed TEXT NOT NULL, asked TEXT NOT NULL, run TEXT NOT NULL, answer TEXT NOT NULL, "
    "abstained INTEGER NOT NULL, cited TEXT NOT NULL, PRIMARY KEY (conversation, number))",
    "CREATE TABLE IF NOT EXISTS unanswered (place INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, "
    "conversation TEXT NOT NULL REFERENCES conversations ON DELETE CASCADE, typed TEXT NOT NULL, "
    "behind INTEGER NOT NULL, asked TEXT NOT NULL DEFAULT '', run TEXT NOT NULL DEFAULT '', "
    "ending TEXT NOT NULL DEFAULT 'open', message TEXT NOT NULL DEFAULT '', code TEXT NOT NULL DEFAULT '')",
)
OWNED = "ALTER TABLE conversations ADD COLUMN owner TEXT NOT NULL DEFAULT ''"
"""Files that were begun before conversations had owners get the column when they are opened."""


@dataclass(frozen=True, slots=True)
class ConversationFile:
    """The file in a home folder, which only its owner may read; several processes may share it."""

    home: Path
    wait_seconds: float = WAIT_SECONDS

    @property
    def path(self) -> Path:
        """Where it is."""
        return self.home / FILE

    @property
    def remedy(self) -> str:
        """What to do when it is damaged."""
        return f"remove {FILE} and its conversations are forgotten; their runs stay"

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Open it for one transaction.

        Raises:
            StoreDamaged: the file cannot be read.
            StoreFull: no space is left.
            StoreLocked: another process writes for longer than `wait_seconds`.
            StoreError: the folder may not be written to.
        """
        with private_file(self.path, SCHEMA, self.remedy, self.wait_seconds) as file:
            if not file.execute("SELECT 1 FROM pragma_table_info('conversations') WHERE name = 'owner'").fetchone():
                file.execute(OWNED)
            yield file
