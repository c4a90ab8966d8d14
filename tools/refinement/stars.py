"""Edges as stars: what belongs to one table segment, best first, in batches that a prompt can show."""

from collections.abc import Iterable, Sequence

from heliograph.types import Edge, EvidenceId, Star

BATCH = 10
"""Edges of one star that are verified by one prompt."""

Pair = tuple[EvidenceId, EvidenceId | None]
"""The two nodes of an edge."""


def pair(edge: Edge) -> Pair:
    """Return what an edge joins, without its score."""
    return edge.segment, edge.passage


def by_score(edges: Iterable[Edge]) -> tuple[Edge, ...]:
    """Return edges best first; of equal scores the smaller ids first, so that an order never depends on chance."""
    return tuple(sorted(edges, key=lambda edge: (-edge.score, edge.segment, edge.passage or "")))


def stars_of(edges: Iterable[Edge]) -> tuple[Star, ...]:
    """Decompose edges into stars, in the order of their best edges (HELIOS, Algorithm 1, line 14)."""
    found: dict[EvidenceId, list[Edge]] = {}
    for edge in by_score(edges):
        found.setdefault(edge.segment, []).append(edge)
    return tuple(Star(centre, tuple(held)) for centre, held in found.items())


def batches(stars: Sequence[Star], most: int = BATCH) -> tuple[Star, ...]:
    """Cut stars into stars of at most so many edges; edges without a passage have nothing that could be verified."""
    return tuple(
        Star(star.centre, linked[start : start + most])
        for star in stars
        if (linked := tuple(edge for edge in star.edges if edge.passage is not None))
        for start in range(0, len(linked), most)
    )
