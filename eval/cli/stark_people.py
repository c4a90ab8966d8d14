"""`heliograph eval stark rate` and `collect`: what people say of queries, and queries of their own. Imports wait."""

import asyncio
import json
import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from agent.cli.interrupting import resumable
from agent.cli.places import NAME, OUT_FILE, PLACE
from agent.cli.speaking import say, show

if TYPE_CHECKING:
    from eval.stark.people.rating import RatedCase

RATE_ON = "give the same command again: it goes on behind the last rating"
COLLECT_ON = "give the same command again: what was written is kept"


@click.command("rate")
@click.argument("path", type=PLACE)
@click.option("--out", type=OUT_FILE, help="File of ratings, of all raters; it grows line by line.")
@click.option("--rater", help="Whose ratings these are.")
@click.option("--split", type=NAME, default="all", show_default=True, help="Queries of one split; or all.")
@click.option("--first", type=click.IntRange(min=1), help="So many queries, by the sha256 of their ids.")
@click.option("--set", "whole", is_flag=True, help="Rate them together, once.")
@click.option("--form", type=OUT_FILE, help="Write a CSV form for somebody to fill, and rate nothing.")
@click.option("--read", "filled", type=PLACE, help="Read a form that --rater has filled, and ask nothing.")
@click.option("--summary", is_flag=True, help="Print what --out says, and ask nothing.")
@click.option("--json", "as_json", is_flag=True, help="Print the summary as JSON; shares are fractions of 1.")
@click.option("--force", is_flag=True, help="Replace a form that is there.")
def rate_command(
    path: Path,
    out: Path | None,
    rater: str | None,
    form: Path | None,
    filled: Path | None,
    summary: bool,
    as_json: bool,
    **drawn: Any,
) -> None:
    """Rate the queries in PATH from 1 to 5 in naturalness, diversity and practicality (STaRK, Table 10).

    A line has three figures, such as 4 3 5; s skips, u takes the last ones back, q quits. The summary has means, the
    shares of positive (4, 5) and non-negative (3, 4, 5) ratings, and how far raters agree. Exit codes: 2 usage, 6
    store unusable, 130 interrupted.
    """
    from eval.stark.people.rating import ELSEWHERE, query_cases, read_ratings, set_case
    from eval.stark.people.rating_summary import rating_text, summarise_ratings
    from eval.stark.queries import of_split, read_queries
    from heliograph.errors import UsageError

    if sum(map(bool, (form, filled, summary or as_json))) > 1:
        raise UsageError("--form, --read and --summary are different things; give one of them")
    cases = (set_case if drawn["whole"] else query_cases)(of_split(read_queries(path), drawn["split"]), drawn["first"])
    if form:
        _write_form(form, cases, drawn["force"])
    elif out is None:
        raise UsageError("name the file of ratings with --out")
    elif summary or as_json:
        if not out.is_file():
            raise UsageError(f"no ratings at {out}; make some without --summary, or {ELSEWHERE}")
        found = summarise_ratings("set" if drawn["whole"] else "query", cases, read_ratings(out))
        show(json.dumps(asdict(found), ensure_ascii=False, indent=1) if as_json else rating_text(found), whole=True)
    else:
        _rate(out, rater or "", cases, filled)


def _write_form(form: Path, cases: Sequence["RatedCase"], force: bool) -> None:
    from eval.stark.people.rating import ASPECTS, SCALE
    from eval.stark.people.rating_form import write_form
    from heliograph.storage import refuse_to_replace

    refuse_to_replace(form, force)
    write_form(form, cases)
    show(f"{form}: {len(cases):,} rows; each gets three figures ({SCALE}):", whole=True)
    for name, meaning in ASPECTS.items():
        show(f"  {name}: {meaning}", whole=True)


