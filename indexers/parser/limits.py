"""Cap what one page may cost, so that no page can hang or fill the machine."""

import time
from dataclasses import dataclass
from typing import NoReturn

from heliograph.errors import HostilePage
from heliograph.types import Page


@dataclass(frozen=True, slots=True)
class ParserLimits:
    """What one page may use before it is refused.

    Attributes:
        bytes: of HTML, in UTF-8. Wikipedia's longest articles have 3 to 5 million.
        tags: opening and closing. libxml2 takes about 250 bytes for each pair.
        cells: of all tables together, after spans are expanded.
        nesting: elements inside one another. Real articles stay below 40, browsers stop at 512.
        leaves: paragraphs, lists, tables and images together.
        characters: of all tables together, each cell counted wherever a span repeats it and the
            column names once a row, since every row is indexed with them.
        seconds: of wall-clock time.
    """

    bytes: int = 16_000_000
    tags: int = 2_000_000
    cells: int = 200_000
    nesting: int = 120
    leaves: int = 50_000
    characters: int = 50_000_000
    seconds: float = 10.0


DEFAULT_LIMITS = ParserLimits()


class Budget:
    """Count what one page has used; past a cap it raises HostilePage."""

    __slots__ = ("_cells", "_characters", "_deadline", "_limits", "_page")

    def __init__(self, page: Page, limits: ParserLimits) -> None:
        self._page = page
        self._limits = limits
        self._deadline = time.monotonic() + limits.seconds
        self._cells = self._characters = 0

    def check_bytes(self, size: int) -> None:
        """Refuse a page longer than the cap."""
        if size > self._limits.bytes:
            self._exceed(f"{size:,} bytes", "bytes", self._limits.bytes)

    def check_tags(self, tags: int) -> None:
        """Refuse a page of too many tags before a tree is made of them."""
        if tags > self._limits.tags:
            self._exceed(f"{tags:,} tags", "tags", self._limits.tags)

    def check_depth(self, depth: int) -> None:
        """Refuse elements that stand inside too many others."""
        if depth > self._limits.nesting:
            self._exceed("elements nested deeper", "nesting", self._limits.nesting)

    def spend_cells(self, cells: int) -> None:
        """Count the cells of one table before they are made."""
        self._cells += cells
        if self._cells > self._limits.cells:
            self._exceed(f"{self._cells:,} table cells", "cells", self._limits.cells)

    def spend_characters(self, characters: int) -> None:
        """Count the characters of one expanded table."""
        self._characters += characters
        if self._characters > self._limits.characters:
            self._exceed(f"{self._characters:,} characters in tables", "characters", self._limits.characters)

    def check_leaves(self, leaves: int) -> None:
        """Refuse a page in too many pieces."""
        if leaves > self._limits.leaves:
            self._exceed(f"{leaves:,} pieces of evidence", "leaves", self._limits.leaves)

    def check_time(self) -> None:
        """Refuse a page that takes too long."""
        if time.monotonic() > self._deadline:
            self._exceed("more than can be read in time", "seconds", self._limits.seconds)

    def refuse(self, found: str, cap: str) -> NoReturn:
        """Refuse the page for `found`, which goes over `cap`."""
        raise HostilePage(
            f'page "{self._page.title}" of {self._page.wiki} has {found}, over {cap}; '
            f"it is left unread: leave it out, or ask another source"
        )

    def _exceed(self, found: str, name: str, cap: float) -> NoReturn:
        self.refuse(found, f"the cap of {cap:,} (ParserLimits.{name})")
