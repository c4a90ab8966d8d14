"""HELIOS's retriever over other units than edges, for comparison (HELIOS, section 5.3 and Table 6).

As over edges BM25 proposes and late interaction decides: over a row with all its passages, or over single nodes.
"""

import time
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from eval.ott.competitors.bm25 import BM25Units
from eval.ott.ranking import CUT, UnitKind
from eval.ott.retriever import Retrieval
from indexers.edges.graph import BipartiteGraph
from indexers.edges.maxsim import similarity
from indexers.edges.node_tokens import NodeTokens
from indexers.edges.search import edges_compared


class StarRetriever:
    """Rank stars: the closest token to one of the question's is the closest of all nodes of the star."""

    kind: UnitKind = "star"

    def __init__(self, bm25: BM25Units, graph: BipartiteGraph, tokens: NodeTokens, proposed: int, digest: str) -> None:
        self.digest = digest
        self._bm25, self._graph, self._tokens, self._proposed = bm25, graph, tokens, proposed

    async def retrieve(self, question: str) -> Retrieval:
        """Return the CUT most similar stars."""
        began = time.perf_counter()
        rows = self._bm25.ranked(question, self._proposed)
        order = most_similar(await self._similarities(question, rows))
        ranking = tuple(self._bm25.unit(rows[place]) for place in order)
        return Retrieval(ranking, {"retrieve": time.perf_counter() - began})

    async def _similarities(self, question: str, rows: Sequence[int]) -> NDArray[np.float32]:
        if not rows:
            return np.zeros(0, np.float32)
        stars = [self._graph.star(row) for row in rows]
        starts = np.cumsum([0, *map(len, stars[:-1])])
        found = await edges_compared(question, np.concatenate(stars), self._graph, self._tokens)
        return similarity(np.maximum.reduceat(found, starts, axis=0))


class NodeRetriever:
    """Rank rows and passages singly."""

    kind: UnitKind = "node"

    def __init__(self, bm25: BM25Units, graph: BipartiteGraph, tokens: NodeTokens, proposed: int, digest: str) -> None:
        self.digest = digest
        self._bm25, self._graph, self._tokens, self._proposed = bm25, graph, tokens, proposed

    async def retrieve(self, question: str) -> Retrieval:
        """Return the CUT most similar nodes."""
        began = time.perf_counter()
        places = self._bm25.ranked(question, self._proposed)
        found = await self._tokens.maxima(question, list(map(self._line, places)))
        ranking = tuple(self._bm25.unit(places[place]) for place in most_similar(similarity(found)))
        return Retrieval(ranking, {"retrieve": time.perf_counter() - began})

    def _line(self, place: int) -> str:
        rows = len(self._graph.segments)
        return self._graph.segments.lines[place] if place < rows else self._graph.passages.lines[place - rows]


def most_similar(scores: NDArray[np.float32]) -> list[int]:
    """Return the places of the CUT greatest scores, ties in the order of what proposed them."""
    order: list[int] = np.argsort(-scores, kind="stable")[:CUT].tolist()
    return order
