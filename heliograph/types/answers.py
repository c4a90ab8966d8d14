"""Claims, citations and the answer record that `ask --json` prints."""

from dataclasses import dataclass, field
from typing import Literal

from heliograph.types.calculations import Calculation, Operation
from heliograph.types.chat import ModelFailure
from heliograph.types.evidence import EvidenceId, Modality
from heliograph.types.later import LATER
from heliograph.types.pages import SourceReport
from heliograph.types.rounds import Observation, RoundRecord, StopReason, VectorUse

ANSWER_SCHEMA = "heliograph.answer/1"

ClaimVerdict = Literal["supported", "partial", "unsupported", "unchecked", "computed"]
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
class Draft:
    """An answer before its claims are checked; no claims means abstention, and `reason` says why."""

    claims: tuple[DraftClaim, ...]
    reason: str = ""


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
    """The answer record, schema `heliograph.answer/1`: fields change only with the number."""

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
