"""The agent for Python callers, on a real archive, model and store."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import aclosing
from dataclasses import replace
from pathlib import Path

import pytest

from eval.offline.dataset import GoldEvidence, GoldQuestion
from heliograph import Heliograph
from heliograph.errors import InvalidQuestion, PageUnavailable, ReplayMiss, StoreDamaged, UsageError
from heliograph.types import (
    Answer,
    Answered,
    Begun,
    Claimed,
    EvidenceFound,
    Planned,
    Progressed,
    Queried,
    Reflected,
    Searched,
    Usage,
    WasRead,
)
from memory.trace import Event, find_run, load_trace, ordered_bytes, read_answer

QUESTION = "Who designed Skerry Head Light?"
QUESTIONS = (
    QUESTION,
    "When was Holm Light first lit?",
    "How many inhabitants has Lille Varn?",
    "Where was Ada Brandt born?",
)
GONE = Usage()


@pytest.fixture
async def heliograph(archive: Path) -> AsyncIterator[Heliograph]:
    async with Heliograph(sources=[f"zim:{archive}"], rounds=2) as opened:
        yield opened


def told(answer: Answer) -> Answer:
    """Return an answer without what depends on the time, the run's name and what the home folder knew before."""
    return replace(answer, run="", seconds=0.0, usage=GONE)


async def test_questions_side_by_side_get_the_answers_that_each_alone_gets(archive: Path, tmp_path: Path) -> None:
    alone = []
    for number, question in enumerate(QUESTIONS):
        async with Heliograph(sources=[f"zim:{archive}"], rounds=2, home=tmp_path / str(number)) as single:
            alone.append(await single.ask(question))
    async with Heliograph(sources=[f"zim:{archive}"], rounds=2, home=tmp_path / "all") as shared:
        together = await asyncio.gather(*map(shared.ask, QUESTIONS))
    assert list(map(told, together)) == list(map(told, alone))
    assert len({answer.run for answer in together}) == len(QUESTIONS)
    for answer in together:
        kept = json.loads(read_answer(find_run(tmp_path / "all", answer.run)) or "")
        assert (kept["run"], kept["question"], kept["answer"]) == (answer.run, answer.question, answer.answer)


async def test_the_graph_of_two_questions_at_once_is_that_of_each_alone(archive: Path, tmp_path: Path) -> None:
    asked = ("Which light stands on the island with 930 inhabitants?", "Which island has 210 inhabitants?")
    alone = []
    for number, question in enumerate(asked):
        async with Heliograph(sources=[f"zim:{archive}"], graph="full", home=tmp_path / str(number)) as single:
            alone.append(await single.ask(question))
    async with Heliograph(sources=[f"zim:{archive}"], graph="full", home=tmp_path / "both") as shared:
        assert [told(answer) for answer in await asyncio.gather(*map(shared.ask, asked))] == list(map(told, alone))


async def test_a_stream_tells_each_step_and_ends_in_the_answer(heliograph: Heliograph) -> None:
    events = [event async for event in heliograph.stream(QUESTION)]
    *before, last = events
    assert isinstance(last, Answered)
    answer = last.answer
    assert events[0] == Begun(answer.run)
    assert not [event for event in before if isinstance(event, Answered)]
    kinds = [type(event) for event in before if not isinstance(event, Progressed)]
    assert kinds == [
        Begun,
        Planned,
        Queried,
        Searched,
        WasRead,
        EvidenceFound,
        Reflected,
        *[Claimed] * len(answer.claims),
    ]
    by_kind = {type(event): event for event in events}
    record = answer.rounds[0]
    queried, searched, read = by_kind[Queried], by_kind[Searched], by_kind[WasRead]
    assert isinstance(queried, Queried) and isinstance(searched, Searched) and isinstance(read, WasRead)
    assert (queried.round, (*queried.queries, *searched.relaxed)) == (1, record.queries)
    assert searched.sources == answer.sources
    assert "Skerry Head Light" in searched.titles
    assert read.documents == record.documents
    found, reflected, claimed = by_kind[EvidenceFound], by_kind[Reflected], by_kind[Claimed]
    assert isinstance(found, EvidenceFound) and isinstance(reflected, Reflected) and isinstance(claimed, Claimed)
    assert {seen.evidence for seen in answer.evidence} <= {seen.evidence for seen in found.evidence}
    assert (reflected.verdict, reflected.stop_reason) == (record.verdict, answer.stop_reason)
    assert (claimed.number, claimed.told.claim) == (len(answer.claims), answer.claims[-1])
    assert " ".join(event.told.sentence for event in events if isinstance(event, Claimed)) == answer.answer
    assert Progressed("writing the answer") in before


