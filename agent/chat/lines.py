"""Lines of a conversation: typed at a terminal, with editing and a history across sessions, or read from a pipe."""

import io
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from heliograph.errors import StoreError
from heliograph.storage import storage_error
from memory.trace.disk import write_whole

HISTORY = "chat_history"
MOST_LINES = 1_000
"""Lines of the history that a session begins with."""
PROMPT = "> "


class PipedLines:
    """Lines of a standard input that is no terminal; no prompt is written."""

    typed = False

    def read(self) -> str | None:
        """Return the next line; None at the end."""
        line = sys.stdin.readline()
        return line.rstrip("\n") if line else None


class TypedLines:
    """Lines typed at a terminal; arrow up brings back those of earlier sessions, which only their owner may read."""

    typed = True

    def __init__(self, home: Path) -> None:
        self._path = home / HISTORY
        _recall(self._lines())

    def read(self) -> str | None:
        """Return the line that is typed; None at Ctrl-D.

        Raises:
            KeyboardInterrupt: Ctrl-C; what was typed is gone.
        """
        try:
            line = input(PROMPT)
        except EOFError:
            print()
            return None
        self._keep(" ".join(line.split()))
        return line

    def _lines(self) -> Sequence[str]:
        """Return the history, cut where it has grown long; an unreadable one is none."""
        try:
            kept = self._path.read_text(encoding="utf8", errors="replace").splitlines()
        except OSError:
            return ()
        if len(kept) > 2 * MOST_LINES:
            try:
                write_whole(self._path, "".join(f"{line}\n" for line in kept[-MOST_LINES:]).encode())
                self._path.chmod(0o600)
            except (StoreError, OSError):
                return kept[-MOST_LINES:]
        return kept[-MOST_LINES:]

    def _keep(self, line: str) -> None:
        if not line.isprintable() or not line:
            return
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC
            with os.fdopen(os.open(self._path, flags, 0o600), "ab") as file:
                file.write(f"{line}\n".encode())
        except OSError as err:
            raise storage_error(err, self._path) from err


def open_lines(home: Path) -> TypedLines | PipedLines:
    """Return the lines of standard input; bytes that are no text come as what a question may not hold."""
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="surrogateescape")
    return TypedLines(home) if sys.stdin.isatty() and sys.stdout.isatty() else PipedLines()


def _recall(lines: Sequence[str]) -> None:
    """Give readline the history; a Python without readline has a prompt without one."""
    try:
        import readline
    except ImportError:
        return
    for line in lines:
        readline.add_history(line)
