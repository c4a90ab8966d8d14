"""What one system did with one question, beside what the judges say of it (OMG-QA, section 4.1)."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from heliograph.types import EvidenceId, PageKey
from indexers.parser import page_of, parse_id

UnitKind = Literal["leaf", "row"]
"""What is judged: leaves of the document tree as in OMG-QA, or rows where a data set labels rows."""
Unit = EvidenceId


@dataclass(frozen=True, slots=True)
class Labels:
    """The judged evidence of one question: what is in neither set was never judged."""

    relevant: frozenset[Unit] = frozenset()
    irrelevant: frozenset[Unit] = frozenset()

    @property
    def documents(self) -> frozenset[PageKey]:
        """The documents that hold relevant evidence, which should be retrieved."""
        return frozenset(map(page_of, self.relevant))


@dataclass(frozen=True, slots=True)
class Statement:
    """One claim of an answer, checked against its citations (ALCE: Gao et al. 2023, section 3).

    `supported`: all of its citations together say it. Of each citation, `alone` tells whether it says the claim by
    itself, and `rest` whether the others say it without it; both in the order of the citations.
    """

    supported: bool
    alone: tuple[bool, ...] = ()
    rest: tuple[bool, ...] = ()


@dataclass(frozen=True, slots=True)
class Judged:
    """An answered question with its labels.

    Units stand once each: `retrieved` is the final evidence, best first, `cited` what the answer cites, `supporting`
    what is cited by a claim that its evidence supports. `documents` are the pages that were read. `correct_use` and
    `complete` are a judge's word on CUE and CCM; None where it was not asked. `rounds` is what of `retrieved` was found
    by the end of each round. `accepted` are the answers known to be right: none where the question has no answer, None
    where that is not known. `states_accepted` is a judge's word on whether `answer` states one.
    """

    labels: Labels
    documents: tuple[PageKey, ...] = ()
    retrieved: tuple[Unit, ...] = ()
    cited: tuple[Unit, ...] = ()
    supporting: frozenset[Unit] = frozenset()
    statements: tuple[Statement, ...] = ()
    abstained: bool = False
    correct_use: bool | None = None
    complete: bool | None = None
    rounds: tuple[tuple[Unit, ...], ...] = field(default=())
    answer: str = ""
    accepted: tuple[str, ...] | None = None
    states_accepted: bool | None = None

    @property
    def answerable(self) -> bool:
        """Whether anything is relevant; of any other question only abstention is measured."""
        return bool(self.labels.relevant)


def units(evidence: Iterable[EvidenceId], kind: UnitKind) -> tuple[Unit, ...]:
    """Return the units of evidence, each once, at its best place: of leaves a row counts for its table.

    Of rows a whole table is a unit of its own, which no label names.
    """
    return tuple(dict.fromkeys(parse_id(each).leaf if kind == "leaf" else each for each in evidence))
