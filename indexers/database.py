"""SQLite files of the home folder, opened alike and with their errors in Heliograph's words."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from time import monotonic, sleep

from heliograph.storage import database_error, storage_error

PURGE = "run heliograph store purge --indexes"
ALONE = "delete that file and those beside it that end in -wal and -shm; what it keeps is computed again"
"""The next step where a file is damaged: of a home folder's indexes, and of a cache that stands elsewhere."""
WAIT_SECONDS = 30
"""How long a writer waits for another to finish."""
PAUSE_SECONDS = 0.01
PRIMARY = 0xFF
"""Of an error code of SQLite: the bits that say what kind it is."""


def create(path: Path, schema: str, remedy: str = PURGE, wait_seconds: float = WAIT_SECONDS) -> None:
    """Make sure that the file and its tables exist, however many do so side by side.

    Raises:
        StoreDamaged | StoreFull | StoreLocked: as SQLite says; locked is what another still writes after the wait.
    """
    with translated(path, remedy):
        path.parent.mkdir(parents=True, exist_ok=True)
        with connected(path, remedy) as connection:
            _write_ahead(connection, wait_seconds)
            connection.executescript(schema)


def _write_ahead(connection: sqlite3.Connection, wait_seconds: float) -> None:
    """Switch the file to write-ahead logging.

    SQLite refuses the switch at once while another writes, whatever time a connection is told to wait.
    """
    until = monotonic() + wait_seconds
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as err:
            if err.sqlite_errorcode & PRIMARY != sqlite3.SQLITE_BUSY or monotonic() >= until:
                raise
            sleep(PAUSE_SECONDS)


@contextmanager
def connected(path: Path, remedy: str = PURGE) -> Iterator[sqlite3.Connection]:
    """Open the file for one transaction: committed at the end, rolled back on an error.

    Raises:
        StoreDamaged | StoreFull | StoreLocked: as SQLite says.
    """
    with translated(path, remedy), closing(sqlite3.connect(path, timeout=WAIT_SECONDS)) as connection, connection:
        connection.execute("PRAGMA synchronous = NORMAL")
        yield connection


@contextmanager
def translated(path: Path, remedy: str = PURGE) -> Iterator[None]:
    """Turn the errors of SQLite and of the file system into typed ones that name the file; `remedy` mends it."""
    try:
        yield
    except sqlite3.Error as err:
        raise database_error(err, path, remedy) from err
    except OSError as err:
        raise storage_error(err, path) from err


def size_of(path: Path) -> int:
    """Return the bytes that a database takes, its journal included."""
    files = (path, path.with_name(path.name + "-wal"), path.with_name(path.name + "-shm"))
    return sum(file.stat().st_size for file in files if file.exists())
