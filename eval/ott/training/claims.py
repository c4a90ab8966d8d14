"""Claims that were composed for a checker, beside a question and a piece of the corpus; kept without the texts.

A line names table, row and passage by their ids, as those of composed questions do (`composed`), and every line is
checked against the corpus.
"""

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from eval.ott.corpus import NO_PASSAGE, OttCorpus
from eval.ott.nodes import edge_candidate
from eval.ott.training.composed import checked_lines, is_held_out, misplaced, passage_of
from indexers.models.checker import Relation
from indexers.models.reader import Candidate

Change = Literal[
    "none", "entity", "number", "date", "negation", "direction", "role", "place", "overclaim", "offpoint", "other"
]
"""What makes a claim other than true and to the point; `offpoint` is true, and about something else."""
_CHANGES: dict[Relation, frozenset[Change]] = {
    "supported": frozenset({"none", "offpoint"}),
    "partial": frozenset({"overclaim", "other"}),
    "unrelated": frozenset({"none", "offpoint", "other"}),
}
"""The changes that a claim of a relation may have; one that is contradicted has any other."""
HELD_OUT = 8
"""One table in so many is for development."""


@dataclass(frozen=True, slots=True)
class ComposedClaim:
    """A claim with its question; rows and passages are numbers of the corpus."""

    question: str
    claim: str
    relation: Relation
    change: Change
    answers: bool
    table: str
    row: int
    passage: int

    @property
    def is_development(self) -> bool:
        """Whether its table is held out, by the sha256 of the id."""
        return is_held_out(self.table, HELD_OUT)

    def evidence(self, corpus: OttCorpus) -> Candidate:
        """Return what the claim cites, as a reader sees it."""
        return edge_candidate(corpus, self.row, self.passage)


class ClaimLine(BaseModel):
    """A line of the file; rows count from 0 in their table."""

    model_config = ConfigDict(strict=True, extra="forbid")

    question: str = Field(min_length=8, max_length=400)
    claim: str = Field(min_length=8, max_length=600)
    label: Relation
    change: Change
    answers: bool
    table: str
    row: int = Field(ge=0)
    passage: str | None

    def key(self) -> tuple[object, ...]:
        """Return what no other line of the file may have."""
        return self.question, self.claim, self.table, self.row, self.passage


def read_composed_claims(path: Path, corpus: OttCorpus, kept_out: Collection[str] = ()) -> tuple[ComposedClaim, ...]:
    """Read composed claims in the order of the file.

    Raises:
        UsageError: the file cannot be read, a line is no claim, its table is `kept_out`, the corpus has no such
            evidence, or a claim stands twice beside the same evidence.
    """
    lines = checked_lines(path, ClaimLine, "claim", ClaimLine.key, lambda line: fault(line, corpus, kept_out))
    return tuple(_claim(line, corpus) for line in lines)


def fault(line: ClaimLine, corpus: OttCorpus, kept_out: Collection[str] = ()) -> str:
    """Return what is wrong with a line; empty where nothing is."""
    if wrong := misplaced(line, [line.row], corpus, kept_out):
        return wrong
    allowed = _CHANGES.get(line.label)
    if line.change not in allowed if allowed else line.change in ("none", "overclaim", "offpoint"):
        return f"a claim that is {line.label} has no change {line.change!r}"
    if line.answers and line.change == "offpoint":
        return "a claim beside the point does not answer"
    return ""


def _claim(line: ClaimLine, corpus: OttCorpus) -> ComposedClaim:
    passage = passage_of(line, corpus)
    return ComposedClaim(
        line.question,
        line.claim,
        line.label,
        line.change,
        line.answers,
        line.table,
        corpus.rows_of(line.table)[line.row],
        NO_PASSAGE if passage is None else passage,
    )
