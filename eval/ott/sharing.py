"""Searches that several recipes of HELIOS share: what one has asked, the next one finds asked."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from typing import Generic, TypeVar

from eval.ott.building import HeliosParts

Found = TypeVar("Found")


@dataclass(frozen=True, slots=True)
class Remembered(Generic[Found]):
    """An index that is searched once for each query and k."""

    search: Callable[[str, int], Awaitable[Found]]
    found: dict[tuple[str, int], Found] = field(default_factory=dict)

    async def retrieve(self, query: str, k: int) -> Found:
        """Return what the index returns."""
        if (query, k) not in self.found:
            self.found[query, k] = await self.search(query, k)
        return self.found[query, k]


def sharing(parts: HeliosParts) -> HeliosParts:
    """Return parts that remember their searches, for a question that several recipes are asked.

    Seconds of such a run say nothing: the first recipe pays for all. Make parts anew for each question, or what
    they remember grows.
    """
    return replace(
        parts,
        edges=Remembered(parts.edges.retrieve),
        passages=Remembered(parts.passages.retrieve),
        segments=Remembered(parts.segments.retrieve),
    )
