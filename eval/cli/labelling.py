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
from heliograph.interrupts import INTERRUPTED

if TYPE_CHECKING:
    from eval.omgqa.folder import EvaluationFolder
    from eval.omgqa.judging.cases import Task

ONE = click.IntRange(min=1)
GO_ON = "give the same command again: what has its word is not asked again"
AGAIN = "give the same command again: it goes on behind your last word"


@click.command("label")
@click.argument("folder", type=PLACE)
@click.option("--judge", required=True, metavar="NAME", help="Whose words these are.")
@click.option(
    "--task",
    type=click.Choice(["relevancy", "correct_use", "completeness", "support", "correctness"]),
    help="What is decided [default: relevancy; with --against, all that both decided].",
)
@click.option(
    "--first",
    type=ONE,
    help="Label so many, drawn by sha256, the same for everybody: the evidence of so many questions, or so many cases.",
)
@click.option("--against", metavar="JUDGE", help="Label nothing: say how far --judge agrees with this judge.")
@click.option("--json", "as_json", is_flag=True, help="Print the agreement as JSON.")
def label_command(
    folder: Path, judge: str, task: "Task | None", first: int | None, against: str | None, as_json: bool
) -> None:
    """Decide by hand what judges of FOLDER decide, blind to what they said, or compare two judges.

    Tasks: whether pooled evidence helps to answer (relevancy), evidence that an answer cites says what is taken from
    it (correct_use), every fact of an answer has a citation (completeness), evidence says a claim (support), and an
    answer states one that is known to be right (correctness). Keys: y yes, n no, s skip, u undo, q quit. Every word is
    kept at once; the same command goes on. Exit codes: 2 usage,
    6 store unusable, 130 interrupted.
    """
    from eval.omgqa.folder import EvaluationFolder
    from heliograph.errors import UsageError

    files = EvaluationFolder(folder)
    if against is not None:
        if first is not None:
            raise UsageError("--against compares all cases that both decided; leave --first out")
        show(_agreement(files, judge, against, task, as_json), whole=True)
        return
    if as_json:
        raise UsageError("--json prints an agreement; name the other judge with --against")
    with resumable(lambda: "", AGAIN):
        _label(files, judge, task or "relevancy", first)


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
    show(found.as_json() if as_json else found.text(), whole=True)


def _label(files: "EvaluationFolder", judge: str, task: "Task", first: int | None) -> None:
    from eval.omgqa.judging.alignment import task_name
    from eval.omgqa.labelling import open_labelling

    with ExitStack() as stack:
        labelling = open_labelling(files, judge, task, stack, first)
        labelling.run(_key)
        left = len(labelling.cases) - labelling.labelled
        say(f"{task_name(task)}: {labelling.labelled:,} labelled by {judge}, {left:,} left")


def _key(text: str) -> str:
    """Show a text and wait for a key; the end of the input quits, and so does an input that was never open."""
    if sys.stdout.isatty():
        click.clear()
    show(text)
    if sys.stdin is None or not sys.stdin.isatty():
        return _next_sign()
    try:
        return click.getchar() or "q"
    except EOFError:
        return "q"
    except KeyboardInterrupt:  # a terminal that gives single keys sends Ctrl-C as one of them
        say(f"heliograph: interrupted; {AGAIN}")
        sys.exit(INTERRUPTED)


def _next_sign() -> str:
    """Read a sign that is not a blank or the end of a line, so that keys may be piped a line each."""
    while sys.stdin is not None and (sign := sys.stdin.read(1)):
        if not sign.isspace():
            return sign
    return "q"


def _agreement(files: "EvaluationFolder", first: str, second: str, task: "Task | None", as_json: bool) -> str:
    """Return how far two judges agree, task by task (OMG-QA, Table 7)."""
    from eval.omgqa.judging.agreement import agreement_text
    from eval.omgqa.judging.alignment import alignments_of_two, task_name
    from eval.omgqa.labelling import spoken_in

    found = alignments_of_two(spoken_in(files), first, second, task)
    if as_json:
        return json.dumps({each.task: each.agreement.record() for each in found})
    return "\n".join(agreement_text(task_name(each.task), each.agreement, first, second) for each in found)
