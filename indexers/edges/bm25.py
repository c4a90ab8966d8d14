"""BM25 over edges without an index of edges: how often an edge says a word is the sum over its two nodes."""

import math
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from indexers.edges.postings import Counts
from indexers.edges.words import stemming

NO_PASSAGE = -1
"""The passage of an edge whose row links nothing."""
SATURATION, LENGTH_WEIGHT = 1.2, 0.75
"""k1 and b of BM25."""

EdgeList = NDArray[np.int32]
"""Shape (edges, 2): segment and passage by position; NO_PASSAGE where a segment stands alone."""


class Counting(Protocol):
    """Nodes whose words are counted: `Postings`, or what is composed of them."""

    @property
    def lengths(self) -> NDArray[np.int32]: ...

    def counted(self, word: str) -> Counts: ...


class EdgeBM25:
    """Lucene's BM25 of a query for every edge: what an index of their joined texts would give, to rounding."""

    def __init__(self, segments: Counting, passages: Counting, edges: EdgeList) -> None:
        self._segments, self._passages, self._edges = segments, passages, edges
        lengths = self._lengths(edges)
        self._mean = float(lengths.mean()) if lengths.any() else 1.0
        self._norms = self._normed(lengths)
        self._rarities: dict[str, float] = {}

    def scores(self, query: str) -> Counts:
        """Return a score for each edge of the graph, shape (edges,)."""
        return self._scored(query, self._edges, self._norms)

    def scores_of(self, query: str, pairs: EdgeList) -> Counts:
        """Return scores of any pairs of nodes, as if they were edges too, shape (pairs,)."""
        return self._scored(query, pairs, self._normed(self._lengths(pairs)))

    def _scored(self, query: str, pairs: EdgeList, norms: Counts) -> Counts:
        total = np.zeros(len(pairs), np.float32)
        for word in stemming()(query):
            segments, passages = self._segments.counted(word), self._passages.counted(word)
            often = _composed(segments, passages, pairs)
            if word not in self._rarities:
                everywhere = often if pairs is self._edges else _composed(segments, passages, self._edges)
                self._rarities[word] = _rarity(int(np.count_nonzero(everywhere)), len(self._edges))
            total += np.float32(self._rarities[word]) * often / (often + norms)
        return total

    def _lengths(self, pairs: EdgeList) -> Counts:
        return _composed(self._segments.lengths.astype(np.float32), self._passages.lengths.astype(np.float32), pairs)

    def _normed(self, lengths: Counts) -> Counts:
        return (SATURATION * (1 - LENGTH_WEIGHT + LENGTH_WEIGHT * lengths / self._mean)).astype(np.float32)


def _rarity(saying: int, edges: int) -> float:
    return math.log(1 + (edges - saying + 0.5) / (saying + 0.5))


def _composed(segments: Counts, passages: Counts, pairs: EdgeList) -> Counts:
    """Add up what the two nodes of each edge bring."""
    padded = np.append(passages, np.float32(0))  # NO_PASSAGE is the last place: it brings nothing
    composed: Counts = segments[pairs[:, 0]] + padded[pairs[:, 1]]
    return composed


def best(scores: Counts, k: int) -> NDArray[np.int64]:
    """Return the positions of the k best scores above 0, best first, ties to the smaller position."""
    k = min(k, len(scores))
    if k == 0:
        return np.zeros(0, np.int64)
    least = np.partition(scores, len(scores) - k)[len(scores) - k]
    found = np.flatnonzero((scores >= least) & (scores > 0))
    return found[np.argsort(-scores[found], kind="stable")][:k]
