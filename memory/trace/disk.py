"""Bytes to disk: whole files appear at once or not at all."""

import json
import os
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from heliograph.storage import ANOTHER_HOME, storage_error


def write_whole(path: Path, data: bytes, elsewhere: str = ANOTHER_HOME) -> None:
    """Write a file under a passing name and move it into place, so that nobody ever reads half of it.

    Args:
        path: the file.
        data: all of it.
        elsewhere: how another place is named for it, where this one cannot be written.

    Raises:
        StoreFull: no space; nothing is left behind.
    """
    with _replacing(path, elsewhere) as file:
        file.write(data)


def write_lines(path: Path, lines: Iterable[str], elsewhere: str) -> None:
    """Write a file of lines as `write_whole` does, one line at a time and so that it outlives the machine's power too.

    Args:
        path: the file; its folder is made where there is none.
        lines: each with its end; what is no character is written as JSON has it.
        elsewhere: how another place is named for it, where this one cannot be written.

    Raises:
        StoreFull | StoreError: it cannot be written; what was there stays, and nothing is left behind.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as err:
        raise storage_error(err, path, elsewhere) from err
    with _replacing(path, elsewhere) as file:
        file.writelines(line.encode("utf8", errors="backslashreplace") for line in lines)
        file.flush()
        os.fsync(file.fileno())


@contextmanager
def _replacing(path: Path, elsewhere: str) -> Iterator[BinaryIO]:
    """Open a file under a passing name, which is gone however that ends, and move it into place."""
    passing = path.with_name(f".{path.name}.{os.getpid()}.partial")
    with ExitStack() as failing:
        failing.callback(_remove, passing)
        try:
            with passing.open("wb") as file:
                yield file
            passing.replace(path)
        except OSError as err:
            raise storage_error(err, path, elsewhere) from err
        failing.pop_all()


def _remove(path: Path) -> None:
    with suppress(OSError):
        path.unlink(missing_ok=True)


class Journal:
    """A file of lines that only grows, each line handed to the system before `append` returns."""

    def __init__(self, path: Path, elsewhere: str = ANOTHER_HOME) -> None:
        self.path = path
        self._elsewhere = elsewhere
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o644)
        except OSError as err:
            raise storage_error(err, path, elsewhere) from err
        self._mend_torn_line()

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
            raise storage_error(err, self.path, self._elsewhere) from err

    def close(self) -> None:
        """Give the file back; a second call does nothing."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def _mend_torn_line(self) -> None:
        """Cut off what a killed process left behind the last complete line; a line that lacks its end alone gets it."""
        size = os.fstat(self._file).st_size
        if size == 0 or os.pread(self._file, 1, size - 1) == b"\n":
            return
        content = self.path.read_bytes()
        whole = content.rfind(b"\n") + 1
        if is_whole(content[whole:]):
            self.append(b"\n")
        else:
            os.ftruncate(self._file, whole)


def is_whole(line: bytes) -> bool:
    """Tell whether a last line without its end is a JSON object all the same, which no beginning of one is."""
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False
