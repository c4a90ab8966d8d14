"""The bipartite data graph G_d by position: two sides of nodes, and the edges between them (HELIOS, section 3.2)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from heliograph.types import Edge, EvidenceId
from indexers.edges.bm25 import NO_PASSAGE, EdgeList


class Lines(Protocol):
    """The linearised nodes of one side, by position; they need not all be in memory."""

    def __len__(self) -> int: ...

    def __getitem__(self, position: int) -> str: ...


@dataclass(frozen=True, eq=False)
class Side:
    """The nodes of one side: their ids and lines by position, and for table segments the number of their table."""

    ids: Sequence[EvidenceId]
    lines: Lines
    tables: Sequence[int] = ()

    def __len__(self) -> int:
        return len(self.ids)

    def position(self, id: EvidenceId) -> int:
        """Return where a node is."""
        return self._positions[id]

    @cached_property
    def _positions(self) -> Mapping[EvidenceId, int]:
        return {id: position for position, id in enumerate(self.ids)}


@dataclass(frozen=True, slots=True, eq=False)
class BipartiteGraph:
    """Segments, passages, and edges as pairs of positions, sorted by segment."""

    segments: Side
    passages: Side
    edges: EdgeList

    def edge(self, pair: Sequence[int], score: float = 0.0) -> Edge:
        """Return the noun of a pair of positions."""
        segment, passage = int(pair[0]), int(pair[1])
        return Edge(self.segments.ids[segment], None if passage == NO_PASSAGE else self.passages.ids[passage], score)

    def pairs(self, edges: Sequence[Edge]) -> EdgeList:
        """Return the positions of edges, shape (edges, 2)."""
        found = [(self.segments.position(edge.segment), self._passage(edge.passage)) for edge in edges]
        return np.array(found, np.int32).reshape(-1, 2)

    def star(self, segment: int) -> EdgeList:
        """Return the edges of one segment."""
        first, end = np.searchsorted(self.edges[:, 0], (segment, segment + 1))
        return self.edges[first:end]

    def _passage(self, id: EvidenceId | None) -> int:
        return NO_PASSAGE if id is None else self.passages.position(id)
