"""Past questions in a run, on fakes: they change what is looked for, and nothing of theirs is cited or said."""

import json
from pathlib import Path
from typing import Any

import pytest

from agent.asking import ask
from agent.remembering import HELD_LEAVES
from agent.services import Limits, Services
from heliograph.errors import SearchUnavailable
from heliograph.types import Answer, AskedQuery, Episode, HeldPage, Hit, LikeEpisode, Query, Recollection, Verdict
from memory.episodes_recorded import RecordedMemory
from memory.trace import ReplayRecorder, ResumingRecorder, TraceRecorder, compare, load_trace
from tests.episodes import FakeMemory
from tests.fakes import WIKI, FakeClock, FakeReflector, FakeRewriter, FakeSearch, key_of, make_page, make_services

ALPHA = make_page("Alpha", "Alpha is the first letter.")
BETA = make_page("Beta", "Beta is the second letter.")
GAMMA = make_page("Gamma", "Gamma is the third letter.")
GREEK = (ALPHA, BETA, GAMMA)
FOUND = {"a": ["Alpha"], "b": ["Beta"], "c": ["Gamma"]}
ENOUGH, LACKING = Verdict(True), Verdict(False, missing=("the rest",))
LIKE = (LikeEpisode("run-0", 0.9),)
SECRET = "Zanzibar"
"""Stands in what is remembered and on no page."""


def hits(*titles: str) -> tuple[Hit, ...]:
    return tuple(Hit(title, rank, WIKI) for rank, title in enumerate(titles, start=1))


async def answered(memory: FakeMemory, *verdicts: Verdict, **parts: Any) -> tuple[Answer, Services]:
    parts.setdefault("reflector", FakeReflector(verdicts or (LACKING,)))
    services = make_services(GREEK, FOUND, memory=memory, **parts)
    return await ask("Which letters?", services), services


def read(answer: Answer) -> list[tuple[str, ...]]:
    return [record.documents for record in answer.rounds]


async def test_pages_of_past_questions_are_chosen_among_those_found_and_count_as_such() -> None:
    memory = FakeMemory(Recollection(LIKE, pages=hits("Gamma")))
    answer, _ = await answered(memory, LACKING, limits=Limits(rounds=1))
    assert read(answer) == [(key_of("Gamma"), key_of("Alpha"))]
    answer, _ = await answered(memory, LACKING, limits=Limits(rounds=1, pages_per_round=1))
    assert read(answer) == [(key_of("Gamma"),)]
    answer, _ = await answered(memory, LACKING, limits=Limits(rounds=3, max_pages=2))
    assert read(answer) == [(key_of("Gamma"), key_of("Alpha"))]


async def test_queries_that_are_known_to_find_nothing_are_left_out_unless_none_would_remain() -> None:
    memory = FakeMemory(Recollection(LIKE, barren=(Query("a"), Query("c"))))
    rewriter = FakeRewriter([["a", "b"], ["c"]])
    answer, _ = await answered(memory, rewriter=rewriter)
    assert [record.queries for record in answer.rounds] == [("b",), ("c",)]


async def test_a_question_known_in_full_is_asked_by_its_best_queries_and_without_another_round() -> None:
    memory = FakeMemory(Recollection(LIKE, (Query("b"),), pages=hits("Beta", "Gamma"), repeats=True))
    rewriter = FakeRewriter([["a"]])
    answer, services = await answered(memory, LACKING, rewriter=rewriter)
    (search,) = services.searches
    assert isinstance(search, FakeSearch)
    assert (search.asked, rewriter.memories) == (["b"], [])
    assert (read(answer), answer.stop_reason) == ([(key_of("Beta"), key_of("Gamma"))], "no_new_evidence")


async def test_of_a_known_question_only_the_pages_that_held_its_evidence_are_read() -> None:
    memory = FakeMemory(Recollection(LIKE, (Query("a"),), pages=hits("Beta"), repeats=True))
    answer, _ = await answered(memory, LACKING)
    assert (read(answer), answer.stop_reason) == ([(key_of("Beta"),)], "no_new_evidence")


