"""A computed answer."""

from dataclasses import dataclass

from heliograph.types import Computation, EvidenceId


@dataclass(frozen=True, slots=True)
class Computed:
    """A computed answer: its computation, a sentence that tells it, and the rows that it names.

    `continues`: the question goes on from the item found (`names`), so this is its first hop and not its answer.
    `scope` is below 1 where the question does not say what the table is about: the value then stands for as long as no
    other table gives another one. `answer` is what the question asks for where a parser said it: the value, or what a
    row that has it says in another column.
    """

    computation: Computation
    sentence: str
    names: tuple[str, ...]
    winners: tuple[EvidenceId, ...]
    confidence: float
    continues: bool = False
    scope: float = 1.0
    answer: str = ""

    @property
    def weight(self) -> float:
        """Return what a result is held against others by."""
        return self.confidence * self.scope


@dataclass(frozen=True, slots=True)
class InDoubt:
    """Results that fit a question nearly as well and disagree, the best first: none of them is the answer."""

    results: tuple[Computed, ...]


NEAR = 0.6
"""Share of the best probability from which a value of another table is a rival."""


@dataclass(frozen=True, slots=True)
class TableAnswers:
    """What tables give in answer to a question, one value per table, the most probable first.

    `over_rows` is how probable it is that the question counts, adds up, compares or orders rows of one of them: what a
    single row or sentence says is hardly the answer then.
    """

    results: tuple[Computed, ...] = ()
    over_rows: float = 0.0

    @property
    def best(self) -> Computed | None:
        """The most probable value; None where that of another table is nearly as probable and says something else."""
        if not self.results:
            return None
        first, *others = self.results
        rivals = (each for each in others if each.answer != first.answer)
        return None if any(each.confidence >= NEAR * first.confidence for each in rivals) else first
