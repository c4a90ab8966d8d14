"""A file of JSON lines that grows line by line, and is whole again after a kill.

Beside `x.jsonl` stands the folder `x.run`, which holds the lock of the process that writes.
"""

import os
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from heliograph.errors import UsageError
from heliograph.storage import plain_file, storage_error
from indexers.lock import WriterLock
from memory.trace.disk import is_whole


@dataclass(frozen=True, slots=True)
class GrowingLines:
    """A file that this process alone adds to; `otherwise` is the next step where it cannot be written."""

    path: Path
    otherwise: str

    def append(self, line: str) -> int:
        """Write a line and its end to the disk, and return where it begins; what fails leaves the file as it was.

        Raises:
            StoreFull | StoreError: the file cannot be written.
        """
        start = -1
        try:
            with self.path.open("ab") as lines:
                start = lines.tell()
                lines.write(line.encode("utf8"))
                lines.flush()
                os.fsync(lines.fileno())
        except OSError as err:
            if start >= 0:
                self.cut(start)
            raise storage_error(err, self.path, self.otherwise) from err
        return start

    def cut(self, start: int) -> None:
        """Take back all from a place on.

        Raises:
            StoreError: the file cannot be written.
        """
        try:
            os.truncate(self.path, start)
        except OSError as err:
            raise storage_error(err, self.path, self.otherwise) from err


def folder_of(path: Path) -> Path:
    """Return the folder beside a file of lines."""
    return path.with_suffix(".run")


def open_growing(
    path: Path, beginning: bytes, stack: ExitStack, otherwise: str, locked: Path | None = None
) -> GrowingLines:
    """Open a file for this process alone; a last line that a kill cut short is dropped, a whole one without end kept.

    Args:
        path: the file; it begins empty where there is none.
        beginning: how every line begins, by which a torn line is known from what is none of ours.
        stack: frees the file when it is closed.
        otherwise: the next step of somebody who would rather not wait for another process.
        locked: the folder whose writer is alone; the one beside the file unless another is named.

    Raises:
        UsageError: the file ends in something else.
        StoreLocked: another process writes it.
        StoreFull | StoreError: it cannot be written.
    """
    stack.enter_context(WriterLock(locked or folder_of(path), otherwise))
    try:
        path.touch()
        content = plain_file(path).read_bytes()
    except OSError as err:
        raise storage_error(err, path, otherwise) from err
    whole = content.rfind(b"\n") + 1
    torn = content[whole:]
    if not torn.startswith(beginning[: len(torn)]):
        raise UsageError(f"{path} ends in a line that is not of such a file; take it out, or put the file elsewhere")
    lines = GrowingLines(path, otherwise)
    if is_whole(torn):
        lines.append("\n")
    elif torn:
        lines.cut(whole)
    return lines
