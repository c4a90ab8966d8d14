"""A run that was cut short, taken up again: what is in memory only is made anew from its record."""

from contextlib import suppress
from pathlib import Path

from agent.asking import ask
from agent.library import Library
from agent.services import Services
from heliograph.errors import HeliographError
from heliograph.types import Answer, Hit, Page
from memory.recorded import PageRead
from memory.trace.record import Record


async def resume(question: str, services: Services, record: Record, folder: Path) -> Answer:
    """Finish a run: its pages are parsed again, and its steps go on where they stopped.

    Raises:
        StoreDamaged: the record or the checkpoints cannot be read.
        HeliographError: as `agent.asking.ask`.
    """
    restore_library(services.library, record)
    return await ask(question, services, folder)


def restore_library(library: Library, record: Record) -> None:
    """Parse the pages of the record once more; those that could not be read count as asked."""
    for event in record.events.values():
        if event.name not in ("read_page", "kept_page"):
            continue
        with suppress(HeliographError):  # the step that asked for it has dealt with it
            if event.name == "kept_page":
                page: Page = record.value(event, Page)
                library.add(page, Hit(page.title, 1, page.wiki))
                continue
            hit = Hit(record.given(event, "title"), 1, record.given(event, "wiki"))
            library.asked.add(hit.page)
            read: PageRead = record.value(event, PageRead)
            library.add(read.page, hit)
