"""Whether two runs differ by more than the choice of questions would make them: the paired bootstrap.

Questions that stand or fall together are one group, and groups are drawn, with all their questions.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

SAMPLES = 10_000
"""Draws of as many groups as there are."""
TAILS = (2.5, 97.5)
"""Percentiles between which 95% of the draws lie."""


@dataclass(frozen=True, slots=True)
class Interval:
    """The mean of paired differences, and the interval that holds 95% of the draws."""

    mean: float
    low: float
    high: float


def paired_bootstrap(
    differences: NDArray[np.float64], groups: Sequence[str], seed: int = 0, samples: int = SAMPLES
) -> tuple[Interval, ...]:
    """Return an interval for each measure.

    Args:
        differences: of each question in each measure, (questions, measures); not empty.
        groups: the group of each question.
        seed: decides the draws.
        samples: how often is drawn.
    """
    sums, counts = _by_group(differences, groups)
    low, high = np.percentile(_draws(sums, counts, seed, samples), TAILS, axis=0)
    means = differences.mean(axis=0)
    return tuple(map(Interval, means.tolist(), low.tolist(), high.tolist()))


def _draws(sums: NDArray[np.float64], counts: NDArray[np.int64], seed: int, samples: int) -> NDArray[np.float64]:
    """Return the means of each draw, (samples, measures)."""
    random = np.random.default_rng(seed)
    drawn = (random.integers(len(counts), size=len(counts)) for _ in range(samples))
    return np.array([sums[groups].sum(axis=0) / counts[groups].sum() for groups in drawn])


def _by_group(values: NDArray[np.float64], groups: Sequence[str]) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Add up the values of each group's questions, and count them."""
    _, group = np.unique(groups, return_inverse=True)
    counts = np.bincount(group)
    sums = np.zeros((len(counts), values.shape[1]))
    np.add.at(sums, group, values)
    return sums, counts
