"""How far a long job is: said at most every few seconds, with its rate and the time that is left."""

import time
from collections.abc import Callable

EVERY = 5.0
"""Seconds between two lines."""

Say = Callable[[str], None]


class Pace:
    """Tell how far a job of so many steps is; the last step is always told."""

    def __init__(self, what: str, total: int, say: Say, clock: Callable[[], float] = time.monotonic) -> None:
        self._what, self._total, self._say, self._clock = what, total, say, clock
        self._began = self._told = clock()

    def done(self, steps: int) -> None:
        """Say how far the job is once so many steps are done."""
        now = self._clock()
        if steps < self._total and now - self._told < EVERY:
            return
        self._told = now
        rate = steps / max(now - self._began, 1e-9)
        left = "" if steps >= self._total else f", {span((self._total - steps) / rate)} left"
        self._say(f"{self._what}: {steps:,} of {self._total:,}, {rate:,.1f} a second{left}")


def span(seconds: float) -> str:
    """Return a stretch of time as people say it: "40 s", "12 min", "3 h 05 min"."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 100 else f"{minutes // 60} h {minutes % 60:02} min"
