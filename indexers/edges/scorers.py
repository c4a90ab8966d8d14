"""How well edges and nodes of a graph answer a question by late interaction, without any reranker."""

from collections.abc import Sequence

from heliograph.types import Edge, EvidenceId
from indexers.edges.graph import BipartiteGraph
from indexers.edges.maxsim import similarity
from indexers.edges.node_tokens import NodeTokens
from indexers.edges.search import edges_compared
from indexers.parser import parse_id


class LateInteractionEdges:
    """Score edges by equation 4, the retriever's own measure, whatever they are `among`."""

    def __init__(self, graph: BipartiteGraph, tokens: NodeTokens) -> None:
        self._graph, self._tokens = graph, tokens

    async def score(
        self,
        question: str,
        edges: Sequence[Edge],
        among: Sequence[Edge] = (),  # noqa: ARG002 - an edge is scored by itself
    ) -> tuple[float, ...]:
        """Return sim(q, e) for each edge, in the order given."""
        found = await edges_compared(question, self._graph.pairs(edges), self._graph, self._tokens)
        return tuple(similarity(found).tolist())


class LateInteractionNodes:
    """Score single nodes by the same measure."""

    def __init__(self, graph: BipartiteGraph, tokens: NodeTokens) -> None:
        self._graph, self._tokens = graph, tokens

    async def score(self, question: str, nodes: Sequence[EvidenceId]) -> tuple[float, ...]:
        """Return sim(q, v) for each node, in the order given."""
        found = await self._tokens.maxima(question, [node_line(self._graph, node) for node in nodes])
        return tuple(similarity(found).tolist())


def node_line(graph: BipartiteGraph, node: EvidenceId) -> str:
    """Return the line of a node of either side."""
    side = graph.passages if parse_id(node).row is None else graph.segments
    return side.lines[side.position(node)]
