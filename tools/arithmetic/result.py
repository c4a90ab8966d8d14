"""A computed answer."""

from dataclasses import dataclass

from heliograph.types import Computation, EvidenceId


@dataclass(frozen=True, slots=True)
class Computed:
    """A computed answer: its computation, a sentence that tells it, and the rows that it names.

    `answer` is what the question asks for: the value, or what a row that has it says in another column. `winners` are
    the ids of the named rows where these are not all. `confidence` is the score of the reading, in [0, 1], and
    `unexplained` are words of the question that it leaves over.
    """

    computation: Computation
    sentence: str
    names: tuple[str, ...]
    winners: tuple[EvidenceId, ...]
    confidence: float
    answer: str
    unexplained: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class InDoubt:
    """Results that fit a question nearly as well and disagree, the best first: none of them is the answer.

    Without results, a table has the cell that is asked for, and it is empty or cannot be read for certain.
    """

    results: tuple[Computed, ...]
