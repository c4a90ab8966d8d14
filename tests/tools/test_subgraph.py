"""The candidate subgraph: found edges, ranked anew, merged (HELIOS, section 4.1)."""

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from heliograph.types import Edge, EvidenceId, Star, Subgraph
from tools.refinement.stars import stars_of
from tools.subgraph import SubgraphRetriever, merged, nodes_of, ranked

ends = st.sampled_from([EvidenceId(name) for name in "abc"])
edges = st.lists(st.builds(Edge, ends, st.none() | ends.map(str.upper), st.floats(-1, 1)), max_size=12)


def edge(segment: str, passage: str | None, score: float = 0.0) -> Edge:
    return Edge(EvidenceId(segment), None if passage is None else EvidenceId(passage), score)


class Index:
    """Finds the edges it was given."""

    def __init__(self, *found: Edge) -> None:
        self.found = found

    async def retrieve(self, query: str, k: int) -> tuple[Edge, ...]:
        return self.found[:k]


class ByPassage:
    """Scores an edge by a table of passages."""

    def __init__(self, **scores: float) -> None:
        self.scores = scores

    async def score(self, question: str, edges: Sequence[Edge], among: Sequence[Edge] = ()) -> tuple[float, ...]:
        return tuple(self.scores[str(edge.passage)] for edge in edges)


async def test_the_retriever_finds_k1_and_the_reranker_leaves_k2() -> None:
    index = Index(edge("a", "P", 3), edge("a", "Q", 2), edge("b", "R", 1), edge("c", "S", 0))
    retriever = SubgraphRetriever(index, ByPassage(P=0.1, Q=0.3, R=0.9, S=5.0), k1=3, k2=2)
    assert await retriever.retrieve("which?") == Subgraph((edge("b", "R", 0.9), edge("a", "Q", 0.3)))


async def test_without_a_reranker_the_order_of_the_index_stands() -> None:
    index = Index(edge("a", "P", 3), edge("b", None, 2))
    assert await SubgraphRetriever(index).retrieve("which?") == Subgraph(index.found)


@given(edges, edges)
def test_merging_keeps_each_edge_once_with_its_best_score(some: list[Edge], others: list[Edge]) -> None:
    graph = merged(some, others)
    every = [*some, *others]
    assert {(each.segment, each.passage) for each in graph.edges} == {(each.segment, each.passage) for each in every}
    assert len({(each.segment, each.passage) for each in graph.edges}) == len(graph.edges)
    for each in graph.edges:
        same = [other for other in every if (other.segment, other.passage) == (each.segment, each.passage)]
        assert each.score == max(other.score for other in same)
    assert [each.score for each in graph.edges] == sorted((each.score for each in graph.edges), reverse=True)


@given(edges)
def test_stars_hold_every_edge_of_a_graph_once(found: list[Edge]) -> None:
    graph = Subgraph(ranked(found))
    stars = stars_of(graph.edges)
    assert sorted((each for star in stars for each in star.edges), key=graph.edges.index) == list(graph.edges)
    assert all(each.segment == star.centre for star in stars for each in star.edges)
    assert len({star.centre for star in stars}) == len(stars)


def test_stars_and_nodes_come_in_the_order_of_their_best_edges() -> None:
    graph = Subgraph((edge("b", "P", 3), edge("a", "P", 2), edge("b", None, 1)))
    assert stars_of(graph.edges) == (
        Star(EvidenceId("b"), (edge("b", "P", 3), edge("b", None, 1))),
        Star(EvidenceId("a"), (edge("a", "P", 2),)),
    )
    assert nodes_of(graph) == ("b", "P", "a")
