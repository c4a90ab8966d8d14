"""The nouns of the table-text data graph (HELIOS, section 3)."""

from dataclasses import dataclass

from heliograph.types.evidence import EvidenceId, TableSegment


@dataclass(frozen=True, slots=True)
class Passage:
    """A node of the data graph that is text: the paragraph that speaks of what a page is about, under its title."""

    id: EvidenceId
    title: str
    text: str


Node = TableSegment | Passage
"""V: table segments and passages, the two sides of the bipartite graph."""


@dataclass(frozen=True, slots=True)
class Edge:
    """A table segment and a passage that one of its cells links to, with Λ, its score against a query.

    A row that links nothing is an edge without a passage: it is retrieved and ranked like any other.
    """

    segment: EvidenceId
    passage: EvidenceId | None
    score: float = 0.0


@dataclass(frozen=True, slots=True)
class Star:
    """A table segment and the edges that meet in it (HELIOS, section 4.3); early fusion calls it a fused block."""

    centre: EvidenceId
    edges: tuple[Edge, ...]


@dataclass(frozen=True, slots=True)
class Subgraph:
    """The bipartite subgraph of one query: no pair of nodes twice, best edge first."""

    edges: tuple[Edge, ...]
