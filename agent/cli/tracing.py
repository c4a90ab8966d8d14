"""`heliograph trace`: look into recorded runs. Imports wait until a command runs."""

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, cast, get_args

import click

from agent.cli.housekeeping import home
from agent.cli.places import OUT_FILE
from agent.cli.speaking import say, show, show_inked
from heliograph.errors import UsageError

if TYPE_CHECKING:
    from heliograph.protocols import SpanKind
    from memory.trace import Event, OpenedRun, RunStatus, Wanted
    from memory.trace.render import Ink

PARTED = 1
SHORTEST_PRIVATE = 4
"""Characters from which on a path or a contact is masked: / stands everywhere."""
OUTCOMES = ("answered", "abstained", "failed", "unfinished", "damaged")


@click.group("trace")
def trace_group() -> None:
    """Look into recorded runs."""


@trace_group.command("list")
@click.option(
    "--outcome", "outcomes", multiple=True, type=click.Choice(OUTCOMES), help="How it ended; may be repeated."
)
@click.option("--question", default="", metavar="TEXT", help="Only runs whose question has TEXT in it.")
@click.option(
    "--since", metavar="WHEN", help="Only runs begun since a date or time (UTC), or so long ago: 90min, 12h, 3d."
)
@click.option("--json", "as_json", is_flag=True, help="One line of JSON a run.")
def trace_list(outcomes: "tuple[RunStatus, ...]", question: str, since: str | None, as_json: bool) -> None:
    """List all runs, the latest last."""
    from memory.trace import SystemClock, WantedRuns, list_json, list_runs, moment, render_list, wanted_runs

    begun = moment(since, SystemClock().now()) if since else None
    runs = wanted_runs(list_runs(home()), WantedRuns(outcomes, question, begun))
    if as_json:
        click.echo(list_json(runs), nl=bool(runs))
    else:
        show_inked(render_list(runs, _ink()))


@trace_group.command("show")
@click.argument("run")
@click.option("--depth", type=click.IntRange(min=0), help="Levels of the tree.")
@click.option("--only", multiple=True, metavar="TEXT", help="A kind (TOOL) or a part of a name; may be repeated.")
@click.option("--kind", "kinds", multiple=True, metavar="KIND", help="TOOL, LLM, RETRIEVER …; may be repeated.")
@click.option("--name", "names", multiple=True, metavar="TEXT", help="A part of a name; may be repeated.")
@click.option("--failed", is_flag=True, help="Steps that ended in an error.")
@click.option("--slower", type=click.FloatRange(min=0), metavar="S", help="Steps that took more than S seconds.")
@click.option("--messages", is_flag=True, help="Prompt and reply under every model call.")
@click.option("--spans", is_flag=True, help="The key of each span, for --span.")
@click.option("--span", metavar="KEY", help="All that one span says: prompt, reply, documents, input and output.")
@click.option("--json", "as_json", is_flag=True, help="Print the events as JSON lines, ordered by span.")
def trace_show(  # noqa: PLR0913, PLR0917 - one parameter an option
    run: str,
    depth: int | None,
    only: tuple[str, ...],
    kinds: tuple[str, ...],
    names: tuple[str, ...],
    failed: bool,
    slower: float | None,
    messages: bool,
    spans: bool,
    span: str | None,
    as_json: bool,
) -> None:
    """Show what RUN did: a name, the beginning of one, or last.

    Filters of one sort add up, those of several sorts must all hold; steps that lead to a shown one are shown too.
    """
    from memory.trace import Wanted

    opened = _opened(run)
    wanted = Wanted(only, _kinds(kinds), names, failed, slower)
    if span is not None:
        _show_span(opened, span, as_json)
    elif as_json:
        _show_lines(opened.events, wanted)
    else:
        _show_tree(opened, wanted, depth, messages, spans)


@trace_group.command("diff")
@click.argument("first")
@click.argument("second")
@click.option("--json", "as_json", is_flag=True, help="Print the differences as one line of JSON.")
def trace_diff(first: str, second: str, as_json: bool) -> None:
    """Show where two runs part: settings, queries, documents, verdicts, claims and answers.

    Exit codes: 0 both found, judged and said the same; 1 they part; 2 no such run; 6 a record cannot be read.
    """
    from memory.trace import account_of, diff_json, diff_runs, find_run, render_diff

    found = [account_of(find_run(home(), run)) for run in (first, second)]
    diff = diff_runs(*found)
    show_inked(diff_json(diff) if as_json else render_diff(diff, _ink()))
    sys.exit(0 if diff.same else PARTED)


