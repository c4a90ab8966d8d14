"""A run leaves one line an event, whatever ends it: the last step, an error, an interruption."""

import asyncio
import itertools
import json
from pathlib import Path

import pytest

from heliograph.errors import PageUnavailable
from heliograph.types import EvidenceId, Hit, Observation, Query, Scored, SearchResult
from memory.trace import Event, Failure, TraceRecorder, flattened, load_trace, ordered_bytes
from memory.trace.blobs import BlobStore


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


async def test_an_event_says_what_where_when_and_under_what_names(tmp_path: Path) -> None:
    recorder = TraceRecorder(tmp_path, "run-1", TickingClock())
    await a_search(recorder)
    recorder.close()
    search, ask = (json.loads(line) for line in (tmp_path / "trace.jsonl").read_text().splitlines())
    assert search == {
        "run": "run-1",
        "span": search["span"],
        "parent": ask["span"],
        "kind": "RETRIEVER",
        "name": "search",
        "start": 1000.25,
        "end": 1000.5,
        "input": {"query": "mars moons"},
        "output": {
            "$type": "SearchResult",
            "query": {"$type": "Query", "text": "mars moons"},
            "hits": [
                {"$type": "Hit", "title": "Mars", "rank": 1, "wiki": ""},
                {"$type": "Hit", "title": "Moons of Mars", "rank": 2, "wiki": ""},
            ],
            "total": 7,
        },
        "error": None,
        "attributes": {
            "openinference.span.kind": "RETRIEVER",
            "input.mime_type": "application/json",
            "output.mime_type": "application/json",
            "retrieval.documents": [{"document.id": "Mars"}, {"document.id": "Moons of Mars"}],
        },
    }
    assert (ask["parent"], ask["start"], ask["end"], ask["output"]) == (None, 1000.0, 1000.75, "Phobos")
    assert len({search["span"], ask["span"]}) == 2
    assert all(len(key) == 16 and int(key, 16) >= 0 for key in (search["span"], ask["span"]))


async def test_a_line_reads_back_as_the_event_the_listener_heard(tmp_path: Path) -> None:
    heard: list[Event] = []
    recorder = TraceRecorder(tmp_path, "run-1", TickingClock(), listener=heard.append)
    await a_search(recorder)
    assert load_trace(tmp_path) == tuple(heard)
    assert ordered_bytes(load_trace(tmp_path)) == b"".join(
        sorted(
            (tmp_path / "trace.jsonl").read_bytes().splitlines(keepends=True), key=lambda line: json.loads(line)["span"]
        )
    )


async def test_an_error_is_recorded_with_the_step_it_ended_and_goes_on(tmp_path: Path) -> None:
    async def missing() -> str:
        raise PageUnavailable('no page "Nibiru"')

    recorder = TraceRecorder(tmp_path, "run-1", TickingClock())
    with pytest.raises(PageUnavailable, match="Nibiru"):
        async with recorder.span("CHAIN", "step", None) as span:
            span.result("half done")
            await recorder.effect("TOOL", "read", {"title": "Nibiru"}, str, missing)
    read, step = load_trace(tmp_path)
    assert read.error == step.error == Failure("PageUnavailable", 'no page "Nibiru"')
    assert read.output is None and step.output is None
    assert read.attributes == {
        "openinference.span.kind": "TOOL",
        "input.mime_type": "application/json",
        "exception.type": "PageUnavailable",
        "exception.message": 'no page "Nibiru"',
        "tool.name": "read",
    }


async def test_a_cancelled_step_leaves_its_event(tmp_path: Path) -> None:
    recorder = TraceRecorder(tmp_path, "run-1", TickingClock())

    async def wait() -> None:
        async with recorder.span("CHAIN", "wait", None):
            await asyncio.sleep(60)

    task = asyncio.create_task(wait())
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert [event.error for event in load_trace(tmp_path)] == [Failure("CancelledError", "")]


async def test_tasks_and_gather_nest_in_the_span_that_started_them(tmp_path: Path) -> None:
    recorder = TraceRecorder(tmp_path, "run-1", TickingClock())

    async def child(name: str) -> None:
        async with recorder.span("CHAIN", name, None):
            await asyncio.sleep(0)
            recorder.now()

    async with recorder.span("AGENT", "root", None):
        task = asyncio.create_task(child("task"))
        await asyncio.gather(child("left"), child("right"))
        await task
    by_key = {event.span: event for event in load_trace(tmp_path)}
    above = sorted((event.name, by_key[event.parent].name if event.parent else None) for event in by_key.values())
    assert above == [
        ("clock", "left"),
        ("clock", "right"),
        ("clock", "task"),
        ("left", "root"),
        ("right", "root"),
        ("root", None),
        ("task", "root"),
    ]


