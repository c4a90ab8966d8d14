"""The documents of one run, parsed once and found by page key or evidence id."""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from heliograph.types import Document, Evidence, EvidenceId, Hit, Page, PageKey
from indexers.parser import find_evidence, page_of, parse_page


@dataclass(slots=True)
class Library:
    """Parsed pages of one run; `asked` has the wiki and every title that each was asked by or is known by."""

    shelf: dict[PageKey, Document] = field(default_factory=dict)
    asked: set[tuple[str, str]] = field(default_factory=set)

    async def add(self, page: Page, hit: Hit) -> Document:
        """Parse a page in a thread, or return it as it was parsed before.

        Raises:
            HostilePage: the page goes past the parser's caps.
            PageUnavailable: the page holds nothing.
        """
        self.asked.update((hit.page, (page.wiki, page.title)))
        document = await asyncio.to_thread(parse_page, page)
        known = self.shelf.get(document.key, document)
        if hit.title not in (page.title, *known.aliases):
            known = replace(known, aliases=(*known.aliases, hit.title))
        self.shelf[document.key] = known
        return known

    def documents(self, keys: Iterable[PageKey]) -> tuple[Document, ...]:
        """Return documents in the order of their keys."""
        return tuple(self.shelf[key] for key in keys)

    def evidence(self, evidence: EvidenceId) -> Evidence:
        """Return a piece by its id."""
        return find_evidence(self.shelf[page_of(evidence)], evidence)
