"""A piece of evidence where it stands: the paragraph among those of its section, the row in its table, the picture."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from heliograph.errors import UnknownName
from heliograph.protocols import PageStore
from heliograph.types import (
    Document,
    Evidence,
    EvidenceId,
    ImageEvidence,
    TableEvidence,
    TableSegment,
    TextEvidence,
    modality_of,
)
from indexers.parser import find_evidence, page_of, parse_id, parse_page

PIECES_AROUND = 20
"""Paragraphs of the section that are shown before and behind the cited one."""
ROWS_AROUND = 20
"""Rows that are shown before and behind the cited one; of a table that is cited as a whole the first, twice as many."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A piece of evidence with the page that it is of."""

    document: Document
    piece: Evidence


def standing(evidence: EvidenceId, pages: PageStore) -> Standing:
    """Look a piece up in the page store.

    Raises:
        UnknownName: the page is not kept any more, or no such piece stands on it.
        StoreDamaged: the store cannot be read.
    """
    document = parse_page(pages.get(page_of(evidence)))
    return Standing(document, find_evidence(document, evidence))


def evidence_json(
    found: Standing, picture: str | None = None, no_picture: str = "", rows: Sequence[int] = ()
) -> dict[str, object]:
    """Return what the page shows of a piece.

    Args:
        found: the piece.
        picture: where an image can be had.
        no_picture: why it cannot.
        rows: numbers of rows that are cited of a whole table; without any it is cited as a whole.
    """
    piece, document = found.piece, found.document
    view: dict[str, object] = {
        "id": piece.id,
        "modality": modality_of(piece),
        "title": document.title,
        "path": list(piece.place.path),
        "url": document.url,
        "revision": document.revision,
        "licence": document.licence,
        "attribution": document.attribution,
    }
    match piece:
        case TextEvidence():
            view["section"] = {"pieces": list(_around(piece, document))}
        case TableEvidence():
            view["table"] = _table(piece, rows)
        case TableSegment():
            view["table"] = _table(_table_of(piece, document), (piece.number,))
        case ImageEvidence():
            view["image"] = {"src": picture, "caption": piece.caption, "alt": piece.alt, "reason": no_picture}
    return view


def _around(cited: TextEvidence, document: Document) -> Iterator[dict[str, object]]:
    texts = [leaf for leaf in document.leaves if isinstance(leaf, TextEvidence) and leaf.place == cited.place]
    place = texts.index(cited)
    for leaf in texts[max(0, place - PIECES_AROUND) : place + PIECES_AROUND + 1]:
        yield {"kind": leaf.kind, "text": leaf.text, "cited": leaf.id == cited.id}


def _table(table: TableEvidence, cited: Sequence[int]) -> dict[str, object]:
    first = max(0, min(cited, default=0) - 1 - ROWS_AROUND)
    last = first + 2 * ROWS_AROUND + 1
    rows = [
        {"number": number, "cells": [cell.text for cell in row], "cited": not cited or number in cited}
        for number, row in list(enumerate(table.rows, start=1))[first:last]
    ]
    return {
        "caption": table.caption,
        "header": list(table.header),
        "rows": rows,
        "left_out": len(table.rows) - len(rows),
    }


def _table_of(row: TableSegment, document: Document) -> TableEvidence:
    table = find_evidence(document, EvidenceId(parse_id(row.id).leaf))
    if not isinstance(table, TableEvidence):
        raise UnknownName(f"{row.id} is a row of no table")
    return table
