"""Bytes to disk: whole files appear at once or not at all, and a full disk has its own error."""

import errno
import os
import sqlite3
from pathlib import Path

from heliograph.errors import StoreDamaged, StoreError, StoreFull, StoreLocked

_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})


def storage_error(cause: OSError, path: Path) -> StoreError:
    """Translate what the disk said about writing `path`."""
    if cause.errno in _FULL:
        return StoreFull(f"no space left to write {path}; free some space or set HELIOGRAPH_HOME to another disk")
    return StoreError(f"cannot write {path}: {cause.strerror}; check its permissions or set HELIOGRAPH_HOME")


def database_error(err: sqlite3.Error, path: Path, remedy: str) -> StoreError:
    """Translate what SQLite said of the database at `path`; `remedy` is the next step where it is damaged."""
    code = getattr(err, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT)
    if code == sqlite3.SQLITE_IOERR_WRITE:  # what SQLite says of a quota that is used up
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


def write_whole(path: Path, data: bytes) -> None:
    """Write a file under a passing name and move it into place, so that nobody ever reads half of it.

    Raises:
        StoreFull: no space; nothing is left behind.
    """
    passing = path.with_name(f".{path.name}.{os.getpid()}.partial")
    try:
        passing.write_bytes(data)
        passing.replace(path)
    except OSError as err:
        passing.unlink(missing_ok=True)
        raise storage_error(err, path) from err


class Journal:
    """A file of lines that only grows, each line handed to the system before `append` returns."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o644)
        except OSError as err:
            raise storage_error(err, path) from err
        self._drop_torn_line()

    def append(self, line: bytes) -> None:
        """Add one line; after a failure the file ends where it ended before.

        Raises:
            StoreFull: no space left.
        """
        size = os.fstat(self._file).st_size
        try:
            written = os.write(self._file, line)
            while written < len(line):
                written += os.write(self._file, line[written:])
        except OSError as err:
            if os.fstat(self._file).st_size > size:
                os.ftruncate(self._file, size)
            raise storage_error(err, self.path) from err

    def close(self) -> None:
        """Give the file back; a second call does nothing."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def _drop_torn_line(self) -> None:
        """Cut off what a killed process left behind the last complete line."""
        size = os.fstat(self._file).st_size
        if size == 0 or os.pread(self._file, 1, size - 1) == b"\n":
            return
        whole = self.path.read_bytes().rfind(b"\n") + 1
        os.ftruncate(self._file, whole)
