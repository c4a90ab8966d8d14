"""Budgets, failing sources and bad pages: each ends in an answer from what there is, and is named."""

from collections.abc import Sequence

import pytest

from agent.asking import ask
from agent.services import Limits
from heliograph.errors import SearchUnavailable
from heliograph.types import Document, Indexed, Query, SourceReport, Verdict
from tests.fakes import (
    FakeClock,
    FakeIndex,
    FakePages,
    FakeRecorder,
    FakeReflector,
    FakeSearch,
    key_of,
    make_page,
    make_services,
    paragraph,
)

ALPHA = make_page("Alpha", "Alpha is the first letter.")
BETA = make_page("Beta", "Beta is the second letter.")
GAMMA = make_page("Gamma", "Gamma is the third letter.")
GREEK = (ALPHA, BETA, GAMMA)
FOUND = {"a": ["Alpha"], "b": ["Beta"], "c": ["Gamma"]}
ENOUGH = Verdict(True)


async def test_the_page_budget_bounds_what_is_read_over_all_rounds() -> None:
    found = {"a": ["Alpha", "Beta"], "c": ["Gamma"]}
    services = make_services(GREEK, found, limits=Limits(max_pages=2))
    answer = await ask("Which letters?", services)
    assert (answer.stop_reason, len(answer.rounds)) == ("budget", 1)
    assert answer.rounds[0].documents == (key_of("Alpha"), key_of("Beta"))
    assert not answer.abstained


async def test_a_page_budget_left_over_carries_into_the_next_round() -> None:
    found = {"a": ["Alpha"], "rest": ["Beta", "Gamma"]}
    answer = await ask("Which letters?", make_services(GREEK, found, limits=Limits(max_pages=2)))
    assert [record.documents for record in answer.rounds] == [(key_of("Alpha"),), (key_of("Beta"),)]
    assert answer.stop_reason == "budget"


async def test_the_pages_of_a_round_are_bounded() -> None:
    services = make_services(GREEK, {"all": ["Alpha", "Beta", "Gamma"]}, limits=Limits(rounds=1, pages_per_round=2))
    answer = await ask("Which letters?", services)
    assert answer.rounds[0].documents == (key_of("Alpha"), key_of("Beta"))


async def test_the_time_budget_stops_reading_and_the_answer_comes_from_what_was_read() -> None:
    recorder = FakeRecorder(FakeClock())

    class SlowIndex(FakeIndex):
        async def add(self, documents: Sequence[Document]) -> Indexed:
            recorder.clock.time += 4.0
            return await FakeIndex.add(self, documents)

    services = make_services(
        GREEK,
        {"all": ["Alpha", "Beta", "Gamma"]},
        recorder=recorder,
        index=SlowIndex(),
        limits=Limits(max_seconds=5.0),
    )
    answer = await ask("Which letters?", services)
    assert answer.rounds[0].documents == (key_of("Alpha"), key_of("Beta"))
    assert (answer.stop_reason, answer.seconds) == ("budget", 8.0)
    assert answer.notes == ("out of time after 2 of 3 pages of this round",)
    assert answer.answer == "Alpha is the first letter. [1]"


async def test_a_time_budget_spent_before_the_first_page_abstains_for_that_reason() -> None:
    services = make_services(GREEK, FOUND, recorder=FakeRecorder(FakeClock(step=10.0)), limits=Limits(max_seconds=5.0))
    answer = await ask("Which letter?", services)
    assert (answer.stop_reason, answer.abstained, answer.rounds[0].documents) == ("budget", True, ())


async def test_one_failing_source_is_named_and_the_others_serve() -> None:
    searches = (FakeSearch(FOUND, "sound"), FakeSearch({}, "broken", fault="broken is out of order"))
    services = make_services(GREEK, FOUND, searches=searches, reflector=FakeReflector([ENOUGH]))
    answer = await ask("Which letter?", services)
    assert answer.sources == (
        SourceReport("sound", "ok"),
        SourceReport("broken", "failed", "broken is out of order"),
    )
    assert answer.answer == "Alpha is the first letter. [1]"


async def test_a_source_that_failed_in_one_round_stays_named() -> None:
    class Recovering(FakeSearch):
        async def search(self, query: Query, limit: int):
            self.fault = "was asleep" if query.text == "a" else ""
            return await FakeSearch.search(self, query, limit)

    searches = (FakeSearch(FOUND, "sound"), Recovering(FOUND, "sleepy"))
    answer = await ask("Which letters?", make_services(GREEK, FOUND, searches=searches))
    assert answer.sources == (SourceReport("sound", "ok"), SourceReport("sleepy", "failed", "was asleep"))


async def test_all_sources_failing_is_an_error_and_no_absence_of_answers() -> None:
    searches = (FakeSearch({}, "one", fault="one is cut"), FakeSearch({}, "two", fault="two is gone"))
    with pytest.raises(SearchUnavailable, match=r"^no source could be asked: one is cut; two is gone") as caught:
        await ask("Which letter?", make_services(GREEK, FOUND, searches=searches))
    assert caught.value.exit_code == 5


async def test_sources_failing_after_a_first_round_leave_its_evidence_to_answer_from() -> None:
    class Dying(FakeSearch):
        async def search(self, query: Query, limit: int):
            self.fault = "" if query.text == "a" else "the disk went away"
            return await FakeSearch.search(self, query, limit)

    answer = await ask("Which letters?", make_services(GREEK, FOUND, searches=(Dying(FOUND, "dying"),)))
    assert (answer.answer, answer.stop_reason) == ("Alpha is the first letter. [1]", "no_new_evidence")
    assert answer.sources == (SourceReport("dying", "failed", "the disk went away"),)


async def test_a_hostile_and_a_missing_page_are_named_and_the_others_serve() -> None:
    hostile = make_page("Hostile", html="<div>" * 2000 + "deep" + "</div>" * 2000)
    services = make_services(
        (hostile, BETA), {"all": ["Hostile", "Missing", "Beta"]}, reflector=FakeReflector([ENOUGH])
    )
    answer = await ask("Which letter?", services)
    assert [note.split(",")[0].split(";")[0] for note in answer.notes] == [
        'page "Hostile" of varn has elements nested deeper',
        'no page "Missing"',
    ]
    assert answer.rounds[0].documents == (key_of("Beta"),)
    assert answer.answer == "Beta is the second letter. [1]"


async def test_no_page_is_read_twice_not_even_one_that_could_not_be_read() -> None:
    hostile = make_page("Hostile", html="<div>" * 2000)
    pages = FakePages({"Alpha": ALPHA, "Hostile": hostile, "Beta": BETA})
    everything = ["Alpha", "Hostile", "Missing"]
    found = {"a": everything, "b": [*everything, "Beta"], "c": [*everything, "Beta"]}
    answer = await ask("Which letters?", make_services((), found, pages=pages))
    assert pages.asked == ["Alpha", "Hostile", "Missing", "Beta"]
    assert [record.documents for record in answer.rounds] == [(key_of("Alpha"),), (key_of("Beta"),), ()]


async def test_a_page_found_under_two_titles_is_one_document() -> None:
    pages = FakePages({"Alpha": ALPHA, "First letter": ALPHA})
    services = make_services((), {"a": ["Alpha", "First letter"]}, pages=pages, reflector=FakeReflector([ENOUGH]))
    answer = await ask("Which letter?", services)
    assert answer.rounds[0].documents == (key_of("Alpha"),)
    assert [seen.evidence for seen in answer.evidence] == [paragraph("Alpha")]
