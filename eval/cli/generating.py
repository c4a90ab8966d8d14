"""`heliograph eval omgqa generate`: questions made from articles by a language model."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

import click

from agent.cli.interrupting import resumable
from agent.cli.places import NAME, OUT_FOLDER
from agent.cli.speaking import say

if TYPE_CHECKING:
    from eval.omgqa.generation.candidates import Pipeline

ONE = click.IntRange(min=1)
GO_ON = "give the same command again: what the model replied to is not asked again"


@click.command("generate")
@click.option("--source", type=NAME, required=True, metavar="zim:PATH|demo|FOLDER", help="Articles to ask about.")
@click.option(
    "--pipeline",
    type=click.Choice(["pairs", "contents"]),
    required=True,
    help="pairs: of similar articles with tables; contents: of one article, by its table of contents.",
)
@click.option(
    "--out", type=OUT_FOLDER, required=True, help="Folder for questions.jsonl, documents.jsonl, rejected.jsonl."
)
@click.option("--limit", type=ONE, help="Try so many pairs or articles, drawn by --seed  [default: all].")
@click.option("--seed", type=int, default=0, help="Draws the order in which pairs or articles are tried.")
@click.option("--at-once", type=ONE, default=2, help="Pairs or articles worked on side by side.")
def generate_command(source: str, pipeline: "Pipeline", out: Path, limit: int | None, seed: int, at_once: int) -> None:
    """Have the language model of the settings make questions, as OMG-QA does, and keep those that pass all gates.

    Stopped, the same command goes on, with a larger --limit too. Exit codes: 2 usage, 4 no model, 5 no such archive,
    6 folder unusable, 130 interrupted.
    """
    say("heliograph: starting")
    from agent.cli.application import application
    from eval.omgqa.generation.commanding import Generation, make_questions

    settings = application().settings()
    with resumable(lambda: "", GO_ON):
        made = asyncio.run(make_questions(Generation(source, pipeline, out, limit, seed, at_once), settings, say))
    click.echo(f"{made}; they are in {out}")
