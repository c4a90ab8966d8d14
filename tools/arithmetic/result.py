"""A computed answer."""

from dataclasses import dataclass

from heliograph.types import Computation, EvidenceId


@dataclass(frozen=True, slots=True)
class Computed:
    """A computed answer: its computation, a sentence that tells it, and the rows that it names.

    `continues`: the question goes on from the item found (`names`), so this is its first hop and not its answer.
    """

    computation: Computation
    sentence: str
    names: tuple[str, ...]
    winners: tuple[EvidenceId, ...]
    confidence: float
    continues: bool = False
