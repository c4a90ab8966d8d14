"""A computed answer."""

from dataclasses import dataclass

from heliograph.types import Computation, EvidenceId

NEAR = 0.6
"""Share of the best probability from which a value of another table is a rival."""


@dataclass(frozen=True, slots=True)
class Computed:
    """A computed answer: its computation, a sentence that tells it, and the rows that it names.

    `answer` is what the question asks for: the value, or what a row that has it says in another column. `winners` are
    the ids of the named rows where these are not all. `confidence` is the probability that this is what is asked for.
    """

    computation: Computation
    sentence: str
    names: tuple[str, ...]
    winners: tuple[EvidenceId, ...]
    confidence: float
    answer: str


@dataclass(frozen=True, slots=True)
class Weighed:
    """What tables give in answer to a question, one value a table, the most probable first.

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
