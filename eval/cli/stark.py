"""`heliograph eval stark`: entities retrieved from a knowledge base, measured as STaRK does. Imports wait."""

import asyncio
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from agent.cli.interrupting import resumable
from agent.cli.options import Option, options
from agent.cli.places import NAME, OUT_FILE, PLACE
from agent.cli.speaking import say, show
from eval.cli.stark_people import collect_command, rate_command

GO_ON = "with --out, give the same command again: queries that have their results are not asked again"


class SystemOption(click.Option):
    """The option that names a system; its help names those that there are, and only that imports them."""

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """Return the option and its help."""
        from tools.skb.systems import FIRST, RERANKERS, SYSTEMS

        self.help = (
            f"{', '.join(SYSTEMS)}; or {' or '.join(RERANKERS)}, which rank what {FIRST} finds, or another, as in "
            "llm:dense."
        )
        return super().get_help_record(ctx)


_AS_JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON; shares are fractions of 1.")
RUN_OPTIONS: tuple[Option, ...] = (
    click.option("--skb", "folder", type=PLACE, required=True, help="Folder of a built knowledge base."),
    click.option("--queries", "path", type=PLACE, required=True, help="Queries: JSON lines, CSV, or STaRK's folder."),
    click.option(
        "--system",
        type=NAME,
        default="bm25",
        show_default=True,
        cls=SystemOption,
    ),
    click.option(
        "--embedding",
        type=NAME,
        metavar="MODEL",
        help="Of dense: a folder, such as one of train skb-encoder, a name on the hub, or one on the server of the "
        "setting embed.base_url.",
    ),
    click.option("--query-instruction", metavar="TEXT", help="Of dense: what queries begin with when embedded."),
    click.option(
        "--late-interaction-model", type=NAME, metavar="MODEL", help="A ColBERT: a folder, or a name on the hub."
    ),
    click.option("--scored", type=click.IntRange(min=1), help="Of llm: entities scored [default: 20]."),
    click.option("--split", type=NAME, default="test", show_default=True, help="Queries of one split; or all."),
    click.option("--first", type=click.IntRange(min=1), help="Ask the first N queries by the sha256 of their ids."),
    click.option("--typed/--untyped", default=False, help="Tell the system the type of the answers."),
    click.option("--k", type=click.IntRange(min=20), default=100, show_default=True, help="Entities returned at most."),
    click.option("--out", type=OUT_FILE, help="File of results; a run that was stopped goes on with it."),
    _AS_JSON,
)


@click.group("stark")
def stark_group() -> None:
    """Measure retrieval of entities as STaRK does: Hit@1, Hit@5, R@20 and MRR."""


stark_group.add_command(rate_command)
stark_group.add_command(collect_command)


@stark_group.command("run")
@options(*RUN_OPTIONS)
def run_command(
    folder: Path,
    path: Path,
    system: str,
    typed: bool,
    k: int,
    out: Path | None,
    as_json: bool,
    **drawn: Any,
) -> None:
    """Ask a system the queries, and report Hit@1, Hit@5, R@20, MRR and seconds.

    Exit codes: 2 usage, 4 no model, 6 store unusable, 130 interrupted.
    """
    from agent.cli.application import application
    from eval.drawing import Draw
    from eval.stark.evaluation import evaluate, summarise
    from eval.stark.queries import of_split, read_queries
    from eval.stark.report import summary_text
    from eval.stark.results import describe_run, open_results
    from eval.stark.retrieving import SystemChoice, open_system
    from heliograph.errors import UsageError
    from indexers.skb.knowledge_base import open_base
    from tools.skb.llm_reranker import SCORED

    base = open_base(folder)
    queries = of_split(read_queries(path), drawn["split"])
    if typed and not any(each.answer_type for each in queries):
        raise UsageError(f"no query of {path} says the type of its answers; leave --typed away")
    asked = Draw(first=drawn["first"]).of(queries, lambda each: each.id)
    choice = SystemChoice(
        system,
        drawn["embedding"] or "",
        drawn["query_instruction"],
        drawn["late_interaction_model"] or "",
        drawn["scored"] or SCORED,
    )
    trace = out.with_name(f"{out.name}.run") / "trace" if out else None

    async def found() -> str:
        async with open_system(choice, base, application().settings(), trace, say) as opened:
            retriever, label = opened.retriever, opened.label
            kept = open_results(out, describe_run(queries, base, label, k, typed)) if out else None
            if kept is None or any(each.id not in kept.results for each in asked):
                say(f"{label}: making or reading its index, which is no part of the seconds")
                await retriever.retrieve(asked[0].text, 1)
                opened.failures.clear()
                opened.outcomes.clear()
            results = await evaluate(asked, base, retriever, k, typed=typed, kept=kept, say=say)
        for kind, count in opened.failures.items():
            say(f"{count:,} entities were not scored ({kind}); they count 0 from the model")
        for outcome, count in opened.outcomes.items():
            say(f"{count:,} asked of the language model: {outcome}")
        summary = summarise(results)
        return summary.as_json() if as_json else summary_text(summary)

    with resumable(lambda: "", GO_ON):
        show(asyncio.run(found()), whole=True)


