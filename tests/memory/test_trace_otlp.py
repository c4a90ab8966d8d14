"""Runs go to a collector with OpenInference's names and ids of their own; one that is dead costs a run nothing."""

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heliograph.errors import PageUnavailable
from heliograph.types import ChatRequest, Page, Prompt, Reply
from memory.trace import Event, TraceRecorder, load_trace
from memory.trace.openinference import sent, span_id, trace_id
from memory.trace.otlp import MOST_WAITING, OtlpExport
from memory.trace.redaction import Redaction
from tests.fakes import FakeClock
from tests.servers.collector import Manner, attributes, collector
from tests.servers.openai_server import unused_address

KEY = "sk-live-0123456789abcdefghij"


@pytest.fixture(autouse=True)
def no_thread_outlives_its_export() -> Iterator[None]:
    """Refuse a sending thread that is still there when a test has closed its export."""
    yield
    assert [each.name for each in threading.enumerate() if each.name.startswith("OtelBatch")] == []


def wait_until(there: Callable[[], object]) -> None:
    until = time.monotonic() + 60
    while not there():
        assert time.monotonic() < until
        time.sleep(0.01)


async def run(home: Path, name: str, export: OtlpExport | None = None, words: str = "word ") -> tuple[Event, ...]:
    """Make a run with a model call of a long prompt and an error, heard by an export."""
    folder = home / "runs" / name
    request = ChatRequest(Prompt("reflect", "You judge.", (words * 1000, KEY)), 50)

    async def chat() -> Reply:
        return Reply("Enough.", "stop", 12, 3)

    async def fail() -> Page:
        raise PageUnavailable(f"no page {KEY}")

    heard = export.beside(lambda _: None) if export else (lambda _: None)
    with TraceRecorder(folder, name, FakeClock(step=0.5), listener=heard) as recorder:
        recorder.now()
        async with recorder.span("AGENT", "ask", {"question": "red?"}) as span:
            await recorder.effect("LLM", "chat", {"model": "m", "request": request}, Reply, chat)
            with pytest.raises(PageUnavailable):
                await recorder.effect("TOOL", "read_page", {"title": "Nibiru"}, Page, fail)
            span.result({"answer": "Mars [1]"})
    return load_trace(folder)


async def test_a_collector_gets_the_tree_while_the_run_goes_on(tmp_path: Path) -> None:
    said: list[str] = []
    with collector() as told:
        export = OtlpExport(f"{told.url}/v1/traces", tmp_path, ["red?"], said.append)
        await run(tmp_path, "run-1", export)
        told.await_spans(3)
        export.close()
    ask, chat, page = (told.named(name) for name in ("ask", "chat", "read_page"))
    assert said == []
    assert {ask.trace_id, chat.trace_id, page.trace_id} == {trace_id("run-1").to_bytes(16, "big")}
    assert (ask.parent_span_id, chat.parent_span_id) == (b"", ask.span_id)
    assert (chat.start_time_unix_nano, chat.end_time_unix_nano) == (1_001_000_000_000, 1_001_500_000_000)
    assert told.resources[0]["openinference.project.name"] == "heliograph"
    known = attributes(chat)
    assert known["openinference.span.kind"] == "LLM"
    assert known["llm.model_name"] == "m"
    assert known["llm.token_count.total"] == 15
    user = "llm.input_messages.1.message.contents"
    assert known[f"{user}.0.message_content.text"] == "word " * 1000
    assert known[f"{user}.1.message_content.text"] == "***"
    assert known["llm.output_messages.0.message.contents.0.message_content.text"] == "Enough."
    assert attributes(ask)["output.value"] == "Mars [1]"
    assert attributes(ask)["input.value"] == "***"
    assert page.status.message == "PageUnavailable: no page ***"
    assert attributes(page.events[0])["exception.type"] == "PageUnavailable"
    assert KEY not in repr(told.spans)


async def test_the_same_steps_of_two_runs_have_ids_of_their_own_and_a_run_sent_twice_has_not(tmp_path: Path) -> None:
    first, second = await run(tmp_path, "run-1"), await run(tmp_path, "run-2")
    assert [event.span for event in first] == [event.span for event in second]
    with collector() as told:
        for events in (first, second, first):
            export = OtlpExport(f"{told.url}/v1/traces", tmp_path, (), print)
            assert export.send_all(events) == (3, 3)
    ids = [span.span_id for span in told.spans]
    assert len(set(ids)) == 6
    assert ids[:3] == ids[6:]


