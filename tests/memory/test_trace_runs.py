"""The folder of a run is complete from its first instant, and runs are listed and drawn for people."""

import asyncio
import itertools
import json
from dataclasses import replace
from pathlib import Path

import pytest

from heliograph.errors import HeliographError, PageUnavailable, StoreDamaged, StoreError, UnknownName
from heliograph.types import EvidenceId, Hit, Page, Query, Scored, SearchResult, Verdict
from memory.recorded import PageRead
from memory.trace import (
    COLOURED,
    Manifest,
    RunSummary,
    TraceRecorder,
    find_run,
    list_runs,
    load_trace,
    new_manifest,
    new_run_folder,
    new_run_id,
    open_run,
    read_answer,
    read_manifest,
    render_list,
    render_tree,
    write_answer,
    write_manifest,
)


class TickingClock:
    """A clock that is a quarter of a second later at each reading."""

    def __init__(self, start: float = 1000.0) -> None:
        self._readings = itertools.count()
        self._start = start

    def now(self) -> float:
        return self._start + next(self._readings) / 4


ANSWER = json.dumps({"answer": "Phobos", "abstained": False, "stop_reason": "sufficient", "seconds": 1.5})


def test_a_run_has_its_manifest_before_its_first_step_and_no_secrets_in_it(tmp_path: Path) -> None:
    settings = {"rounds": 3, "llm": {"api_key": "k1", "base_url": "http://u:hunter2@host"}, "long": "x" * 5000}
    clock = TickingClock()
    begun = new_manifest("Which?", settings, "0.1.0", clock, earlier=[EvidenceId("w:Mars@1#s0/p1")], embedder="model")
    with open_run(tmp_path, begun, clock, secrets=["hunter2"]) as recorder:
        kept = {"rounds": 3, "llm": {"api_key": "***", "base_url": "http://u:***@host"}, "long": "x" * 5000}
        assert read_manifest(recorder.folder) == replace(begun, settings=kept)
        assert recorder.run == begun.run
        assert recorder.folder == tmp_path / "runs" / recorder.run
        assert (begun.started, recorder.now()) == (1000.0, 1000.25)
    assert [event.run for event in load_trace(recorder.folder)] == [recorder.run]


def test_names_of_runs_sort_by_time_and_differ_by_chance() -> None:
    names = [new_run_id(1_790_000_000.0, "ff"), new_run_id(1_790_000_000.25, "00"), new_run_id(1_790_000_001.0, "00")]
    assert names == ["20260921T141320000-ff", "20260921T141320250-00", "20260921T141321000-00"]
    assert sorted(names) == names


def test_a_run_never_takes_the_folder_of_another(tmp_path: Path) -> None:
    assert new_run_folder(tmp_path, "a") == tmp_path / "runs" / "a"
    with pytest.raises(StoreError, match="there is a run a already"):
        new_run_folder(tmp_path, "a")
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="cannot write"):
        new_run_folder(tmp_path / "file", "a")


def test_an_answer_is_kept_as_it_was_printed(tmp_path: Path) -> None:
    assert read_answer(tmp_path) is None
    write_answer(tmp_path, '{"answer": "Phobos – „Furcht“"}\n')
    assert read_answer(tmp_path) == '{"answer": "Phobos – „Furcht“"}'
    (tmp_path / "answer.json").write_bytes(b"\xff")
    with pytest.raises(StoreDamaged, match=r"answer.json cannot be read"):
        read_answer(tmp_path)


@pytest.mark.parametrize("content", [None, b"", b"[]", b'{"run": 1}', b"\xff"])
def test_a_manifest_that_cannot_be_read_is_named(tmp_path: Path, content: bytes | None) -> None:
    if content is not None:
        (tmp_path / "run.json").write_bytes(content)
    with pytest.raises(StoreDamaged, match=r"run.json cannot be read"):
        read_manifest(tmp_path)


