"""Manners towards one host: how long to wait, when to ask again, and when to leave it alone.

urllib3's `Retry` and tenacity were looked at: the first sleeps for as long as a server asks, the second reads a clock
of its own; neither gives up at once when the wait asked for is longer than the time there is. Of urllib3 we take the
reading of `Retry-After`.
"""

import itertools
import re
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeVar

from urllib3.exceptions import InvalidHeader
from urllib3.util import Retry

from heliograph.errors import RateLimited, SearchUnavailable
from heliograph.retrying import asking_again
from tools.errands import current_errand

T = TypeVar("T")
_DECIMAL = re.compile(r"[0-9]+(?:\.[0-9]+)?")

FIRST_PAUSE = 1.0
"""Seconds before the second attempt where the host names none; doubled before each further one."""
MOST_FAULTS = 3
"""Attempts at a host that fails, as against one that asks to wait: that one is asked until the deadline."""
LONGEST_WAIT = 86_400.0


@dataclass(frozen=True, slots=True)
class Manners:
    """What one request may take in seconds, waits included, and when a host that keeps failing is left alone."""

    seconds: float = 30.0
    failures: int = 3
    pause: float = 60.0


@dataclass(frozen=True, slots=True)
class Setback:
    """Why an attempt failed, and whether another may help: at the host's word, after a short pause, or not at all.

    `asked` is the wait in seconds that the host names. A host that is not to `blame` counts as one that answered.
    """

    error: SearchUnavailable
    again: Literal["when told", "soon", "never"]
    asked: float | None = None
    blame: bool = True


class Host:
    """One host: what it asked for and how it fared so far; threads share it."""

    def __init__(
        self,
        name: str,
        manners: Manners,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = lambda seconds: current_errand().sleep(seconds),
    ) -> None:
        self.name = name
        self._manners = manners
        self._clock = clock
        self._sleep = sleep
        self._turn = threading.Lock()
        self._not_before = 0.0
        self._failures = 0
        self._closed_until = 0.0
        self._last = SearchUnavailable("")

    def call(self, attempt: Callable[[float], T | Setback]) -> T:
        """Attempt something until it is done; `attempt` is told how many seconds are left.

        Raises:
            RateLimited: the host asks to wait longer than there is time.
            SearchUnavailable: it fails, or has failed too often to be asked just now.
        """
        self._enter()
        until = self._clock() + self._manners.seconds
        for number in itertools.count():
            self._await_leave(until)
            outcome = attempt(until - self._clock())
            if not isinstance(outcome, Setback):
                self._succeeded()
                return outcome
            if current_errand().dropped:
                raise outcome.error
            if not outcome.blame:
                self._succeeded()
                raise outcome.error
            self._answer(outcome, number, until)
            asking_again(outcome.error)
        raise AssertionError("the loop has no end")

    def _enter(self) -> None:
        """Refuse while the host is left alone; after the pause let one probe through and refuse the others."""
        with self._turn:
            left = self._closed_until - self._clock()
            if self._failures >= self._manners.failures:
                if left > 0:
                    raise type(self._last)(
                        f"{self.name} failed {self._failures} times in a row ({self._last}); "
                        f"it is asked again in {_seconds(left)}"
                    )
                self._closed_until = self._clock() + self._manners.pause

    def _await_leave(self, until: float) -> None:
        """Wait for as long as the host asked, if that is before the deadline."""
        with self._turn:
            now, not_before = self._clock(), self._not_before
        if not_before > until:
            raise RateLimited(
                f"{self.name} asks to wait {_seconds(not_before - now)}, longer than a request may take "
                f"({_seconds(self._manners.seconds)}); ask again then, or use another --source"
            )
        if not_before > now:
            self._sleep(not_before - now)

    def _answer(self, setback: Setback, number: int, until: float) -> None:
        """Note when to ask again; raise the error of the setback where that would be too late or of no use."""
        with self._turn:
            now = self._clock()
            if setback.again == "when told" and setback.asked is not None and setback.asked >= FIRST_PAUSE:
                self._not_before = max(self._not_before, now + min(setback.asked, LONGEST_WAIT))
                return
            pause = FIRST_PAUSE * 2**number
            tired = setback.again == "never" or (setback.again == "soon" and number + 1 >= MOST_FAULTS)
            if not tired and now + pause < until:
                self._not_before = max(self._not_before, now + pause)
                return
            self._failures += 1
            self._last = setback.error
            self._closed_until = now + self._manners.pause
        raise setback.error

    def _succeeded(self) -> None:
        with self._turn:
            self._failures, self._closed_until = 0, 0.0


def retry_after(header: str | None) -> float | None:
    """Return the seconds that a Retry-After header asks for, by number or by date; None where it says none.

    Model servers write fractions of a second, which HTTP does not know.
    """
    said = (header or "").strip()
    if _DECIMAL.fullmatch(said):
        return float(said)
    try:
        return float(Retry().parse_retry_after(said)) if said else None
    except (InvalidHeader, ValueError, OverflowError):
        return None


def _seconds(number: float) -> str:
    return f"{number:.0f} s" if number >= 10 else f"{number:.1f} s"
