"""How often DuckDuckGo is asked: one request at a time, a gap between two, and none for a while after a refusal."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from heliograph.errors import RateLimited, SearchUnavailable, SourceBlocked

GAP_SECONDS = 1.5
REST_SECONDS = 300.0


class Pace:
    """The pace of one process; it outlives questions and may serve several wikis."""

    def __init__(
        self,
        gap: float = GAP_SECONDS,
        rest: float = REST_SECONDS,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self.now = clock
        self._gap = gap
        self._rest = rest
        self._sleep = sleep
        self._free_at = float("-inf")
        self._refusal: SourceBlocked | RateLimited | None = None
        self._refused_until = float("-inf")
        self._loop: asyncio.AbstractEventLoop | None = None
        self._lock = asyncio.Lock()

    @asynccontextmanager
    async def turn(self, deadline: float) -> AsyncIterator[float]:
        """Wait for the turn to send one request, and give the seconds that are left for it.

        Raises:
            SourceBlocked | RateLimited: DuckDuckGo has refused, and is left alone for a while.
            SearchUnavailable: the turn comes after the deadline.
        """
        self._respect_refusal()
        async with self._queue():
            self._respect_refusal()
            wait = max(0.0, self._free_at - self.now())
            left = deadline - self.now() - wait
            if left <= 0:
                raise SearchUnavailable(
                    "duckduckgo: not asked, for its turn would come after the deadline of the search"
                )
            if wait:
                await self._sleep(wait)
            try:
                yield left
            finally:
                self._free_at = self.now() + self._gap

    def refused(self, refusal: SourceBlocked | RateLimited, seconds: float | None) -> None:
        """Leave DuckDuckGo alone for the seconds that it asked for, else for the usual rest."""
        self._refusal = refusal
        self._refused_until = self.now() + (self._rest if seconds is None else seconds)

    def _respect_refusal(self) -> None:
        left = self._refused_until - self.now()
        if self._refusal is not None and left > 0:
            raise type(self._refusal)(f"{self._refusal}; not asked again for {left:.0f} s")

    def _queue(self) -> asyncio.Lock:
        """Return the lock of the running loop: a lock that had to wait cannot serve a second loop."""
        loop = asyncio.get_running_loop()
        if self._loop is not loop:
            self._loop, self._lock = loop, asyncio.Lock()
        return self._lock
