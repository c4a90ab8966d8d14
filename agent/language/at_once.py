"""Questions to a model side by side; the client bounds how many run at once."""

import asyncio
from collections.abc import Coroutine, Iterable
from typing import Any, TypeVar

T = TypeVar("T")


async def all_at_once(calls: Iterable[Coroutine[Any, Any, T]]) -> tuple[T, ...]:
    """Return the results in order, or raise the first error in order.

    All are awaited, the rest of a failure too: so a replay makes the calls that the record has, whichever ended first.
    """
    results = await asyncio.gather(*calls, return_exceptions=True)
    for result in results:
        if isinstance(result, BaseException):
            raise result
    return tuple(result for result in results if not isinstance(result, BaseException))
