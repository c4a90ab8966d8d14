"""A replay makes the same trace as the run, byte for byte, and runs no effect."""

import asyncio
import itertools
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import pytest

from heliograph.errors import PageUnavailable, ReplayMiss, StoreDamaged
from heliograph.protocols import Recorder, Vectors
from heliograph.types import Evidence, EvidenceId, Hit, PageKey, Place, Query, Scored, SearchResult, TextEvidence
from memory.trace import (
    Differences,
    ReplayRecorder,
    TraceRecorder,
    compare,
    compare_work,
    load_trace,
    ordered_bytes,
    render_differences,
)


class TickingClock:
    """A clock that is a quarter of a second later at each reading."""

    def __init__(self, start: float = 1000.0) -> None:
        self._readings = itertools.count()
        self._start = start

    def now(self) -> float:
        return self._start + next(self._readings) / 4


PIECE = TextEvidence(
    EvidenceId("wiki:Mars@1#s0/p1"), Place(PageKey("wiki:Mars@1"), "Mars", "s0"), "paragraph", "Mars is red. " * 300
)


class World:
    """Effects of a toy program; each refuses to run when it is replayed."""

    def __init__(self, live: bool = True) -> None:
        self.live = live
        self.calls: list[str] = []

    async def search(self, query: str) -> SearchResult:
        self._ran(f"search {query}")
        await asyncio.sleep(0.001 * (len(query) % 3))
        return SearchResult(Query(query), (Hit(f"{query} #{len(self.calls)}", 1),), 40)

    async def read(self, title: str) -> Scored[Evidence]:
        self._ran(f"read {title}")
        if title == "Nibiru":
            raise PageUnavailable('no page "Nibiru"')
        return Scored(PIECE, 0.25)

    async def embed(self, count: int) -> Vectors:
        self._ran(f"embed {count}")
        return np.arange(count * 384, dtype=np.float32).reshape(count, 384) / 7

    def _ran(self, call: str) -> None:
        if not self.live:
            pytest.fail(f"a replay ran {call}")
        self.calls.append(call)


async def branch(recorder: Recorder, world: World, query: str) -> tuple[object, ...]:
    async with recorder.span("CHAIN", "branch", {"query": query}) as span:
        found = await recorder.effect(
            "RETRIEVER", "search", {"query": query}, SearchResult, lambda: world.search(query)
        )
        begun = recorder.now()
        piece: object
        try:
            piece = await recorder.effect("TOOL", "read", {"title": query}, Scored[Evidence], lambda: world.read(query))
        except PageUnavailable as err:
            piece = str(err)
        span.result({"piece": piece, "began": begun})
    return found, piece, begun


async def program(
    recorder: Recorder, world: World, queries: tuple[str, ...] = ("Mars", "Nibiru", "Mars", "Io")
) -> object:
    """Nest spans, fan out, meet an error, embed, read the clock inside and outside of spans."""
    started = recorder.now()
    async with recorder.span("AGENT", "ask", {"question": "Which?"}) as span:
        branches = await asyncio.gather(*(branch(recorder, world, query) for query in queries))
        vectors = await recorder.effect(
            "EMBEDDING", "embed", {"model": "toy", "texts": queries}, Vectors, lambda: world.embed(len(queries))
        )
        span.result(tuple(branches))
    return branches, vectors.tobytes(), started, recorder.now()


async def record(folder: Path, **options: Any) -> tuple[object, World]:
    world = World()
    recorder = TraceRecorder(folder, "run-1", TickingClock())
    result = await program(recorder, world, **options)
    recorder.close()
    return result, world


async def test_a_replay_returns_the_same_values_and_makes_the_same_bytes(tmp_path: Path) -> None:
    result, world = await record(tmp_path)
    recorder = ReplayRecorder(tmp_path)
    assert len(world.calls) == 9
    assert await program(recorder, World(live=False)) == result
    assert ordered_bytes(recorder.events) == ordered_bytes(load_trace(tmp_path))
    assert compare(load_trace(tmp_path), recorder.events) == Differences()
    assert recorder.run == "run-1"


