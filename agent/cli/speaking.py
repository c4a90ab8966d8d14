"""Progress in words, beside the answer and never in it."""

import sys

import click


def say(text: str) -> None:
    """Report progress on stderr, where it never mixes with an answer."""
    click.secho(text, err=True, dim=sys.stderr.isatty())
