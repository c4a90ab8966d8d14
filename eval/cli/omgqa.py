"""`heliograph eval omgqa`: systems asked, their evidence pooled and judged, and the tables of OMG-QA."""

import asyncio
import sys
from pathlib import Path

import click

from agent.cli.interrupting import resumable
from agent.cli.places import OUT_FOLDER, PLACE
from agent.cli.speaking import say

ONE = click.IntRange(min=1)
GO_ON = "give the same command again: answers that are there are not asked for again"


@click.group("omgqa")
def omgqa_group() -> None:
    """Citation evaluation as OMG-QA does it: any system over questions, pools, judges, tables."""


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
    """Ask every system of SYSTEMS the questions: a TOML, or paper for Table 9 of OMG-QA.

    Systems that lack something are named and left out. Stopped, the same command goes on. Exit codes: 2 usage, 4 no
    model, 5 no search, 6 store unusable, 130 interrupted.
    """
    say("heliograph: starting")
    from agent.cli.application import application
    from eval.omgqa.running import Asking, ask_all, chosen, systems_text
    from eval.omgqa.systems import grid_file, read_systems
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
    click.echo(f"the answers are in {folder}; heliograph eval omgqa judge {folder} comes next")
    if unasked:
        sys.exit(unasked[0].error.exit_code)
