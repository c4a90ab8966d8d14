"""Bytes to disk: whole files appear at once or not at all."""

import os
from pathlib import Path

from heliograph.storage import storage_error


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
