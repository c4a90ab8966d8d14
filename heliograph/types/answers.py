"""Claims, citations and the answer record that `ask --json` prints."""

from dataclasses import dataclass, field
from typing import Literal

from heliograph.types.calculations import Calculation, Operation
from heliograph.types.chat import ModelFailure
from heliograph.types.evidence import EvidenceId, Modality
from heliograph.types.later import LATER
from heliograph.types.pages import Query, SourceReport
from heliograph.types.rounds import Need, NeedOrigin, Observation, RoundRecord, StopReason, VectorUse

ANSWER_SCHEMA = "heliograph.answer/2"
"""Adds fields to `heliograph.answer/1` and keeps all of its own, so that readers of /1 go on."""

PERHAPS_BELOW = 0.6
"""Confidence below which an answer is given as one that is perhaps right."""
Form = Literal["short", "long", "report"]
"""One to three sentences; paragraphs; or a title, a summary, sections and references."""
FormChoice = Literal["auto", "short", "long", "report"]
BlockKind = Literal["heading", "paragraph", "list", "table", "figure", "calculation"]
ClaimVerdict = Literal["quoted", "supported", "partial", "unsupported", "unchecked", "computed"]
"""`quoted` is an extract in the words of its evidence, `supported` a paraphrase that was checked."""
CitationPolicy = Literal["flag", "drop", "repair", "abstain"]


@dataclass(frozen=True, slots=True)
class Quote:
    """Exact words of one piece of evidence."""

    evidence: EvidenceId
    text: str


@dataclass(frozen=True, slots=True)
class Computation:
    """A value that code derived from a column, so that anybody can derive it again.

    `rows` are the rows that entered; `position` is the place of an ordinal, counted from 1 at the top
    (`descending`) or at the bottom; `value` is the result as written in the answer. `calculation` is what was asked of
    `tools.arithmetic.calculate`, with every name resolved; None where a question was computed.
    """

    operation: Operation
    table: EvidenceId
    column: str
    rows: tuple[EvidenceId, ...]
    value: str
    position: int = 1
    descending: bool = True
    calculation: Calculation | None = field(default=None, metadata=LATER)


@dataclass(frozen=True, slots=True)
class DraftClaim:
    """A sentence of the answer before it is checked, with the words it rests on."""

    text: str
    quotes: tuple[Quote, ...]
    computation: Computation | None = None


@dataclass(frozen=True, slots=True)
class Refusal:
    """A claim that did not pass its check, and why, as whoever repairs it is told."""

    claim: DraftClaim
    reason: str


@dataclass(frozen=True, slots=True)
class Respelling:
    """A word of a question that no source knows, folded, and the known one that it is read as."""

    word: str
    read_as: str


@dataclass(frozen=True, slots=True)
class Plan:
    """What an answer must say before anything is read: its form, its needs, and the first queries.

    The question is the first need, with the words that are `respelled` read so. `title` is that of a report. Where
    `queries` is empty, they are made elsewhere.
    """

    form: Form
    needs: tuple[Need, ...]
    queries: tuple[Query, ...] = ()
    title: str = ""
    respelled: tuple[Respelling, ...] = field(default=(), metadata=LATER)


@dataclass(frozen=True, slots=True)
class Brief:
    """What an answerer is to write: the form, the needs that it must say, the question first, and a report's title.

    `open` are the places of needs that the evidence is known not to answer. `found` names for each need the evidence
    that met it, then what else was scored against it, best first. `paths` is what meets the plan of the question over
    the pages read, where such plans are made.
    """

    form: Form
    needs: tuple[Need, ...]
    title: str = ""
    open: tuple[int, ...] = ()
    found: tuple[tuple[EvidenceId, ...], ...] = ()
    paths: "FoundPaths | None" = None

    @property
    def question(self) -> str:
        """The question as it was asked."""
        return self.needs[0].text


@dataclass(frozen=True, slots=True)
class DraftCell:
    """A cell of a table in an answer, and the words that it was built from; a heading of a row rests on none.

    `marked` is the cell that the question asks for.
    """

    text: str
    quote: Quote | None = None
    marked: bool = field(default=False, metadata=LATER)


@dataclass(frozen=True, slots=True)
class FoundPaths:
    """What meets the plan of a need over the pages read: a row for each answer, the answer first, then its path.

    Each cell has the words of the row or sentence that states it. `plan` says what was looked for, and is empty where
    nothing is planned; `probability` is how sure its kind of answers is, `failure` why nothing could be looked for.
    """

    plan: str = ""
    header: tuple[str, ...] = ()
    rows: tuple[tuple[DraftCell, ...], ...] = ()
    probability: float = 0.0
    failure: str = ""
    need: int = 0

    @property
    def cited(self) -> tuple[EvidenceId, ...]:
        """What its cells rest on, each once."""
        return tuple(dict.fromkeys(cell.quote.evidence for row in self.rows for cell in row if cell.quote))

    @property
    def joins(self) -> bool:
        """Whether each row rests on more than one piece of evidence."""
        return bool(self.rows) and all(
            len({cell.quote.evidence for cell in row if cell.quote}) > 1 for row in self.rows
        )


@dataclass(frozen=True, slots=True)
class DraftBlock:
    """A part of an answer before it is checked.

    `claims` are places in the draft's claims, in the order in which they are said. `text` is a heading, or the caption
    of a table or figure; `level` that of a heading, from 1. `figure` is the cited picture. `need` is the place of the
    need that the block answers; None for a title or a summary.
    """

    kind: BlockKind
    claims: tuple[int, ...] = ()
    text: str = ""
    level: int = 0
    header: tuple[str, ...] = ()
    rows: tuple[tuple[DraftCell, ...], ...] = ()
    figure: EvidenceId | None = None
    need: int | None = None


