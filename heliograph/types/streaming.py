"""What a caller hears while a question is being answered: typed events, the answer last."""

from dataclasses import dataclass

from heliograph.types.answers import Answer, Form, ToldClaim
from heliograph.types.pages import PageKey, SourceReport
from heliograph.types.rounds import Need, Observation, StopReason, Verdict


@dataclass(frozen=True, slots=True)
class Begun:
    """The run has its name and its folder."""

    run: str


@dataclass(frozen=True, slots=True)
class Progressed:
    """A step, in words for a person."""

    text: str


@dataclass(frozen=True, slots=True)
class Planned:
    """What the answer will be: its form, and the needs that it must say, the question first."""

    form: Form
    needs: tuple[Need, ...]


@dataclass(frozen=True, slots=True)
class Queried:
    """A round begins with these queries; none where every query was asked before."""

    round: int
    queries: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Searched:
    """Every source was asked: how each served, the pages that they named, and queries that had to be loosened."""

    round: int
    sources: tuple[SourceReport, ...]
    titles: tuple[str, ...]
    relaxed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class WasRead:
    """Pages were read and indexed; `notes` name those that could not be."""

    round: int
    documents: tuple[PageKey, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class EvidenceFound:
    """The evidence of a round, best first: each piece once, with the need that it scores best against.

    Round 0 is what earlier turns have brought. Where a need was born in the round before, pieces of earlier rounds are
    scored against it, and told here once more.
    """

    round: int
    evidence: tuple[Observation, ...]


@dataclass(frozen=True, slots=True)
class Reflected:
    """The verdict on the evidence of all rounds so far; `stop_reason` is None where another round follows."""

    round: int
    verdict: Verdict
    stop_reason: StopReason | None = None


@dataclass(frozen=True, slots=True)
class Claimed:
    """A checked claim of the answer, counted from 1, told before those behind it are checked."""

    number: int
    told: ToldClaim


@dataclass(frozen=True, slots=True)
class Answered:
    """The answer record: always the last event."""

    answer: Answer


StreamEvent = (
    Begun | Progressed | Planned | Queried | Searched | WasRead | EvidenceFound | Reflected | Claimed | Answered
)
"""Everything that `Heliograph.stream` yields; match on the class."""
