"""`heliograph eval`: table-text retrieval on OTT-QA (HELIOS, section 5), and the comparison of two runs."""

import asyncio
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from agent.cli.interrupting import resumable
from agent.cli.options import Option, options
from agent.cli.places import NAME, OUT_FILE, PLACE
from agent.cli.speaking import say, show

if TYPE_CHECKING:
    from eval.ott.recipe import Recipe

ONE, NONE = click.IntRange(min=1), click.IntRange(min=0)
WORST, WORST_BY = 10, "nDCG@50"
GO_ON = "give the same command again: questions that have their results are not asked again"

DATA = click.option("--data", type=PLACE, required=True, help="Folder of the OTT-QA corpus.")
FILES: tuple[Option, ...] = (
    DATA,
    click.option("--questions", type=PLACE, required=True, help="Questions with gold nodes, JSON lines."),
)
RUN_OPTIONS: tuple[Option, ...] = (
    *FILES,
    click.option("--scope", type=click.Choice(["mini", "small", "full"]), default="full", help="Tables searched."),
    click.option("--track", type=click.Choice(["linked", "unlinked"]), default="linked", help="Whose links are used."),
    click.option(
        "--linker", type=click.Choice(["titles", "helios"]), help="Edges of the unlinked track [default: titles]."
    ),
    click.option("--method", type=click.Choice(["helios", "bm25", "dense", "late-fusion"]), default="helios"),
    click.option("--units", type=click.Choice(["edge", "star", "node"]), help="What is ranked [default: edge]."),
    click.option("--first", type=ONE, help="Ask the first N questions by the sha256 of their ids."),
    click.option(
        "--reader",
        type=click.Choice(["extractive", "llm", "trained"]),
        help="Who answers from what is retrieved; trained: the model of the setting `reader`.",
    ),
    click.option("--read", type=ONE, help="Units that the reader is given, at most 50 [default: 20]."),
    click.option("--out", type=OUT_FILE, help="File of results [default: one a run in the home folder]."),
    click.option("--json", "as_json", is_flag=True, help="Print measures and seconds as JSON."),
)
HELIOS_OPTIONS: tuple[Option, ...] = (
    click.option("--tier", type=click.Choice(["light", "full"]), help="full adds expansion and refinement."),
    click.option(
        "--without",
        type=click.Choice(["expansion", "refinement", "reranker"]),
        multiple=True,
        help="Leave a stage out; may be repeated.",
    ),
    click.option(
        "--retriever", type=NAME, metavar="MODEL", help="Late-interaction model: a folder, or a name on the hub."
    ),
    click.option(
        "--reranker",
        type=NAME,
        metavar="MODEL|fused|none",
        help="Cross-encoder, or the weights beside the retriever [default: these, if any].",
    ),
    click.option(
        "--node-reranker", type=NAME, metavar="MODEL", help="Cross-encoder that picks seeds of expansion; tier full."
    ),
    click.option(
        "--expansion-retrievers",
        type=NAME,
        metavar="FOLDER",
        help="Folder of `train expansion-retrievers`: what finds nodes for a seed; tier full.",
    ),
    click.option("--k1", type=ONE, help="Edges that are retrieved [default: 400]."),
    click.option("--k2", type=ONE, help="Edges that reranking leaves [default: 100]."),
    click.option("--proposed", type=ONE, help="Units that BM25 proposes to late interaction [default: 1000]."),
    click.option("--encode-all", "whole", is_flag=True, help="Encode every node first, not those that are proposed."),
    click.option("--beam-width", type=NONE, help="Seeds, and edges that are added [default: 10]; tier full."),
    click.option(
        "--refine",
        type=click.Choice(["remove", "promote"]),
        help="What becomes of edges refused [default: promote]; tier full.",
    ),
    click.option("--llm", is_flag=True, help="Refine by the language model of the settings too; tier full."),
)


@click.group("eval")
def eval_group() -> None:
    """Measure retrieval against gold answers."""


@eval_group.command("ott")
@options(*RUN_OPTIONS, *HELIOS_OPTIONS)
def ott_command(
    data: Path,
    questions: Path,
    first: int | None,
    out: Path | None,
    as_json: bool,
    whole: bool,
    units: str | None,
    llm: bool,
    **given: Any,
) -> None:
    """Ask the questions of OTT-QA, and report answer recall, nDCG, EM and F1 of a reader, and seconds.

    Stopped, the same command goes on. Exit codes: 2 usage, 4 no model, 6 store unusable, 130 interrupted.
    """
    say("heliograph: starting")
    from agent.cli.application import application
    from eval.ott.evaluation import Evaluation, evaluate
    from eval.ott.models import language_model_named, reading_model_named
    from eval.ott.report import summary_text

    settings = application().settings()
    refining = language_model_named(settings) if llm else ""
    reading = reading_model_named(settings) if given["reader"] == "llm" else ""
    said = {name for name, value in {**given, "llm": llm, "encode_all": whole}.items() if value}
    recipe = _recipe(given, units, refining, reading, said)
    with resumable(lambda: "", GO_ON):
        found = asyncio.run(evaluate(Evaluation(data, questions, first, out, whole), recipe, settings, say))
    if found.incomplete:
        say(f"{found.incomplete:,} questions were not done in full, as said above")
    click.echo(found.summary.as_json() if as_json else summary_text(found.summary, found.questions))


@eval_group.command("compare")
@click.argument("first", type=PLACE)
@click.argument("second", type=PLACE)
@click.option("--questions", type=PLACE, required=True, help="Questions that both were asked, JSON lines.")
@click.option("--worst", type=NONE, help="Questions to list in which FIRST is worse [default: 10].")
@click.option("--metric", help="The measure by which these are found [default: nDCG@50].")
@click.option("--json", "as_json", is_flag=True, help="Print the differences as JSON; lists no questions.")
def compare_command(
    first: Path, second: Path, questions: Path, worst: int | None, metric: str | None, as_json: bool
) -> None:
    """Say by how much FIRST is better than SECOND, two files of results of `eval ott`, with 95% intervals.

    Intervals are of a paired bootstrap over tables.
    """
    from eval.ott.comparison import compare_runs
    from heliograph.errors import UsageError

    if as_json and (worst is not None or metric is not None):
        raise UsageError("--worst and --metric list questions, which --json does not; leave them or --json away")
    found = compare_runs(first, second, questions, WORST_BY if metric is None else metric)
    for path, lacking in zip((first, second), found.lacking, strict=True):
        if lacking:
            say(f"{path} has no result for {lacking:,} of {len(found.asked):,} questions; they count 0")
    show(found.as_json() if as_json else found.text(WORST if worst is None else worst), whole=True)


def _recipe(given: Mapping[str, Any], units: Any, llm: str, read_by: str, said: Collection[str]) -> "Recipe":
    """Return the recipe of the options that were given; `said` names them.

    Raises:
        UsageError: options do not go together.
    """
    from eval.ott.combinations import checked
    from eval.ott.models import with_weights_beside
    from eval.ott.recipe import UNITS, Recipe

    named = {name: value for name, value in given.items() if value is not None}
    stages = frozenset(named.pop("without"))
    ranked = units or UNITS[named["method"]][0]
    recipe = checked(Recipe(**named, units=ranked, without=stages, llm=llm, read_by=read_by), said)
    return recipe if "reranker" in named else with_weights_beside(recipe)
