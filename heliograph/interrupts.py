"""Ctrl-C before anybody is there to hear of it: it ends the program in one line."""

import os
import signal
from types import FrameType

INTERRUPTED = 130


def starting() -> None:
    """Let Ctrl-C end the program; a process that was told to ignore it goes on ignoring it."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _end)


def started() -> None:
    """Let Ctrl-C raise KeyboardInterrupt from here on: somebody is there who hears of it."""
    if signal.getsignal(signal.SIGINT) is _end:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _end(_signal: int, _frame: FrameType | None) -> None:
    os.write(2, b"heliograph: interrupted\n")
    os._exit(INTERRUPTED)
