"""How well a student does on the development questions, and what the int8 form of it loses there."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from indexers.models.training.examples import Candidate, Example

DEPTH = 50
Say = Callable[[str], None]
Rank = Callable[[str, Sequence[Candidate]], list[float]]
"""Scores the candidates of a query."""
Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Figures:
    """Shares of questions with a positive among the first 2 and 10, and the mean nDCG of the first 50 of each list."""

    first_2: float
    first_10: float
    ndcg: float

    @property
    def value(self) -> float:
        """The one by which weights are chosen."""
        return self.ndcg

    def __str__(self) -> str:
        return f"positive in 2: {self.first_2:.3f}, in 10: {self.first_10:.3f}, nDCG@{DEPTH}: {self.ndcg:.3f}"


def measure(rank: Rank, examples: Sequence[Example], say: Say = lambda _: None) -> Figures:
    """Rank each list and average; a list without a positive counts as 0."""
    return figures(
        [
            _relevance(rank(example.query, example.candidates), len(example.positives))
            for example in counted(examples, say)
        ]
    )


def counted(examples: Sequence[Item], say: Say) -> Iterator[Item]:
    """Yield development questions, and say of every 50 that they are done."""
    for number, example in enumerate(examples, start=1):
        yield example
        if number % 50 == 0:
            say(f"development questions {number}/{len(examples)}")


def int8_loss(
    told: str, whole: Sequence[Item], small: Sequence[Item], figure: Callable[[Sequence[Item]], object]
) -> str:
    """Word what an int8 form loses, given what the `whole` and the `small` model say of the same examples.

    `told` has places for the figure of each and for `same`, how often both say the same, in percent.
    """
    same = sum(one == other for one, other in zip(whole, small, strict=True)) / max(1, len(whole))
    return told.format(whole=figure(whole), small=figure(small), same=100 * same)


def figures(ranked: Sequence[Sequence[bool]]) -> Figures:
    """Average over lists that are given as the relevance of their places, best first."""
    count = max(1, len(ranked))
    return Figures(
        sum(any(places[:2]) for places in ranked) / count,
        sum(any(places[:10]) for places in ranked) / count,
        sum(_ndcg(places) for places in ranked) / count,
    )


def _relevance(scores: Sequence[float], positives: int) -> list[bool]:
    """Order by score; of a tie the later place of the list goes first, where the negatives are."""
    order = sorted(range(len(scores)), key=lambda place: (-scores[place], -place))
    return [place < positives for place in order]


def _ndcg(places: Sequence[bool]) -> float:
    ideal = sum(1 / math.log2(place + 2) for place in range(min(DEPTH, sum(places))))
    gained = sum(1 / math.log2(place + 2) for place, right in enumerate(places[:DEPTH]) if right)
    return gained / ideal if ideal else 0.0
