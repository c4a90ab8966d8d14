"""What a run remembers of its rounds: ranked evidence, verdicts, and why it stopped."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Generic, Literal, TypeVar

from heliograph.types.evidence import EvidenceId, Modality
from heliograph.types.later import LATER
from heliograph.types.pages import PageKey

T_co = TypeVar("T_co", covariant=True)

StopReason = Literal["sufficient", "rounds_exhausted", "no_new_evidence", "repeated_query", "budget", "nothing_found"]


@dataclass(frozen=True, slots=True)
class Scored(Generic[T_co]):
    """An item and its absolute score against the original question, in [-1, 1]."""

    item: T_co
    score: float


@dataclass(frozen=True, slots=True)
class VectorUse:
    """Vectors that the texts and pictures of documents have in an index: `needed` in all, `asked` of their cache.

    The cache is asked where a document did not stand in the index yet; it has a model embed what it does not know.
    """

    needed: int
    asked: int


def total_use(uses: Iterable[VectorUse]) -> VectorUse:
    """Return the vectors that several additions to indexes needed and asked for in all; 0 of either for none."""
    every = tuple(uses)
    return VectorUse(sum(one.needed for one in every), sum(one.asked for one in every))


@dataclass(frozen=True, slots=True)
class Indexed:
    """What adding documents to an index took: texts and pictures embedded, pictures asked of their sources.

    `notes` say what a user should know: rows and pictures left out, indexes rebuilt for another model. `vectors` is
    None where the index does not count them.
    """

    embedded: int
    fetched: int = 0
    notes: tuple[str, ...] = ()
    vectors: VectorUse | None = field(default=None, metadata=LATER)


@dataclass(frozen=True, slots=True)
class WordSpan:
    """A word of a text and its place in code points, end exclusive."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Observation:
    """One sighting of a piece of evidence in one round.

    `via` names the piece already in the ledger through whose link this one was scored
    (HELIOS, equation 5); None where it was scored against the question alone.
    """

    evidence: EvidenceId
    modality: Modality
    score: float
    round: int
    via: EvidenceId | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """The reflection of one round: enough, or what is missing and which linked pages may hold it."""

    sufficient: bool
    missing: tuple[str, ...] = ()
    leads: tuple[str, ...] = ()
    feedback: str = ""


@dataclass(frozen=True, slots=True)
class RoundRecord:
    """Episodic memory of one retrieval round (OMG-QA, section 3)."""

    number: int
    queries: tuple[str, ...]
    documents: tuple[PageKey, ...]
    evidence: tuple[EvidenceId, ...]
    verdict: Verdict
