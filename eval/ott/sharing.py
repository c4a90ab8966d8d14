"""Searches that several recipes of HELIOS share: what one has asked, the next one finds asked."""

from dataclasses import dataclass, field, replace

from eval.ott.building import HeliosParts
from heliograph.protocols import EdgeIndex, NodeIndex
from heliograph.types import Edge, EvidenceId, Scored


@dataclass(frozen=True, slots=True)
class RememberedEdges:
    """An index of edges that searches for each query once."""

    index: EdgeIndex
    found: dict[tuple[str, int], tuple[Edge, ...]] = field(default_factory=dict)

    async def retrieve(self, query: str, k: int) -> tuple[Edge, ...]:
        """Return what the index returns."""
        if (query, k) not in self.found:
            self.found[query, k] = await self.index.retrieve(query, k)
        return self.found[query, k]


@dataclass(frozen=True, slots=True)
class RememberedNodes:
    """The same of nodes."""

    index: NodeIndex
    found: dict[tuple[str, int], tuple[Scored[EvidenceId], ...]] = field(default_factory=dict)

    async def retrieve(self, query: str, k: int) -> tuple[Scored[EvidenceId], ...]:
        """Return what the index returns."""
        if (query, k) not in self.found:
            self.found[query, k] = await self.index.retrieve(query, k)
        return self.found[query, k]


def sharing(parts: HeliosParts) -> HeliosParts:
    """Return parts that remember their searches, for a question that several recipes are asked.

    Seconds of such a run say nothing: the first recipe pays for all. Make parts anew for each question, or what
    they remember grows.
    """
    return replace(
        parts,
        edges=RememberedEdges(parts.edges),
        passages=RememberedNodes(parts.passages),
        segments=RememberedNodes(parts.segments),
    )
