"""Ranking the first entities of another system again by scores of one's own."""

from collections.abc import Sequence

from heliograph.types import Scored


def reranked(found: Sequence[Scored[int]], scores: Sequence[float], k: int) -> tuple[Scored[int], ...]:
    """Return at most k entities: the first by new scores, equal ones by number, then the others as they stood.

    STaRK's rerankers return the first alone, and its evaluator puts all others behind them at random.

    Args:
        found: entities in the order of the first system.
        scores: new scores of the first of them.
        k: entities that are returned at most.
    """
    first = sorted((-score, one.item) for one, score in zip(found, scores, strict=False))
    lowest = min(scores, default=0.0)
    rest = (Scored(one.item, lowest - place) for place, one in enumerate(found[len(scores) :], start=1))
    return (*(Scored(item, -score) for score, item in first), *rest)[: max(k, 0)]
