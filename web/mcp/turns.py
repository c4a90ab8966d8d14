"""Whose turn it is: calls that research run a few at a time, the others wait in the order in which they came."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from heliograph.errors import ServerFull
from web.limits import PLACES, RUNNING


class Turns:
    """`running` calls side by side, and up to `places` that run or wait."""

    def __init__(self, running: int = RUNNING, places: int = PLACES) -> None:
        self._running = running
        self._places = places
        self._free = asyncio.Semaphore(running)
        self._taken = 0

    @asynccontextmanager
    async def turn(self, progress: Callable[[str], None]) -> AsyncIterator[None]:
        """Wait for a turn and have it until the block ends; who has to wait is told so.

        Raises:
            ServerFull: all places are taken.
        """
        if self._taken >= self._places:
            raise ServerFull(
                f"{self._places} calls run or wait, {self._running} at a time, and there is no place for another; "
                "call again in a while"
            )
        before = self._taken - self._running + 1
        self._taken += 1
        try:
            if before > 0:
                progress(f"waiting: {before} {'call has' if before == 1 else 'calls have'} to end first")
            async with self._free:
                yield
        finally:
            self._taken -= 1