@given(st.text(), st.text(), st.text(min_size=1))
def test_ids_are_never_nothing_and_differ_by_run_and_by_span(run: str, span: str, more: str) -> None:
    try:
        (run + span + more).encode()
    except UnicodeEncodeError:
        return
    assert 0 < trace_id(run) < 2**128
    assert 0 < span_id(run, span) < 2**64
    assert span_id(run, span) != span_id(f"{run}{more}", span)
    assert trace_id(run) != trace_id(f"{run}{more}")


async def test_what_is_queued_is_sent_when_the_export_is_closed_and_later_events_start_it_again(tmp_path: Path) -> None:
    with collector() as told:
        export = OtlpExport(f"{told.url}/v1/traces", tmp_path, (), print)
        for number in range(2):
            await run(tmp_path, f"run-{number}", export)
            export.close()
            assert len(told.spans) == 3 * (number + 1)
        export.close()


@pytest.mark.parametrize("manner", ["refuses", "hangs"])
async def test_a_collector_that_fails_is_named_once_and_tried_once(tmp_path: Path, manner: Manner) -> None:
    said: list[str] = []
    with collector(manner) as told:
        export = OtlpExport(f"{told.url}/v1/traces", tmp_path, (), said.append)
        await run(tmp_path, "run-0", export)
        wait_until(lambda: said)
        for number in range(1, 3):
            await run(tmp_path, f"run-{number}", export)
            export.close()
        assert told.requests == 1
    (message,) = said
    assert message == (
        f"traces are not exported: {told.url}/v1/traces does not take OTLP over HTTP; the run goes on, and "
        "heliograph trace export RUN --otlp sends its record later"
    )


async def test_nobody_at_the_address_is_named_once(tmp_path: Path) -> None:
    said: list[str] = []
    export = OtlpExport(f"{unused_address()}/v1/traces", tmp_path, (), said.append)
    for number in range(2):
        await run(tmp_path, f"run-{number}", export)
        export.close()
    (message,) = said
    assert "does not take OTLP over HTTP; the run goes on, and heliograph trace export RUN --otlp" in message


async def test_an_error_on_the_way_is_named_and_ends_nothing_but_the_export(tmp_path: Path) -> None:
    said: list[str] = []
    (_, chat, *_) = await run(tmp_path, "run-1")
    with collector() as told:
        export = OtlpExport(f"{told.url}/v1/traces", tmp_path, (), said.append)
        export.send(replace(chat, start=float("nan")))
        wait_until(lambda: said)
        export.send(chat)
        export.close()
    (message,) = said
    assert message.startswith(f"traces are not exported: ValueError on the way to {told.url}/v1/traces; the run goes")


async def test_events_that_find_the_queue_full_replace_the_oldest_and_nobody_waits(tmp_path: Path) -> None:
    (_, chat, *_) = await run(tmp_path, "run-1")
    with collector("hangs") as told:
        export = OtlpExport(f"{told.url}/v1/traces", tmp_path, (), print)
        for number in range(2 * MOST_WAITING):
            export.send(replace(chat, span=f"{number:016x}"))
        export.close()
        assert told.requests == 1


async def test_a_slow_collector_gets_no_more_when_the_time_for_closing_is_over(tmp_path: Path) -> None:
    (_, chat, *_) = await run(tmp_path, "run-1", words="short ")
    with collector("takes slowly") as told:
        export = OtlpExport(f"{told.url}/v1/traces", tmp_path, (), print)
        for number in range(MOST_WAITING):
            export.send(replace(chat, span=f"{number:016x}"))
        export.close(last_wait=0.0)
        assert len(told.spans) < MOST_WAITING


def test_a_long_text_is_cut_and_texts_of_an_embedding_are_sent() -> None:
    event = Event("r", "1", None, "EMBEDDING", "embed", 0.0, 1.0, {"texts": ["x" * 500, "y"]}, "z" * 500, None, {})
    known = sent(event, lambda _: b"", Redaction(), most=100).attributes
    assert known["embedding.embeddings.1.embedding.text"] == "y"
    assert known["embedding.embeddings.0.embedding.text"] == f"{'x' * 100}… (400 characters more)"[:100] + "…"
    assert known["output.value"].startswith("z" * 100)
