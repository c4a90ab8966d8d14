"""`heliograph eval omgqa label` and `calibrate`: people beside judges, and how far these agree with people."""

import asyncio
import json
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from agent.cli.interrupting import resumable
from agent.cli.places import OUT_FILE, PLACE
from agent.cli.speaking import say, show
from heliograph.starting import INTERRUPTED

if TYPE_CHECKING:
    from eval.omgqa.folder import EvaluationFolder

ONE = click.IntRange(min=1)
GO_ON = "give the same command again: what has its word is not asked again"
AGAIN = "give the same command again: it goes on behind your last word"


@click.command("label")
@click.argument("folder", type=PLACE)
@click.option("--judge", required=True, metavar="NAME", help="Whose words these are.")
@click.option("--first", type=ONE, help="Label the evidence of so many questions, drawn by the sha256 of their ids.")
@click.option("--against", metavar="JUDGE", help="Label nothing: say how far --judge agrees with this judge.")
@click.option("--json", "as_json", is_flag=True, help="Print the agreement as JSON.")
def label_command(folder: Path, judge: str, first: int | None, against: str | None, as_json: bool) -> None:
    """Label the pooled evidence of FOLDER by hand, blind to what other judges said, or compare two judges.

    Keys: y relevant, n not relevant, s skip, u undo, q quit. Every word is kept at once; the same command goes on.
    Exit codes: 2 usage, 6 store unusable, 130 interrupted.
    """
    from eval.omgqa.folder import EvaluationFolder

    files = EvaluationFolder(folder)
    if against is not None:
        click.echo(_agreement(files, judge, against, as_json))
        return
    with resumable(lambda: "", AGAIN):
        _label(files, judge, first)


@click.command("calibrate")
@click.option("--claims", type=PLACE, required=True, help="ExpertQA's claims, JSON lines.")
@click.option("--judge", type=click.Choice(["extractive", "llm"]), default="extractive", help="Who is calibrated.")
@click.option(
    "--half",
    type=click.Choice(["development", "report", "all"]),
    default="report",
    help="Thresholds and prompts are chosen on development; figures are of report.",
)
@click.option("--first", type=ONE, help="Judge so many claims, drawn by sha256.")
@click.option("--words", type=OUT_FILE, help="File of words [default: one in the home folder].")
@click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON.")
def calibrate_command(as_json: bool, **given: Any) -> None:
    """Say how far a judge of support agrees with experts on ExpertQA's claims.

    Stopped, the same command goes on. Exit codes: 2 usage, 4 no model, 6 store unusable, 130 interrupted.
    """
    say("heliograph: starting")
    from agent.cli.application import application
    from eval.omgqa.judging.calibration import Calibration, calibrate

    with resumable(lambda: "", GO_ON):
        found = asyncio.run(calibrate(Calibration(**given), application().settings(), say))
    click.echo(found.as_json() if as_json else found.text())


def _label(files: "EvaluationFolder", judge: str, first: int | None) -> None:
    from eval.omgqa.dataset import read_omg_questions
    from eval.omgqa.judging.people import open_labelling
    from eval.omgqa.shelf import read_shown

    questions, evidence = read_omg_questions(files.questions), read_shown(files.evidence)
    with ExitStack() as stack:
        labelling = open_labelling(files.pool, judge, questions, evidence, stack, first)
        labelling.run(_key)
        left = len(labelling.pairs) - labelling.labelled
        say(f"{labelling.labelled:,} labelled by {judge}, {left:,} left")


def _key(text: str) -> str:
    """Show a text and wait for a key; the end of the input quits."""
    if sys.stdout.isatty():
        click.clear()
    show(text)
    if not sys.stdin.isatty():
        return sys.stdin.read(1) or "q"
    try:
        return click.getchar() or "q"
    except EOFError:
        return "q"
    except KeyboardInterrupt:  # a terminal that gives single keys sends Ctrl-C as one of them
        say(f"heliograph: interrupted; {AGAIN}")
        sys.exit(INTERRUPTED)


def _agreement(files: "EvaluationFolder", first: str, second: str, as_json: bool) -> str:
    """Return how far two judges agree, task by task (OMG-QA, Table 7)."""
    from eval.omgqa.dataset import read_judgements, read_omg_questions
    from eval.omgqa.judging.agreement import agreement_text
    from eval.omgqa.judging.people import pool_agreement
    from eval.omgqa.judging.words import agreements, read_words

    questions = (question.id for question in read_omg_questions(files.questions))
    found = {"relevancy": pool_agreement(read_judgements(files.pool, questions), first, second)}
    if files.words.exists():
        found |= {str(task): each for task, each in agreements(read_words(files.words), first, second).items()}
    if as_json:
        return json.dumps({task: each.record() for task, each in found.items()})
    return "\n".join(agreement_text(task.replace("_", " "), each, first, second) for task, each in found.items())
