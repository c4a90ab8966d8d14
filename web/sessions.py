"""Who owns what: browsers by a cookie that nobody can guess, programs by the key that they show.

A cookie is believed only if this server gave it out, so that nobody can plant one; kept is its sha256 alone.
"""

import sqlite3
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from secrets import token_urlsafe
from threading import Lock

from memory.private_file import WAIT_SECONDS, private_file

FILE = "sessions.sqlite"
SCHEMA = (
    "CREATE TABLE IF NOT EXISTS sessions (owner TEXT PRIMARY KEY, begun REAL NOT NULL)",
    "CREATE TABLE IF NOT EXISTS runs (run TEXT PRIMARY KEY, owner TEXT NOT NULL)",
    "CREATE TABLE IF NOT EXISTS shown (owner TEXT NOT NULL, kind TEXT NOT NULL, sha TEXT NOT NULL, name TEXT NOT NULL, "
    "PRIMARY KEY (owner, kind, sha))",
)
REMEDY = "remove it: browsers get new sessions, and conversations of the old ones are in heliograph chat alone"


class Sessions:
    """Sessions, and which runs and pieces of evidence were shown in which.

    Raises (from every method):
        StoreError: the file cannot be used.
    """

    def __init__(self, home: Path, wait_seconds: float = WAIT_SECONDS) -> None:
        self._path = home / FILE
        self._wait_seconds = wait_seconds
        self._turn = Lock()
        self.cookie = f"heliograph_{sha256(str(home.resolve()).encode('utf-8', 'replace')).hexdigest()[:12]}"
        """The name that a browser knows its cookie by: one a home, for browsers do not tell ports apart."""

    def begin(self) -> str:
        """Return the cookie of a new session: 256 bits of chance."""
        cookie = token_urlsafe(32)
        with self._file() as file:
            file.execute("INSERT INTO sessions VALUES (?, ?)", (owner_of(cookie), time.time()))
        return cookie

    def forget(self, before: float) -> None:
        """Forget sessions that were begun before an instant, in seconds since the epoch, and what they were shown."""
        gone = "SELECT owner FROM sessions WHERE begun < ?"
        with self._file() as file:
            for table in ("runs", "shown", "sessions"):
                file.execute(f"DELETE FROM {table} WHERE owner IN ({gone})", (before,))

    def owner(self, cookie: str | None) -> str | None:
        """Return the owner that a cookie stands for; None where it is none of ours."""
        if not cookie:
            return None
        with self._file() as file:
            found = file.execute("SELECT owner FROM sessions WHERE owner = ?", (owner_of(cookie),)).fetchone()
        return None if found is None else str(found[0])

    def own_run(self, run: str, owner: str) -> None:
        """Give a run to its owner."""
        with self._file() as file:
            file.execute("INSERT OR IGNORE INTO runs VALUES (?, ?)", (run, owner))

    def owns_run(self, run: str, *owners: str) -> bool:
        """Tell whether a run is one of these owners'."""
        with self._file() as file:
            found = file.execute("SELECT owner FROM runs WHERE run = ?", (run,)).fetchone()
        return found is not None and found[0] in owners

    def show(self, owner: str, kind: str, names: Iterable[str]) -> None:
        """Remember what an owner was shown, each under the sha256 of its name."""
        with self._file() as file:
            rows = [(owner, kind, sha_of(name), name) for name in names]
            file.executemany("INSERT OR IGNORE INTO shown VALUES (?, ?, ?, ?)", rows)

    def shown(self, owner: str, kind: str, sha: str) -> str | None:
        """Return the name behind a sha256 that this owner was shown, or None."""
        with self._file() as file:
            asked = "SELECT name FROM shown WHERE owner = ? AND kind = ? AND sha = ?"
            found = file.execute(asked, (owner, kind, sha)).fetchone()
        return None if found is None else str(found[0])

    @contextmanager
    def _file(self) -> Iterator[sqlite3.Connection]:
        """Open the file once other threads of this server are done: SQLite lets the unlucky wait until they fail."""
        with self._turn, private_file(self._path, SCHEMA, REMEDY, self._wait_seconds) as file:
            yield file


def owner_of(secret: str) -> str:
    """Return by what name the holder of a cookie or a key is known here."""
    return sha256(f"heliograph:{secret}".encode()).hexdigest()[:32]


def sha_of(name: str) -> str:
    """Return the sha256 by which a piece of evidence or a picture is asked for."""
    return sha256(name.encode()).hexdigest()
