"""What was loaded from files, once in a process for as long as the files stay as they are."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from pathlib import Path
from typing import Generic, TypeVar

T = TypeVar("T")

FileState = tuple[int, int, int, int, int]
"""Device, inode, bytes and both times of change (ns): of another state, a file is read anew.

The time of the content can be set, and is by whatever copies one file over another in place; that of the inode cannot.
"""


def file_state(path: Path) -> FileState:
    """Return the state of a file.

    Raises:
        OSError: it cannot be looked at.
    """
    found = path.stat()
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns


class Loaded(Generic[T]):
    """What was asked for last, each in its newest state; while one is loaded, whoever asks for another waits.

    Args:
        most: things that stay in memory.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._kept: OrderedDict[Hashable, tuple[object, T]] = OrderedDict()

    def get(self, name: Hashable, state: Callable[[], object], load: Callable[[], T]) -> T:
        """Return what bears a name, loaded anew where its state is another; where that fails, nothing of it stays."""
        with self._lock:
            kept = self._kept.pop(name, None)
            now = state()
            if kept is None or kept[0] != now:
                kept = now, load()
            self._kept[name] = kept
            if len(self._kept) > self._most:
                self._kept.popitem(last=False)
            return kept[1]
