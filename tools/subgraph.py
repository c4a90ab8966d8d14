"""Edge-based bipartite subgraph retrieval (HELIOS, section 4.1; Algorithm 1, lines 1 to 3)."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from heliograph.protocols import EdgeIndex, EdgeScorer
from heliograph.types import Edge, EvidenceId, Subgraph

K1, K2 = 400, 100
"""Edges that the retriever f_e finds, and edges that the reranker g_e leaves (HELIOS, appendix D.1)."""
K = 50
"""Edges that are handed on in the end (HELIOS, section 5.1)."""


class SubgraphRetriever:
    """Find k1 edges by late interaction and leave the k2 that the reranker likes best: the candidate subgraph G_c.

    Without a reranker the retriever's own order and scores stand.
    """

    def __init__(self, index: EdgeIndex, reranker: EdgeScorer | None = None, k1: int = K1, k2: int = K2) -> None:
        self._index = index
        self._reranker = reranker
        self._k1, self._k2 = k1, k2

    async def retrieve(self, question: str) -> Subgraph:
        """Return G_c with Λ_c, the score of each edge."""
        found = await self._index.retrieve(question, self._k1)
        if self._reranker is not None:
            found = await rescored(question, found, self._reranker)
        return merged(found[: self._k2])


async def rescored(
    question: str, edges: Iterable[Edge], scorer: EdgeScorer, among: Sequence[Edge] = ()
) -> tuple[Edge, ...]:
    """Return edges with the scores that a reranker gives them `among` those of the graph, best first."""
    given = tuple(edges)
    scores = await scorer.score(question, given, among) if given else ()
    return ranked(replace(edge, score=score) for edge, score in zip(given, scores, strict=True))


def merged(*parts: Iterable[Edge]) -> Subgraph:
    """Merge edges to one graph: of an edge that comes several times the best score stays."""
    return Subgraph(ranked(edge for part in parts for edge in part))


def ranked(edges: Iterable[Edge]) -> tuple[Edge, ...]:
    """Order distinct edges by score, ties by their nodes."""
    best: dict[tuple[EvidenceId, EvidenceId | None], Edge] = {}
    for edge in edges:
        known = best.get((edge.segment, edge.passage))
        if known is None or edge.score > known.score:
            best[edge.segment, edge.passage] = edge
    return tuple(sorted(best.values(), key=lambda edge: (-edge.score, edge.segment, edge.passage or "")))


def nodes_of(graph: Subgraph) -> tuple[EvidenceId, ...]:
    """Return V: each node once, in the order of its best edge."""
    ends = (end for edge in graph.edges for end in (edge.segment, edge.passage))
    return tuple(dict.fromkeys(end for end in ends if end is not None))
