"""What the parts of a question bring by themselves: pages found, pages indexed, evidence and edges with their words."""

from dataclasses import dataclass

from heliograph.types.evidence import EvidenceId, Modality, Place
from heliograph.types.pages import Hit, PageKey, SourceReport


@dataclass(frozen=True, slots=True)
class FoundPages:
    """Pages that the sources named for a query, best first, and how each source served."""

    hits: tuple[Hit, ...]
    sources: tuple[SourceReport, ...]


@dataclass(frozen=True, slots=True)
class Indexing:
    """What indexing pages took.

    `embedded` counts texts and pictures that a model had to embed, `fetched` pages that came from a source and not
    from the store; `notes` name pages that could not be read.
    """

    documents: tuple[PageKey, ...]
    embedded: int
    fetched: int
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FoundEvidence:
    """A piece of evidence with its words and its absolute score against the question, in [-1, 1].

    `via` names the piece through whose link it was scored, or the other end of its best edge; None where neither.
    """

    id: EvidenceId
    modality: Modality
    place: Place
    text: str
    score: float
    round: int
    url: str
    via: EvidenceId | None = None


@dataclass(frozen=True, slots=True)
class FoundEdge:
    """An edge of the table-text graph: a row, the passage that a cell of it links to, their words, and its score.

    Scores of one question can be compared. A row that links to nothing has no passage, and "" for its words.
    """

    row: EvidenceId
    row_text: str
    passage: EvidenceId | None
    passage_text: str
    score: float
