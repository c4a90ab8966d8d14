"""What disks and databases say, in Heliograph's words: a full disk has its own error, and so has a damaged file."""

import bz2
import errno
import gzip
import lzma
import re
import sqlite3
import stat
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

from heliograph.errors import StoreDamaged, StoreError, StoreFull, StoreLocked, UsageError

ANOTHER_HOME = "set HELIOGRAPH_HOME to another place"
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

COMPRESSED: Mapping[str, Callable[..., object]] = {".gz": gzip.open, ".xz": lzma.open, ".bz2": bz2.open}
"""What opens a compressed file, by the suffix of its name."""
NOT_UNPACKED = (gzip.BadGzipFile, EOFError, lzma.LZMAError, zlib.error)
"""What reading a compressed file raises where it is cut or damaged; bz2 raises a plain OSError."""


def open_unpacked(path: Path) -> BinaryIO:
    """Open a file to read its bytes; one whose name ends in .gz, .xz or .bz2 is unpacked on the way.

    Raises:
        OSError: as `plain_file`, or the file cannot be opened.
    """
    return cast("BinaryIO", COMPRESSED.get(path.suffix.lower(), open)(plain_file(path), "rb"))


def refuse_to_replace(out: Path, force: bool) -> None:
    """Refuse to write over what is there unless that is wanted.

    Raises:
        UsageError: it is there.
    """
    if out.exists() and not force:
        raise UsageError(f"{out} is there already; name another, or replace it with --force")


def plain_file(path: Path) -> Path:
    """Return a path that can be read to its end: a pipe would be waited for, and some devices never end.

    A folder passes, as whoever opens it is told at once that it is one.

    Raises:
        OSError: there is nothing at the path, or a pipe, a socket or a device.
    """
    mode = path.stat().st_mode
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
        raise OSError(errno.EINVAL, "a pipe, a socket or a device, and not a file", str(path))
    return path


def storage_error(cause: OSError, path: Path, elsewhere: str = ANOTHER_HOME) -> StoreError:
    """Translate what the disk said about writing `path`; `elsewhere` is how another place is named for it."""
    if cause.errno in FULL or (cause.errno is None and CUT_SHORT.search(str(cause))):
        return StoreFull(f"no space left to write {path}; free some space or {elsewhere}")
    reason = cause.strerror or str(cause) or type(cause).__name__
    return StoreError(f"cannot write {path}: {reason}; check its permissions or {elsewhere}")


@contextmanager
def writing_into(folder: Path, elsewhere: str = ANOTHER_HOME) -> Iterator[None]:
    """Make a folder and translate what the disk says of writing there, as `storage_error` does.

    Raises:
        StoreError: it cannot be made or written; `StoreFull` where there is no space.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        yield
    except OSError as err:
        raise storage_error(err, folder, elsewhere) from err


def database_error(err: sqlite3.Error, path: Path, remedy: str) -> StoreError:
    """Translate what SQLite said of the database at `path`; `remedy` is the next step where it is damaged."""
    code = getattr(err, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT)
    if code in UNWRITTEN:
        code = sqlite3.SQLITE_FULL
    match code & 0xFF:
        case sqlite3.SQLITE_FULL:
            return StoreFull(f"no space left to write {path}; free some space or {ANOTHER_HOME}")
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return StoreLocked(f"{path} is being written by another process; try again when it has ended")
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_PERM:
            return StoreError(f"cannot write {path} ({err}); check its permissions or {ANOTHER_HOME}")
        case _:
            return StoreDamaged(f"{path} cannot be read ({err}); {remedy}")
