"""Which nodes have a token near a centroid: an inverted list a centroid, as two arrays."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from indexers.edges.spans import Places, spread


@dataclass(frozen=True, slots=True, eq=False)
class InvertedLists:
    """Centroid c is near tokens of `nodes[offsets[c]:offsets[c + 1]]`: each node once, in ascending order."""

    offsets: Places
    nodes: NDArray[np.int32]

    @classmethod
    def of(cls, nearest: NDArray[np.int32], nodes: NDArray[np.int32], centroids: int) -> Self:
        """Turn tokens, by the centroid nearest to each and its node, into lists."""
        width = int(nodes.max(initial=0)) + 1
        pairs = np.unique(nearest.astype(np.int64) * width + nodes)
        offsets = np.searchsorted(pairs, np.arange(centroids + 1, dtype=np.int64) * width)
        return cls(offsets.astype(np.int64), (pairs % width).astype(np.int32))

    @classmethod
    def joined(cls, parts: Sequence["InvertedLists"]) -> Self:
        """Join lists over nodes that ascend from one part to the next."""
        lengths = np.stack([np.diff(part.offsets) for part in parts], axis=1)
        begins = np.cumsum(lengths) - lengths.ravel()
        offsets = np.append(begins[:: len(parts)], lengths.sum())
        nodes = np.empty(int(lengths.sum()), np.int32)
        for number, part in enumerate(parts):
            places, _ = spread(begins[number :: len(parts)], lengths[:, number])
            nodes[places] = part.nodes
        return cls(offsets.astype(np.int64), nodes)

    def __len__(self) -> int:
        return len(self.nodes)
