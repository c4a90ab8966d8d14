"""What holds for every graph, every model and every order in which its replies come."""

import asyncio
import random
from collections.abc import Iterator
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from heliograph.errors import ContextOverflow, ModelError, ModelMalformed, ModelTimeout
from heliograph.types import Edge, Subgraph
from tests.tools.refinement.varn import PLAIN, QUESTION, VARN, FakeEdgeScorer, FakeRefineLLM, code_refiner, row_of
from tools.refinement import Policy, Refinement, Refiner
from tools.refinement.stars import BATCH, batches, by_score, pair, stars_of

PAIRS = [
    (row_of(row, table), passage)
    for table, rows in (("lights", 4), ("ferries", 2))
    for row in range(1, rows + 1)
    for passage in (*VARN.linked(row_of(row, table)), None)
]
SCORES = st.floats(-1, 1, allow_nan=False).map(lambda score: round(score, 3))
GRAPHS = st.lists(st.tuples(st.sampled_from(PAIRS), SCORES), unique_by=lambda each: each[0], max_size=12).map(
    lambda found: Subgraph(by_score(Edge(*nodes, score) for nodes, score in found))
)
TITLES = [passage.title for passage in VARN.passages.values()]
REFUSED = st.frozensets(st.sampled_from(TITLES))
ROWS = st.dictionaries(st.sampled_from(("Lighthouses", "Ferries")), st.lists(st.integers(-1, 9), max_size=4))
PROMPTS = ("detect_aggregation", "select_rows", "verify_passages")
POLICIES: tuple[Policy, ...] = ("remove", "promote")
FAULTS = st.dictionaries(
    st.tuples(
        st.sampled_from(PROMPTS),
        st.sampled_from(("", "Lighthouse: Holm", "Lighthouses of Varn", "Solveig")),
    ),
    st.sampled_from((ModelTimeout("silent"), ModelMalformed("no JSON"), ContextOverflow("too long"))),
    max_size=3,
)
FEW = settings(max_examples=40)
"""Each example reads a question and refines a graph, once or twice."""
QUESTIONS = st.sampled_from((QUESTION, PLAIN))


def refined(refiner: Refiner, graph: Subgraph, question: str = QUESTION) -> Refinement:
    """Refine, from outside of any event loop."""
    return asyncio.run(refiner.refine(question, graph, VARN))


def runs(graph: Subgraph, done: Refinement) -> Iterator[tuple[Edge, ...]]:
    """Yield the runs of a promoted graph: agreed rows, other edges, refused edges."""
    agreed = {row for picks in done.picks for row in picks.shared}
    kept = [edge for edge in done.graph.edges if edge not in done.refused]
    yield tuple(edge for edge in kept if edge.segment in agreed)
    yield tuple(edge for edge in kept if edge.segment not in agreed)
    yield tuple(edge for edge in done.graph.edges if edge in done.refused)


@FEW
@given(GRAPHS, REFUSED, ROWS, FAULTS, QUESTIONS)
def test_promote_loses_no_edge_and_orders_each_group_by_score(
    graph: Subgraph,
    refused: frozenset[str],
    rows: dict[str, list[int]],
    faults: dict[tuple[str, str], ModelError],
    question: str,
) -> None:
    llm = FakeRefineLLM(rows=rows, refused=refused, failing=faults)
    done = refined(code_refiner(FakeEdgeScorer(), llm, "promote"), graph, question)
    assert sorted(map(pair, done.graph.edges), key=str) == sorted(map(pair, (*graph.edges, *done.added)), key=str)
    groups = list(runs(graph, done))
    assert tuple(edge for group in groups for edge in group) == done.graph.edges
    assert all(before.score >= after.score for group in groups for before, after in pairwise(group))


@FEW
@given(GRAPHS, REFUSED, ROWS, FAULTS, QUESTIONS, st.integers(0, 14))
def test_remove_parts_all_edges_into_kept_and_removed(
    graph: Subgraph,
    refused: frozenset[str],
    rows: dict[str, list[int]],
    faults: dict[tuple[str, str], ModelError],
    question: str,
    k: int,
) -> None:
    llm = FakeRefineLLM(rows=rows, refused=refused, failing=faults)
    done = refined(code_refiner(FakeEdgeScorer(), llm, "remove", k=k), graph, question)
    everything = (*graph.edges, *done.added)
    assert sorted(map(str, (*done.graph.edges, *done.removed))) == sorted(map(str, everything))
    assert set(done.removed) <= set(done.refused)
    assert not done.removed or len(done.graph.edges) >= k
    kept = tuple(edge for edge in done.graph.edges if edge not in done.refused)
    assert kept == by_score(kept)
    assert done.graph.edges[: len(kept)] == kept


@FEW
@given(GRAPHS, st.sampled_from(("remove", "promote")), st.sampled_from((ModelTimeout("silent"), ModelMalformed("x"))))
def test_a_model_that_always_fails_loses_nothing(graph: Subgraph, policy: str, error: ModelError) -> None:
    llm = FakeRefineLLM(
        failing={(name, ""): error for name in ("detect_aggregation", "select_rows", "verify_passages")}
    )
    done = refined(code_refiner(FakeEdgeScorer(), llm, "remove" if policy == "remove" else "promote", k=0), graph)
    without = refined(code_refiner(FakeEdgeScorer()), graph)
    assert (done.graph, done.refused, done.added) == (without.graph, (), without.added)


@FEW
@given(GRAPHS, REFUSED, ROWS, FAULTS, st.integers(0, 2**32), st.integers(1, 9))
def test_the_result_does_not_depend_on_the_order_in_which_replies_come(
    graph: Subgraph,
    refused: frozenset[str],
    rows: dict[str, list[int]],
    faults: dict[tuple[str, str], ModelError],
    seed: int,
    width: int,
) -> None:
    chance = random.Random(seed)
    prompt, slow = (
        FakeRefineLLM(rows=rows, refused=refused, failing=faults, delay=delay)
        for delay in (lambda _: 0, lambda _: chance.randrange(7))
    )
    outcomes = [refined(code_refiner(FakeEdgeScorer(), llm, width=width), graph) for llm in (prompt, slow)]
    assert outcomes[0] == outcomes[1]
    assert [each.parts for each in prompt.prompts] == [each.parts for each in slow.prompts]


@given(GRAPHS, st.integers(1, 4))
def test_stars_and_batches_part_the_edges(graph: Subgraph, most: int) -> None:
    stars = stars_of(graph.edges)
    assert sorted(map(str, (edge for star in stars for edge in star.edges))) == sorted(map(str, graph.edges))
    assert all(edge.segment == star.centre for star in stars for edge in star.edges)
    assert len({star.centre for star in stars}) == len(stars)
    cut = batches(stars, most)
    linked = [edge for star in stars for edge in star.edges if edge.passage is not None]
    assert [edge for star in cut for edge in star.edges] == linked
    assert all(1 <= len(star.edges) <= most for star in cut)


def test_a_star_of_many_edges_is_verified_ten_at_a_time() -> None:
    edges = [Edge(row_of(1), passage, 1 / number) for number, (_, passage) in enumerate(PAIRS * 3, 1) if passage]
    assert [len(star.edges) for star in batches(stars_of(edges))] == [BATCH, BATCH, len(edges) - 2 * BATCH]
