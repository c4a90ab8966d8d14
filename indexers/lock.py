"""One writer a folder: Chroma loses vectors when two processes write to one directory."""

import os
from pathlib import Path
from types import TracebackType
from typing import Self

from heliograph.errors import StoreError, StoreFull, StoreLocked
from heliograph.storage import FULL

LOCK_NAME = "writer.lock"
HOLDER_NAME = "writer.pid"
ANOTHER_HOME = "name another folder with HELIOGRAPH_HOME"


class WriterLock:
    """Hold the right to write under a folder, for as long as the process lives or until it is released.

    The operating system frees the lock of a process that was killed, so nothing has to be cleaned up. `otherwise` is
    the next step of somebody who would rather not wait: the home folder's, unless another folder is locked.
    """

    def __init__(self, folder: Path, otherwise: str = ANOTHER_HOME) -> None:
        from filelock import FileLock

        self._folder, self._otherwise = folder, otherwise
        self._lock = FileLock(folder / LOCK_NAME, timeout=0, thread_local=False)

    def acquire(self) -> None:
        """Take the lock, or fail at once.

        Raises:
            StoreLocked: somebody else has it; the message names the folder and the process.
            StoreFull | StoreError: the folder cannot be written to.
        """
        from filelock import Timeout

        if self._lock.is_locked:
            return
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            self._lock.acquire()
            (self._folder / HOLDER_NAME).write_text(str(os.getpid()), encoding="ascii")
        except Timeout as err:
            raise StoreLocked(
                f"the folder {self._folder} is being written by {self._holder()}; wait until it has ended, "
                f"or {self._otherwise}"
            ) from err
        except OSError as err:
            self._lock.release()
            fault = f"cannot write to the folder {self._folder} ({err.strerror})"
            if err.errno in FULL:
                raise StoreFull(f"{fault}; free some space, or {self._otherwise}") from err
            raise StoreError(f"{fault}; check its permissions, or {self._otherwise}") from err

    def release(self) -> None:
        """Give the lock back; releasing twice does nothing."""
        self._lock.release()

    def _holder(self) -> str:
        try:
            return f"process {int((self._folder / HOLDER_NAME).read_text(encoding='ascii'))}"
        except (OSError, ValueError):
            return "another process"

    def __enter__(self) -> Self:
        self.acquire()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()
