"""Waiting, giving up, and leaving a host alone, by a clock that moves only when somebody sleeps."""

from contextlib import suppress
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heliograph.errors import PageUnavailable, RateLimited, SearchUnavailable
from heliograph.retrying import hearing
from tests.fakes import FakeClock
from tools.errands import Errands
from tools.politeness import Host, Manners, Setback, retry_after

BUSY = Setback(RateLimited("busy"), "when told")
BROKEN = Setback(SearchUnavailable("broken"), "soon")
SILENT = Setback(SearchUnavailable("silent"), "never")


class Script:
    """A host that answers as written, then well; it notes when it was asked and how much time was left."""

    def __init__(self, *outcomes: Setback) -> None:
        self.clock = FakeClock(0.0)
        self.outcomes = list(outcomes)
        self.asked: list[float] = []
        self.left: list[float] = []
        self.host = Host("the.wiki", Manners(), self.clock.now, self._sleep)

    def _sleep(self, seconds: float) -> None:
        self.clock.time += seconds

    def _attempt(self, left: float) -> str | Setback:
        self.asked.append(self.clock.now())
        self.left.append(left)
        return self.outcomes.pop(0) if self.outcomes else "well"

    def call(self) -> str:
        return self.host.call(self._attempt)


def told(seconds: float) -> Setback:
    return Setback(RateLimited("busy"), "when told", seconds)


def test_a_good_answer_is_handed_over_with_no_wait() -> None:
    script = Script()
    assert script.call() == "well"
    assert (script.asked, script.left) == ([0.0], [30.0])


def test_the_wait_that_a_host_names_is_kept_to_the_second() -> None:
    script = Script(told(7), told(5))
    assert script.call() == "well"
    assert (script.asked, script.left) == ([0.0, 7.0, 12.0], [30.0, 23.0, 18.0])


def test_a_wait_longer_than_the_deadline_fails_at_once_and_is_named() -> None:
    script = Script(told(120))
    with pytest.raises(RateLimited, match=r"the\.wiki asks to wait 120 s, longer than a request may take \(30 s\)"):
        script.call()
    assert script.clock.now() == 0.0


def test_until_a_long_wait_is_over_nothing_is_asked() -> None:
    script = Script(told(120))
    for passed, left in ((0, 120), (50, 70)):
        script.clock.time = passed
        with pytest.raises(RateLimited, match=f"asks to wait {left} s"):
            script.call()
    script.clock.time = 100
    assert script.call() == "well"
    assert script.asked == [0.0, 120.0]


def test_without_a_named_wait_the_pauses_double_until_the_deadline() -> None:
    script = Script(*[BUSY] * 9)
    with pytest.raises(RateLimited, match="busy"):
        script.call()
    assert script.asked == [0.0, 1.0, 3.0, 7.0, 15.0]


def test_a_host_that_breaks_is_asked_three_times() -> None:
    script = Script(*[BROKEN] * 9)
    with pytest.raises(SearchUnavailable, match="broken"):
        script.call()
    assert script.asked == [0.0, 1.0, 3.0]


def test_a_wait_of_no_time_does_not_become_a_storm() -> None:
    script = Script(*[told(0)] * 50)
    with pytest.raises(RateLimited):
        script.call()
    assert len(script.asked) == 5


def test_after_three_failures_a_host_is_left_alone_and_then_probed_once() -> None:
    script = Script(*[SILENT] * 4)
    for _ in range(3):
        with pytest.raises(SearchUnavailable, match=r"^silent$"):
            script.call()
    said = r"the\.wiki failed 3 times in a row \(silent\); it is asked again in 60 s"
    with pytest.raises(SearchUnavailable, match=said):
        script.call()
    assert len(script.asked) == 3
    script.clock.time += 60
    with pytest.raises(SearchUnavailable, match=r"^silent$"):
        script.call()
    with pytest.raises(SearchUnavailable, match="failed 4 times in a row"):
        script.call()
    script.clock.time += 60
    assert [script.call(), script.call()] == ["well", "well"]


def test_while_a_probe_is_under_way_nobody_else_gets_through() -> None:
    script = Script(*[SILENT] * 3)
    for _ in range(3):
        with pytest.raises(SearchUnavailable):
            script.call()
    script.clock.time += 60

    def probe(_left: float) -> str:
        with pytest.raises(SearchUnavailable, match="in a row"):
            script.call()
        return "well"

    assert script.host.call(probe) == "well"


def test_a_page_that_is_too_long_is_no_fault_of_the_host() -> None:
    script = Script(SILENT, SILENT, Setback(PageUnavailable("too long"), "never", blame=False), SILENT, SILENT)
    for said in ("silent", "silent", "too long", "silent", "silent"):
        with pytest.raises(SearchUnavailable, match=said):
            script.call()
    assert script.call() == "well"


def test_a_success_between_failures_starts_the_count_again() -> None:
    script = Script(SILENT, SILENT)
    for _ in range(2):
        with pytest.raises(SearchUnavailable):
            script.call()
    assert script.call() == "well"
    script.outcomes = [SILENT, SILENT]
    for _ in range(2):
        with pytest.raises(SearchUnavailable, match=r"^silent$"):
            script.call()
    assert script.call() == "well"


def test_a_retry_after_is_read_as_seconds_or_as_a_date() -> None:
    assert [retry_after(text) for text in ("7", " 12 ", "0.5", "0", "soon", "", None, "-3")] == [
        7,
        12,
        0.5,
        0,
        None,
        None,
        None,
        None,
    ]
    date = format_datetime(datetime.now(UTC) + timedelta(seconds=50), usegmt=True)
    asked = retry_after(date)
    assert asked is not None and 45 < asked <= 50
    assert retry_after("Sun, 06 Nov 1994 08:49:37 GMT") == 0


@given(st.text(max_size=40))
def test_no_retry_after_is_negative_or_breaks(text: str) -> None:
    asked = retry_after(text)
    assert asked is None or asked >= 0


@given(st.lists(st.sampled_from([BUSY, BROKEN, SILENT, told(1), told(9), told(29), told(31)]), max_size=12))
def test_no_call_takes_longer_than_its_deadline(outcomes: list[Setback]) -> None:
    script = Script(*outcomes)
    for _ in range(4):
        began = script.clock.now()
        with suppress(SearchUnavailable):
            assert script.call() == "well"
        assert script.clock.now() - began <= 30


def test_every_try_after_the_first_says_why() -> None:
    heard: list[str] = []
    script = Script(BROKEN, told(2))
    with hearing(heard):
        assert script.call() == "well"
    assert heard == ["SearchUnavailable: broken", "RateLimited: busy"]


async def test_tries_in_the_thread_of_an_errand_are_heard_by_who_sent_it() -> None:
    heard: list[str] = []
    errands = Errands(1, "test")
    with hearing(heard):
        assert await errands.run(Script(BROKEN).call) == "well"
    errands.close()
    assert heard == ["SearchUnavailable: broken"]