async def test_two_recorders_in_one_process_keep_their_spans_apart(tmp_path: Path) -> None:
    first = TraceRecorder(tmp_path / "first", "first", TickingClock())
    second = TraceRecorder(tmp_path / "second", "second", TickingClock())
    async with first.span("CHAIN", "outer", None), second.span("CHAIN", "inner", None):
        first.now()
    assert [event.parent for event in load_trace(tmp_path / "second")] == [None]
    assert [event.name for event in load_trace(tmp_path / "first")] == ["clock", "outer"]


async def test_secrets_enter_neither_lines_nor_blobs_nor_error_messages(tmp_path: Path) -> None:
    async def refuse() -> str:
        raise PageUnavailable("the key sk-12345 is refused")

    recorder = TraceRecorder(tmp_path, "run-1", TickingClock(), secrets=["sk-12345"])
    async with recorder.span("CHAIN", "sk-step", {"api_key": "other", "text": "sk-12345 " * 1000}) as span:
        span.result({"password": "hidden", "echo": ("sk-12345", b"")})
        with pytest.raises(PageUnavailable, match="sk-12345"):
            await recorder.effect("TOOL", "call", {"header": "Bearer sk-12345"}, str, refuse)
    written = (tmp_path / "trace.jsonl").read_bytes()
    written += b"".join(BlobStore(tmp_path / "blobs").get(path.name) for path in (tmp_path / "blobs").iterdir())
    assert [secret for secret in (b"sk-12345", b"other", b"hidden") if secret in written] == []
    assert written.count(b"***") > 1000


async def test_a_page_is_stored_once_beside_the_lines(tmp_path: Path) -> None:
    recorder = TraceRecorder(tmp_path, "run-1", TickingClock())
    for name in ("first", "second"):
        await recorder.effect("TOOL", name, None, str, lambda: asyncio.sleep(0, "<p>Mars</p>" * 5000))
    assert len(list((tmp_path / "blobs").iterdir())) == 1
    assert (tmp_path / "trace.jsonl").stat().st_size < 1000


async def test_attributes_flatten_to_what_opentelemetry_takes(tmp_path: Path) -> None:
    recorder = TraceRecorder(tmp_path, "run-1", TickingClock())
    pieces = (Scored(EvidenceId("wiki:Mars@1#s0/p1"), 0.5), Scored(EvidenceId("wiki:Mars@1#s0/p2"), 0.25))
    seen = (Observation(EvidenceId("wiki:Mars@1#s0/p1"), "text", 0.5, 1),)
    async with recorder.span("RETRIEVER", "retrieve", "mars") as span:
        span.result(pieces)
    async with recorder.span("RERANKER", "rerank", {"question": "Which?"}) as span:
        span.result(seen)
    async with recorder.span("EMBEDDING", "embed", {"model": "MiniLM"}) as span:
        span.result(2)
    async with recorder.span("LLM", "complete", {"model": "Qwen"}) as span:
        span.result("yes")
    retrieve, rerank, embed, complete = map(flattened, load_trace(tmp_path))
    assert retrieve == {
        "input.mime_type": "text/plain",
        "input.value": "mars",
        "openinference.span.kind": "RETRIEVER",
        "output.mime_type": "application/json",
        "output.value": '[{"$type":"Scored","item":"wiki:Mars@1#s0/p1","score":0.5},'
        '{"$type":"Scored","item":"wiki:Mars@1#s0/p2","score":0.25}]',
        "retrieval.documents.0.document.id": "wiki:Mars@1#s0/p1",
        "retrieval.documents.0.document.score": 0.5,
        "retrieval.documents.1.document.id": "wiki:Mars@1#s0/p2",
        "retrieval.documents.1.document.score": 0.25,
    }
    assert rerank["reranker.query"] == "Which?"
    assert rerank["reranker.output_documents.0.document.id"] == "wiki:Mars@1#s0/p1"
    assert (embed["embedding.model_name"], embed["output.value"]) == ("MiniLM", "2")
    assert (complete["llm.model_name"], complete["output.value"]) == ("Qwen", "yes")
