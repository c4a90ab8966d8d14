"""Whether two runs differ by more than the choice of tables would make them: a paired bootstrap over tables.

Questions on one table stand or fall together, so tables are drawn, with all their questions, and not questions.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from eval.ott.measures import NAMES
from eval.ott.questions import OttQuestion
from eval.ott.results import QuestionResult

SAMPLES = 10_000
"""Draws of as many tables as there are."""
TAILS = (2.5, 97.5)
"""Percentiles between which 95% of the draws lie."""


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
    difference = _table(ours, asked, names) - _table(theirs, asked, names)
    sums, counts = _by_table(difference, asked)
    low, high = np.percentile(_draws(sums, counts, seed, samples), TAILS, axis=0)
    means = difference.mean(axis=0)
    return tuple(map(Difference, names, means.tolist(), low.tolist(), high.tolist()))


def _draws(sums: NDArray[np.float64], counts: NDArray[np.int64], seed: int, samples: int) -> NDArray[np.float64]:
    """Return the means of each draw, (samples, metrics)."""
    random = np.random.default_rng(seed)
    drawn = (random.integers(len(counts), size=len(counts)) for _ in range(samples))
    return np.array([sums[tables].sum(axis=0) / counts[tables].sum() for tables in drawn])


def _by_table(
    values: NDArray[np.float64], asked: Sequence[OttQuestion]
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Add up the values of each table's questions, and count them."""
    _, table = np.unique([question.gold_table for question in asked], return_inverse=True)
    counts = np.bincount(table)
    sums = np.zeros((len(counts), values.shape[1]))
    np.add.at(sums, table, values)
    return sums, counts


def _metrics(run: Iterable[QuestionResult]) -> dict[str, dict[str, float]]:
    return {result.id: dict(result.metrics) for result in run}


def _table(run: dict[str, dict[str, float]], asked: Sequence[OttQuestion], names: Sequence[str]) -> NDArray[np.float64]:
    return np.array([[run.get(question.id, {}).get(name, 0.0) for name in names] for question in asked])
