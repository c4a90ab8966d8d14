"""Measures of evidence of its first leaves alone: what they say of a short list (OMG-QA, section 4.1)."""

from collections.abc import Callable
from dataclasses import replace

from eval.omgqa.judged import Judged

FIRST = 8
"""Units that are looked at: so many leaves were all evidence while it was not bounded by tokens."""


def of_first_leaves(measure: Callable[[Judged], float]) -> Callable[[Judged], float]:
    """Return a measure as it comes out for the first FIRST units that were retrieved."""
    return lambda judged: measure(replace(judged, retrieved=judged.retrieved[:FIRST]))
