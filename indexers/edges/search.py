"""Retrieval of edges and nodes: BM25 proposes, late interaction decides (HELIOS, sections 4.1 and 4.2)."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from heliograph.types import Edge, EvidenceId, Scored
from indexers.edges.bm25 import NO_PASSAGE, EdgeBM25, EdgeList, best
from indexers.edges.graph import BipartiteGraph, Side
from indexers.edges.maxsim import ABSENT, Maxima, similarity
from indexers.edges.node_tokens import NodeTokens
from indexers.edges.postings import Postings

PROPOSED = 1000
"""Edges or nodes that BM25 proposes; what it costs in recall against exact search is in docs/results/helios.md."""


class EdgeProposer(Protocol):
    """What finds edges that other words say: `VectorEdges`."""

    async def propose(self, query: str) -> NDArray[np.int64]:
        """Return positions among the edges of the graph, each once."""


class EdgeSearch:
    """f_e over the edges of a graph: the similarity of equation 4 for those that BM25 proposes, and `further` ones."""

    def __init__(
        self,
        graph: BipartiteGraph,
        bm25: EdgeBM25,
        tokens: NodeTokens,
        proposed: int = PROPOSED,
        further: EdgeProposer | None = None,
    ) -> None:
        self._graph, self._bm25, self._tokens = graph, bm25, tokens
        self._proposed, self._further = proposed, further

    async def retrieve(self, query: str, k: int) -> tuple[Edge, ...]:
        """Return the k most similar edges, best first, ties to the one that was proposed first."""
        pairs, scores = await self.ranked(query, k)
        return tuple(self._graph.edge(pair, float(score)) for pair, score in zip(pairs, scores, strict=True))

    async def ranked(self, query: str, k: int) -> tuple[EdgeList, NDArray[np.float32]]:
        """Return the same as pairs of positions, shape (edges, 2), and their similarity."""
        places = best(self._bm25.scores(query), max(k, self._proposed))
        if self._further is not None:
            others = await self._further.propose(query)
            places = np.concatenate([places, others[~np.isin(others, places)]])
        pairs = self._graph.edges[places]
        scores = similarity(await edges_compared(query, pairs, self._graph, self._tokens))
        order = np.argsort(-scores, kind="stable")[:k]
        return pairs[order], scores[order]


class NodeSearch:
    """f_{S→P} or f_{P→S} over one side of a graph, for queries that a node expands."""

    def __init__(self, side: Side, postings: Postings, tokens: NodeTokens, proposed: int = PROPOSED) -> None:
        alone = np.stack([np.arange(len(side), dtype=np.int32), np.full(len(side), NO_PASSAGE, np.int32)], axis=1)
        self._side, self._tokens = side, tokens
        self._bm25 = EdgeBM25(postings, Postings.build(()), alone)
        self._proposed = proposed

    async def retrieve(self, query: str, k: int) -> tuple[Scored[EvidenceId], ...]:
        """Return the k most similar nodes, best first, ties to the smaller position."""
        places = best(self._bm25.scores(query), max(k, self._proposed))
        scores = similarity(await self._tokens.maxima(query, [self._side.lines[int(place)] for place in places]))
        order = np.argsort(-scores, kind="stable")[:k]
        return tuple(Scored(self._side.ids[int(places[at])], float(scores[at])) for at in order)


async def edges_compared(query: str, pairs: EdgeList, graph: BipartiteGraph, tokens: NodeTokens) -> Maxima:
    """Return M of edges, shape (edges, tokens of the query)."""
    nodes = await compared(query, pairs, graph, tokens)
    return np.maximum(nodes.segments, nodes.passages)


@dataclass(frozen=True, slots=True, eq=False)
class ComparedNodes:
    """M of the two nodes of edges, each of shape (edges, tokens of the query); ABSENT where there is no passage."""

    segments: Maxima
    passages: Maxima


async def compared(query: str, pairs: EdgeList, graph: BipartiteGraph, tokens: NodeTokens) -> ComparedNodes:
    """Compare edges with a query, each node once."""
    rows, row_of = np.unique(pairs[:, 0], return_inverse=True)
    linked = pairs[:, 1] != NO_PASSAGE
    leads, lead_of = np.unique(pairs[linked, 1], return_inverse=True)
    segments = await tokens.maxima(query, [graph.segments.lines[int(row)] for row in rows])
    passages = await tokens.maxima(query, [graph.passages.lines[int(lead)] for lead in leads])
    absent = np.full((len(pairs), segments.shape[1]), ABSENT, np.float32)
    absent[linked] = passages[lead_of]
    return ComparedNodes(segments[row_of], absent)
