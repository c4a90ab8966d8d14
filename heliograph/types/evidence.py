"""Documents as trees of sections, and the evidence that hangs in them (OMG-QA, section 3)."""

from dataclasses import dataclass
from typing import Literal, NewType

from heliograph.types.pages import PageKey

EvidenceId = NewType("EvidenceId", str)
"""`wiki:Title@revision#s3/p2`: p paragraph, l list, t table, t1/r7 row, i image; all count from 1, s0 is the lead."""

Modality = Literal["text", "table", "image"]
MODALITIES: tuple[Modality, ...] = ("text", "table", "image")


@dataclass(frozen=True, slots=True)
class Section:
    """An inner node of the document tree; the lead is `s0`, level 1, with no parent."""

    id: str
    title: str
    level: int
    parent: str | None


@dataclass(frozen=True, slots=True)
class Place:
    """Where a piece of evidence stands: its page, its section, and the titles from the outermost section down.

    `path` is empty in the lead.
    """

    page: PageKey
    title: str
    section: str
    path: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Link:
    """A link to another page of the same wiki: the words that carry it and the title it names."""

    text: str
    target: str


@dataclass(frozen=True, slots=True)
class TextEvidence:
    """A paragraph or a list, with the links in it."""

    id: EvidenceId
    place: Place
    kind: Literal["paragraph", "list"]
    text: str
    links: tuple[Link, ...] = ()


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell of the expanded grid; `spanned` marks a copy that a rowspan or colspan made."""

    text: str
    links: tuple[Link, ...] = ()
    header: bool = False
    spanned: bool = False


@dataclass(frozen=True, slots=True)
class TableEvidence:
    """A table as a rectangle: column names (stacked header rows joined) and body rows, spans expanded."""

    id: EvidenceId
    place: Place
    kind: Literal["table", "infobox"]
    caption: str
    header: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


@dataclass(frozen=True, slots=True)
class TableSegment:
    """The header and one row of a table (HELIOS, section 3): the unit that is retrieved and cited."""

    id: EvidenceId
    place: Place
    table: EvidenceId
    number: int
    caption: str
    header: tuple[str, ...]
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class ImageEvidence:
    """An image by what is written about it: caption, alternative text and the text around it."""

    id: EvidenceId
    place: Place
    source: str
    caption: str
    alt: str
    nearby: str = ""


Leaf = TextEvidence | TableEvidence | ImageEvidence
Evidence = TextEvidence | TableEvidence | TableSegment | ImageEvidence


@dataclass(frozen=True, slots=True)
class Document:
    """A page as a tree: sections in document order, leaves in document order.

    `aliases` are other titles by which it was asked for: redirects.
    """

    key: PageKey
    wiki: str
    title: str
    revision: str
    url: str
    sections: tuple[Section, ...]
    leaves: tuple[Leaf, ...]
    licence: str = ""
    attribution: str = ""
    aliases: tuple[str, ...] = ()


def modality_of(evidence: Evidence) -> Modality:
    """Name the modality under which a piece is indexed, ranked and cited."""
    match evidence:
        case TextEvidence():
            return "text"
        case TableEvidence() | TableSegment():
            return "table"
        case ImageEvidence():
            return "image"