async def test_a_replay_leaves_the_recorded_run_as_it_was(tmp_path: Path) -> None:
    await record(tmp_path)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    await program(ReplayRecorder(tmp_path), World(live=False))
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before


async def test_two_tasks_with_equal_inputs_get_back_each_its_own_result(tmp_path: Path) -> None:
    async def race(recorder: Recorder, call: Callable[[], Awaitable[int]]) -> list[int]:
        effects = (recorder.effect("TOOL", "draw", {"from": "urn"}, int, call) for _ in range(5))
        return await asyncio.gather(*effects)

    drawn = itertools.count(1)

    async def draw() -> int:
        number = next(drawn)
        await asyncio.sleep(0.001 * (5 - number))
        return number

    async def never() -> NoReturn:
        pytest.fail("a replay drew again")

    recorder = TraceRecorder(tmp_path, "run-1", TickingClock())
    assert await race(recorder, draw) == [1, 2, 3, 4, 5]
    recorder.close()
    assert await race(ReplayRecorder(tmp_path), never) == [1, 2, 3, 4, 5]
    assert len({event.span for event in load_trace(tmp_path)}) == 5


async def test_keys_do_not_depend_on_which_task_is_faster(tmp_path: Path) -> None:
    async def work(recorder: Recorder, delays: dict[str, float]) -> None:
        async def step(name: str) -> None:
            async with recorder.span("CHAIN", name, None):
                await asyncio.sleep(delays[name])
                await recorder.effect("TOOL", "read", {"title": "Mars"}, str, lambda: asyncio.sleep(0, name))
                recorder.now()

        await asyncio.gather(step("left"), step("right"))

    for folder, delays in (("first", {"left": 0, "right": 0.005}), ("second", {"left": 0.005, "right": 0})):
        recorder = TraceRecorder(tmp_path / folder, folder, TickingClock(start=len(folder)))
        await work(recorder, delays)
        recorder.close()
    first, second = load_trace(tmp_path / "first"), load_trace(tmp_path / "second")
    assert [event.output for event in first] != [event.output for event in second]
    assert compare_work(first, second) == Differences()


async def test_what_an_effect_records_below_itself_is_taken_over(tmp_path: Path) -> None:
    async def work(recorder: Recorder, live: bool) -> int:
        async def outer() -> int:
            assert live
            async with recorder.span("CHAIN", "batch", 1):
                return await recorder.effect("EMBEDDING", "embed", "x", int, lambda: asyncio.sleep(0, 3))

        return await recorder.effect("CHAIN", "index", "documents", int, outer)

    recorder = TraceRecorder(tmp_path, "run-1", TickingClock())
    assert await work(recorder, live=True) == 3
    recorder.close()
    replayed = ReplayRecorder(tmp_path)
    assert await work(replayed, live=False) == 3
    assert ordered_bytes(replayed.events) == ordered_bytes(load_trace(tmp_path))
    assert len(replayed.events) == 3


async def test_a_call_that_was_not_recorded_is_a_miss_that_names_it_and_the_nearest_record(tmp_path: Path) -> None:
    await record(tmp_path, queries=("Mars", "Io"))
    with pytest.raises(ReplayMiss) as miss:
        await program(ReplayRecorder(tmp_path), World(live=False), queries=("Mars", "Venus"))
    assert str(miss.value) == (
        'run run-1 holds no call CHAIN branch {"query":"Venus"}; '
        'the first recorded call that differs is CHAIN branch {"query":"Io"}: the settings or the code changed since'
    )


async def test_one_call_more_than_recorded_is_a_miss(tmp_path: Path) -> None:
    await record(tmp_path)
    recorder = ReplayRecorder(tmp_path)
    await program(recorder, World(live=False))
    with pytest.raises(ReplayMiss, match="every recorded call was used"):
        await program(recorder, World(live=False))