async def test_pages_of_a_known_question_that_fill_more_than_a_round_are_proposed_among_others() -> None:
    memory = FakeMemory(Recollection(LIKE, (Query("a"),), pages=hits("Beta", "Gamma"), repeats=True))
    answer, _ = await answered(memory, LACKING, limits=Limits(rounds=2, pages_per_round=1))
    assert [record.queries for record in answer.rounds] == [("a",), ("b",)]
    assert read(answer) == [(key_of("Beta"),), (key_of("Gamma"),)]


async def test_where_a_page_of_a_known_question_is_gone_the_rounds_begin_anew() -> None:
    memory = FakeMemory(Recollection(LIKE, (Query("b"),), pages=hits("Beta", "Delta"), repeats=True))
    rewriter = FakeRewriter([["a"], ["c"]])
    answer, _ = await answered(memory, LACKING, rewriter=rewriter)
    assert read(answer) == [(key_of("Beta"),), (key_of("Alpha"),)] + [()] * (len(answer.rounds) - 2)
    assert rewriter.memories[0] == ()
    assert 'no page "Delta"' in answer.notes


async def test_nothing_of_a_memory_is_cited_or_said() -> None:
    memory = FakeMemory(
        Recollection((LikeEpisode(SECRET, 0.9),), (Query(SECRET),), (Query(f"no {SECRET}"),), hits(SECRET, "Beta"))
    )
    answer, _ = await answered(memory, ENOUGH)
    assert SECRET not in answer.answer
    assert {cited.title for cited in answer.citations} <= {"Alpha", "Beta"}
    assert {seen.evidence.partition("#")[0] for seen in answer.evidence} <= {key_of("Alpha"), key_of("Beta")}


async def test_a_run_that_has_ended_is_remembered_by_queries_titles_numbers_and_verdicts() -> None:
    memory = FakeMemory()
    await answered(memory, LACKING, ENOUGH, rewriter=FakeRewriter([["a", "nothing"], ["b"]]))
    assert memory.kept == [
        Episode(
            run="run-1",
            question="Which letters?",
            asked=1000.0,
            stop_reason="sufficient",
            abstained=False,
            sufficient=(False, True),
            verdicts=("supported",),
            queries=(AskedQuery("a", 1, 1), AskedQuery("nothing", 0, 0), AskedQuery("b", 1, 1)),
            pages=(HeldPage(WIKI, "Alpha", 1, 1), HeldPage(WIKI, "Beta", 1, 0)),
        )
    ]


async def test_a_page_that_a_source_made_for_a_question_is_not_remembered() -> None:
    memory = FakeMemory()
    made = FakeSearch({"a": ["Alpha", "Beta"]}, answers={"Alpha": 0.9})
    await answered(memory, ENOUGH, searches=[made], rewriter=FakeRewriter([["a"]]))
    (episode,) = memory.kept
    assert [page.title for page in episode.pages] == ["Beta"]


async def test_pages_whose_pieces_stand_far_down_in_the_final_evidence_are_not_remembered_to_have_held_it() -> None:
    pages = [make_page(f"Letter {number:02}", f"This is letter {number}.") for number in range(12)]
    memory = FakeMemory()
    found = {"all": [page.title for page in pages]}
    answer = await ask("Which letters?", make_services(pages, found, memory=memory, limits=Limits(pages_per_round=12)))
    assert len(answer.evidence) == len(pages)
    assert [page.title for page in memory.kept[0].pages] == [page.title for page in pages[:HELD_LEAVES]]


async def test_a_query_that_a_failed_source_could_not_answer_is_not_known_to_find_nothing() -> None:
    memory = FakeMemory()
    searches = (FakeSearch(FOUND), FakeSearch({}, "other", fault="down"))
    await answered(memory, ENOUGH, rewriter=FakeRewriter([["a", "nothing"]]), searches=searches)
    assert [query.text for query in memory.kept[0].queries] == ["a"]


