"""A computed answer."""

from dataclasses import dataclass

from heliograph.types import Computation, EvidenceId


@dataclass(frozen=True, slots=True)
class Computed:
    """A computed answer: its computation, a sentence that tells it, and the rows that it names.

    `continues`: the question goes on from the item found (`names`), so this is its first hop and not its answer.
    `scope` is below 1 where the question does not say what the table is about: the value then stands for as long as no
    other table gives another one.
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
