"""The first stage of late interaction: which nodes have tokens near the centroids that a query's tokens are near.

As in PLAID the similarity of a query's token and a centroid stands for that of the tokens around it. Unlike there, no
token's centroid is looked up: each token of the query walks the lists of its closest centroids, and a node that is in
none of them counts as the last of these does, which is an upper bound of what its centroids would give (the idea of
missing similarity imputation of XTR). So the cost is the length of the lists, however long the nodes are.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from heliograph.protocols import Vectors
from indexers.edges.inverted import InvertedLists
from indexers.edges.spans import spread

Estimates = NDArray[np.float32]
NAMED = np.float32(1e-6)
"""What any list adds to the nodes that it names: they come before those that no list names."""


@dataclass(frozen=True, slots=True, eq=False)
class Probed:
    """The centroids closest to each token of a query, shape (tokens, probes), farthest first, and their similarity."""

    centroids: NDArray[np.int64]
    similarity: Vectors

    @property
    def floor(self) -> Vectors:
        """The most that a node which no list of a token names is taken to give, shape (tokens,)."""
        return self.similarity[:, 0]


def probed(query: Vectors, centroids: Vectors, probes: int) -> Probed:
    """Compare a query with centroids, shape (dimensions, centroids)."""
    similar = query @ centroids
    probes = min(probes, similar.shape[1])
    closest = np.argpartition(similar, similar.shape[1] - probes, axis=1)[:, similar.shape[1] - probes :]
    near = np.take_along_axis(similar, closest, axis=1)
    order = np.argsort(near, axis=1)
    return Probed(np.take_along_axis(closest, order, axis=1), np.take_along_axis(near, order, axis=1))


def estimated(found: Probed, lists: Sequence[InvertedLists], nodes: int) -> Estimates:
    """Return for each node by how much its similarity is taken to exceed that of a node in no list, shape (nodes,)."""
    total = np.zeros(nodes, np.float32)
    gains = (found.similarity - found.floor[:, None] + NAMED).ravel()
    tokens, probes = found.centroids.shape
    for part in lists:
        begins = part.offsets[found.centroids.ravel()]
        lengths = part.offsets[found.centroids.ravel() + 1] - begins
        places, starts = spread(begins, lengths)
        named, gained = part.nodes[places], np.repeat(gains, lengths)
        bounds = [*starts[::probes].tolist(), len(places)]
        for token in range(tokens):
            its = slice(bounds[token], bounds[token + 1])
            # of a node that several lists name the last assignment stays: that of the closest centroid
            total[named[its]] = total[named[its]] + gained[its]
    return total


def most(estimates: Estimates, count: int) -> NDArray[np.int64]:
    """Return the positions of the greatest estimates above 0, ascending; ties to the smaller position."""
    positive = np.flatnonzero(estimates > 0)
    if len(positive) <= count or not count:
        return positive[:count]
    values = estimates[positive]
    least = np.partition(values, len(values) - count)[len(values) - count]
    above, level = positive[values > least], positive[values == least]
    return np.sort(np.concatenate([above, level[: count - len(above)]]))
