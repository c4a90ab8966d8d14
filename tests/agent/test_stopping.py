"""A run stops for the first reason that holds: sufficient, budget, rounds, nothing new."""

import pytest

from agent.services import Limits
from agent.state import State
from agent.stopping import refuse_silence, stop_reason
from heliograph.errors import SearchUnavailable
from heliograph.types import NeedVerdict, Observation, SourceReport, Verdict
from tests.fakes import FakeClock, FakeRecorder, key_of, make_services, paragraph

ENOUGH, LACKING = Verdict(True), Verdict(False, ("more",))
GIVEN_UP = Verdict(False, ("more",), needs=(NeedVerdict(0, False),))
FIRST = Observation(paragraph("A"), "text", 0.5, 1)
SECOND = Observation(paragraph("B"), "text", 0.5, 2)
AGAIN = Observation(paragraph("A"), "text", 0.9, 2)


def state(round: int, *observations: Observation, pages: int = 1) -> State:
    documents = tuple(key_of(f"P{n}") for n in range(pages))
    return State(question="?", started=1000.0, round=round, observations=observations, documents=documents)


@pytest.mark.parametrize(
    ("now", "verdict", "limits", "reason"),
    [
        (state(1, FIRST), ENOUGH, Limits(rounds=1, max_pages=1), "sufficient"),
        (state(1, FIRST, pages=2), LACKING, Limits(max_pages=2), "budget"),
        (state(1, FIRST, pages=1), LACKING, Limits(max_pages=2), None),
        (state(1, FIRST), LACKING, Limits(max_seconds=60.0), "budget"),
        (state(1, FIRST), LACKING, Limits(max_seconds=61.0), None),
        (state(1), LACKING, Limits(), None),
        (state(1), LACKING, Limits(rounds=1), "nothing_found"),
        (state(1, FIRST), LACKING, Limits(rounds=1), "rounds_exhausted"),
        (state(2, FIRST, SECOND), LACKING, Limits(), None),
        (state(2, FIRST, AGAIN), LACKING, Limits(), "no_new_evidence"),
        (state(2, FIRST), LACKING, Limits(), "no_new_evidence"),
        (state(2), LACKING, Limits(), "nothing_found"),
        (state(3, FIRST, SECOND), LACKING, Limits(), "rounds_exhausted"),
        (state(1, FIRST), GIVEN_UP, Limits(), None),
        (state(2, FIRST, SECOND), GIVEN_UP, Limits(), "given_up"),
        (state(3, FIRST, SECOND), GIVEN_UP, Limits(), "rounds_exhausted"),
    ],
)
def test_the_first_reason_that_holds_is_given(now: State, verdict: Verdict, limits: Limits, reason: str | None) -> None:
    services = make_services((), {}, recorder=FakeRecorder(FakeClock(1060.0)), limits=limits)
    assert stop_reason(now, verdict, services) == reason


@pytest.mark.parametrize("statuses", [["ok"], ["empty"], ["failed", "empty"], ["rate_limited", "ok"]])
def test_one_source_that_could_be_asked_is_enough(statuses: list[str]) -> None:
    refuse_silence(state(1), [SourceReport("s", status) for status in statuses])


def test_silence_of_all_sources_is_an_error_unless_something_is_known() -> None:
    reports = [SourceReport("a", "failed", "a is cut"), SourceReport("b", "rate_limited", "b is busy")]
    refuse_silence(state(2, FIRST), reports)
    with pytest.raises(SearchUnavailable, match=r"^no source could be asked: a is cut; b is busy$"):
        refuse_silence(state(1), reports)


def test_a_page_budget_leaves_what_is_left_and_never_less_than_nothing() -> None:
    assert Limits(pages_per_round=10).pages_left(25) == 10
    assert [Limits(pages_per_round=10, max_pages=12).pages_left(read) for read in (0, 5, 12, 13)] == [10, 7, 0, 0]