@trace_group.command("export")
@click.argument("run")
@click.option("--out", type=OUT_FILE, help="An HTML file to write.")
@click.option("--force", is_flag=True, help="Replace a file that is there.")
@click.option("--most", type=click.IntRange(min=100), help="Characters of a single text; 20,000 by default.")
@click.option("--otlp", is_flag=True, help="Send the run to the OpenTelemetry collector that is set.")
def trace_export(run: str, out: Path | None, force: bool, most: int | None, otlp: bool) -> None:
    """Write RUN as one HTML page to attach to a bug report: tree, time line, prompts, replies and documents.

    It loads nothing from elsewhere. Keys, passwords, the home folder and the contact are masked; the question, the
    pages that were read and what was written about them are in it. Exit code 6: the collector does not take the run.
    """
    if (out is None) != otlp:
        raise UsageError("say where to: --out FILE.html for a page, or --otlp for the collector")
    if out is None:
        _send(run)
        return
    from heliograph.storage import refuse_to_replace
    from memory.trace.disk import write_lines
    from memory.trace.page import trace_html
    from memory.trace.page.document import MOST_CHARACTERS

    refuse_to_replace(out, force)
    write_lines(out, [trace_html(_opened(run, leaving=True), most or MOST_CHARACTERS)], "name another file with --out")
    click.echo(f"{out}: {out.stat().st_size:,} bytes")


def _send(run: str) -> None:
    from agent.cli.application import application
    from heliograph.collectors import BASE, traces_address
    from heliograph.errors import StoreError
    from heliograph.kept_settings import secrets
    from memory.trace import find_run, load_trace
    from memory.trace.otlp import OtlpExport

    settings = application().settings()
    address = traces_address(settings.otlp_endpoint, os.environ)
    if not address:
        raise UsageError(f"no collector is set; set otlp_endpoint or {BASE}, as http://127.0.0.1:6006")
    events = load_trace(find_run(settings.home, run))
    taken, all_of_them = OtlpExport(address, settings.home, secrets(settings), say).send_all(events)
    if taken < all_of_them:
        raise StoreError(f"{address} took {taken} of {all_of_them} spans; does it speak OTLP over HTTP, and is it up?")
    click.echo(f"{taken} spans sent to {address}")


def _opened(run: str, leaving: bool = False) -> "OpenedRun":
    """Open a run to be looked at; what is `leaving` this machine does not say whose it is."""
    from agent.cli.application import application
    from heliograph.kept_settings import secrets
    from memory.trace import OpenedRun, find_run

    settings = application().settings()
    private = (str(settings.home), str(Path.home()), settings.contact) if leaving else ()
    hidden = (*secrets(settings), *(each for each in private if len(each) >= SHORTEST_PRIVATE))
    return OpenedRun(find_run(settings.home, run), hidden)


def _show_tree(opened: "OpenedRun", wanted: "Wanted", depth: int | None, messages: bool, spans: bool) -> None:
    from memory.trace import messages_under, render_totals, render_tree

    def under(event: "Event") -> tuple[str, ...]:
        return tuple(messages_under(opened.detail_of(event))) if messages and event.kind == "LLM" else ()

    tree = render_tree(opened.events, depth, wanted=wanted, ink=_ink(), under=under, keys=spans)
    show_inked(tree)
    say(render_totals(opened.events) if tree else f"no such step among {render_totals(opened.events)}")


def _show_span(opened: "OpenedRun", span: str, as_json: bool) -> None:
    from memory.trace import render_detail
    from memory.trace.encoding import dump

    detail = opened.detail(span, sys.maxsize)
    if as_json:
        click.echo(dump(detail))
    else:
        show(render_detail(detail), whole=True)


def _show_lines(events: "tuple[Event, ...]", wanted: "Wanted") -> None:
    from memory.trace import ordered_bytes

    click.echo(ordered_bytes([event for event in events if wanted.everything or wanted.fits(event)]))


def _kinds(said: tuple[str, ...]) -> "tuple[SpanKind, ...]":
    from heliograph.protocols import SpanKind

    known = get_args(SpanKind)
    for kind in said:
        if kind.upper() not in known:
            raise UsageError(f"unknown kind {kind!r}; known are {', '.join(known)}")
    return tuple(cast(SpanKind, kind.upper()) for kind in said)


def _ink() -> "Ink":
    from memory.trace import COLOURED, UNCOLOURED

    return COLOURED if sys.stdout.isatty() and "NO_COLOR" not in os.environ else UNCOLOURED
