"""Which pieces of a document are indexed, and in which index."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from heliograph.types import (
    MODALITIES,
    Document,
    Evidence,
    Modality,
    PageKey,
    TableEvidence,
    TextEvidence,
    modality_of,
)
from indexers.parser import segments

Strategy = Literal["text-only", "textual-visual", "modality-specific"]
"""OMG-QA, section 3: one index of text renderings, one beside another for images, or one a modality."""

ROWS_A_TABLE = 1_000
"""Rows of one table that are indexed by themselves; the whole table is, however long it is."""

INDEX_OF: Mapping[Strategy, Mapping[Modality, str]] = {
    "text-only": {"text": "all", "table": "all", "image": "all"},
    "textual-visual": {"text": "textual", "table": "textual", "image": "image"},
    "modality-specific": {"text": "text", "table": "table", "image": "image"},
}


@dataclass(frozen=True, slots=True)
class Pieces:
    """What one document contributes; `notes` say what was left out."""

    page: PageKey
    pieces: tuple[Evidence, ...]
    notes: tuple[str, ...] = ()


def pieces_of(document: Document, rows_a_table: int = ROWS_A_TABLE) -> Pieces:
    """List a document's leaves and, after each table, its rows."""
    found: list[Evidence] = []
    notes: list[str] = []
    for leaf in document.leaves:
        found.append(leaf)
        if isinstance(leaf, TableEvidence):
            found.extend(segments(leaf)[:rows_a_table])
            if len(leaf.rows) > rows_a_table:
                notes.append(f"{leaf.id}: {rows_a_table} of {len(leaf.rows)} rows are indexed")
    return Pieces(document.key, tuple(found), tuple(notes))


def lead_of(document: Document) -> TextEvidence | None:
    """Return the first paragraph of a page before its first heading; a list only where there is no paragraph."""
    texts = [leaf for leaf in document.leaves if isinstance(leaf, TextEvidence) and not leaf.place.path]
    return next((text for text in texts if text.kind == "paragraph"), texts[0] if texts else None)


def indexes_of(strategy: Strategy) -> tuple[str, ...]:
    """Name the indexes of a strategy, each once."""
    return tuple(dict.fromkeys(INDEX_OF[strategy][modality] for modality in MODALITIES))


def index_for(strategy: Strategy, modality: Modality) -> str | None:
    """Name the index to search for a modality; None where an earlier modality's search covers it."""
    owners = {INDEX_OF[strategy][owner]: owner for owner in reversed(MODALITIES)}
    index = INDEX_OF[strategy][modality]
    return index if owners[index] == modality else None


def in_index(strategy: Strategy, index: str, pieces: Sequence[Evidence]) -> tuple[Evidence, ...]:
    """Return the pieces that one index holds."""
    return tuple(piece for piece in pieces if INDEX_OF[strategy][modality_of(piece)] == index)
