"""What joins pieces of evidence: the links that leave one, and what it is about."""

import re

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
    """Name what a piece is about: a row by its heading cell, else its first cell with a letter; all else by its page.

    A rank or a year in the first column is no name.
    """
    if not isinstance(evidence, TableSegment):
        return evidence.place.title
    texts = [cell.text for cell in evidence.cells if cell.text]
    headings = [cell.text for cell in evidence.cells if cell.header and _names(cell.text)]
    return next(iter((*headings, *filter(_names, texts), *texts)), evidence.place.title)


def says(text: str, name: str) -> bool:
    """Tell whether a text says a name, as whole words."""
    return name in text and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) is not None


def _names(text: str) -> bool:
    return any(sign.isalpha() for sign in text)


def _links_in(cells: tuple[Cell, ...]) -> tuple[Link, ...]:
    return tuple(link for cell in cells if not cell.spanned for link in cell.links)
