"""A trace outlives kills, torn lines, damage and full disks, and says what it cannot read."""

import asyncio
import itertools
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from heliograph.errors import StoreDamaged, StoreError, StoreFull
from heliograph.types import Hit, Query, SearchResult
from memory.trace import TraceRecorder, load_trace
from tests.disks import small_disk


class TickingClock:
    """A clock that is a quarter of a second later at each reading."""

    def __init__(self) -> None:
        self._readings = itertools.count()

    def now(self) -> float:
        return 1000.0 + next(self._readings) / 4


FOUND = SearchResult(Query("mars moons"), (Hit("Mars", 1), Hit("Moons of Mars", 2)), 7)


async def found() -> SearchResult:
    return FOUND


async def a_search(recorder: TraceRecorder) -> None:
    async with recorder.span("AGENT", "ask", {"question": "Which?"}) as span:
        await recorder.effect("RETRIEVER", "search", {"query": "mars moons"}, SearchResult, found)
        span.result("Phobos")


KILLED = """
import asyncio, os, signal, sys
from pathlib import Path
from memory.trace import TraceRecorder

class Clock:
    def now(self): return 1.0

async def run(recorder):
    async with recorder.span("AGENT", "ask", None):
        async with recorder.span("CHAIN", "done", None):
            recorder.now()
        async with recorder.span("CHAIN", "open", None):
            os.kill(os.getpid(), signal.SIGKILL)

asyncio.run(run(TraceRecorder(Path(sys.argv[1]), "run-1", Clock())))
"""


def test_a_kill_loses_the_open_spans_and_no_other(tmp_path: Path) -> None:
    killed = subprocess.run(
        [sys.executable, "-c", KILLED, str(tmp_path)], cwd=Path(__file__).parents[2], timeout=60, check=False
    )
    assert killed.returncode == -signal.SIGKILL
    assert [event.name for event in load_trace(tmp_path)] == ["clock", "done"]


async def test_a_torn_last_line_is_passed_over_and_cut_off_by_the_next_recorder(tmp_path: Path) -> None:
    recorder = TraceRecorder(tmp_path, "run-1", TickingClock())
    await a_search(recorder)
    recorder.close()
    whole, trace = load_trace(tmp_path), tmp_path / "trace.jsonl"
    for cut in (1, 100):
        trace.write_bytes(trace.read_bytes()[:-cut])
        assert load_trace(tmp_path) == whole[:1]
    TraceRecorder(tmp_path, "run-1", TickingClock()).now()
    assert [event.name for event in load_trace(tmp_path)] == ["search", "clock"]


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        (lambda line: b"\x00" * len(line), "no JSON at column 1"),
        (lambda line: b"{}", "not the fields"),
        (lambda line: line[:50], "no JSON"),
        (lambda line: line.replace(b'"RETRIEVER"', b'"ROBOT"', 1), "'ROBOT' is no kind of span"),
        (lambda line: line.replace(b"1000.25", b'"noon"'), "'noon' where seconds belong"),
        (lambda line: line.replace(b'"run-1"', b"1"), "1 where a string belongs"),
        (lambda line: line.replace(b'"error":null', b'"error":"?"'), "where an object belongs"),
        (lambda line: b"\xff" + line, "codec can't decode"),
    ],
)
async def test_a_damaged_line_is_named_by_its_number(tmp_path: Path, damage, reason: str) -> None:
    recorder = TraceRecorder(tmp_path, "run-1", TickingClock())
    await a_search(recorder)
    trace = tmp_path / "trace.jsonl"
    first, second = trace.read_bytes().splitlines()
    trace.write_bytes(b"\n".join([second, damage(first), second, b""]))
    with pytest.raises(StoreDamaged, match=rf"line 2 of .*trace.jsonl is damaged \(.*{reason}"):
        load_trace(tmp_path)


def test_a_run_without_a_trace_says_how_to_find_the_runs(tmp_path: Path) -> None:
    with pytest.raises(StoreDamaged, match=r"no trace at .*; `heliograph trace list`"):
        load_trace(tmp_path)


async def test_a_device_without_space_is_a_full_store(tmp_path: Path) -> None:
    (tmp_path / "trace.jsonl").symlink_to("/dev/full")
    recorder = TraceRecorder(tmp_path, "run-1", TickingClock())
    with pytest.raises(StoreFull, match=r"to write .*trace.jsonl; free some space or set HELIOGRAPH_HOME"):
        recorder.now()


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 64 kB."""
    with small_disk(tmp_path / "disk", "64k") as folder:
        yield folder


async def test_a_full_disk_ends_the_run_and_leaves_whole_lines_and_whole_blobs(disk: Path) -> None:
    recorder = TraceRecorder(disk, "run-1", TickingClock())
    with pytest.raises(StoreFull, match="no space left"):
        await recorder.effect("TOOL", "read", None, bytes, lambda: asyncio.sleep(0, os.urandom(70_000)))
    assert list(disk.glob("blobs/*")) == []
    with pytest.raises(StoreFull, match="no space left"):
        for number in range(1000):
            async with recorder.span("CHAIN", "step", f"{number} " * 100):
                pass
    assert (disk / "trace.jsonl").read_bytes().endswith(b"}\n")
    assert 50 < len(load_trace(disk)) < 200
    recorder.close()


async def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match=r"cannot write .*trace.jsonl: .*; check its permissions"):
        TraceRecorder(tmp_path / "file", "run-1", TickingClock())
    (tmp_path / "blobs").write_text("")
    recorder = TraceRecorder(tmp_path, "run-1", TickingClock())
    with pytest.raises(StoreError, match=r"cannot write .*blobs"):
        recorder.span("CHAIN", "step", "x" * 5000)
