"""A run that was cut anywhere and resumed leaves the record of an undisturbed one, and repeats nothing it recorded."""

import asyncio
import sys
from collections import Counter
from functools import partial
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from heliograph.errors import SearchUnavailable, StoreDamaged
from heliograph.protocols import Recorder
from heliograph.types import SearchResult
from memory.trace import Event, ReplayRecorder, ResumingRecorder, TraceRecorder, load_trace, ordered_bytes, returned
from memory.trace.resume import ContinuedClock
from tests.memory.test_replay import TickingClock, World, program

CALLS = {"search": "query", "read": "title", "embed": "texts"}
"""The effects of the program, and what each is about."""


class Whole(NamedTuple):
    """A run that was not disturbed: its trace, its blobs, its result and its effects."""

    trace: bytes
    blobs: Path
    result: object
    effects: list[str]

    def __repr__(self) -> str:
        return "the whole run"


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Whole:
    """Record a program once: its trace, its blobs, its result and its effects."""
    folder, world = tmp_path_factory.mktemp("whole"), World()
    with TraceRecorder(folder, "run-1", TickingClock()) as recorder:
        result = asyncio.run(program(recorder, world))
    return Whole((folder / "trace.jsonl").read_bytes(), folder / "blobs", result, world.calls)


def call(event: Event) -> str:
    """Name a recorded effect as the world does."""
    given = event.input
    assert isinstance(given, dict)
    about = given[CALLS[event.name]]
    return f"{event.name} {len(about) if isinstance(about, list) else about}"


@given(cut=st.floats(0, 1))
@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_run_cut_at_any_byte_goes_on_from_there(
    whole: Whole, tmp_path_factory: pytest.TempPathFactory, cut: float
) -> None:
    trace, blobs, result, effects = whole
    folder, world = tmp_path_factory.mktemp("cut"), World()
    (folder / "blobs").symlink_to(blobs)
    (folder / "trace.jsonl").write_bytes(trace[: round(cut * len(trace))])
    before = [event.span for event in load_trace(folder)]
    with ResumingRecorder(folder, "run-1", TickingClock(5000.0)) as recorder:
        resumed = asyncio.run(program(recorder, world))
    after = [event.span for event in load_trace(folder)]
    assert after[: len(before)] == before
    assert len(set(after)) == len(after)
    told = Counter(call(event) for event in recorder.record.events.values() if event.name in CALLS)
    assert Counter(world.calls) == Counter(effects) - told
    assert set(after) == {event.span for event in load_trace(blobs.parent)}
    assert [type(part) for part in resumed] == [type(part) for part in result]  # type: ignore[attr-defined, call-overload]


def test_a_run_cut_just_before_the_end_of_a_line_writes_no_span_twice(
    whole: Whole, tmp_path_factory: pytest.TempPathFactory
) -> None:
    trace, blobs, *_ = whole
    ends = [place for place, byte in enumerate(trace) if byte == ord("\n")]
    for end in ends:
        folder = tmp_path_factory.mktemp("cut")
        (folder / "blobs").symlink_to(blobs)
        (folder / "trace.jsonl").write_bytes(trace[:end])
        with ResumingRecorder(folder, "run-1", TickingClock(5000.0)) as recorder:
            asyncio.run(program(recorder, World()))
        assert max(Counter(event.span for event in load_trace(folder)).values()) == 1


