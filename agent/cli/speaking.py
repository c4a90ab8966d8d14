"""What the commands print: the answer on stdout, progress in words beside it."""

import os
import sys
from shutil import get_terminal_size

import click


def show(text: str, whole: bool = False) -> None:
    """Print on stdout; in a terminal with lines that fit its window, unless they are to stay whole."""
    from agent.chat.fitting import fitted

    click.echo(text if whole or not sys.stdout.isatty() else fitted(text, get_terminal_size().columns))


def say(text: str) -> None:
    """Report progress on stderr, where it never mixes with an answer."""
    click.secho(text, err=True, dim=sys.stderr.isatty())


def hold_nothing_back() -> None:
    """Drop what a stream that takes no more is still to be given; Python would try again, and fail, at its end."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
