"""Progress: now and then, with rate and time left, and always at the end."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexers.pace import EVERY, Pace, span


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_progress_has_a_rate_and_the_time_that_is_left() -> None:
    clock, said = Clock(), list[str]()
    pace = Pace("nodes", 1000, said.append, clock)
    for seconds, done in ((1, 50), (10, 500), (11, 550), (20, 1000)):
        clock.now = 100 + seconds
        pace.done(done)
    assert said == ["nodes: 500 of 1,000, 50.0 a second, 10 s left", "nodes: 1,000 of 1,000, 50.0 a second"]


@given(st.lists(st.floats(0, 3), min_size=1, max_size=50))
def test_lines_are_apart_and_the_end_is_told(waits: list[float]) -> None:
    clock, said = Clock(), list[float]()
    pace = Pace("steps", len(waits), lambda _: said.append(clock.now), clock)
    for done, wait in enumerate(waits, start=1):
        clock.now += wait
        pace.done(done)
    assert said[-1] == clock.now
    assert all(later - before >= EVERY for before, later in pairwise(said[:-1]))


@pytest.mark.parametrize(
    ("seconds", "text"), [(0.4, "0 s"), (99, "99 s"), (100, "2 min"), (3600, "60 min"), (11_100, "3 h 05 min")]
)
def test_a_stretch_of_time_is_said_as_people_say_it(seconds: float, text: str) -> None:
    assert span(seconds) == text
