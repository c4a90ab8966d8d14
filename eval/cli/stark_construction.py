"""`heliograph eval stark construct`: queries made from a knowledge base. Imports wait."""

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from agent.cli.places import OUT_FILE, PLACE
from agent.cli.speaking import say, show

if TYPE_CHECKING:
    from eval.drawing import Half

TOO_EASY = 3
"""Exit code of a set that is not kept."""
EASY = "easy-"
"""What the ids of a set begin with that is kept although it is too easy."""


@click.command("construct")
@click.argument("folder", metavar="BASE", type=PLACE)
@click.argument("out", type=OUT_FILE)
@click.option(
    "--half",
    type=click.Choice(["development", "report"]),
    default="development",
    show_default=True,
    help="Which entities, shapes and wordings: no half has those of the other.",
)
@click.option("--count", type=click.IntRange(min=1), default=400, show_default=True, help="Queries to make.")
@click.option("--seed", type=int, default=0, show_default=True, help="The same seed makes the same queries.")
@click.option(
    "--easiest",
    type=click.FloatRange(0, 1),
    default=0.6,
    show_default=True,
    help="R@20 of BM25 with neighbours' names above which a set is refused, a fraction of 1.",
)
@click.option("--accept-easy", is_flag=True, help='Keep such a set too; its ids begin with "easy-".')
@click.option("--force", is_flag=True, help="Replace a file that is there.")
@click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON; shares are fractions of 1.")
def construct_command(
    folder: Path, out: Path, half: "Half", count: int, seed: int, easiest: float, as_json: bool, **kept: bool
) -> None:
    """Make queries with all their answers from the knowledge base BASE, by rule, and write them to OUT as JSON lines.

    Queries of the development half are of the split val, those of the report half of test. A set is refused if BM25
    with neighbours' names has an R@20 above --easiest on it. Exit codes: 2 usage, 3 too easy, 6 store unusable, 130
    interrupted.
    """
    from eval.stark.construction.constructor import Construction, construct
    from eval.stark.construction.quality import quality_text, set_quality
    from eval.stark.queries import query_line
    from heliograph.storage import refuse_to_replace
    from indexers.skb.knowledge_base import open_base
    from memory.trace.disk import write_lines
    from tools.skb.lexical_retrieval import NeighbourBm25

    refuse_to_replace(out, kept["force"])
    base = open_base(folder)

    async def made() -> bool:
        queries = await construct(base, Construction(half, count, seed), say)
        say("asking BM25")
        found = await set_quality(queries, base, NeighbourBm25(base), easiest)
        show(found.as_json() if as_json else quality_text(found), whole=True)
        easy = found.too_easy
        if easy:
            share, most = (f"{100 * each:.1f} %" for each in (found.lexical_recall, easiest))
            say(f"too easy: BM25 finds {share} of the answers, and more than {most} leave the graph nothing to do")
        if easy and not kept["accept_easy"]:
            say(f"nothing is written to {out}; try another --seed, or keep it all the same with --accept-easy")
            return False
        written = [replace(each.query, id=f"{EASY}{each.query.id}") if easy else each.query for each in queries]
        write_lines(out, map(query_line, written), "name another file")
        say(f"{out}: {len(queries):,} queries")
        return True

    if not asyncio.run(made()):
        raise SystemExit(TOO_EASY)
