"""Whether two runs differ by more than the choice of tables would make them: a paired bootstrap over tables.

Questions on one table stand or fall together, so tables are drawn, with all their questions, and not questions.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from eval.bootstrap import SAMPLES, paired_bootstrap
from eval.ott.measures import NAMES
from eval.ott.questions import OttQuestion
from eval.ott.results import QuestionResult


@dataclass(frozen=True, slots=True)
class Difference:
    """By how much the first of two runs is better on average, and the interval that holds 95% of the draws."""

    metric: str
    mean: float
    low: float
    high: float


def compare(
    first: Iterable[QuestionResult],
    second: Iterable[QuestionResult],
    asked: Sequence[OttQuestion],
    seed: int = 0,
    samples: int = SAMPLES,
) -> tuple[Difference, ...]:
    """Compare two runs in every measure that either has; a question that a run lacks counts 0 in it."""
    ours, theirs = _metrics(first), _metrics(second)
    measured = {name for run in (ours, theirs) for metrics in run.values() for name in metrics}
    names = [name for name in NAMES if name in measured]
    if not names or not asked:
        return ()
    differences = _table(ours, asked, names) - _table(theirs, asked, names)
    found = paired_bootstrap(differences, [question.gold_table for question in asked], seed, samples)
    return tuple(Difference(name, each.mean, each.low, each.high) for name, each in zip(names, found, strict=True))


def _metrics(run: Iterable[QuestionResult]) -> dict[str, dict[str, float]]:
    return {result.id: dict(result.metrics) for result in run}


def _table(run: dict[str, dict[str, float]], asked: Sequence[OttQuestion], names: Sequence[str]) -> NDArray[np.float64]:
    return np.array([[run.get(question.id, {}).get(name, 0.0) for name in names] for question in asked])
