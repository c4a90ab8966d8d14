"""A run that was cut short, taken up again: what is in memory only is made anew from its record."""

from pathlib import Path

from agent.asking import ask
from agent.library import Library
from agent.services import Services
from heliograph.errors import HeliographError
from heliograph.types import Answer, Hit, Query, SearchResult
from memory.recorded import PageRead
from memory.trace.record import Record
from tools.search import RememberedSearch


async def resume(question: str, services: Services, record: Record, folder: Path) -> Answer:
    """Finish a run: its pages are parsed again, its searches remembered, its steps go on where they stopped.

    Raises:
        StoreDamaged: the record or the checkpoints cannot be read.
        HeliographError: as `agent.asking.ask`.
    """
    restore_searches(services, record)
    restore_library(services.library, record)
    return await ask(question, services, folder)


def restore_searches(services: Services, record: Record) -> None:
    """Let each source remember what it was asked; a search that failed may be tried again."""
    sources = {search.name: search for search in services.searches if isinstance(search, RememberedSearch)}
    for event in record.events.values():
        if event.name == "search" and event.error is None and (name := record.given(event, "source")) in sources:
            query, limit = Query(record.given(event, "query")), record.given(event, "limit")
            sources[name].remember(query, limit, record.value(event, SearchResult))


def restore_library(library: Library, record: Record) -> None:
    """Parse the pages of the record once more; those that could not be read count as asked."""
    for event in record.events.values():
        if event.name != "read_page":
            continue
        hit = Hit(record.given(event, "title"), 1, record.given(event, "wiki"))
        library.asked.add(hit.page)
        try:
            read: PageRead = record.value(event, PageRead)
            library.add(read.page, hit)
        except HeliographError:  # the step that asked for it has dealt with it
            continue
