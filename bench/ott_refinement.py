"""Star-based refinement by a real language model: `remove` against `promote` against code alone (HELIOS, section 4.3).

usage: HELIOGRAPH_LLM__BASE_URL=… HELIOGRAPH_LLM__MODEL=… python -m bench.ott_refinement --data OTT_FOLDER
       --questions FILE --out FILE.jsonl [--first 12] [--stars 10] [--scope full] [--track unlinked] [--retriever MODEL]

Each question gets its expanded subgraph, cut to its best stars. Both policies read the same replies: what one has asked
the model, the other finds asked. FILE.jsonl says of every question what was detected, picked and refused.
"""

import argparse
import asyncio
import json
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from statistics import fmean
from typing import TypeVar

from agent.language.around import AroundLLM
from bench.ott_helios import COLUMNS, ground_of, options, recipe_of, say
from eval.ott.building import HeliosParts
from eval.ott.corpus import OttCorpus
from eval.ott.judging import gold_of
from eval.ott.models import language_models, table_reader
from eval.ott.questions import OttQuestion, read_questions
from eval.ott.ranking import CUT
from eval.ott.recipe import Recipe
from eval.ott.results_log import folder_of
from heliograph.config import load_settings
from heliograph.errors import ModelError
from heliograph.protocols import LLM
from heliograph.types import Prompt, Subgraph
from tools.expansion import NodeExpander
from tools.refinement import Policy, Refinement, Refiner
from tools.refinement.stars import stars_of
from tools.subgraph import SubgraphRetriever

COUNTED = ("edges", "refused", "gold refused", "by code", "by model", "agreed", "failures", "calls")
"""What is printed as a sum over the questions."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Remembered(AroundLLM):
    """A model that answers each prompt once, failures included; it counts what it was asked."""

    replies: dict[tuple[Prompt, type], object] = field(default_factory=dict)

    async def ask(self, prompt: Prompt, reply: type[T]) -> T:
        """Return the model's reply, or raise what it raised."""
        if (prompt, reply) not in self.replies:
            try:
                self.replies[prompt, reply] = await self.llm.ask(prompt, reply)
            except ModelError as err:
                self.replies[prompt, reply] = err
        found = self.replies[prompt, reply]
        if isinstance(found, ModelError):
            raise found
        assert isinstance(found, reply)
        return found

    async def choose(self, prompt: Prompt, choices: Sequence[str]) -> tuple[float, ...]:
        """Choose as the model does."""
        return await self.llm.choose(prompt, choices)


def main() -> None:
    """Refine the questions' graphs in every way and print a Markdown table."""
    ask = options(first=12)
    ask.add_argument("--stars", type=int, default=10)
    args = ask.parse_args()
    if args.out.exists():
        ask.error(f"{args.out} is there already; name another --out")
    with ExitStack() as stack:
        asyncio.run(run(args, stack))


async def run(args: argparse.Namespace, stack: ExitStack) -> None:
    """Ask one question after another; the table is printed at the end."""
    recipe = recipe_of(args)
    ground = ground_of(args.data, recipe)
    parts, scorer = await ground.parts(recipe, stack), ground.scorer
    rows: dict[str, list[dict[str, float]]] = {}
    async with language_models(load_settings({}), folder_of(args.out), ("refine",)) as models:
        for number, question in enumerate(read_questions(args.questions, args.first), start=1):
            graph = await candidates(question.question, parts, recipe, args.stars)
            for name, refined, cost in await refinements(question, graph, parts, models["refine"]):
                ranking = tuple(map(parts.data.unit, refined.graph.edges[:CUT]))
                done = counted(question, ground.searched.corpus, parts, refined)
                measured = {**scorer.retrieval(question, ranking), **done, **cost}
                rows.setdefault(name, []).append(measured)
                with args.out.open("a", encoding="utf8") as lines:
                    lines.write(json.dumps({"id": question.id, "policy": name, **measured}) + "\n")
            say(f"{number} questions, {len(graph.edges)} edges in the last; {rows['llm, remove'][-1]}")
    print(report(rows))


async def candidates(question: str, parts: HeliosParts, recipe: Recipe, stars: int) -> Subgraph:
    """Return the edges of the best stars of the expanded graph G_l."""
    graph = await SubgraphRetriever(parts.edges, parts.scorer, recipe.k1, recipe.k2).retrieve(question)
    expander = NodeExpander(parts.data, parts.seeds, parts.passages, parts.segments, parts.scorer)
    edges = (await expander.expand(question, graph)).graph.edges
    held = {star.centre for star in stars_of(edges)[:stars]}
    return Subgraph(tuple(edge for edge in edges if edge.segment in held))


async def refinements(
    question: OttQuestion, graph: Subgraph, parts: HeliosParts, llm: LLM
) -> list[tuple[str, Refinement, dict[str, float]]]:
    """Refine by code alone, then by the model under both policies; calls and seconds are of the first that asks."""
    model = Remembered(llm)
    ways: tuple[tuple[str, LLM | None, Policy], ...] = (
        ("code alone", None, "remove"),
        ("llm, remove", model, "remove"),
        ("llm, promote", model, "promote"),
    )
    found = []
    for name, judge, policy in ways:
        began, asked = time.perf_counter(), len(model.replies)
        refined = await Refiner(parts.scorer, judge, policy, reader=table_reader()).refine(
            question.question, graph, parts.data
        )
        cost = {"calls": float(len(model.replies) - asked), "seconds": time.perf_counter() - began}
        found.append((name, refined, cost))
    return found


def counted(question: OttQuestion, corpus: OttCorpus, parts: HeliosParts, refined: Refinement) -> dict[str, float]:
    """Count what refinement did, and how much of what the model refused is gold."""
    gold = gold_of(question, corpus)
    return {
        "edges": float(len(refined.graph.edges) + len(refined.removed)),
        "refused": float(len(refined.refused)),
        "gold refused": float(sum(gold.holds(parts.data.unit(edge)) for edge in refined.refused)),
        "by code": float(len(refined.by_code)),
        "by model": float(len(refined.by_model)),
        "agreed": float(sum(len(table.shared) for table in refined.picks)),
        "failures": float(len(refined.notes)),
    }


def report(rows: dict[str, list[dict[str, float]]]) -> str:
    """Return one line a way to refine; what is counted is in all, what is measured the mean."""
    names = ("refined by", *COLUMNS, *COUNTED, "seconds")
    lines = [f"| {' | '.join(names)} |", f"|{' --- |' * len(names)}"]
    for name, each in rows.items():
        means = (f"{100 * fmean(row[column] for row in each):.1f}" for column in COLUMNS)
        sums = (f"{sum(row[column] for row in each):.0f}" for column in COUNTED)
        seconds = f"{fmean(row['seconds'] for row in each):.1f}"
        lines.append(f"| {name} | {' | '.join((*means, *sums, seconds))} |")
    return "\n".join(lines)


if __name__ == "__main__":
    main()