async def test_a_line_that_is_gone_is_a_miss_of_its_call(tmp_path: Path) -> None:
    await record(tmp_path)
    trace = tmp_path / "trace.jsonl"
    lines = trace.read_bytes().splitlines(keepends=True)
    trace.write_bytes(b"".join(line for line in lines if b'"name":"embed"' not in line))
    with pytest.raises(ReplayMiss, match=r'holds no call EMBEDDING embed {"model":"toy"'):
        await program(ReplayRecorder(tmp_path), World(live=False))


@pytest.mark.parametrize(
    "damage", [Path.unlink, lambda path: path.write_bytes(b"x"), lambda path: path.write_bytes(OTHER)]
)
async def test_a_missing_or_damaged_blob_is_named(tmp_path: Path, damage: Callable[[Path], object]) -> None:
    await record(tmp_path)
    blobs = sorted((tmp_path / "blobs").iterdir())
    assert len(blobs) == 2
    for blob in blobs:
        damage(blob)
    with pytest.raises(StoreDamaged, match=f"blob .*({blobs[0].name}|{blobs[1].name})"):
        await program(ReplayRecorder(tmp_path), World(live=False))


OTHER = b"x\x9cKLJN\x01\x00\x03\xd8\x01\x8b"


async def test_a_record_of_another_type_than_declared_is_damage(tmp_path: Path) -> None:
    recorder = TraceRecorder(tmp_path, "run-1", TickingClock())
    await recorder.effect("TOOL", "count", None, int, lambda: asyncio.sleep(0, 3))
    recorder.close()
    with pytest.raises(StoreDamaged, match="the record of TOOL count null in run run-1 cannot be read"):
        await ReplayRecorder(tmp_path).effect("TOOL", "count", None, str, lambda: asyncio.sleep(0, ""))


async def test_an_error_that_is_not_ours_cannot_be_replayed_and_says_so(tmp_path: Path) -> None:
    async def broken() -> int:
        raise ZeroDivisionError("by zero")

    recorder = TraceRecorder(tmp_path, "run-1", TickingClock())
    with pytest.raises(ZeroDivisionError):
        await recorder.effect("TOOL", "divide", 1, int, broken)
    recorder.close()
    with pytest.raises(ReplayMiss, match="TOOL divide 1 ended in ZeroDivisionError when it was recorded \\(by zero\\)"):
        await ReplayRecorder(tmp_path).effect("TOOL", "divide", 1, int, broken)


async def test_differences_name_the_first_span_that_changed_the_missing_and_the_extra(tmp_path: Path) -> None:
    await record(tmp_path)
    one, two, *rest = sorted(load_trace(tmp_path), key=lambda event: event.span)
    changed = replace(one, output="other")
    extra = replace(two, span="ffffffffffffffff", name="more")
    found = compare([one, two, *rest], [*rest, extra, changed])
    assert found == Differences(changed=((one, changed),), missing=(two,), extra=(extra,))
    assert not found.same
    lines = render_differences(found).splitlines()
    assert lines[0].startswith(f"~ {one.span} {one.kind} {one.name}: output differ; ")
    assert lines[1:] == [
        f"- {two.span} {two.kind} {two.name}: only in the first",
        f"+ ffffffffffffffff {two.kind} more: only in the second",
    ]


async def test_a_listener_hears_a_replay_as_it_heard_the_run(tmp_path: Path) -> None:
    live, again = [], []
    recorder = TraceRecorder(tmp_path, "run-1", TickingClock(), listener=live.append)
    await program(recorder, World())
    recorder.close()
    await program(ReplayRecorder(tmp_path, listener=again.append), World(live=False))
    assert tuple(live) == load_trace(tmp_path)
    assert ordered_bytes(again) == ordered_bytes(live)
