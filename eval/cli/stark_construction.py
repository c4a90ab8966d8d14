"""`heliograph eval stark construct`: queries made from a knowledge base. Imports wait."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from agent.cli.interrupting import resumable
from agent.cli.places import NAME, OUT_FILE, PLACE
from agent.cli.speaking import say, show

if TYPE_CHECKING:
    from eval.drawing import Half
    from eval.stark.construction.constructor import ConstructedQuery, Construction
    from eval.stark.construction.language.commanding import ModelSet
    from heliograph.protocols import EntityRetriever
    from indexers.skb.knowledge_base import BuiltKnowledgeBase

TOO_EASY = 3
"""Exit code of a set that is not kept."""
EASY = "easy-"
"""What the ids of a set begin with that is kept although it is too easy."""
GO_ON = "give the same command again: what the models replied to is not asked again"
ONE = click.IntRange(min=1)
AGAIN = "nothing was written; give the same command again, or ask for fewer queries with --count"
OF_MODELS = ("extractor", "writer", "filter", "roles", "candidates", "at_once")
"""Options that a set made by rule has no use for."""


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
@click.option("--count", type=ONE, default=400, show_default=True, help="Queries to make.")
@click.option("--seed", type=int, default=0, show_default=True, help="The same seed makes the same queries.")
@click.option(
    "--by",
    "maker",
    type=click.Choice(["rule", "model"]),
    default="rule",
    show_default=True,
    help="Who words queries and tells what documents say: rules, or the language models of the settings.",
)
@click.option("--extractor", type=NAME, metavar="SERVER[=MODEL]", help="Notes properties of the gold entity.")
@click.option(
    "--writer", type=NAME, multiple=True, metavar="SERVER[=MODEL]", help="Writes the query; a second one rephrases it."
)
@click.option(
    "--filter", type=NAME, multiple=True, metavar="SERVER[=MODEL]", help="Checks candidates; up to three, all accept."
)
@click.option(
    "--roles",
    type=click.Choice(["general", "customer", "researcher", "medical"]),
    help="Who asks [default: as the base is named, else general].",
)
@click.option("--candidates", type=ONE, help="Most of a query that filters check [default: 50].")
@click.option("--at-once", type=ONE, help="Drafts worked on side by side [default: 2].")
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
    folder: Path, out: Path, half: "Half", count: int, seed: int, easiest: float, as_json: bool, **given: Any
) -> None:
    """Make queries with all their answers from the knowledge base BASE, and write them to OUT as JSON lines.

    Queries of the development half are of the split val, those of the report half of test. A set is refused if BM25
    with neighbours' names has an R@20 above --easiest on it. SERVER is llm, answer, judge or another of the settings;
    replies and drafts are kept in OUT.run, and the same command goes on. Exit codes: 2 usage, 3 too easy, 4 no model, 6
    store unusable, 130 interrupted.
    """
    from eval.stark.construction.constructor import Construction, construct
    from heliograph.errors import UsageError
    from heliograph.storage import refuse_to_replace
    from indexers.skb.knowledge_base import open_base
    from tools.skb.lexical_retrieval import NeighbourBm25

    by_model = given["maker"] == "model"
    if not by_model and (idle := [each for each in OF_MODELS if given[each]]):
        raise UsageError(f"--{idle[0].replace('_', '-')} is for queries by language models; add --by model")
    refuse_to_replace(out, given["force"])
    base, wanted = open_base(folder), Construction(half, count, seed)
    keeping = _Keeping(out, easiest, as_json, given["accept_easy"])

    async def is_kept() -> bool:
        lexical = NeighbourBm25(base)
        if not by_model:
            return await keeping.keep(await construct(base, wanted, say), base, lexical)
        made = await _by_models(base, wanted, out, lexical, given)
        return await keeping.keep(made.queries, base, lexical, made)

    with resumable(lambda: "", GO_ON if by_model else AGAIN):
        kept = asyncio.run(is_kept())
    if not kept:
        raise SystemExit(TOO_EASY)


async def _by_models(
    base: "BuiltKnowledgeBase", wanted: "Construction", out: Path, lexical: "EntityRetriever", given: Mapping[str, Any]
) -> "ModelSet":
    from agent.cli.application import application
    from eval.stark.construction.language.commanding import make_by_model
    from eval.stark.construction.language.endpoints import StepChoice
    from eval.stark.construction.language.pipeline import ModelConstruction
    from eval.stark.construction.language.roles import roles_named

    construction = ModelConstruction(
        wanted, roles_named(given["roles"] or "", base.name), given["candidates"] or 50, given["at_once"] or 2
    )
    choice = StepChoice(given["extractor"] or "", given["writer"], given["filter"])
    run = out.with_name(f"{out.name}.run")
    return await make_by_model(base, construction, choice, application().settings(), run, lexical, say)


@dataclass(frozen=True, slots=True)
class _Keeping:
    out: Path
    easiest: float
    as_json: bool
    accept_easy: bool

    async def keep(
        self,
        queries: "Sequence[ConstructedQuery]",
        base: "BuiltKnowledgeBase",
        lexical: "EntityRetriever",
        made: "ModelSet | None" = None,
    ) -> bool:
        """Print the figures of a set and write it; False, with nothing written, where it is too easy."""
        from eval.stark.construction.quality import quality_text, set_quality
        from eval.stark.queries import Composition, query_line
        from memory.trace.disk import write_lines

        say("asking BM25")
        found = await set_quality(queries, base, lexical, self.easiest)
        if made:
            show(made.as_json(found) if self.as_json else made.text(found), whole=True)
        else:
            show(found.as_json() if self.as_json else quality_text(found), whole=True)
        easy = found.too_easy
        if easy:
            share, most = (f"{100 * each:.1f} %" for each in (found.lexical_recall, self.easiest))
            say(f"too easy: BM25 finds {share} of the answers, and more than {most} leave the graph nothing to do")
        if easy and not self.accept_easy:
            say(f"nothing is written to {self.out}; try another --seed, or keep it all the same with --accept-easy")
            return False
        written = [
            replace(
                each.query,
                id=f"{EASY}{each.query.id}" if easy else each.query.id,
                composition=Composition(each.wording.relational_words, each.wording.textual_words),
            )
            for each in queries
        ]
        write_lines(self.out, map(query_line, written), "name another file")
        say(f"{self.out}: {len(queries):,} queries")
        return True
