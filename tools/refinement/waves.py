"""Calls of a model in waves of so many at once, whatever order they end in."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

from heliograph.errors import ModelBudgetSpent, ModelError, ModelTimeout, ModelUnreachable

T = TypeVar("T")

PATIENCE = 2
"""Calls that may meet silence, or an empty budget, before no further wave is sent: each may cost a whole deadline."""


async def in_waves(calls: Sequence[Callable[[], Awaitable[T]]], width: int) -> tuple[T | ModelError, ...]:
    """Return what each call gives, or the ModelError that it raises, in the order of the calls.

    After PATIENCE silent calls the rest are not made and share the last error. Since a wave begins only when the one
    before it has ended, what is called never depends on which call ends first.
    """
    found: list[T | ModelError] = []
    while len(found) < len(calls):
        silent = [each for each in found if isinstance(each, ModelTimeout | ModelUnreachable | ModelBudgetSpent)]
        if len(silent) >= PATIENCE:
            return (*found, *([silent[-1]] * (len(calls) - len(found))))
        found.extend(await _wave(calls[len(found) : len(found) + width]))
    return tuple(found)


async def _wave(calls: Sequence[Callable[[], Awaitable[T]]]) -> list[T | ModelError]:
    """Await all calls, the rest of a failure too; an error that is no model's is raised, the first in order."""
    results = await asyncio.gather(*(call() for call in calls), return_exceptions=True)
    found: list[T | ModelError] = []
    for result in results:
        if isinstance(result, BaseException) and not isinstance(result, ModelError):
            raise result
        found.append(result)
    return found
