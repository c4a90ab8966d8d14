"""Queries asked of a retriever one by one, their figures summed up, and two systems compared."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from statistics import fmean
from time import perf_counter

import numpy as np

from eval.bootstrap import SAMPLES, Interval, paired_bootstrap
from eval.stark.candidates import answers_in
from eval.stark.measures import NAMES, measures_of, ranked
from eval.stark.queries import StarkQuery
from eval.stark.results import QueryResult, RunResults
from heliograph.errors import UsageError
from heliograph.protocols import EntityRetriever
from indexers.pace import Pace, Say
from indexers.skb.knowledge_base import BuiltKnowledgeBase

K = 100
"""Entities that a system returns at most, as STaRK's baselines do."""


@dataclass(frozen=True, slots=True)
class KindSummary:
    """The mean measures of the queries of one kind."""

    queries: int
    measures: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class StarkSummary:
    """Means over queries, and the seconds of the retriever that half, and 95%, of the queries did not exceed.

    `unanswerable` counts queries whose answers are none of the base's candidates: they score 0. `kinds` is empty where
    no query has one.
    """

    queries: int
    unanswerable: int
    measures: Mapping[str, float]
    seconds_p50: float
    seconds_p95: float
    kinds: Mapping[str, KindSummary] = field(default_factory=dict)

    def as_json(self) -> str:
        """Return the summary as a JSON object; measures are fractions of 1."""
        return json.dumps(asdict(self), indent=1, ensure_ascii=False)


@dataclass(frozen=True, slots=True)
class Comparison:
    """By how much the first of two runs is better, by measure, over the queries that either has a result for.

    `lacking` counts the queries that the first, and the second, run has no result for: they count 0 in it.
    """

    queries: int
    lacking: tuple[int, int]
    differences: Mapping[str, Interval]

    def as_json(self) -> str:
        """Return the comparison as a JSON object; differences are fractions of 1."""
        return json.dumps(asdict(self), indent=1)


async def evaluate(
    queries: Sequence[StarkQuery],
    base: BuiltKnowledgeBase,
    retriever: EntityRetriever,
    k: int = K,
    *,
    typed: bool = False,
    kept: RunResults | None = None,
    say: Say = lambda _said: None,
) -> tuple[QueryResult, ...]:
    """Ask the queries that have no result yet, one after another so that their seconds compare.

    Args:
        queries: each with an id of its own.
        base: the entities that answers are looked up among.
        retriever: what is measured.
        k: entities that it may return; fewer than 20 lower R@20.
        typed: tell it the type of the answers where a query has one.
        kept: earlier results of the same run, which it adds to; None keeps them for the caller alone.
        say: hears progress.

    Returns:
        A result for each query, in their order.

    Raises:
        UnknownName: the base has no such type of answers.
        StoreError: a result cannot be written.
    """
    results: dict[str, QueryResult] = {} if kept is None else kept.results
    todo = [query for query in queries if query.id not in results]
    if len(todo) < len(queries):
        say(f"{len(queries) - len(todo):,} of {len(queries):,} queries have their results already")
    pace = Pace("queries", len(todo), say)
    for number, query in enumerate(todo, start=1):
        result = await _asked(query, base, retriever, k, query.answer_type if typed else "")
        if kept is not None:
            kept.append(result)
        results[query.id] = result
        pace.done(number)
    return tuple(results[query.id] for query in queries)


async def _asked(
    query: StarkQuery, base: BuiltKnowledgeBase, retriever: EntityRetriever, k: int, type: str
) -> QueryResult:
    began = perf_counter()
    found = await retriever.retrieve(query.text, k, type)
    seconds = perf_counter() - began
    ranking, answers = ranked(found)[:k], await answers_in(base, query)
    return QueryResult(
        query.id,
        query.kind,
        tuple(entity.id for entity in await base.entities(ranking)),
        measures_of(ranking, answers.numbers, answers.missing),
        round(seconds, 6),
        len(answers.numbers) + answers.missing,
        answers.missing,
    )


def summarise(results: Sequence[QueryResult]) -> StarkSummary:
    """Average results; there is at least one.

    Raises:
        UsageError: there is none.
    """
    if not results:
        raise UsageError("no query was asked, so there is nothing to average; name a file that has some")
    kinds = sorted({each.kind for each in results} - {""})
    p50, p95 = np.percentile([each.seconds for each in results], (50, 95)).tolist()
    return StarkSummary(
        len(results),
        sum(each.missing == each.answers for each in results),
        _means(results),
        p50,
        p95,
        {kind: _of_kind(results, kind) for kind in kinds},
    )


def _of_kind(results: Sequence[QueryResult], kind: str) -> KindSummary:
    several = [each for each in results if each.kind == kind]
    return KindSummary(len(several), _means(several))


def _means(results: Sequence[QueryResult]) -> Mapping[str, float]:
    return {name: fmean(each.measures.get(name, 0.0) for each in results) for name in NAMES}


def compare(first: RunResults, second: RunResults, seed: int = 0, samples: int = SAMPLES) -> Comparison:
    """Compare two runs of the same queries by a paired bootstrap over queries.

    Raises:
        UsageError: the runs were asked other queries.
    """
    if first.run.queries != second.run.queries:
        raise UsageError("the two runs were asked other queries, or of another split; ask both the same with --queries")
    ids = sorted({*first.results, *second.results})
    ours, theirs = (np.array([_values(run, id) for id in ids]) for run in (first, second))
    found = paired_bootstrap(ours - theirs, ids, seed, samples)
    lacking = (len(ids) - len(first.results), len(ids) - len(second.results))
    return Comparison(len(ids), lacking, dict(zip(NAMES, found, strict=True)))


def _values(run: RunResults, id: str) -> list[float]:
    result = run.results.get(id)
    return [result.measures.get(name, 0.0) if result else 0.0 for name in NAMES]
