"""Late interaction composed of nodes (HELIOS, equation 4): pure arithmetic over token vectors.

sim(q, e) sums, over the tokens of the query, the similarity of the closest token of the edge; the closest token of an
edge is the closer one of its two nodes'. So what is computed is M, the maxima: shape (nodes, tokens of the query).
"""

import numpy as np
from numpy.typing import NDArray

from heliograph.protocols import Vectors

Maxima = NDArray[np.float32]
ABSENT = np.float32(-1.0)
"""The similarity of a node that is not there: no cosine is smaller."""


def maxima(query: Vectors, tokens: Vectors, starts: NDArray[np.int64]) -> Maxima:
    """Return M for nodes whose token vectors follow one another; `starts` says where each begins, shape (nodes,).

    A node without tokens is ABSENT.
    """
    found = np.full((len(starts), len(query)), ABSENT, np.float32)
    lengths = np.diff(np.append(starts, len(tokens)))
    filled = np.flatnonzero(lengths)
    if len(filled):
        found[filled] = np.maximum.reduceat(tokens @ query.T, starts[filled], axis=0)
    return found


def similarity(found: Maxima) -> NDArray[np.float32]:
    """Return sim(q, ·) of equation 4 from maxima: their sum over the tokens of the query."""
    total: NDArray[np.float32] = found.sum(axis=1, dtype=np.float32)
    return total
