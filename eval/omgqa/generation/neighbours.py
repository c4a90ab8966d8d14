"""Nearest vectors of a collection, by blocks of a matrix product: memory grows with the collection, not its square."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from heliograph.protocols import Vectors

BLOCK = 512
"""Vectors that are compared with all others at a time."""
DECIMALS = 4
"""Of a cosine; more of them change with the shape of a matrix product, and with them which of equals is nearer."""


@dataclass(frozen=True, slots=True, order=True)
class Near:
    """Two vectors by their places, `first` < `second`, and their cosine."""

    first: int
    second: int
    cosine: float


def near_pairs(vectors: Vectors, k: int, least: float, block: int = BLOCK) -> tuple[Near, ...]:
    """Return the pairs of which one is among the k nearest of the other, by their places.

    Args:
        vectors: of length 1, a row each.
        k: neighbours of each.
        least: the cosine below which two are not near.
        block: rows compared at a time.
    """
    found: dict[tuple[int, int], float] = {}
    for one, other, cosine in _neighbours(vectors, k, block):
        if cosine >= least:
            pair = (min(one, other), max(one, other))
            found.setdefault(pair, cosine)
    return tuple(sorted(Near(first, second, cosine) for (first, second), cosine in found.items()))


def _neighbours(vectors: Vectors, k: int, block: int) -> Iterator[tuple[int, int, float]]:
    """Yield each vector with its k nearest; of equal cosines the earlier is nearer."""
    count = len(vectors)
    k = min(k, count - 1)
    if k < 1:
        return
    for start in range(0, count, block):
        cosines = np.round(vectors[start : start + block] @ vectors.T, DECIMALS)
        rows = np.arange(len(cosines))
        cosines[rows, rows + start] = -np.inf
        nearest = np.argsort(-cosines, axis=1, kind="stable")[:, :k]
        for row, places in enumerate(nearest):
            for place in places:
                yield start + row, int(place), float(cosines[row, place])