def test_a_run_is_found_by_its_name_a_beginning_of_it_or_as_the_last(tmp_path: Path) -> None:
    first, second, third = (new_run_folder(tmp_path, name) for name in ("2026a", "2026b", "2027"))
    assert find_run(tmp_path, "2026b") == second
    assert find_run(tmp_path, "2027") == find_run(tmp_path, "last") == third
    assert find_run(tmp_path, "2026a") == first
    for name, problem in (
        ("2026", "2 runs begin with '2026'"),
        ("x", "no run is named 'x'"),
        ("", "no run is named ''"),
    ):
        with pytest.raises(UnknownName, match=problem):
            find_run(tmp_path, name)
    with pytest.raises(UnknownName):
        find_run(tmp_path, "../runs/2027")
    with pytest.raises(UnknownName):
        find_run(tmp_path / "nowhere", "last")


async def end_with(folder: Path, error: BaseException | None) -> None:
    recorder = TraceRecorder(folder, folder.name, TickingClock())
    recorder.now()
    try:
        async with recorder.span("AGENT", "ask", None):
            if error:
                raise error
    except (HeliographError, asyncio.CancelledError):
        pass
    recorder.close()


async def test_runs_are_listed_with_how_they_ended(tmp_path: Path) -> None:
    folders = {}
    for number, name in enumerate(["answered", "abstained", "damaged", "failed", "interrupted", "killed", "torn"]):
        folders[name] = new_run_folder(tmp_path, f"{number}-{name}")
        write_manifest(folders[name], Manifest(folders[name].name, f"{name}?", "0.1.0", 100.0 + number, {}))
    (folders["damaged"] / "run.json").unlink()
    write_answer(folders["answered"], ANSWER)
    write_answer(folders["abstained"], ANSWER.replace("false", "true").replace("sufficient", "nothing_found"))
    write_answer(folders["torn"], ANSWER[:40])
    await end_with(folders["failed"], PageUnavailable("gone"))
    await end_with(folders["interrupted"], asyncio.CancelledError())
    runs = list_runs(tmp_path)
    assert runs == (
        RunSummary("0-answered", "answered?", 100.0, 1.5, "sufficient", "answered"),
        RunSummary("1-abstained", "abstained?", 101.0, 1.5, "nothing_found", "abstained"),
        RunSummary("2-damaged", "", 0.0, None, None, "damaged"),
        RunSummary("3-failed", "failed?", 103.0, None, None, "failed"),
        RunSummary("4-interrupted", "interrupted?", 104.0, None, None, "unfinished"),
        RunSummary("5-killed", "killed?", 105.0, None, None, "unfinished"),
        RunSummary("6-torn", "torn?", 106.0, None, None, "damaged"),
    )
    assert render_list(runs).splitlines()[:4] == [
        "0-answered  1970-01-01 00:01:40  answered      1.50 s  sufficient        answered?",
        "1-abstained  1970-01-01 00:01:41  abstained     1.50 s  nothing_found     abstained?",
        "2-damaged  date unknown         damaged",
        "3-failed  1970-01-01 00:01:43  failed                                  failed?",
    ]
    assert "\x1b[31mdamaged" in render_list(runs, COLOURED)


def test_a_home_without_runs_lists_none(tmp_path: Path) -> None:
    assert list_runs(tmp_path) == ()
    assert render_list(()) == ""


