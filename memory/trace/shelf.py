"""The words of the evidence of one run, from the pages that it recorded."""

from collections.abc import Iterable

from heliograph.errors import HostilePage, PageUnavailable, UnknownName
from heliograph.types import Document, EvidenceId, Page, PageKey
from indexers.parser import find_evidence, page_of, parse_page
from indexers.render import render
from memory.trace.detail import Get, unfolded
from memory.trace.encoding import Json
from memory.trace.events import Event
from memory.trace.tree import PAGE_EFFECTS


class Shelf:
    """The pages of a run, each parsed when something of it is first looked up; no store and no source is asked."""

    def __init__(self, events: Iterable[Event], get: Get) -> None:
        self._get = get
        self._reads = [event for event in events if event.name in PAGE_EFFECTS and event.error is None]
        self._documents: dict[PageKey, Document] | None = None

    def text_of(self, name: str) -> str | None:
        """Return the words of a piece of evidence; None where the run has no such page, or the page no such piece."""
        piece = EvidenceId(name)
        if self._documents is None:
            self._documents = dict(self._parsed())
        try:
            document = self._documents.get(page_of(piece))
            return None if document is None else render(find_evidence(document, piece))
        except UnknownName:
            return None

    def _parsed(self) -> Iterable[tuple[PageKey, Document]]:
        for event in self._reads:
            page = _page(unfolded(event.output, self._get))
            if page is None:
                continue
            try:
                document = parse_page(page)
            except (HostilePage, PageUnavailable):
                continue
            yield document.key, document


def _page(output: Json) -> Page | None:
    match output:
        case {"page": dict(page)}:
            return _page(page)
        case {"$type": "Page", **values}:
            names = ("wiki", "title", "revision", "url", "html", "fetched")
            said = [values.get(name) for name in names]
            return Page(*map(str, said)) if all(isinstance(value, str) for value in said) else None
        case _:
            return None
