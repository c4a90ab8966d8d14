"""Query-relevant node expansion (HELIOS, section 4.2)."""

import math
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heliograph.types import (
    Cell,
    Edge,
    EvidenceId,
    PageKey,
    Passage,
    Place,
    Scored,
    Subgraph,
    TableEvidence,
    TableSegment,
)
from tools.expansion import NodeExpander, expanded_query, softmax

PLACE = Place(PageKey("w:List@1"), "List", "s1")


class Data:
    """Rows a, b and passages P, Q that say their names."""

    def segment(self, id: EvidenceId) -> TableSegment:
        return TableSegment(id, PLACE, EvidenceId("t"), 1, "", ("Name",), (Cell(f"row {id}"),))

    def passage(self, id: EvidenceId) -> Passage:
        return Passage(id, f"page {id}", "text")

    def linked(self, segment: EvidenceId) -> tuple[EvidenceId, ...]:
        return ()

    def table(self, segment: EvidenceId) -> TableEvidence:
        raise NotImplementedError


class Nodes:
    """An index of nodes that remembers what it was asked."""

    def __init__(self, *found: tuple[str, float]) -> None:
        self.found = tuple(Scored(EvidenceId(node), score) for node, score in found)
        self.asked: list[str] = []

    async def retrieve(self, query: str, k: int) -> tuple[Scored[EvidenceId], ...]:
        self.asked.append(query)
        return self.found[:k]


class NodeScores:
    """g_n by a table."""

    def __init__(self, **scores: float) -> None:
        self.scores = scores

    async def score(self, question: str, nodes: Sequence[EvidenceId]) -> tuple[float, ...]:
        return tuple(self.scores[node] for node in nodes)


class EdgeScores:
    """g_e: an edge of row a and passage Q scores best."""

    async def score(self, question: str, edges: Sequence[Edge], among: Sequence[Edge] = ()) -> tuple[float, ...]:
        return tuple(9.0 if (edge.segment, edge.passage) == ("a", "Q") else 0.5 for edge in edges)


def edge(segment: str, passage: str | None, score: float = 0.0) -> Edge:
    return Edge(EvidenceId(segment), None if passage is None else EvidenceId(passage), score)


GRAPH = Subgraph((edge("a", "P", 2.0), edge("b", None, 1.0)))


def expander(beam_width: int, passages: Nodes, segments: Nodes) -> NodeExpander:
    return NodeExpander(Data(), NodeScores(a=1.0, P=1.0, b=0.0), passages, segments, EdgeScores(), beam_width)


async def test_seeds_reach_the_other_side_and_the_likeliest_new_edges_are_scored_and_added() -> None:
    passages, segments = Nodes(("P", 1.0), ("Q", 1.0)), Nodes(("a", 0.0), ("b", 0.0))
    found = await expander(2, passages, segments).expand("who?", GRAPH)
    even = 1 / (2 + math.exp(-1))
    assert [(seed.item, round(seed.score, 9)) for seed in found.seeds] == [("P", round(even, 9)), ("a", round(even, 9))]
    assert passages.asked == ["who? | List | Name : row a"]
    assert segments.asked == ["who? | page P | text"]
    assert [(each.segment, each.passage) for each in found.added] == [("a", "Q"), ("b", "P")]
    assert [each.score for each in found.added] == pytest.approx([even / 2, even / 2])
    assert found.graph == Subgraph(
        (edge("a", "Q", 9.0), edge("a", "P", 2.0), edge("b", None, 1.0), edge("b", "P", 0.5))
    )


async def test_a_beam_of_no_width_adds_nothing() -> None:
    found = await expander(0, Nodes(("Q", 1.0)), Nodes()).expand("who?", GRAPH)
    assert (found.graph, found.seeds, found.added) == (GRAPH, (), ())


async def test_an_empty_graph_stays_empty() -> None:
    found = await expander(3, Nodes(("Q", 1.0)), Nodes()).expand("who?", Subgraph(()))
    assert found.graph == Subgraph(())


async def test_no_more_edges_are_added_than_the_beam_is_wide() -> None:
    many = Nodes(*((f"Q{number}", float(number)) for number in range(30)))
    found = await expander(3, many, Nodes()).expand("who?", GRAPH)
    assert [(each.segment, each.passage) for each in found.added] == [("a", "Q29"), ("b", "Q29"), ("a", "Q28")]
    assert set(GRAPH.edges) < set(found.graph.edges)


@given(st.lists(st.floats(-700, 700), min_size=1, max_size=8))
def test_a_softmax_is_a_distribution_in_the_order_of_the_scores(scores: list[float]) -> None:
    chances = softmax(scores)
    assert math.isclose(sum(chances), 1.0)
    for one, other in zip(range(len(scores)), range(1, len(scores)), strict=False):
        assert (scores[one] > scores[other]) <= (chances[one] >= chances[other])


def test_an_expanded_query_is_the_question_and_the_node() -> None:
    assert expanded_query("Who?", "Io | a moon") == "Who? | Io | a moon"
    assert softmax(()) == ()
