"""HELIOS with parts left out and with other beam widths, all recipes in one run (HELIOS, Table 5 and Figure 7).

usage: python -m bench.ott_ablations --data OTT_FOLDER --questions FILE --out FOLDER [--first 300] [--track unlinked]
       [--scope full] [--retriever MODEL] [--width 10]…

Recipes share the searches of a question: what the widest beam has asked, the others find asked. So seconds say nothing
here (Table 7 is `heliograph eval ott` with the options of one recipe). FOLDER gets one file of results a recipe, which
`heliograph eval compare` reads; given again, the command goes on. Vectors are kept in the home folder.
"""

import argparse
import asyncio
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace

from bench.ott_helios import COLUMNS, ground_of, options, recipe_of, say
from eval.ott.building import HeliosParts
from eval.ott.combinations import checked
from eval.ott.questions import OttQuestion, read_questions
from eval.ott.recipe import Recipe, digest_of_questions, digest_of_run
from eval.ott.results import QuestionResult, summarise
from eval.ott.results_log import ResultsLog, open_log
from eval.ott.scoring import Scorer
from eval.ott.sharing import sharing
from indexers.pace import Pace

WIDTHS = (50, 25, 10, 5, 2, 0)
"""Beam widths of Figure 7; the widest first, which asks what all others ask."""


def main() -> None:
    """Ask all recipes and print their measures as a Markdown table."""
    ask = options(first=None)
    ask.add_argument("--width", type=int, action="append", help="beam widths in place of Figure 7's")
    args = ask.parse_args()
    widths = sorted(args.width or WIDTHS, reverse=True)
    args.out.mkdir(parents=True, exist_ok=True)
    with ExitStack() as stack:
        asyncio.run(run(args, recipes(recipe_of(args), widths), stack))


def recipes(whole: Recipe, widths: Sequence[int]) -> Mapping[str, Recipe]:
    """Return the recipes by name: Figure 7, of which b = 10 is the whole, and the rows of Table 5."""
    wide = {f"beam {width}": replace(whole, beam_width=width) for width in widths}
    return {
        **wide,
        "without expansion": replace(whole, without=frozenset({"expansion"})),
        "without refinement": replace(whole, without=frozenset({"refinement"})),
        "without both (light)": replace(whole, tier="light"),
        "without all three": replace(whole, without=frozenset({"expansion", "refinement", "reranker"})),
    }


async def run(args: argparse.Namespace, named: Mapping[str, Recipe], stack: ExitStack) -> None:
    """Ask what has no result yet."""
    widest = next(iter(named.values()))
    ground = ground_of(args.data, widest)
    every = read_questions(args.questions)
    asked = every[: args.first]
    logs = {}
    for name, recipe in named.items():
        digest = digest_of_run(checked(recipe), ground.searched.digest, ground.searched.edges, ground.models.names)
        path = args.out / f"{name.replace(' ', '-')}.jsonl"
        logs[name] = open_log(path, f"{digest}-{digest_of_questions(every)}", recipe.record(), stack)
    parts, scorer = await ground.parts(widest, stack), ground.scorer
    todo = [question for question in asked if any(question.id not in log.results for log in logs.values())]
    pace = Pace("questions", len(todo), say)
    for number, question in enumerate(todo, start=1):
        await ask_all(question, named, logs, sharing(parts), scorer)
        pace.done(number)
    report(asked, logs)


async def ask_all(
    question: OttQuestion,
    named: Mapping[str, Recipe],
    logs: Mapping[str, ResultsLog],
    parts: HeliosParts,
    scorer: Scorer,
) -> None:
    """Ask one question of every recipe that has no result of it."""
    for name, recipe in named.items():
        if question.id not in logs[name].results:
            found = await parts.retriever(recipe, name).retrieve(question.question)
            measured = scorer.retrieval(question, found.ranking)
            logs[name].append(QuestionResult(question.id, found.ranking, measured, {}))


def report(asked: Sequence[OttQuestion], logs: Mapping[str, ResultsLog]) -> None:
    """Print one line a recipe."""
    print(f"| {len(asked)} questions | {' | '.join(COLUMNS)} |\n|{' --- |' * (len(COLUMNS) + 1)}")
    for name, log in logs.items():
        metrics = summarise(log.results.values(), asked).metrics
        print(f"| {name} | {' | '.join(f'{100 * metrics[column]:.1f}' for column in COLUMNS)} |")


if __name__ == "__main__":
    main()
