"""Late interaction composed of nodes (HELIOS, equation 4): pure arithmetic over token vectors.

sim(q, e) sums, over the tokens of the query, the similarity of the closest token of the edge; the closest token of an
edge is the closer one of its two nodes'. So what is computed is M, the maxima: shape (nodes, tokens of the query).
"""

import numpy as np
from numpy.typing import NDArray

from heliograph.protocols import Vectors
from indexers.edges.token_store import Coded

Maxima = NDArray[np.float32]
ABSENT = np.float32(-1.0)
"""The similarity of a node that is not there: no cosine is smaller."""
TOKENS_AT_ONCE = 4096
"""Vectors whose bytes are numbers at a time: what a processor's cache holds."""


def maxima(query: Vectors, tokens: Vectors, starts: NDArray[np.int64]) -> Maxima:
    """Return M for nodes whose token vectors follow one another; `starts` says where each begins, shape (nodes,).

    A node without tokens is ABSENT.
    """
    return _greatest(tokens @ query.T, starts)


def coded_maxima(query: Vectors, tokens: Coded) -> Maxima:
    """Return the same for vectors as a store keeps them, which spares making numbers of all their bytes at once."""
    similar = np.empty((len(tokens.codes), len(query)), np.float32)
    for start in range(0, len(similar), TOKENS_AT_ONCE):
        rows = slice(start, start + TOKENS_AT_ONCE)
        np.matmul(tokens.codes[rows].astype(np.float32), query.T, out=similar[rows])
    similar *= tokens.scales.astype(np.float32)[:, None]
    return _greatest(similar, tokens.starts)


def similarity(found: Maxima) -> NDArray[np.float32]:
    """Return sim(q, ·) of equation 4 from maxima: their sum over the tokens of the query."""
    total: NDArray[np.float32] = found.sum(axis=1, dtype=np.float32)
    return total


def _greatest(similar: NDArray[np.float32], starts: NDArray[np.int64]) -> Maxima:
    found = np.full((len(starts), similar.shape[1]), ABSENT, np.float32)
    filled = np.flatnonzero(np.diff(np.append(starts, len(similar))))
    if len(filled):
        found[filled] = np.maximum.reduceat(similar, starts[filled], axis=0)
    return found
