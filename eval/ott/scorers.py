"""How well edges and nodes answer a question by a model that reads them together with it: g_e and g_n."""

from collections.abc import Sequence

from heliograph.protocols import PairScorer
from heliograph.types import Edge, EvidenceId
from indexers.edges.bm25 import NO_PASSAGE
from indexers.edges.graph import BipartiteGraph
from indexers.edges.scorers import node_line


class PairEdges:
    """Score edges by a model that reads them together with the question (HELIOS, section 4.1)."""

    def __init__(self, graph: BipartiteGraph, scorer: PairScorer) -> None:
        self._graph, self._scorer = graph, scorer

    async def score(
        self,
        question: str,
        edges: Sequence[Edge],
        among: Sequence[Edge] = (),  # noqa: ARG002 - an edge is scored by itself
    ) -> tuple[float, ...]:
        """Return the model's score of x (equation 1) for each edge, in the order given."""
        lines = [self._line(segment, passage) for segment, passage in self._graph.pairs(edges).tolist()]
        return await self._scorer.score(question, lines)

    def _line(self, segment: int, passage: int) -> str:
        alone = self._graph.segments.lines[segment]
        return alone if passage == NO_PASSAGE else f"{alone} | {self._graph.passages.lines[passage]}"


class PairNodes:
    """Score single nodes by such a model (HELIOS, section 4.2)."""

    def __init__(self, graph: BipartiteGraph, scorer: PairScorer) -> None:
        self._graph, self._scorer = graph, scorer

    async def score(self, question: str, nodes: Sequence[EvidenceId]) -> tuple[float, ...]:
        """Return the model's score for each node, in the order given."""
        return await self._scorer.score(question, [node_line(self._graph, node) for node in nodes])