async def test_streaming_adds_nothing_to_the_record(heliograph: Heliograph) -> None:
    streamed = [event async for event in heliograph.stream(QUESTION)][-1]
    assert isinstance(streamed, Answered)
    asked = await heliograph.ask(QUESTION)
    again = await heliograph.ask(QUESTION)
    home = heliograph.settings.home
    spans = [{event.span for event in load_trace(find_run(home, answer.run))} for answer in (asked, again)]
    assert {event.span for event in load_trace(find_run(home, streamed.answer.run))} - spans[0] == set()
    assert spans[0] == spans[1]
    assert await heliograph.replay(streamed.answer.run) == streamed.answer


async def test_who_stops_listening_stops_the_run(heliograph: Heliograph) -> None:
    run = ""
    async with aclosing(heliograph.stream(QUESTION)) as events:
        async for event in events:
            if isinstance(event, Begun):
                run = event.run
            if isinstance(event, Queried):
                break
    folder = find_run(heliograph.settings.home, run)
    assert read_answer(folder) is None
    root = load_trace(folder)[-1]
    assert root.name == "ask" and root.error is not None and root.error.type == "CancelledError"
    assert "write_answer" not in {event.name for event in load_trace(folder)}
    finished = await heliograph.resume(run)
    assert told(finished) == told(await heliograph.ask(QUESTION))


async def test_a_stream_raises_what_ended_the_run(heliograph: Heliograph) -> None:
    with pytest.raises(InvalidQuestion, match="the question is empty"):
        _ = [event async for event in heliograph.stream("  ")]


async def test_retrieval_finds_the_evidence_that_the_answer_has(heliograph: Heliograph) -> None:
    found = await heliograph.retrieve(QUESTION)
    answer = await heliograph.ask(QUESTION)
    assert [(each.id, each.modality, each.score, each.round) for each in found] == [
        (seen.evidence, seen.modality, seen.score, seen.round) for seen in answer.evidence
    ]
    assert any("designed by Ada Brandt" in each.text for each in found)
    assert all(each.place.page == each.id.partition("#")[0] for each in found)
    assert len(list((heliograph.settings.home / "runs").iterdir())) == 1


async def test_retrieval_of_named_pages_reads_these_alone(heliograph: Heliograph) -> None:
    found = await heliograph.retrieve(QUESTION, ["Torvik", "Holm Light"])
    assert {each.place.title for each in found} == {"Torvik", "Holm Light"}
    with pytest.raises(PageUnavailable, match="Nowhere"):
        await heliograph.retrieve(QUESTION, ["Nowhere"])
    with pytest.raises(UsageError, match="a title cannot be blank"):
        await heliograph.retrieve(QUESTION, ["Torvik", " "])


async def test_the_graph_joins_a_row_to_the_page_it_links_to(heliograph: Heliograph) -> None:
    edges = await heliograph.retrieve_graph("Which light stands on the island with 930 inhabitants?", limit=3)
    assert len(edges) == 3
    assert "Inhabitants is 930" in edges[0].row_text
    assert edges[0].passage_text.startswith("Skerry Head Light")
    assert [edge.score for edge in edges] == sorted((edge.score for edge in edges), reverse=True)


async def test_pages_indexed_ahead_are_not_embedded_again(heliograph: Heliograph) -> None:
    told: list[str] = []
    first = await heliograph.index(["Torvik", "Holm Light", "Nowhere", "Torvik"], progress=told.append)
    assert [key.partition("@")[0] for key in first.documents] == ["varn:Torvik", "varn:Holm%20Light"]
    assert (first.embedded > 0, first.fetched) == (True, 2)
    assert len(first.notes) == 1 and "Nowhere" in first.notes[0]
    assert told == ["indexing pages 1 to 3 of 3"]
    again = await heliograph.index(["Torvik", "Holm Light"])
    assert (again.documents, again.embedded, again.fetched, again.notes) == (first.documents, 0, 0, ())


async def test_pages_are_searched_and_read(heliograph: Heliograph) -> None:
    found = await heliograph.search("lighthouse Storholm", limit=2)
    assert found.hits[0].title == "Skerry Head Light"
    assert len(found.hits) == 2
    assert [(each.name, each.status) for each in found.sources] == [("zim:varn", "ok")]
    document = await heliograph.read(found.hits[0].title)
    assert [section.title for section in document.sections] == ["Skerry Head Light", "Lamp"]
    with pytest.raises(PageUnavailable):
        await heliograph.read("Nowhere")


