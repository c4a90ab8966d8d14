"""The measures of STaRK, section 4, each of one query and between 0 and 1; pure.

Entities are compared by number. An answer that the base cannot give counts as one that is never found, so a query
without any other answer scores 0. Upstream's evaluator leaves such an answer out of the recall's denominator.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence

from heliograph.types import Scored

RECALL_CUT = 20
NAMES = ("Hit@1", "Hit@5", f"R@{RECALL_CUT}", "MRR")
"""The measures in the order of a report."""


def ranked(found: Iterable[Scored[int]]) -> tuple[int, ...]:
    """Return entities in the order in which they are judged: the best score first, equal ones by number, each once.

    Upstream sorts equal scores in an arbitrary order.
    """
    return tuple(dict.fromkeys(each.item for each in sorted(found, key=lambda each: (-each.score, each.item))))


def hit(ranking: Sequence[int], answers: Collection[int], k: int) -> float:
    """Return 1 if an answer is among the first k, else 0."""
    return float(any(number in answers for number in ranking[:k]))


def recall(ranking: Sequence[int], answers: Collection[int], k: int, missing: int = 0) -> float:
    """Return which share of the answers is among the first k; `missing` more are not in the base.

    Of more than k answers no ranking finds all.
    """
    wanted = set(answers)
    if not wanted:
        return 0.0
    return len(wanted & set(ranking[:k])) / (len(wanted) + missing)


def reciprocal_rank(ranking: Sequence[int], answers: Collection[int]) -> float:
    """Return 1 / the rank of the first answer, from 1; 0 where none was returned.

    Upstream ranks what was not returned behind the rest, in an arbitrary order.
    """
    return next((1 / rank for rank, number in enumerate(ranking, start=1) if number in answers), 0.0)


def measures_of(ranking: Sequence[int], answers: Collection[int], missing: int = 0) -> Mapping[str, float]:
    """Return the measures of a query by name.

    Args:
        ranking: entities, the best first, each once.
        answers: those that answer the query; an order or a repetition decides nothing.
        missing: how many more answers the base does not have among its candidates.
    """
    wanted = frozenset(answers)
    values = (
        hit(ranking, wanted, 1),
        hit(ranking, wanted, 5),
        recall(ranking, wanted, RECALL_CUT, missing),
        reciprocal_rank(ranking, wanted),
    )
    return dict(zip(NAMES, values, strict=True))
