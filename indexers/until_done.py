"""Blocking calls in threads that are never left behind.

A thread cannot be stopped. Whoever is stopped while one works for them would give their turn back, and the thread would
go on beside the next: files opened that nobody closes, nodes written that nobody counts.
"""

import asyncio
import contextvars
from collections.abc import Callable
from functools import partial
from typing import ParamSpec, TypeVar

T = TypeVar("T")
P = ParamSpec("P")


async def until_done(call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Run a call in a thread and stay until it has ended, even where whoever waits is stopped; then the stop goes on.

    Raises:
        CancelledError: the waiting was stopped; the call has ended, and what it raised is dropped.
    """
    context = contextvars.copy_context()
    work = asyncio.get_running_loop().run_in_executor(None, partial(context.run, call, *args, **kwargs))
    stop: asyncio.CancelledError | None = None
    while not work.done():
        try:
            await asyncio.wait((work,))
        except asyncio.CancelledError as err:
            stop = stop or err
    if stop is not None:
        work.exception()
        raise stop
    return work.result()
