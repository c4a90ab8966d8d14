"""Reading and indexing the pages of one round: one that cannot be read is named and the others serve."""

from dataclasses import dataclass

from agent.services import Services
from agent.state import State
from heliograph.errors import HostilePage, PageUnavailable
from heliograph.types import PageKey
from indexers.pieces import pieces_of


@dataclass(frozen=True, slots=True)
class Reading:
    """The pages that one round read, in order, how many texts of each were embedded, and what a user should know."""

    read: tuple[PageKey, ...]
    embedded: tuple[int, ...]
    notes: tuple[str, ...]


async def read_pages(state: State, services: Services) -> Reading:
    """Read and index this round's pages one after the other until done or out of time."""
    hits = state["hits"]
    read: dict[PageKey, int] = {}
    notes: list[str] = []
    for hit in hits:
        if services.limits.spent(0, services.recorder.now() - state["started"]):
            notes.append(f"out of time after {len(read)} of {len(hits)} pages of this round")
            break
        services.library.asked.add(hit.page)
        try:
            document = services.library.add(await services.pages.read(hit), hit)
        except (PageUnavailable, HostilePage) as err:
            notes.append(str(err))
            continue
        if document.key not in (*read, *state.get("documents", ())):
            read[document.key] = await services.index.add([document])
            notes.extend(pieces_of(document).notes)
    return Reading(tuple(read), tuple(read.values()), tuple(notes))
