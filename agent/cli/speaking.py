"""What the commands print: the answer on stdout, progress in words beside it; a terminal obeys no page and no model."""

import os
import re
import sys
from shutil import get_terminal_size

import click

_STRING = r"\x1b[\]PX^_][^\x07\x1b\n]*(?:\x07|\x1b\\)"
"""A title of the window, a link, an answer of the terminal: what ends at BEL or at ESC and a backslash."""
_CODE = r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b[ -/]*[0-~]"
_UNPRINTED = rf"{_STRING}|{_CODE}|[\x00-\x08\x0b-\x1f]"
_FOREIGN = re.compile(_UNPRINTED)
NOT_INK = re.compile(rf"(?!\x1b\[(?:0|1|2|31)m)(?:{_UNPRINTED})")
"""All but the four codes of `memory.trace.render.Ink`."""
_ESCAPED = re.compile(r"[\x7f-\x9f\ud800-\udfff]")
"""What JSON leaves as it is: codes of one character, which some terminals obey, and halves of characters."""


def printable(text: str, foreign: re.Pattern[str] = _FOREIGN) -> str:
    r"""Return a text that moves no cursor and sets no colour: pages and models may write codes of terminals.

    What JSON escapes is left out, the rest is escaped as JSON does, such as \u009b: JSON stays what it says.
    """
    return _ESCAPED.sub(lambda found: f"\\u{ord(found.group()):04x}", foreign.sub("", text))


def show(text: str, whole: bool = False) -> None:
    """Print on stdout; in a terminal with lines that fit its window, unless they are to stay whole."""
    from agent.chat.fitting import fitted

    plain = printable(text)
    click.echo(plain if whole or not sys.stdout.isatty() else fitted(plain, get_terminal_size().columns))


def show_inked(text: str) -> None:
    """Print what `Ink` has coloured on stdout, its lines whole."""
    click.echo(printable(text, NOT_INK))


def say(text: str) -> None:
    """Report progress on stderr, where it never mixes with an answer."""
    click.secho(printable(text), err=True, dim=sys.stderr.isatty())


def complain(text: str) -> None:
    """Report an error on stderr."""
    click.secho(f"heliograph: {printable(text)}", err=True, fg="red")


def hold_nothing_back() -> None:
    """Drop what a stream that takes no more is still to be given; Python would try again, and fail, at its end."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