async def test_what_was_found_by_memory_alone_is_not_known_in_full() -> None:
    memory = FakeMemory(Recollection(LIKE, (Query("b"),), pages=hits("Beta"), repeats=True))
    await answered(memory, LACKING)
    assert memory.kept[0].complete is False


async def test_a_memory_that_cannot_be_read_or_written_costs_no_answer_and_is_named() -> None:
    told: list[str] = []
    answer, _ = await answered(FakeMemory(fault="torn; remove it"), ENOUGH, progress=told.append)
    assert answer.answer == "Alpha is the first letter. [1]"
    assert answer.notes == ("past questions were not consulted: torn; remove it",)
    assert told[-1] == "this question is not remembered: torn; remove it"


async def test_a_run_that_fails_is_not_remembered() -> None:
    memory = FakeMemory()
    with pytest.raises(SearchUnavailable, match="down"):
        await answered(memory, searches=(FakeSearch({}, fault="down"),))
    assert memory.kept == []


@pytest.mark.parametrize("fault", ["", "torn"])
async def test_what_a_memory_did_is_recorded_and_a_replay_needs_none(tmp_path: Path, fault: str) -> None:
    memory = FakeMemory(Recollection(LIKE, (Query("b"),), (Query("a"),), hits("Gamma")), fault)

    def services(recorder: Any, remembered: FakeMemory) -> Services:
        return make_services(GREEK, FOUND, recorder=recorder, memory=RecordedMemory(remembered, recorder))

    recorder = TraceRecorder(tmp_path, "run-1", FakeClock(step=0.5))
    answer = await ask("Which letters?", services(recorder, memory))
    recorder.close()
    never = FakeMemory(fault="a replay opened the memory")
    replayed = ReplayRecorder(tmp_path)
    assert await ask("Which letters?", services(replayed, never)) == answer
    assert compare(load_trace(tmp_path), replayed.events).same
    assert [event.name for event in replayed.events if event.name in ("recollect", "remember")] == [
        "recollect",
        "remember",
    ]


@pytest.mark.parametrize(("cut_before", "kept"), [("remember", 1), ("", 0)])
async def test_a_resumed_run_is_remembered_once(tmp_path: Path, cut_before: str, kept: int) -> None:
    def services(recorder: Any, memory: FakeMemory) -> Services:
        return make_services(GREEK, FOUND, recorder=recorder, memory=RecordedMemory(memory, recorder))

    first = FakeMemory(Recollection(LIKE, (), (Query("a"),), hits("Gamma")))
    recorder = TraceRecorder(tmp_path, "run-1", FakeClock(step=0.5))
    answer = await ask("Which letters?", services(recorder, first))
    recorder.close()
    trace = tmp_path / "trace.jsonl"
    lines = trace.read_text().splitlines(keepends=True)
    names = [json.loads(line)["name"] for line in lines]
    end = names.index(cut_before) if cut_before else -1  # the span around the run is open in any case
    trace.write_text("".join(lines[:end]))
    again = FakeMemory(fault="" if kept else "nothing is to be kept")
    resuming = ResumingRecorder(tmp_path, "run-1", FakeClock(step=0.5))
    resumed = await ask("Which letters?", services(resuming, again))
    resuming.close()
    assert (resumed.answer, resumed.rounds) == (answer.answer, answer.rounds)
    assert again.kept == first.kept[:kept]


async def test_without_a_memory_a_run_records_what_it_always_did() -> None:
    services = make_services(GREEK, FOUND, reflector=FakeReflector([ENOUGH]))
    await ask("Which letters?", services)
    spans = {span.name: span.output for span in services.recorder.spans}  # type: ignore[attr-defined]
    assert spans["recall"] == {"round": 0, "recalled": (), "documents": (), "observations": ()}
