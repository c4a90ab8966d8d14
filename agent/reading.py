"""Reading and indexing the pages of one round: one that cannot be read is named and the others serve."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

from agent.services import Services
from agent.state import State
from heliograph.errors import SearchUnavailable
from heliograph.types import Hit, Indexed, Page, PageKey, VectorUse

UNINDEXED = Indexed(0)


@dataclass(frozen=True, slots=True)
class Reading:
    """The pages that one round read, in order, what indexing each took, and what a user should know.

    `fetched` counts the pages that came from a source and not from the store.
    """

    read: tuple[PageKey, ...]
    indexed: tuple[Indexed, ...]
    notes: tuple[str, ...]
    fetched: int

    @property
    def embedded(self) -> tuple[int, ...]:
        """How many texts and pictures of each page were embedded."""
        return tuple(one.embedded for one in self.indexed)

    @property
    def vectors(self) -> tuple[VectorUse, ...]:
        """What the indexes needed of the pages; none of pages of which they do not tell."""
        return tuple(one.vectors for one in self.indexed if one.vectors)


async def read_pages(state: State, services: Services, *, index: bool = True) -> Reading:
    """Read this round's pages side by side, as far as their wiki allows, and index them in order, until out of time."""
    hits, before = state["hits"], services.pages.fetched
    read: dict[PageKey, Indexed] = {}
    notes: list[str] = []
    async with _fetching(hits, services) as fetches:
        for hit, fetch in zip(hits, fetches, strict=True):
            if services.limits.spent(0, services.recorder.now() - state["started"]):
                notes.append(f"out of time after {len(read)} of {len(hits)} pages of this round")
                break
            services.library.asked.add(hit.page)
            try:
                document = await services.library.add(await fetch, hit)
            except SearchUnavailable as err:  # missing, hostile, or its source is busy just now
                notes.append(str(err))
                continue
            if document.key not in (*read, *state.get("documents", ())):
                read[document.key] = await services.index.add([document]) if index else UNINDEXED
                notes.extend(read[document.key].notes)
    return Reading(tuple(read), tuple(read.values()), tuple(notes), services.pages.fetched - before)


@asynccontextmanager
async def _fetching(hits: Sequence[Hit], services: Services) -> AsyncIterator[Sequence[asyncio.Task[Page]]]:
    """Begin to read all pages; what nobody waits for in the end is given up."""
    fetches = [asyncio.ensure_future(services.pages.read(hit)) for hit in hits]
    try:
        yield fetches
    finally:
        for fetch in fetches:
            fetch.cancel()
        await asyncio.gather(*fetches, return_exceptions=True)
