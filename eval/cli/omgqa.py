"""`heliograph eval omgqa`: systems asked, their evidence pooled and judged, and the tables of OMG-QA."""

import asyncio
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from agent.cli.interrupting import resumable
from agent.cli.places import OUT_FILE, OUT_FOLDER, PLACE
from agent.cli.speaking import say, show
from eval.cli.converting import convert_command
from eval.cli.generating import generate_command
from eval.cli.labelling import calibrate_command, label_command

if TYPE_CHECKING:
    from eval.omgqa.judged import UnitKind
    from eval.omgqa.judging.building import JudgeKind

ONE = click.IntRange(min=1)
GO_ON = "give the same command again: answers that are there are not asked for again"


@click.group("omgqa")
def omgqa_group() -> None:
    """Citation evaluation as OMG-QA does it: any system over questions, pools, judges, tables."""


for command in (generate_command, convert_command, label_command, calibrate_command):
    omgqa_group.add_command(command)


@omgqa_group.command("run")
@click.argument("systems", type=PLACE)
@click.option("--questions", type=PLACE, help="Questions, JSON lines.  [required, but with --list]")
@click.option("--out", type=OUT_FOLDER, help="Folder of the evaluation [default: one a file in the home folder].")
@click.option("--system", "names", multiple=True, metavar="NAME", help="Ask this system only; may be repeated.")
@click.option("--limit", type=ONE, help="Ask so many questions, drawn by --seed.")
@click.option("--seed", type=int, default=0, help="Draws questions; answers of other seeds are kept beside each other.")
@click.option("--at-once", type=ONE, default=2, help="Questions asked side by side.")
@click.option("--list", "listed", is_flag=True, help="Name the systems, and what each lacks, and ask nothing.")
def run_command(
    systems: Path,
    questions: Path | None,
    out: Path | None,
    names: tuple[str, ...],
    limit: int | None,
    seed: int,
    at_once: int,
    listed: bool,
) -> None:
    """Ask every system of SYSTEMS the questions: a TOML; or paper, for Table 9 of OMG-QA; or demo.

    Systems that lack something are named and left out. Stopped, the same command goes on. Exit codes: 2 usage, 4 no
    model, 5 no search, 6 store unusable, 130 interrupted.
    """
    say("heliograph: starting")
    from agent.cli.application import application
    from eval.omgqa.grid import grid_file, read_systems
    from eval.omgqa.running import Asking, ask_all, chosen, systems_text
    from heliograph.errors import UsageError

    wanted = chosen(read_systems(grid_file(systems)), names)
    if listed:
        click.echo(systems_text(wanted))
        return
    if questions is None:
        raise UsageError("no questions are named; add --questions FILE, or --list to see the systems")
    root = application()
    folder = out or root.settings().home / "eval" / "omgqa" / systems.stem
    with resumable(lambda: "", GO_ON):
        unasked = asyncio.run(
            ask_all(
                wanted,
                Asking(questions, folder, limit, seed, at_once),
                lambda given: root.asker(None, None, given),
                say,
            )
        )
    if unasked:
        click.echo(f"what was answered is in {folder}; the same command asks the rest")
        sys.exit(unasked[0].error.exit_code)
    click.echo(f"the answers are in {folder}; heliograph eval omgqa judge {folder} comes next")


JUDGE = click.option("--judge", type=click.Choice(["extractive", "llm"]), default="extractive", help="Who judges.")
UNIT = click.option("--unit", type=click.Choice(["leaf", "row"]), default="leaf", help="What is judged.")


@omgqa_group.command("judge")
@click.argument("folder", type=PLACE)
@JUDGE
@UNIT
@click.option("--labels", type=PLACE, multiple=True, help="Judgements that are there already; may be repeated.")
@click.option("--gold", type=PLACE, help="Supporting facts of `convert`, found on the pages of --source.")
@click.option("--source", help="Where these pages are, such as zim:PATH.")
@click.option("--everything", is_flag=True, help="Judge also what authors have labelled, to compare.")
@click.option("--at-once", type=ONE, default=4, help="Cases judged side by side.")
def judge_command(
    folder: Path,
    judge: "JudgeKind",
    unit: "UnitKind",
    labels: tuple[Path, ...],
    gold: Path | None,
    source: str | None,
    everything: bool,
    at_once: int,
) -> None:
    """Pool what the systems of FOLDER found, and judge it and their answers.

    What is judged is not judged again. Exit codes: 2 usage, 4 no model, 6 store unusable, 130 interrupted.
    """
    say("heliograph: starting")
    from agent.cli.application import application
    from eval.omgqa.judging_answers import JudgingOptions, judge_answers

    options = JudgingOptions(folder, judge, unit, labels, gold, source, everything, at_once)
    with resumable(lambda: "", "give the same command again: what is judged is not judged again"):
        name = asyncio.run(judge_answers(options, application().settings(), say))
    click.echo(f"judged; heliograph eval omgqa report {folder} --judge {name} comes next")


