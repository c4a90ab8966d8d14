"""Options that commands share; those of `ask` and `chat` are one a setting, with the names of heliograph.toml."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

Command = Callable[..., Any]
Option = Callable[[Command], Command]
"""An option of click, or an argument: it gives a command one more."""


def options(*some: Option) -> Option:
    """Give a command options, in this order."""

    def given(command: Command) -> Command:
        for option in reversed(some):
            command = option(command)
        return command

    return given


run_options = options(
    click.option("--preset", help="Settings that belong together: demo, fast, full or live."),
    click.option(
        "--source",
        "sources",
        multiple=True,
        metavar="SOURCE",
        help="Where to search: zim:PATH, skb:PATH, wikipedia or duckduckgo; may be repeated.",
    ),
    click.option("--wiki", help="Host of the live wiki, its language with it, or the address of its script path."),
    click.option("--contact", help="E-mail or URL of the operator, which live wikis are told."),
    click.option("--rounds", type=int, help="Retrieval rounds, 1 to 3."),
    click.option("--graph", help="Table-text graph: off, light (edges), full (expanded and refined)."),
    click.option(
        "--skb-from-pages", is_flag=True, default=None, help="Plan the question over a base made of the pages read."
    ),
    click.option("--form", help="The answer: short, long, report, or auto, which goes by the question."),
    click.option("--citations", help="Unsupported claims: flag, drop, repair (once, then drop) or abstain."),
    click.option("--indexing", help="text-only, textual-visual or modality-specific."),
    click.option("--text-retriever", help="dense, sparse, generative or hybrid-generative."),
    click.option("--pages-per-round", type=int, help="Pages read a round at most."),
    click.option("--max-seconds", type=float, help="Time budget; the answer is then written from what is there."),
    click.option("--max-pages", type=int, help="Page budget over all rounds."),
    click.option("--max-calls", type=int, help="Budget of calls of language models."),
    click.option("--max-tokens", type=int, help="Budget of tokens of language models, read and written."),
    click.option("--memory", help="Past questions propose pages: off, conversation (its own) or user (all)."),
    click.option("--config", type=click.Path(path_type=Path), help="A heliograph.toml to read."),
)
"""The options of a run."""