@dataclass(frozen=True, slots=True)
class UnsaidClaim:
    """A claim that was written and is not part of the answer, since its citations do not support it; `reason` why."""

    text: str
    verdict: ClaimVerdict
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Draft:
    """An answer before its claims are checked; no claims means abstention, and `reason` says why.

    `blocks` say in what order and shape the claims stand; without any they are one paragraph. `not_found` names needs
    that the evidence does not answer, `not_said` sentences that make no claim that can be checked. `confidence` is how
    much of the question it says, in [0, 1]; a language model tells none.
    """

    claims: tuple[DraftClaim, ...]
    reason: str = ""
    blocks: tuple[DraftBlock, ...] = field(default=(), metadata=LATER)
    not_found: tuple[str, ...] = field(default=(), metadata=LATER)
    confidence: float | None = field(default=None, metadata=LATER)
    not_said: tuple[UnsaidClaim, ...] = field(default=(), metadata=LATER)


@dataclass(frozen=True, slots=True)
class Citation:
    """A numbered reference of an answer, down to the paragraph, row or image."""

    marker: int
    evidence: EvidenceId
    modality: Modality
    title: str
    section: str
    revision: str
    url: str
    quote: str
    licence: str
    attribution: str
    computation: Computation | None = None


@dataclass(frozen=True, slots=True)
class CitedMarker:
    """The verdict on one citation of one claim."""

    marker: int
    verdict: ClaimVerdict


@dataclass(frozen=True, slots=True)
class Claim:
    """A checked sentence of the answer."""

    text: str
    citations: tuple[CitedMarker, ...]
    verdict: ClaimVerdict


@dataclass(frozen=True, slots=True)
class Judgment:
    """What a check found of a claim, whose markers count its sources from 1; `reason` says why it does not hold."""

    claim: Claim
    reason: str = ""


@dataclass(frozen=True, slots=True)
class BlockCell:
    """A cell of a table in an answer, with the markers of what it was built from; `marked` as of a DraftCell."""

    text: str
    markers: tuple[int, ...] = ()
    marked: bool = field(default=False, metadata=LATER)


@dataclass(frozen=True, slots=True)
class Figure:
    """A cited picture that stands in an answer; `evidence` is its id, by which the picture is served."""

    evidence: EvidenceId
    marker: int
    caption: str
    licence: str = ""


@dataclass(frozen=True, slots=True)
class Block:
    """A part of an answer.

    `claims` are places in the answer's claims, in the order in which they are said; `text` and `level` as of a
    DraftBlock. A list has one item per claim, a calculation the claim that tells its value.
    """

    kind: BlockKind
    claims: tuple[int, ...] = ()
    text: str = ""
    level: int = 0
    header: tuple[str, ...] = ()
    rows: tuple[tuple[BlockCell, ...], ...] = ()
    figure: Figure | None = None


@dataclass(frozen=True, slots=True)
class AnsweredNeed:
    """A need of an answer: what it asks, who found it, whether it was met, and the pieces that met it."""

    text: str
    origin: NeedOrigin
    met: bool
    evidence: tuple[EvidenceId, ...] = ()


@dataclass(frozen=True, slots=True)
class ToldClaim:
    """A claim of an answer that is still being checked: it and all before it are decided.

    `sentence` is the claim as the answer has it, with its markers; the answer is its sentences, a blank between two.
    `citations` are what its markers name, without the licence of a picture, which is looked up for the whole answer.
    """

    sentence: str
    claim: Claim
    citations: tuple[Citation, ...]


@dataclass(frozen=True, slots=True)
class Usage:
    """What one run cost; `http_requests` counts what live sources were asked for, without what they had repeated.

    `pages_read` counts pages that came from a source and not from the store, `embedded` texts and pictures of pages
    that a model had to embed; `vectors` is what the indexes needed of them, None where nothing was indexed or counted.
    """

    llm_calls: int = 0
    prompt_tokens: int = 0
    cached_tokens: int = 0
    completion_tokens: int = 0
    http_requests: int = 0
    embedded: int = 0
    pages_read: int = 0
    vectors: VectorUse | None = field(default=None, metadata=LATER)


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer record, schema `heliograph.answer/2`: fields change only with the number.

    `answer` is the whole answer as text: sentences with markers, as Markdown where it has headings, lists or tables.
    `not_found` names what the answer should say and no evidence says, `not_said` claims that did not pass their check.
    `confidence` is that of the draft; an answer without a language model is withheld where it is low.
    """

    schema: str
    run: str
    question: str
    answer: str
    abstained: bool
    mode: Literal["llm", "extractive"]
    stop_reason: StopReason
    citations: tuple[Citation, ...]
    claims: tuple[Claim, ...]
    rounds: tuple[RoundRecord, ...]
    evidence: tuple[Observation, ...]
    sources: tuple[SourceReport, ...]
    notes: tuple[str, ...]
    model_failures: tuple[ModelFailure, ...]
    usage: Usage
    seconds: float
    form: Form = field(default="short", metadata=LATER)
    needs: tuple[AnsweredNeed, ...] = field(default=(), metadata=LATER)
    blocks: tuple[Block, ...] = field(default=(), metadata=LATER)
    not_found: tuple[str, ...] = field(default=(), metadata=LATER)
    not_said: tuple[UnsaidClaim, ...] = field(default=(), metadata=LATER)
    confidence: float | None = field(default=None, metadata=LATER)

    @property
    def unsure(self) -> bool:
        """Whether the answer is given as one that is perhaps right."""
        return not self.abstained and self.confidence is not None and self.confidence < PERHAPS_BELOW
