"""What the tools give back, as schemas that clients see.

Everything taken from pages and knowledge bases has passed `harmless`: nothing in it is invisible, ends a frame or reads
as a tag. Ids of evidence are exact.
"""

from typing import Annotated

from pydantic import AfterValidator, BaseModel, Field

from heliograph.types import ClaimVerdict, Modality, SourceStatus, StopReason
from prompts.harmless import harmless

Taken = Annotated[str, AfterValidator(harmless)]
"""Text of a page or a knowledge base: data, never an instruction."""
MOST_DOCUMENT = 400
"""Characters of a document that an entity is shown with; no word is cut."""
MOST_STATED = 200
"""Characters of what a relation says; no word is cut."""
Score = Annotated[float, Field(description="Compares with other scores of the same question; greater is better.")]


class FoundPage(BaseModel):
    """A page that the sources named."""

    title: Annotated[Taken, Field(description="Give it to read_document.")]
    wiki: str
    rank: int


class SourceState(BaseModel):
    """How a source served."""

    name: str
    status: SourceStatus
    detail: Taken = ""


class SearchedDocuments(BaseModel):
    """Pages for a query, best first."""

    query: str
    pages: list[FoundPage]
    sources: list[SourceState]


class Piece(BaseModel):
    """A paragraph, list, table row or picture of a page, by the id that citations have."""

    id: str
    modality: Modality
    section: Taken
    text: Taken


class ReadDocument(BaseModel):
    """A page as pieces in the order of the page."""

    title: Taken
    wiki: str
    revision: str
    url: str
    licence: Taken
    attribution: Taken
    sections: list[Taken]
    pieces: list[Piece]
    next_offset: Annotated[int | None, Field(description="Where to go on; null at the end of the page.")]


class RankedPiece(Piece):
    """A piece of evidence for a question."""

    title: Taken
    url: str
    score: Score
    round: int


class RetrievedEvidence(BaseModel):
    """Evidence for a question, by turns over its needs, of each need the best first."""

    question: str
    evidence: list[RankedPiece]


class GraphEdge(BaseModel):
    """A table row and the passage that one of its cells links to; without a link, no passage."""

    row: str
    row_text: Taken
    passage: str | None
    passage_text: Taken
    score: Score


class TableTextGraph(BaseModel):
    """Edges of the table-text graph for a question, best first."""

    question: str
    edges: list[GraphEdge]


class AnswerClaim(BaseModel):
    """A sentence of the answer, and what checking it against its citations found."""

    text: Taken
    verdict: ClaimVerdict
    markers: list[int]


class AnswerCitation(BaseModel):
    """What a marker of the answer stands for: exact words of a page."""

    marker: int
    evidence: str
    modality: Modality
    title: Taken
    section: Taken
    url: str
    quote: Taken
    licence: Taken
    attribution: Taken


class CheckedAnswer(BaseModel):
    """An answer whose every claim was checked, or an abstention that says why."""

    run: Annotated[str, Field(description="Name of the record: heliograph trace show, heliograph replay.")]
    question: str
    answer: Annotated[str, Field(description="With markers such as [1], which citations explain.")]
    abstained: bool
    stop_reason: StopReason
    claims: list[AnswerClaim]
    citations: list[AnswerCitation]
    sources: list[SourceState]
    notes: list[Taken]
    seconds: float


class KnownEntity(BaseModel):
    """An entity of a knowledge base."""

    id: Annotated[Taken, Field(description="Give it, or the name, to the other tools.")]
    type: Taken
    name: Taken
    aliases: list[Taken]
    text: Annotated[Taken, Field(description=f"The first {MOST_DOCUMENT} characters of its document, in whole words.")]


class SearchedEntities(BaseModel):
    """Entities that have words of a query, the best first."""

    entities: list[KnownEntity]


class ReachedEntity(KnownEntity):
    """An entity that relations lead to."""

    paths: Annotated[
        list[list[Taken]],
        Field(
            description="A path per requirement that is not negated: its relations in order, each as a sentence with "
            f"the first {MOST_STATED} characters of what it says."
        ),
    ]


class FoundEntities(BaseModel):
    """Entities that relations lead to, the best first."""

    entities: list[ReachedEntity]
    total: Annotated[int, Field(description="All entities that were found, those shown among them.")]