async def test_a_resumed_run_can_be_replayed(whole: Whole, tmp_path: Path) -> None:
    trace, blobs, _, _ = whole
    (tmp_path / "blobs").symlink_to(blobs)
    (tmp_path / "trace.jsonl").write_bytes(trace[: len(trace) // 2])
    with ResumingRecorder(tmp_path, "run-1", TickingClock(5000.0)) as recorder:
        resumed = await program(recorder, World())
    replayed = ReplayRecorder(tmp_path)
    assert await program(replayed, World(live=False)) == resumed
    assert ordered_bytes(replayed.events) == ordered_bytes(load_trace(tmp_path))


def test_no_time_passes_between_the_two_processes() -> None:
    clock = ContinuedClock(TickingClock(5000.0), 1234.5)
    assert [clock.now(), clock.now()] == [1234.75, 1235.0]


async def failing(recorder: Recorder, world: World, down: bool) -> SearchResult:
    """Search twice, the second time at a server that may be down."""

    async def second() -> SearchResult:
        if down:
            raise SearchUnavailable("the server is down")
        return await world.search("Io")

    async with recorder.span("AGENT", "ask", {}):
        await recorder.effect("RETRIEVER", "search", {"query": "Mars"}, SearchResult, lambda: world.search("Mars"))
        return await recorder.effect("RETRIEVER", "search", {"query": "Io"}, SearchResult, second)


async def test_what_a_run_failed_by_may_succeed_when_it_is_resumed(tmp_path: Path) -> None:
    world = World()
    with TraceRecorder(tmp_path, "run-1", TickingClock()) as recorder, pytest.raises(SearchUnavailable):
        await failing(recorder, world, down=True)
    with ResumingRecorder(tmp_path, "run-1", TickingClock()) as recorder:
        await failing(recorder, world, down=False)
    assert world.calls == ["search Mars", "search Io"]
    assert [(event.name, event.error) for event in load_trace(tmp_path)] == [
        ("search", None),
        ("search", None),
        ("ask", None),
    ]


reads: list[str] = []
"""Traces opened for reading, which an audit hook sees."""


def _note_reading(event: str, given: tuple[object, ...]) -> None:
    if event == "open" and str(given[0]).endswith("trace.jsonl") and str(given[1]).startswith("r"):
        reads.append(str(given[0]))


sys.addaudithook(_note_reading)


async def test_the_trace_is_read_once_when_a_run_is_resumed(tmp_path: Path) -> None:
    with TraceRecorder(tmp_path, "run-1", TickingClock()) as recorder, pytest.raises(SearchUnavailable):
        await failing(recorder, World(), down=True)
    reads.clear()
    with ResumingRecorder(tmp_path, "run-1", TickingClock()):
        assert reads == [str(tmp_path / "trace.jsonl")]


async def test_what_a_run_came_to_is_read_from_its_last_event(tmp_path: Path) -> None:
    with TraceRecorder(tmp_path, "run-1", TickingClock()) as recorder:
        assert returned(tmp_path, SearchResult) is None
        async with recorder.span("AGENT", "ask", {}) as span:
            found = await World().search("Io")
            recorder.now()
            assert returned(tmp_path, SearchResult) is None
            span.result(found)
    assert returned(tmp_path, SearchResult) == found
    trace = tmp_path / "trace.jsonl"
    trace.write_bytes(trace.read_bytes().replace(b'"kind":"TOOL"', b'"kind":"TOOX"'))
    with pytest.raises(StoreDamaged, match="line 1 of"):
        load_trace(tmp_path)
    assert returned(tmp_path, SearchResult) == found


async def test_a_run_that_failed_came_to_nothing(tmp_path: Path) -> None:
    with TraceRecorder(tmp_path, "run-1", TickingClock()) as recorder, pytest.raises(SearchUnavailable):
        await failing(recorder, World(), down=True)
    assert returned(tmp_path, SearchResult) is None
    assert returned(tmp_path / "no run", SearchResult) is None


async def test_what_failed_or_was_cancelled_below_a_failed_step_happens_anew(tmp_path: Path) -> None:
    world = World()

    async def program(recorder: Recorder, down: bool) -> None:
        async def search(query: str) -> SearchResult:
            if down:
                raise SearchUnavailable(f"no way to {query}")
            return await world.search(query)

        async with recorder.span("AGENT", "ask", {}), recorder.span("TOOL", "step", {}):
            for query in ("Mars", "Io"):
                given = {"query": query}
                try:
                    await recorder.effect("RETRIEVER", "search", given, SearchResult, partial(search, query))
                except SearchUnavailable:
                    continue
            if down:
                raise SearchUnavailable("no source could be asked")

    with TraceRecorder(tmp_path, "run-1", TickingClock()) as recorder, pytest.raises(SearchUnavailable):
        await program(recorder, down=True)
    with ResumingRecorder(tmp_path, "run-1", TickingClock()) as recorder:
        await program(recorder, down=False)
    assert world.calls == ["search Mars", "search Io"]
    assert [event.error for event in load_trace(tmp_path)] == [None] * 4