@pytest.fixture
async def trace(tmp_path: Path) -> Path:
    """A small run with a search, a page, a missing page and a reflection."""
    page = Page("wiki", "Mars", "7", "", "<p>ä</p>" * 1000, "")
    recorder = TraceRecorder(tmp_path, "run-1", TickingClock())

    async def missing() -> PageRead:
        raise PageUnavailable("no page \x1b[31m'Nibiru'\n")

    async with recorder.span("AGENT", "ask", {"question": "Which moon of Mars is larger?"}) as ask:
        recorder.now()
        async with recorder.span("CHAIN", "search_documents", {"round": 1}) as step:
            result = SearchResult(Query("mars moons"), (Hit("Mars", 1), Hit("Phobos", 2)), 40)
            await recorder.effect(
                "RETRIEVER",
                "search",
                {"query": "mars moons", "limit": 9},
                SearchResult,
                lambda: asyncio.sleep(0, result),
            )
            step.result({"results": (result,), "queries": ("mars", "moons")})
        await recorder.effect(
            "TOOL",
            "read_page",
            {"wiki": "", "title": "Mars"},
            PageRead,
            lambda: asyncio.sleep(0, PageRead(page, "store")),
        )
        with pytest.raises(PageUnavailable):
            await recorder.effect("TOOL", "read_page", {"wiki": "", "title": "Nibiru"}, PageRead, missing)
        async with recorder.span("EVALUATOR", "reflect", None) as step:
            step.result(Verdict(False, ("diameter of Deimos",)))
        async with recorder.span("RETRIEVER", "retrieve", {"query": "q", "modality": "table"}) as step:
            step.result((Scored(EvidenceId("a"), 0.5), Scored(EvidenceId("b"), 0.25)))
        ask.result("Phobos [1]")
    recorder.close()
    return tmp_path


def test_a_tree_shows_steps_hits_pages_scores_and_times(trace: Path) -> None:
    assert render_tree(load_trace(trace)).splitlines() == [
        'ask "Which moon of Mars is larger?" → "Phobos [1]"  AGENT 3.50 s',
        '├─ search_documents round 1 → results 1 item, queries "mars", "moons"  CHAIN 750 ms',
        '│  └─ search "mars moons" → 2 hits of 40  RETRIEVER 250 ms',
        '├─ read_page "Mars" → Mars@7, 9.0 kB, from the store  TOOL 250 ms',
        "├─ read_page \"Nibiru\" ✗ PageUnavailable: no page [31m'Nibiru'  TOOL 250 ms",
        '├─ reflect → missing "diameter of Deimos"  EVALUATOR 250 ms',
        '└─ retrieve "q" modality "table" → 2 items, best 0.500  RETRIEVER 250 ms',
    ]


def test_a_tree_can_be_cut_by_depth_and_by_filters(trace: Path) -> None:
    events = load_trace(trace)
    assert render_tree(events, depth=1).splitlines() == render_tree(events).splitlines()[:1]
    names = [line.split()[1] for line in render_tree(events, depth=2).splitlines()[1:]]
    assert names == ["search_documents", "read_page", "read_page", "reflect", "retrieve"]
    assert [line.split("─ ")[-1].split()[0] for line in render_tree(events, filters=["retriever"]).splitlines()] == [
        "ask",
        "search_documents",
        "search",
        "retrieve",
    ]
    assert render_tree(events, filters=["CLOCK"]).splitlines()[1:] == ["└─ clock → 1e+03  TOOL 0 ms"]
    assert render_tree(events, filters=["nothing"]) == ""
    assert render_tree(()) == ""


def test_spans_whose_parent_never_ended_stand_at_the_root_and_say_so(trace: Path) -> None:
    lines = render_tree(load_trace(trace)[:-1]).splitlines()
    assert lines[0].endswith("CHAIN 750 ms (the span around it never ended)")
    assert len(lines) == 6


def test_colour_comes_only_when_it_is_asked_for(trace: Path) -> None:
    assert "\x1b" not in render_tree(load_trace(trace))
    assert "\x1b[31m✗ PageUnavailable" in render_tree(load_trace(trace), ink=COLOURED)


def test_a_run_that_cannot_be_read_is_dated_by_its_name(tmp_path: Path) -> None:
    instant = 1_795_476_816.502
    (tmp_path / "runs" / new_run_id(instant, "abcdef")).mkdir(parents=True)
    (run,) = list_runs(tmp_path)
    assert (run.status, run.started) == ("damaged", instant)
