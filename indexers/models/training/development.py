"""How well a ranking student does on the lists of the development questions."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from indexers.models.training.examples import Candidate, Example

DEPTH = 50
Say = Callable[[str], None]
Rank = Callable[[str, Sequence[Candidate]], list[float]]
"""Scores the candidates of a query."""


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
    ranked = []
    for number, example in enumerate(examples, start=1):
        ranked.append(_relevance(rank(example.query, example.candidates), len(example.positives)))
        if number % 50 == 0:
            say(f"development questions {number}/{len(examples)}")
    return figures(ranked)


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
