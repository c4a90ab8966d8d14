"""Links of a table segment: those its table carries, or those found by name for a table that carries none."""

from collections.abc import Callable
from functools import lru_cache

from heliograph.types import EvidenceId, Scored, TableEvidence, TableSegment
from indexers.linking.given import given_links
from indexers.linking.linker import CellLink, Linker
from indexers.linking.titles import TitleIndex
from indexers.links import links_of

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
        def found_in(id: EvidenceId) -> dict[int, tuple[CellLink, ...]]:
            whole = table(id)
            if links_of(whole):
                return {}
            rows: dict[int, tuple[CellLink, ...]] = {}
            for link in linker.link_table(whole, about(whole)):
                rows[link.row] = (*rows.get(link.row, ()), link)
            return rows

        self._found_in = found_in

    def link(self, segment: TableSegment) -> tuple[Scored[EvidenceId], ...]:
        """Return the passages of a row, most likely first; one that several cells name counts with its best chance."""
        best: dict[EvidenceId, float] = {}
        for link in self.cell_links(segment):
            best[link.passage] = max(link.score, best.get(link.passage, 0.0))
        return tuple(Scored(passage, score) for passage, score in sorted(best.items(), key=lambda each: -each[1]))

    def cell_links(self, segment: TableSegment) -> tuple[CellLink, ...]:
        """Return the links of a row's cells, in the order of cells, the likeliest first.

        Where a table carries links, what has a page mostly is linked: its other cells are not guessed.
        """
        links = given_links(segment, self._titles) or self._found_in(segment.table).get(segment.number - 1, ())
        return tuple(sorted(links, key=lambda link: (link.column, -link.score)))
