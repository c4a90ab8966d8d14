"""The program `heliograph`: Ctrl-C ends it in one line from the start, while its commands are still being imported."""

import os
import signal
from importlib import import_module
from types import FrameType

INTERRUPTED = 130


def main() -> None:
    """Run the command line; a process that was told to ignore Ctrl-C goes on ignoring it."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _end)
    import_module("app").main()


def started() -> None:
    """Let Ctrl-C raise KeyboardInterrupt from here on: somebody is there who hears of it."""
    if signal.getsignal(signal.SIGINT) is _end:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _end(_signal: int, _frame: FrameType | None) -> None:
    os.write(2, b"heliograph: interrupted\n")
    os._exit(INTERRUPTED)
