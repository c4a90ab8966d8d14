"""Centroids of token vectors: spherical k-means, and which centroid is the closest to a vector.

Comparing every vector with every centroid is what building an index costs. So centroids are grouped, and a vector is
compared with those around its group only: a sixteenth of them or so. That finds the closest one nearly always, and
another close one else.
"""

import numpy as np
from numpy.typing import NDArray

from heliograph.protocols import Vectors

ROUNDS = 6
FEW = 1024
"""Centroids that are all compared: grouping them would save nothing."""
GROUPS_REACHED = 16
"""A vector is compared with as many centroids as this many groups have on average."""
ROWS_AT_ONCE = 16_384

Numbers = NDArray[np.int32]


class Nearest:
    """The closest of many centroids, by inner product."""

    def __init__(self, centroids: Vectors, seed: int = 0) -> None:
        self._centroids = centroids
        self._groups: Vectors | None = None
        if len(centroids) > FEW:
            count = int(np.sqrt(len(centroids)))
            self._groups = kmeans(centroids, count, seed, rounds=3)
            reach = min(len(centroids), GROUPS_REACHED * len(centroids) // count)
            similar = self._groups @ centroids.T
            self._around = np.argpartition(similar, len(centroids) - reach, axis=1)[:, len(centroids) - reach :]

    def of(self, vectors: Vectors | NDArray[np.int8]) -> Numbers:
        """Return the number of a centroid a vector, shape (vectors,); how long vectors are does not matter."""
        if self._groups is None:
            return _closest(vectors, self._centroids)
        group_of = _closest(vectors, self._groups)
        order = np.argsort(group_of, kind="stable")
        bounds = np.searchsorted(group_of[order], np.arange(len(self._groups) + 1))
        found = np.zeros(len(vectors), np.int32)
        for group in np.flatnonzero(np.diff(bounds)):
            rows, around = order[bounds[group] : bounds[group + 1]], self._around[group]
            found[rows] = around[_closest(vectors[rows], self._centroids[around])]
        return found


def kmeans(sample: Vectors, count: int, seed: int, rounds: int = ROUNDS) -> Vectors:
    """Return unit centroids of a sample, shape (count, dimensions); the same seed gives the same ones."""
    random = np.random.default_rng(seed)
    centroids = sample[np.sort(random.choice(len(sample), count, replace=False))]
    for _ in range(rounds):
        centroids = _moved(sample, Nearest(centroids, seed).of(sample), count, random)
    return centroids


def _moved(sample: Vectors, nearest: Numbers, count: int, random: np.random.Generator) -> Vectors:
    """Move centroids to the middle of what is closest to them, and those that have nothing to vectors at random."""
    order = np.argsort(nearest, kind="stable")
    filled, starts = np.unique(nearest[order], return_index=True)
    centroids = sample[random.integers(len(sample), size=count)]
    centroids[filled] = np.add.reduceat(sample[order], starts, axis=0)
    lengths = np.linalg.norm(centroids, axis=1, keepdims=True)
    unit: Vectors = (centroids / np.maximum(lengths, np.float32(1e-9))).astype(np.float32)
    return unit


def _closest(vectors: Vectors | NDArray[np.int8], centroids: Vectors) -> Numbers:
    found = np.zeros(len(vectors), np.int32)
    for start in range(0, len(vectors), ROWS_AT_ONCE):
        rows = slice(start, start + ROWS_AT_ONCE)
        found[rows] = (vectors[rows].astype(np.float32) @ centroids.T).argmax(axis=1)
    return found
