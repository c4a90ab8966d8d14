"""Queries are asked one by one, every one counts, and two systems are compared over the same queries."""

import json
from pathlib import Path

import pytest

from eval.bootstrap import Interval
from eval.stark.evaluation import Comparison, KindSummary, StarkSummary, compare, evaluate, summarise
from eval.stark.measures import NAMES
from eval.stark.queries import StarkQuery
from eval.stark.report import comparison_text, summary_text
from eval.stark.results import QueryResult, RunResults, StarkRun, describe_run, open_results, read_results
from heliograph.errors import UsageError
from indexers.skb.knowledge_base import BuiltKnowledgeBase
from tests.eval.stark.listed import ListedRetriever

LAKES = StarkQuery("lakes", "moon with lakes", ("titan",), "test", "text", "moon")
OF_MARS = StarkQuery("of mars", "moons of Mars", ("deimos", "phobos", "phobos"), "test", "one hop", "moon")
RED = StarkQuery("red", "red planet", ("mars", "nemesis"), "test")
QUERIES = (LAKES, OF_MARS, RED)
FOUND = {LAKES.text: [(4, 0.5), (3, 0.5)], OF_MARS.text: [(4, 0.1), (2, 0.9)], RED.text: [(0, 1.0)]}
ONES, NOUGHTS = dict.fromkeys(NAMES, 1.0), dict.fromkeys(NAMES, 0.0)


def result(id: str, measures: dict[str, float], kind: str = "", seconds: float = 1.0) -> QueryResult:
    return QueryResult(id, kind, (), measures, seconds, 1, 0)


async def test_each_query_gets_its_ranking_by_id_and_its_measures(base: BuiltKnowledgeBase) -> None:
    retriever = ListedRetriever(FOUND)
    lakes, of_mars, red = await evaluate(QUERIES, base, retriever)
    assert (lakes.id, lakes.kind, lakes.ranking) == ("lakes", "text", ("titan", "rhea"))
    assert (lakes.measures, lakes.answers, lakes.missing) == (ONES, 1, 0)
    assert of_mars.ranking == ("deimos", "rhea")
    assert (of_mars.measures, of_mars.answers) == ({"Hit@1": 1.0, "Hit@5": 1.0, "R@20": 0.5, "MRR": 1.0}, 2)
    assert (red.ranking, red.measures, red.answers, red.missing) == (("mars",), NOUGHTS, 2, 2)
    assert retriever.asked == [(each.text, 100, "") for each in QUERIES]
    assert min(lakes.seconds, of_mars.seconds, red.seconds) >= 0


async def test_a_retriever_is_told_the_type_of_the_answers_where_a_query_has_one(base: BuiltKnowledgeBase) -> None:
    retriever = ListedRetriever(FOUND)
    await evaluate(QUERIES, base, retriever, 20, typed=True)
    assert retriever.asked == [(LAKES.text, 20, "moon"), (OF_MARS.text, 20, "moon"), (RED.text, 20, "")]


async def test_what_a_retriever_returns_beyond_k_is_not_judged(base: BuiltKnowledgeBase) -> None:
    (found,) = await evaluate([OF_MARS], base, ListedRetriever({OF_MARS.text: [(4, 0.9), (2, 0.1)]}), 1)
    assert (found.ranking, found.measures) == (("rhea",), NOUGHTS)


async def test_a_run_that_was_interrupted_goes_on_where_it_was(base: BuiltKnowledgeBase, tmp_path: Path) -> None:
    path, said = tmp_path / "new" / "run.jsonl", list[str]()
    run = describe_run(QUERIES, base, "listed", 100, False)
    with pytest.raises(KeyboardInterrupt):
        await evaluate(QUERIES, base, ListedRetriever(FOUND, most=2), kept=open_results(path, run))
    before, retriever = path.read_text(), ListedRetriever(FOUND)
    results = await evaluate(QUERIES, base, retriever, kept=open_results(path, run), say=said.append)
    assert [text for text, _, _ in retriever.asked] == [RED.text]
    assert said[0] == "2 of 3 queries have their results already"
    assert path.read_text().startswith(before)
    assert read_results(path) == RunResults(run, {each.id: each for each in results})


def test_a_summary_has_the_mean_of_all_and_of_each_kind_and_counts_what_cannot_be_answered() -> None:
    results = [
        result("a", ONES, "text", 0.1),
        result("b", NOUGHTS, "text", 0.2),
        result("c", ONES, "hop", 0.3),
        QueryResult("d", "", (), NOUGHTS, 0.4, 2, 2),
        QueryResult("e", "", (), NOUGHTS, 0.5, 0, 0),
    ]
    means = dict.fromkeys(NAMES, 0.4)
    kinds = {"hop": KindSummary(1, ONES), "text": KindSummary(2, dict.fromkeys(NAMES, 0.5))}
    summary = summarise(results)
    assert summary == StarkSummary(5, 2, means, pytest.approx(0.3), pytest.approx(0.48), kinds)
    assert json.loads(summary.as_json())["kinds"]["hop"] == {"queries": 1, "measures": ONES}
    assert summary_text(summary) == (
        "percent   queries   Hit@1   Hit@5    R@20     MRR\n"
        "all             5   40.00   40.00   40.00   40.00\n"
        "hop             1  100.00  100.00  100.00  100.00\n"
        "text            2   50.00   50.00   50.00   50.00\n"
        "without an answer among the base's candidates, so that they count 0: 2\n"
        "seconds per query: 0.300 (p50), 0.480 (p95)"
    )


def test_nothing_cannot_be_averaged() -> None:
    with pytest.raises(UsageError, match="no query was asked"):
        summarise([])


def run_of(queries: str, *results: QueryResult) -> RunResults:
    return RunResults(StarkRun("digest", queries, "listed"), {each.id: each for each in results})


def test_a_query_that_a_run_lacks_counts_nought_in_it() -> None:
    first = run_of("q", result("a", ONES), result("b", ONES))
    found = compare(first, run_of("q", result("a", ONES)), samples=200)
    assert (found.queries, found.lacking) == (2, (0, 1))
    assert found.differences == dict.fromkeys(NAMES, Interval(0.5, 0.0, 1.0))
    assert json.loads(found.as_json())["lacking"] == [0, 1]


def test_a_run_does_not_differ_from_itself() -> None:
    run = run_of("q", *(result(str(number), ONES if number % 2 else NOUGHTS) for number in range(10)))
    assert compare(run, run, samples=50) == Comparison(10, (0, 0), dict.fromkeys(NAMES, Interval(0.0, 0.0, 0.0)))


def test_a_difference_is_starred_where_its_interval_does_not_hold_nought() -> None:
    text = comparison_text(Comparison(7, (0, 0), {"MRR": Interval(0.1, 0.05, 0.2), "R@20": Interval(-0.1, -0.2, 0.0)}))
    assert text.splitlines() == [
        "7 queries",
        "first - second      mean  95% from      to",
        "MRR               +10.00     +5.00  +20.00 *",
        "R@20              -10.00    -20.00   +0.00",
    ]


def test_runs_of_other_queries_are_not_compared() -> None:
    with pytest.raises(UsageError, match="asked other queries"):
        compare(run_of("q", result("a", ONES)), run_of("other", result("a", ONES)))
