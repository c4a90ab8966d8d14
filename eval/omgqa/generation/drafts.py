"""What becomes of a model's questions: a draft, a question that passed every gate, or one that was refused and why."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, get_args

from eval.omgqa.generation.candidates import Candidate
from eval.omgqa.records import OmgDocument, OmgQuestion
from heliograph.types import Document, EvidenceId, Leaf

Gate = Literal["reply", "wording", "nodes", "answerable", "one answer", "modalities", "twin"]
"""In the order in which a draft meets them."""
GATES: tuple[Gate, ...] = get_args(Gate)


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a draft goes no further."""

    gate: Gate
    reason: str


@dataclass(frozen=True, slots=True)
class Draft:
    """A question as a model made it.

    `answer` is empty where it was made from a table of contents, which says none. `leaves` are the nodes that it names,
    `rows` those of their tables that it names. `refused` is what is wrong with it before anybody reads the nodes.
    """

    id: str
    question: str
    answer: str
    leaves: tuple[Leaf, ...]
    rows: tuple[EvidenceId, ...] = ()
    refused: Refusal | None = None


@dataclass(frozen=True, slots=True)
class Passed:
    """A question that passed all gates but that of twins, with the documents of its evidence."""

    question: OmgQuestion
    documents: tuple[OmgDocument, ...]


@dataclass(frozen=True, slots=True)
class Rejected:
    """A draft that did not."""

    id: str
    question: str
    answer: str
    evidence: tuple[EvidenceId, ...]
    refusal: Refusal


Outcome = Passed | Rejected


class Reading(Protocol):
    """Reads articles."""

    async def document(self, title: str) -> Document:
        """Return an article as its tree.

        Raises:
            SearchUnavailable: it cannot be read.
        """


class Writer(Protocol):
    """One of the pipelines, at one candidate."""

    async def drafts(self, candidate: Candidate, pages: Sequence[Document]) -> tuple[Draft, ...]:
        """Return what a model makes of a candidate and its articles, drafts that went wrong included.

        Raises:
            ModelError: the model cannot be asked.
        """
