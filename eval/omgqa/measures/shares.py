"""The arithmetic that the measures share."""

from collections.abc import Collection, Container
from typing import TypeVar

T = TypeVar("T")


def share(found: Collection[T], wanted: Container[T]) -> float:
    """Return the share of what was found that is wanted; 0 where nothing was found."""
    return sum(each in wanted for each in found) / len(found) if found else 0.0


def harmonic(first: float, second: float) -> float:
    """Return the harmonic mean of two shares; 0 where both are 0."""
    return 2 * first * second / (first + second) if first + second else 0.0
