"""`heliograph graph`: the data graph of a whole collection, built offline and searched. Imports wait until it runs."""

import asyncio
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from agent.cli.interrupting import resumable
from agent.cli.places import NAME, OUT_FOLDER, PLACE
from agent.cli.speaking import say, show

if TYPE_CHECKING:
    from indexers.offline.searching import Found

ONE = click.IntRange(min=1)
GO_ON = "give the same command again: it goes on with the shards that are missing"
ROW_CHARACTERS = 300
CHECKED = {"ok": "ok  ", "damaged": "BAD ", "missing": "miss"}


@click.group("graph")
def graph_group() -> None:
    """Build and search the table-text graph of a whole collection."""


@graph_group.command("build")
@click.argument("source")
@click.option("--out", type=OUT_FOLDER, required=True, help="Folder of the graph.")
@click.option(
    "--encoder",
    type=NAME,
    metavar="MODEL",
    help="Late-interaction model: a folder, a name, or shipped.",
)
@click.option("--pages-a-shard", type=ONE, default=200, help="Pages that are made in one piece.")
@click.option("--links", type=click.Choice(["all", "given"]), default="all", help="given: those of the pages alone.")
@click.option(
    "--proposals",
    type=click.Choice(["words", "all"]),
    default="words",
    help="What proposes edges for late interaction; all: vectors too, by an index of centroids.",
)
@click.option("--ray", type=NAME, metavar="local|ADDRESS", help="Run on Ray Data; this process by default.")
def build_command(source: str, out: Path, encoder: str | None, ray: str | None, **options: Any) -> None:
    """Build the graph of SOURCE: zim:FILE, or a folder of pages or JSON lines as `snapshot build` takes them.

    Stopped, the same command goes on; it mends a damaged graph too. Exit codes: 2 usage, 4 no model, 5 no such
    archive, 6 store unusable, 130 interrupted.
    """
    say("heliograph: starting")
    from agent.offline import build_of

    with _stopping_ray() if ray else resumable(lambda: "", GO_ON):
        report = build_of(source, out, encoder=encoder or "", ray=ray or "", say=say, **options).run()
    say(f"peak memory of a process: {report.memory / 1e6:,.0f} MB")
    show(report.summary, whole=True)


@graph_group.command("search")
@click.argument("folder", type=PLACE)
@click.argument("question")
@click.option("--k", type=ONE, default=10, help="Edges to show.")
@click.option(
    "--encoder",
    type=NAME,
    metavar="MODEL",
    help="Where the model of the build is now; none: words alone.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the edges as JSON.")
def search_command(folder: Path, question: str, k: int, encoder: str | None, as_json: bool) -> None:
    """Search the graph in FOLDER for the rows, each with a passage, that fit QUESTION best.

    A graph with token vectors is ranked by late interaction, another one by BM25.
    """
    from agent.question import valid_question
    from heliograph.errors import UsageError
    from indexers.offline.encodings import encoder_for
    from indexers.offline.searching import OfflineGraph

    question = valid_question(question)
    graph = OfflineGraph(folder)
    if encoder not in (None, "none") and not graph.model:
        raise UsageError(f"the graph in {folder} has no token vectors that --encoder could compare; leave it away")
    model = encoder_for(folder, graph.model, encoder or "") if graph.model and encoder != "none" else None
    if model is not None and graph.lacks_centroids:
        say(f"the centroids of {folder} are missing, so words alone propose edges; {GO_ON}")
    found = asyncio.run(graph.search(question, k, model))
    if as_json:
        click.echo(json.dumps({"results": [_record(rank, each) for rank, each in enumerate(found, start=1)]}))
        return
    if not found:
        say("nothing in this graph says a word of the question")
    for rank, each in enumerate(found, start=1):
        lead = f"\n   {each.passage[:ROW_CHARACTERS]}" if each.passage else ""
        show(f"{rank}. {each.edge.score:.2f}  {each.segment[:ROW_CHARACTERS]}{lead}")


@graph_group.command("check")
@click.argument("folder", type=PLACE)
def check_command(folder: Path) -> None:
    """Read everything in FOLDER once; name what is damaged or missing and how to mend it. Exit code 6: something is."""
    from heliograph.errors import StoreDamaged, StoreError
    from indexers.offline.checking import check

    findings = tuple(check(folder))
    for finding in findings:
        show(f"{CHECKED[finding.state]} {finding.detail}", whole=True)
    found = [finding.state for finding in findings]
    if bad := found.count("damaged"):
        raise StoreDamaged(f"{bad} parts of {folder} are damaged; give the command that built it again, it mends them")
    if "missing" in found:
        raise StoreError(f"the graph in {folder} is not finished, and nothing of it is damaged; {GO_ON}")


@contextmanager
def _stopping_ray() -> Iterator[None]:
    """Let Ctrl-C end Ray's processes too, which takes some seconds, and say how to go on."""
    try:
        yield
    except KeyboardInterrupt:
        say(GO_ON)
        raise


def _record(rank: int, found: "Found") -> dict[str, object]:
    edge = found.edge
    passage = None if edge.passage is None else {"id": edge.passage, "text": found.passage}
    segment = {"id": edge.segment, "text": found.segment}
    return {"rank": rank, "score": edge.score, "segment": segment, "passage": passage}
