"""OMG-QA's data: questions, documents as trees with numbered leaves, and judgements of pooled evidence.

docs/omgqa.md describes the fields of the files.
"""

from dataclasses import dataclass

from eval.omgqa.judged import Unit
from heliograph.types import EvidenceId, Modality, PageKey, Section

AUTHORS = "authors"
"""The judge of a label that comes with the data: of those who wrote the articles, or of a data set's own gold."""


@dataclass(frozen=True, slots=True)
class OmgQuestion:
    """A question, and what it was made from (OMG-QA, section 2.1).

    `answers` are acceptable ones, none where no article answers it; `evidence` are the nodes that it was written
    from, none where they are labelled apart, by a data set's gold; `modalities` those that it needs; `source` names the
    pipeline or data set.
    """

    id: str
    question: str
    answers: tuple[str, ...]
    evidence: tuple[EvidenceId, ...]
    modalities: tuple[Modality, ...]
    source: str


@dataclass(frozen=True, slots=True)
class OmgLeaf:
    """A leaf of a document: its node number (OMG-QA, Figure 2), and what it shows to a judge."""

    number: int
    id: EvidenceId
    section: str
    modality: Modality
    text: str


@dataclass(frozen=True, slots=True)
class OmgDocument:
    """A page as the tree of its sections, with its leaves in document order (OMG-QA, section 3)."""

    key: PageKey
    title: str
    sections: tuple[Section, ...]
    leaves: tuple[OmgLeaf, ...]


@dataclass(frozen=True, slots=True)
class Pair:
    """A question and a piece of its pool: what is decided of relevancy."""

    question: str
    unit: Unit


@dataclass(frozen=True, slots=True)
class Judgement:
    """One judge's word on one piece of evidence for one question.

    `prompt` is the hash of what the judge was told to do, empty for people; `confidence` a model's probability of its
    reply, None where it tells none.
    """

    question: str
    evidence: Unit
    relevant: bool
    judge: str
    prompt: str = ""
    confidence: float | None = None

    @property
    def pair(self) -> Pair:
        """What was judged."""
        return Pair(self.question, self.evidence)
