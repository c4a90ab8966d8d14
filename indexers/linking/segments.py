"""Links of a table segment: those the page carries, and those found for the cells that carry none."""

from collections.abc import Callable
from functools import lru_cache

from heliograph.types import EvidenceId, Scored, TableEvidence, TableSegment
from indexers.linking.given import given_links
from indexers.linking.linker import CellLink, Linker
from indexers.linking.titles import TitleIndex

ABOUT_CHARACTERS = 300
"""Of what a table's page begins with, as far as the linker reads it."""
TABLES = 64
"""Tables whose links are kept, so that the rows of one table cost one linking."""


class SegmentLinker:
    """Link rows with their whole table in view: the EntityLinker of heliograph.protocols.

    Args:
        linker: links whole tables.
        titles: the index of the linker, by which links of the page are followed.
        table: returns the table that a segment was cut from, by the table's id.
        about: returns what the page of a table begins with, or nothing.
    """

    def __init__(
        self,
        linker: Linker,
        titles: TitleIndex,
        table: Callable[[EvidenceId], TableEvidence],
        about: Callable[[TableEvidence], str] = lambda _: "",
    ) -> None:
        self._titles = titles

        @lru_cache(maxsize=TABLES)
        def links_of(id: EvidenceId) -> dict[int, tuple[CellLink, ...]]:
            whole = table(id)
            rows: dict[int, tuple[CellLink, ...]] = {}
            for link in linker.link_table(whole, about(whole)):
                rows[link.row] = (*rows.get(link.row, ()), link)
            return rows

        self._links_of = links_of

    def link(self, segment: TableSegment) -> tuple[Scored[EvidenceId], ...]:
        """Return the passages of a row, most likely first; one that several cells name counts with its best chance."""
        best: dict[EvidenceId, float] = {}
        for link in self.cell_links(segment):
            best[link.passage] = max(link.score, best.get(link.passage, 0.0))
        return tuple(Scored(passage, score) for passage, score in sorted(best.items(), key=lambda each: -each[1]))

    def cell_links(self, segment: TableSegment) -> tuple[CellLink, ...]:
        """Return the links of a row's cells, in the order of cells."""
        given = given_links(segment, self._titles)
        linked = {link.column for link in given}
        found = self._links_of(segment.table).get(segment.number - 1, ())
        links = (*given, *(link for link in found if link.column not in linked))
        return tuple(sorted(links, key=lambda link: (link.column, -link.score)))
