"""The nouns of the table-text data graph (HELIOS, section 3)."""

from dataclasses import dataclass

from heliograph.types.evidence import EvidenceId


@dataclass(frozen=True, slots=True)
class Edge:
    """A table segment and a passage that one of its cells links to, scored against a query."""

    segment: EvidenceId
    passage: EvidenceId
    score: float


@dataclass(frozen=True, slots=True)
class Star:
    """A centre node and the edges that meet in it (HELIOS, section 4.3)."""

    centre: EvidenceId
    edges: tuple[Edge, ...]


@dataclass(frozen=True, slots=True)
class Subgraph:
    """The candidate bipartite subgraph of one query."""

    edges: tuple[Edge, ...]
