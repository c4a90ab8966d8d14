"""What a retriever returns: edges, nodes or stars, best first, by their numbers in the corpus."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Self

from eval.ott.corpus import NO_PASSAGE

UnitKind = Literal["edge", "node", "star"]
"""What a ranking is of (HELIOS, Table 6): a row and one passage; a row or a passage; a row and all its passages."""

CUT = 50
"""Units of a ranking that are judged and kept: the deepest cut that HELIOS reports (section 5.1)."""


@dataclass(frozen=True, slots=True)
class Unit:
    """One thing that is ranked; a passage by itself has no row, a row by itself no passages."""

    row: int | None
    passages: tuple[int, ...] = ()

    @classmethod
    def edge(cls, row: int, passage: int) -> Self:
        """Return an edge as the corpus numbers it, where NO_PASSAGE stands for a row that links nothing."""
        return cls(row, () if passage == NO_PASSAGE else (passage,))


Ranking = tuple[Unit, ...]
"""Distinct units, best first."""


def edges_in(ranking: Sequence[Unit]) -> list[tuple[int, int]]:
    """Return the edges of a ranking as the corpus numbers them; a passage by itself is none."""
    return [(unit.row, (*unit.passages, NO_PASSAGE)[0]) for unit in ranking if unit.row is not None]