@omgqa_group.command("correctness")
@click.argument("folder", type=PLACE)
@click.option("--at-once", type=ONE, default=4, help="Cases judged side by side.")
def correctness_command(folder: Path, at_once: int) -> None:
    """Ask the language model of the role judge which answers of FOLDER state the expected one, and nothing else.

    What is judged is not judged again; report prints it beside what accepted strings say. Exit codes: 2 usage, 4 no
    model, 6 store unusable, 130 interrupted.
    """
    say("heliograph: starting")
    from agent.cli.application import application
    from eval.omgqa.judging_answers import judge_correctness_of

    with resumable(lambda: "", "give the same command again: what is judged is not judged again"):
        name = asyncio.run(judge_correctness_of(folder, at_once, application().settings(), say))
    click.echo(f"judged by {name}; heliograph eval omgqa report {folder} comes next")


@omgqa_group.command("report")
@click.argument("folder", type=PLACE)
@click.option("--judge", default="extractive", metavar="NAME", help="Whose words count, where authors have none.")
@UNIT
@click.option("--format", "form", type=click.Choice(["text", "markdown", "json", "html"]), default="text")
@click.option("--out", type=OUT_FILE, help="File to write [default: print].")
def report_command(folder: Path, judge: str, unit: "UnitKind", form: str, out: Path | None) -> None:
    """Print the tables of OMG-QA over the answers of FOLDER; html is one page that leads from figures to evidence."""
    from eval.omgqa.dataset import read_documents
    from eval.omgqa.elsewhere import ANOTHER_FILE
    from eval.omgqa.evaluating import read_results
    from eval.omgqa.folder import EvaluationFolder
    from eval.omgqa.reporting.page.document import report_html
    from eval.omgqa.reporting.plain import report_markdown, report_text
    from eval.omgqa.reporting.record import report_json
    from eval.omgqa.reporting.report import report
    from memory.trace.disk import write_lines

    place = EvaluationFolder(folder)
    found = report(read_results(place, judge, unit))
    if form == "html":
        text = report_html(found, read_documents(place.documents))
    else:
        text = {"text": report_text, "markdown": report_markdown, "json": report_json}[form](found)
    if out is None:
        show(text, whole=True)
        return
    write_lines(out, (text,), ANOTHER_FILE)
    click.echo(f"the report is in {out}")


@omgqa_group.command("compare")
@click.argument("folder", type=PLACE)
@click.argument("first")
@click.argument("second")
@click.option("--with", "other", type=PLACE, help="Folder that SECOND is of [default: FOLDER].")
@click.option("--judge", default="extractive", metavar="NAME", help="Whose words count, where authors have none.")
@UNIT
@click.option(
    "--measure", default="", help="By which the questions that changed most are found [default: the average]."
)
@click.option("--format", "form", type=click.Choice(["text", "markdown", "json"]), default="text")
def compare_command(
    folder: Path,
    first: str,
    second: str,
    other: Path | None,
    judge: str,
    unit: "UnitKind",
    measure: str,
    form: str,
) -> None:
    """Say by how much system FIRST is better than SECOND on the questions that both answered, with 95% intervals."""
    from eval.omgqa.evaluating import read_results
    from eval.omgqa.folder import EvaluationFolder
    from eval.omgqa.reporting.comparison import Side, compare
    from eval.omgqa.reporting.differences import comparison_json, comparison_markdown, comparison_text

    ours = read_results(EvaluationFolder(folder), judge, unit)
    theirs = ours if other is None else read_results(EvaluationFolder(other), judge, unit)
    found = compare(Side(ours, first), Side(theirs, second), measure)
    shown = {"text": comparison_text, "markdown": comparison_markdown, "json": comparison_json}
    show(shown[form](found), whole=True)
