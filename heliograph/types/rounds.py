"""What a run remembers of its rounds: ranked evidence, verdicts, and why it stopped."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Generic, Literal, TypeVar

from heliograph.types.evidence import Evidence, EvidenceId, Modality
from heliograph.types.later import LATER
from heliograph.types.pages import Hit, PageKey

T_co = TypeVar("T_co", covariant=True)

NeedOrigin = Literal["question", "plan", "reflection", "bridge"]
"""Who found that a need is one: the user, the plan of round 1, a reflection, or a page that links two facts."""

StopReason = Literal[
    "sufficient", "given_up", "rounds_exhausted", "no_new_evidence", "repeated_query", "budget", "nothing_found"
]


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
class EvidenceHop:
    """Two pieces of evidence that are read together: `start` names what `end` is about.

    The quotes are the sentences, in order, that are to be seen of either; all of a row or a caption is.
    """

    start: Evidence
    end: Evidence
    start_quotes: tuple[str, ...]
    end_quotes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ReadAnswer:
    """Words that a reader takes for the answer to a question, and in [0, 1] how sure it is of them.

    They stand at `start` to `end` of what `evidence` says: of the text of a paragraph or list, of the caption of a
    picture, and of a row in the cell of column `cell`. `beside` is the piece that it was read together with: the row
    that led to a passage, the passage that told which row is meant, the other half of a hop. A yes or no stands
    nowhere: `evidence` is what speaks for it. `none` is how probable it is by the reader, in [0, 1], that what it
    stands in does not answer; 0.5 where the reader does not say.
    """

    text: str
    confidence: float
    evidence: EvidenceId
    kind: Literal["span", "cell", "yes", "no"] = "span"
    start: int = 0
    end: int = 0
    cell: int | None = None
    beside: EvidenceId | None = None
    none: float = 0.5


@dataclass(frozen=True, slots=True)
class Need:
    """One thing that an answer must say: the question itself, or a sub-question in words of its own.

    `of` is the place of the need that a reflection found it to be a part of; 0 is the question. `table` is the page
    whose table answers it, if a searched source named one.
    """

    text: str
    origin: NeedOrigin = "question"
    of: int = field(default=0, metadata=LATER)
    table: Hit | None = field(default=None, metadata=LATER)


MOST_NEEDS = 12
"""Needs of one question, the question itself among them."""


@dataclass(frozen=True, slots=True)
class NeedVerdict:
    """What a reflection says of a need, by its place among the needs of the run: met, and by which pieces."""

    need: int
    met: bool
    evidence: tuple[EvidenceId, ...] = ()


@dataclass(frozen=True, slots=True)
class Observation:
    """One score of a piece of evidence against one need, given in one round.

    `via` names the piece through whose link this one was scored (HELIOS, equation 5), or the other end of its best
    edge of the table-text graph; None where it was scored against the need's words alone. `need` is the place of the
    need among those of the run; the question is need 0.
    """

    evidence: EvidenceId
    modality: Modality
    score: float
    round: int
    via: EvidenceId | None = None
    need: int = field(default=0, metadata=LATER)


@dataclass(frozen=True, slots=True)
class Verdict:
    """The reflection of one round: enough, or what is missing and which linked pages may hold it.

    `needs` says of each need whether it is met, `born` are needs that this reflection adds, `queries` what the next
    round should search for.
    """

    sufficient: bool
    missing: tuple[str, ...] = ()
    leads: tuple[str, ...] = ()
    feedback: str = ""
    needs: tuple[NeedVerdict, ...] = field(default=(), metadata=LATER)
    born: tuple[Need, ...] = field(default=(), metadata=LATER)
    queries: tuple[str, ...] = field(default=(), metadata=LATER)

    @property
    def given_up(self) -> bool:
        """Whether needs are open and nothing is named that could be searched for.

        Feedback alone names nothing: models write there that a need was sought in vain.
        """
        return bool(self.needs) and not (self.sufficient or self.leads or self.born or self.queries)


@dataclass(frozen=True, slots=True)
class RoundRecord:
    """Episodic memory of one retrieval round (OMG-QA, section 3)."""

    number: int
    queries: tuple[str, ...]
    documents: tuple[PageKey, ...]
    evidence: tuple[EvidenceId, ...]
    verdict: Verdict
