"""What joins pieces of evidence: the links that leave one, and what it is about."""

from heliograph.types import Cell, Evidence, ImageEvidence, Link, TableEvidence, TableSegment, TextEvidence


def links_of(evidence: Evidence) -> tuple[Link, ...]:
    """Return the links of a piece in reading order, those of a table cell by cell; a spanned copy adds none."""
    match evidence:
        case TextEvidence():
            return evidence.links
        case TableSegment():
            return _links_in(evidence.cells)
        case TableEvidence():
            return tuple(link for row in evidence.rows for link in _links_in(row))
        case ImageEvidence():
            return ()


def subject_of(evidence: Evidence) -> str:
    """Name what a piece is about: a row by its first cell, all else by its page."""
    if isinstance(evidence, TableSegment):
        return next((cell.text for cell in evidence.cells if cell.text), evidence.place.title)
    return evidence.place.title


def _links_in(cells: tuple[Cell, ...]) -> tuple[Link, ...]:
    return tuple(link for cell in cells if not cell.spanned for link in cell.links)
