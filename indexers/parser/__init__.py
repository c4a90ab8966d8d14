"""Pages to documents: the tree of sections with text, tables and images as leaves (OMG-QA, section 3)."""

from heliograph.errors import UnknownName
from heliograph.types import Document, Evidence, EvidenceId, Page, TableEvidence, TableSegment
from indexers.parser.ids import (
    EvidencePlace,
    PageName,
    leaf_id,
    leaf_of,
    page_key,
    page_name,
    page_of,
    parse_id,
    row_id,
)
from indexers.parser.limits import DEFAULT_LIMITS, ParserLimits
from indexers.parser.walk import read_page

__all__ = [
    "DEFAULT_LIMITS",
    "EvidencePlace",
    "PageName",
    "ParserLimits",
    "find_evidence",
    "leaf_id",
    "leaf_of",
    "page_key",
    "page_name",
    "page_of",
    "parse_id",
    "parse_page",
    "row_id",
    "segments",
]


def parse_page(page: Page, limits: ParserLimits = DEFAULT_LIMITS) -> Document:
    """Parse the HTML of a page: MediaWiki's, Parsoid's, Kiwix's or plain.

    Raises:
        PageUnavailable: the page shows no words and no images.
        HostilePage: the page goes past one of `limits`.
    """
    return read_page(page, limits)


def segments(table: TableEvidence) -> tuple[TableSegment, ...]:
    """Cut a table into header and row pairs, numbered from 1 (HELIOS, section 3)."""
    return tuple(_segment(table, number) for number in range(1, len(table.rows) + 1))


def find_evidence(document: Document, evidence: EvidenceId) -> Evidence:
    """Return a leaf, or one row of a table, by its id.

    Raises:
        UnknownName: the document holds no such piece.
    """
    place = parse_id(evidence)
    for leaf in document.leaves:
        if leaf.id != place.leaf:
            continue
        if place.row is None:
            return leaf
        if isinstance(leaf, TableEvidence) and 1 <= place.row <= len(leaf.rows):
            return _segment(leaf, place.row)
    raise UnknownName(
        f'no evidence "{evidence}" on page "{document.title}"; its leaves are listed by its table of contents'
    )


def _segment(table: TableEvidence, number: int) -> TableSegment:
    cells = table.rows[number - 1]
    return TableSegment(row_id(table.id, number), table.place, table.id, number, table.caption, table.header, cells)