async def test_an_evaluation_says_what_was_as_expected(heliograph: Heliograph, tmp_path: Path) -> None:
    gold = GoldEvidence("Skerry Head Light", "text", "designed by Ada Brandt")
    questions = (
        GoldQuestion("a", "text", QUESTION, ("Ada Brandt",), ("Skerry Head Light",), (gold,)),
        GoldQuestion("b", "text", "When was Holm Light first lit?", ("1999",), ("Holm Light",), ()),
    )
    told: list[str] = []
    found = await heliograph.evaluate(questions, told.append)
    assert [outcome.expected for outcome in found.outcomes] == [True, False]
    assert (found.expected, found.outcomes[0].evidence) == (0.5, True)
    assert told == ["a: as expected", "b: not as expected"]
    assert found.table.splitlines()[-1].startswith("| all | 2 | 50.0 | ")
    with pytest.raises(UsageError, match="cannot read questions"):
        await heliograph.evaluate(tmp_path / "none.jsonl")
    with pytest.raises(UsageError, match="there are no questions"):
        await heliograph.evaluate(())


async def test_a_replay_gives_the_answer_and_a_changed_record_is_a_miss(heliograph: Heliograph) -> None:
    answer = await heliograph.ask(QUESTION)
    assert await heliograph.replay(answer.run) == answer
    folder = find_run(heliograph.settings.home, answer.run)
    (folder / "answer.json").write_text("{}\n")
    with pytest.raises(ReplayMiss, match="another answer record"):
        await heliograph.replay(answer.run)
    assert len(ordered_bytes(load_trace(folder))) > 0


async def test_a_run_with_other_settings_is_not_resumed_under_the_questions_of_these(
    archive: Path, tmp_path: Path
) -> None:
    home, source = tmp_path / "home", [f"zim:{archive}"]
    before = {"rounds": 1, "indexing": "text-only"}
    async with Heliograph(sources=source, home=home, **before) as other, aclosing(other.stream(QUESTION)) as events:
        begun = await anext(events)
    assert isinstance(begun, Begun)
    async with Heliograph(sources=source, rounds=2, home=home) as heliograph:
        async with aclosing(heliograph.stream(QUESTION)) as events:
            while not isinstance(await anext(events), Queried):
                pass
            with pytest.raises(UsageError, match="1 questions with other settings are under way"):
                await heliograph.resume(begun.run)
        resumed = await heliograph.resume(begun.run)
        assert (resumed.run, len(resumed.rounds)) == (begun.run, 1)
        assert heliograph.settings.rounds == 2
        assert (await heliograph.ask(QUESTION)).answer == resumed.answer


async def test_a_run_that_is_under_way_is_not_resumed_beside_itself(heliograph: Heliograph) -> None:
    async with aclosing(heliograph.stream(QUESTION)) as events:
        begun = await anext(events)
        assert isinstance(begun, Begun)
        with pytest.raises(UsageError, match=f"the run {begun.run} is under way"):
            await heliograph.resume(begun.run)
        async for event in events:
            last = event
    assert isinstance(last, Answered)
    assert await heliograph.resume(begun.run) == last.answer


async def test_a_run_that_takes_another_way_is_not_resumed_beside_itself(heliograph: Heliograph) -> None:
    asked = await heliograph.ask(QUESTION)
    beside: list[asyncio.Task[Answer]] = []

    def resume_at_once(event: Event) -> None:
        if not beside:
            beside.append(asyncio.ensure_future(heliograph.resume(event.run)))

    answer = await heliograph.branch(asked.run, "reflect", listener=resume_at_once)
    with pytest.raises(UsageError, match=f"the run {answer.run} is under way"):
        await beside[0]
    assert (answer.run == asked.run, answer.answer) == (False, asked.answer)
    assert await heliograph.resume(answer.run) == answer


async def test_another_way_from_a_record_that_lacks_something_leaves_nothing_behind(heliograph: Heliograph) -> None:
    asked = await heliograph.ask(QUESTION)
    runs = heliograph.settings.home / "runs"
    for blob in (runs / asked.run / "blobs").rglob("*"):
        if blob.is_file():
            blob.unlink()
    with pytest.raises(StoreDamaged):
        await heliograph.branch(asked.run, "write_answer")
    assert [each.name for each in runs.iterdir()] == [asked.run]
