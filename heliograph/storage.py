"""What disks and databases say, in Heliograph's words: a full disk has its own error, and so has a damaged file."""

import errno
import re
import sqlite3
from pathlib import Path

from heliograph.errors import StoreDamaged, StoreError, StoreFull, StoreLocked

FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
CUT_SHORT = re.compile(r"\d+ requested and \d+ written")
"""What numpy says, without a number, of an array that the disk took only a part of."""
UNWRITTEN = frozenset(
    {
        sqlite3.SQLITE_IOERR_WRITE,
        sqlite3.SQLITE_IOERR_TRUNCATE,
        sqlite3.SQLITE_IOERR_FSYNC,
        sqlite3.SQLITE_IOERR_SHMSIZE,
    }
)
"""What SQLite says of a quota that is used up, and of a disk that is full when a log is begun."""
MALFORMED = (ValueError, LookupError, TypeError, AttributeError, RecursionError, OverflowError)
"""What reading JSON or an array raises where the file holds something else: deep nesting, an endless number."""


def storage_error(cause: OSError, path: Path) -> StoreError:
    """Translate what the disk said about writing `path`."""
    if cause.errno in FULL or (cause.errno is None and CUT_SHORT.search(str(cause))):
        return StoreFull(f"no space left to write {path}; free some space or set HELIOGRAPH_HOME to another disk")
    reason = cause.strerror or str(cause) or type(cause).__name__
    return StoreError(f"cannot write {path}: {reason}; check its permissions or set HELIOGRAPH_HOME")


def database_error(err: sqlite3.Error, path: Path, remedy: str) -> StoreError:
    """Translate what SQLite said of the database at `path`; `remedy` is the next step where it is damaged."""
    code = getattr(err, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT)
    if code in UNWRITTEN:
        code = sqlite3.SQLITE_FULL
    match code & 0xFF:
        case sqlite3.SQLITE_FULL:
            return StoreFull(f"no space left to write {path}; free some space or set HELIOGRAPH_HOME to another disk")
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return StoreLocked(f"{path} is being written by another process; try again when it has ended")
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_PERM:
            return StoreError(f"cannot write {path} ({err}); check its permissions or set HELIOGRAPH_HOME")
        case _:
            return StoreDamaged(f"{path} cannot be read ({err}); {remedy}")
