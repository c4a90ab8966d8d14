"""Ctrl-C ends a run at once and says how to go on: a run survives a kill, so there is nothing to tidy up."""

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType

from heliograph.interrupts import INTERRUPTED


@contextmanager
def resumable(run: Callable[[], str], following: str = "") -> Iterator[None]:
    """End the process on SIGINT, without waiting for threads that search, read or embed.

    `run` names the run; `following` says how to go on where that is not by resuming the run.
    """

    def end(_signal: int, _frame: FrameType | None) -> None:
        name = run()
        by_run = f"go on with heliograph resume {name}" if name else "nothing was begun"
        for stream in (sys.stdout, sys.stderr):
            with suppress(RuntimeError, ValueError, OSError):  # the interrupted code may be writing to it just now
                stream.flush()
        os.write(2, f"\nheliograph: interrupted; {following or by_run}\n".encode("utf8", "replace"))
        os._exit(INTERRUPTED)

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