def _rate(out: Path, rater: str, cases: Sequence["RatedCase"], filled: Path | None) -> None:
    from eval.stark.people.rating import RatingSession, named_rater, new_ratings, open_ratings, rating_line, unrated
    from eval.stark.people.rating_form import read_form

    name = named_rater(rater)
    with resumable(lambda: "", RATE_ON), ExitStack() as stack:
        said = read_form(filled, cases, name) if filled else ()
        lines, ratings = open_ratings(out, stack)
        if filled:
            new = new_ratings(said, ratings)
            lines.append("".join(map(rating_line, new)))
            say(f"{out}: {len(new):,} ratings of {name} are new, {len(said) - len(new):,} were there")
            return
        todo = unrated(cases, ratings, name)
        session = RatingSession(lines, todo, name)
        session.run(_asking("q", clear=True))
        say(f"{session.rated:,} rated by {name}, {len(todo) - session.rated:,} left; figures come with --summary")


@click.command("collect")
@click.option("--skb", "folder", type=PLACE, required=True, help="Folder of a built knowledge base.")
@click.option("--out", type=OUT_FILE, required=True, help="File of queries, JSON lines that `eval stark run` reads.")
@click.option("--type", "types", type=NAME, multiple=True, metavar="TYPE", help="Entities of this type; repeatable.")
@click.option("--count", type=click.IntRange(min=1), default=20, show_default=True, help="Entities to write about.")
@click.option("--seed", type=int, default=0, show_default=True, help="The same seed draws the same entities.")
@click.option(
    "--system",
    "systems",
    type=NAME,
    multiple=True,
    default=("plan", "bm25-neighbours"),
    show_default=True,
    help="What finds candidates for answers, as in `eval stark run`; repeatable.",
)
@click.option("--k", type=click.IntRange(min=1), default=10, show_default=True, help="Candidates per system.")
@click.option("--later", is_flag=True, help="Filter no answers now; the same command without it does, for all drafts.")
def collect_command(
    folder: Path,
    out: Path,
    types: tuple[str, ...],
    count: int,
    seed: int,
    systems: tuple[str, ...],
    k: int,
    later: bool,
) -> None:
    """Write queries about sampled entities of a knowledge base by hand (STaRK, appendix C).

    Each entity is shown with its document and relations; a query must not say its name. Then candidates for answers
    are confirmed or rejected one by one, their order hiding who found them. Every query is kept at once; the same
    command goes on. Exit codes: 2 usage, 4 a model is missing, 6 store unusable, 130 interrupted.
    """
    from eval.stark.people.collecting import QUIT, CollectionSession, open_collection
    from eval.stark.people.sampling import sample_entities
    from heliograph.errors import UsageError
    from indexers.skb.knowledge_base import open_base
    from tools.skb.systems import ASKING, SystemModels, retriever_named

    if any(not ASKING.isdisjoint((each, *each.split(":"))) for each in systems):
        raise UsageError("collect finds candidates without a language model; name another --system")
    base = open_base(folder)
    models = SystemModels(say=say)
    retrievers = [] if later else [retriever_named(each, base, models) for each in systems]

    async def proposed(query: str, type: str) -> list[int]:
        return [each.item for one in retrievers for each in await one.retrieve(query, k, type)]

    async def collect() -> None:
        sampled = await sample_entities(base, count, seed, types)
        with ExitStack() as stack:
            collection = open_collection(out, base, stack)
            session = CollectionSession(base, collection, _asking(QUIT), proposed, not later, say)
            await session.run(sampled)
            left = (
                f"; drafts whose answers are not filtered yet: {len(collection.pending):,}"
                if collection.pending
                else ""
            )
            say(f"{out}: queries: {len(collection.written):,}{left}")

    with resumable(lambda: "", COLLECT_ON):
        asyncio.run(collect())


def _asking(last: str, *, clear: bool = False) -> Callable[[str], str]:
    """Return what shows a text and reads a line; at the end of the input, or without one, the line is `last`."""

    def ask(text: str) -> str:
        from heliograph.errors import UsageError

        if clear and sys.stdout.isatty():
            click.clear()
        show(text)
        try:
            line = sys.stdin.readline() if sys.stdin is not None else ""
        except UnicodeDecodeError as err:
            raise UsageError(f"the input is no text in {err.encoding}: {err.reason}; write it in UTF-8") from err
        return line.rstrip("\r\n") if line else last

    return ask