@stark_group.command("describe")
@click.argument("path", type=PLACE, required=False)
@click.option("--queries", "named", type=PLACE, help="The same as PATH.")
@click.option("--skb", "folder", type=PLACE, help="Knowledge base to describe, and to look the answers up in.")
@_AS_JSON
def describe_command(path: Path | None, named: Path | None, folder: Path | None, as_json: bool) -> None:
    """Describe the queries in PATH, all and by split, and a knowledge base, with STaRK's tables.

    Of a base Table 2; of queries Tables 3 and 4, and the data of Figures 4 (words and answers) and 5 (relational and
    textual words).
    """
    from eval.stark.base_statistics import describe_base
    from eval.stark.description import describe_queries
    from eval.stark.queries import read_queries
    from eval.stark.report import base_text, description_text
    from heliograph.errors import UsageError
    from indexers.skb.knowledge_base import open_base

    if path and named:
        raise UsageError(f"{path} and {named}: describe one file of queries at a time")
    source = path or named
    if not (source or folder):
        raise UsageError("there is nothing to describe; name a file of queries, a base with --skb, or both")
    queries = read_queries(source) if source else ()
    if source and not queries:
        raise UsageError(f"{source} has no queries; name another file")
    base = open_base(folder) if folder else None
    described = asyncio.run(describe_base(base)) if base else None
    found = asyncio.run(describe_queries(queries, base))
    if as_json:
        told = {"base": asdict(described) if described else None, "queries": [asdict(each) for each in found]}
        show(json.dumps(told, indent=1, ensure_ascii=False), whole=True)
        return
    parts = [*([base_text(described)] if described else []), *([description_text(found)] if found else [])]
    show("\n\n".join(parts), whole=True)


@stark_group.command("convert")
@click.argument("path", type=PLACE)
@click.argument("out", type=OUT_FILE)
@click.option("--force", is_flag=True, help="Replace a file that is there.")
def convert_command(path: Path, out: Path, force: bool) -> None:
    """Write the queries in PATH, such as STaRK's folder, to OUT as JSON lines."""
    from eval.stark.queries import convert_queries
    from heliograph.storage import refuse_to_replace

    refuse_to_replace(out, force)
    show(f"{out}: {convert_queries(path, out):,} queries", whole=True)


@stark_group.command("compare")
@click.argument("first", type=PLACE)
@click.argument("second", type=PLACE)
@_AS_JSON
def compare_command(first: Path, second: Path, as_json: bool) -> None:
    """Say by how much FIRST is better than SECOND, two files of results of `eval stark run`, with 95% intervals.

    Intervals are of a paired bootstrap over queries.
    """
    from eval.stark.evaluation import compare
    from eval.stark.report import comparison_text
    from eval.stark.results import read_results

    ours, theirs = read_results(first), read_results(second)
    found = compare(ours, theirs)
    for path, lacking in zip((first, second), found.lacking, strict=True):
        if lacking:
            say(f"{path} has no result for {lacking:,} of {found.queries:,} queries; they count 0")
    if not as_json:
        show(f"first: {ours.run.system}; second: {theirs.run.system}", whole=True)
    show(found.as_json() if as_json else comparison_text(found), whole=True)
