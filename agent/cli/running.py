"""Commands that run the agent: ask and resume. Imports wait until a command runs."""

import asyncio
import sys
from collections.abc import Awaitable
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from agent.cli.interrupting import resumable
from agent.cli.options import run_options
from agent.cli.speaking import say, show

if TYPE_CHECKING:
    from agent.cli.application import Asker
    from agent.terminal import Output
    from heliograph.types import Answer

ABSTAINED = 3


@click.command("ask")
@click.argument("question", required=False)
@run_options
@click.option("--json", "as_json", is_flag=True, help="Print the answer record instead of text.")
@click.option("--jsonl", is_flag=True, help="Stream trace events as JSON lines, the answer record last.")
@click.option("--trace", type=click.Path(path_type=Path), help="Copy the trace to this file.")
@click.option("--batch", type=click.Path(path_type=Path), help='JSON lines of {"id", "question"}; needs --out.')
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="A file for the answer: .md, .html, .docx or .pdf. Where a batch writes; started again, it goes on.",
)
def ask_command(
    question: str | None,
    preset: str | None,
    config: Path | None,
    as_json: bool,
    jsonl: bool,
    trace: Path | None,
    batch: Path | None,
    out: Path | None,
    **settings: Any,
) -> None:
    """Answer QUESTION with checked citations.

    Exit codes: 0 answered, 2 usage, 3 no evidence, 4 no model, 5 no search, 6 store unusable, 130 interrupted.
    """
    say("heliograph: starting")
    from agent.answer_files import check_file
    from agent.batch import ask_batch
    from agent.cli.application import application
    from agent.terminal import Output
    from heliograph.types import COMMAND_LINE

    in_batch = batch is not None
    if out is not None and not in_batch:
        check_file(out)
    following = "give the same command again: it goes on behind the last line of --out" if in_batch else ""
    heliograph = application().asker(preset, config, settings)
    with closing(heliograph), resumable(lambda: heliograph.run, following):
        if in_batch:  # what one question finds helps another only where that is asked for
            scope = COMMAND_LINE if settings["memory"] else None
            asyncio.run(ask_batch(batch, out, lambda text: heliograph.ask(text, say, scope=scope), say))
            return
        output = Output(as_json, jsonl, trace)
        asking = heliograph.ask(question or "", say, output.listener, scope=COMMAND_LINE)
        answer = asyncio.run(_written(heliograph, asking, out))
    show_run(answer, output, heliograph)


async def _written(heliograph: "Asker", asking: "Awaitable[Answer]", out: Path | None) -> "Answer":
    """Wait for an answer, and write it to a file where one is named."""
    answer = await asking
    if out is not None:
        await heliograph.export(answer, out)
        say(f"heliograph: wrote {out}")
    return answer


@click.command("report")
@click.argument("question")
@run_options
@click.option("--json", "as_json", is_flag=True, help="Print the answer record instead of text.")
@click.option("--jsonl", is_flag=True, help="Stream trace events as JSON lines, the answer record last.")
@click.option("--trace", type=click.Path(path_type=Path), help="Copy the trace to this file.")
@click.option("--out", type=click.Path(path_type=Path), help="A file for the report: .md, .html, .docx or .pdf.")
@click.pass_context
def report_command(context: click.Context, /, **options: Any) -> None:
    """Write a report on QUESTION: title, summary and sections, every sentence cited. The same as ask --form report.

    Exit codes: as for ask.
    """
    if options["form"] not in (None, "report"):
        raise click.BadParameter("a report has one form; use heliograph ask --form for others", param_hint="--form")
    context.invoke(ask_command, **{**options, "form": "report"})


@click.command("resume")
@click.argument("run")
@click.option("--json", "as_json", is_flag=True, help="Print the answer record instead of text.")
@click.option("--out", type=click.Path(path_type=Path), help="A file for the answer: .md, .html, .docx or .pdf.")
@click.option("--config", type=click.Path(path_type=Path), help="A heliograph.toml, for its keys.")
def resume_command(run: str, as_json: bool, out: Path | None, config: Path | None) -> None:
    """Finish RUN where it was cut short; what it has done already is not done again.

    RUN is a name, the beginning of one, or last. Exit codes: as for ask.
    """
    say("heliograph: starting")
    from agent.answer_files import check_file
    from agent.cli.application import application
    from agent.terminal import Output

    if out is not None:
        check_file(out)
    output = Output(as_json)
    with closing(application().asker(None, config, {})) as heliograph, resumable(lambda: heliograph.run):
        answer = asyncio.run(_written(heliograph, heliograph.resume(run, say, output.listener), out))
    show_run(answer, output, heliograph)


def show_run(answer: "Answer", output: "Output", heliograph: "Asker") -> None:
    """Print the answer of a run and end with its exit code."""
    from agent.terminal import show_answer

    show(show_answer(answer, output, heliograph.settings.home), whole=output.for_programs)
    sys.exit(ABSTAINED if answer.abstained else 0)
