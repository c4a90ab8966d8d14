"""The JSON tree of a trace, what one span shows, and which events somebody wants to see."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from heliograph.errors import ModelOverloaded, PageUnavailable, UnknownName
from heliograph.protocols import Vectors
from heliograph.retrying import asking_again
from heliograph.types import (
    ChatRequest,
    Edge,
    EvidenceId,
    Hit,
    Observation,
    Page,
    Prompt,
    Query,
    Reply,
    Scored,
    SearchResult,
    Subgraph,
)
from memory.recorded import PageRead
from memory.trace import (
    OpenedRun,
    ReplayRecorder,
    TraceRecorder,
    Wanted,
    chosen,
    load_trace,
    messages_under,
    ordered_bytes,
    render_detail,
    render_totals,
    render_tree,
    trace_tree,
)
from memory.trace.attributes import retries_of
from memory.trace.choosing import with_surroundings
from memory.trace.redaction import Redaction
from tests.fakes import FakeClock

KEY = "sk-live-0123456789abcdefghij"
MARS = Page("wiki", "Mars", "7", "u", "<p>Mars is red.</p><p>" + "dust " * 900 + "</p>", "2026-11-21T00:00:00+00:00")
FOUND = EvidenceId("wiki:Mars@7#s0/p1")


async def record(folder: Path) -> None:
    """Make a small run: a search, a page, pieces, vectors, a model call that was tried twice, and a failure."""
    request = ChatRequest(Prompt("reflect", "You judge.", ("Question: red?", f"Key {KEY}.")), 50)

    async def search() -> SearchResult:
        return SearchResult(Query("mars"), (Hit("Mars", 1, "wiki"),), 1)

    async def read() -> PageRead:
        return PageRead(MARS, "source")

    async def retrieve() -> tuple[Scored[EvidenceId], ...]:
        return (Scored(FOUND, 0.5),)

    async def embed() -> Vectors:
        return np.ones((2, 3), dtype=np.float32)

    async def chat() -> Reply:
        asking_again(ModelOverloaded(f"busy, {KEY}"))
        return Reply("Enough.", "stop", 12, 3)

    async def fail() -> Page:
        raise PageUnavailable("no page 'Nibiru'")

    asked = {"model": "m", "role": "reflect", "prompt": "reflect", "request": request}
    with TraceRecorder(folder, "run-1", FakeClock(step=0.5)) as recorder:
        async with recorder.span("AGENT", "ask", {"question": "red?"}) as span:
            recorder.now()
            await recorder.effect("RETRIEVER", "search", {"query": "mars"}, SearchResult, search)
            await recorder.effect("TOOL", "read_page", {"title": "Mars"}, PageRead, read)
            pieces = tuple[Scored[EvidenceId], ...]
            await recorder.effect("RETRIEVER", "retrieve", {"query": "red"}, pieces, retrieve)
            await recorder.effect("EMBEDDING", "embed", {"texts": ("a", "b")}, Vectors, embed)
            await recorder.effect("LLM", "chat", asked, Reply, chat)
            with pytest.raises(PageUnavailable):
                await recorder.effect("TOOL", "read_page", {"title": "Nibiru"}, Page, fail)
            span.result("Mars")


@pytest.fixture
async def opened(tmp_path: Path) -> OpenedRun:
    await record(tmp_path)
    return OpenedRun(tmp_path)


def test_the_tree_tells_of_each_span_what_a_page_draws(opened: OpenedRun) -> None:
    tree = opened.tree()
    (root,) = tree["spans"]
    assert {name: tree[name] for name in ("schema", "run", "start", "end")} == {
        "schema": "heliograph.trace-tree/1",
        "run": "run-1",
        "start": 1000.0,
        "end": 1007.0,
    }
    assert tree["totals"] == {
        "spans": 7,
        "calls": 1,
        "prompt_tokens": 12,
        "completion_tokens": 3,
        "errors": 1,
        "retries": 1,
        "seconds": 7.0,
    }
    assert [(each["name"], each["shows"]) for each in root["children"]] == [
        ("search", ["documents"]),
        ("read_page", ["documents"]),
        ("retrieve", ["documents"]),
        ("embed", []),
        ("chat", ["prompt", "reply"]),
        ("read_page", []),
    ]
    chat = root["children"][4]
    assert {name: value for name, value in chat.items() if name not in ("span", "parent")} == {
        "kind": "LLM",
        "name": "chat",
        "given": "for reflect, reflect, to m",
        "glance": '"Enough."',
        "start": 1005.0,
        "end": 1005.5,
        "seconds": 0.5,
        "error": None,
        "tokens": {"prompt": 12, "completion": 3, "cached": 0},
        "retries": ["ModelOverloaded: busy, ***"],
        "shows": ["prompt", "reply"],
        "lost": False,
        "children": [],
    }
    assert root["children"][5]["error"] == {"type": "PageUnavailable", "message": "no page 'Nibiru'"}


def test_a_span_whose_surroundings_never_ended_stands_at_the_top_and_says_so(opened: OpenedRun) -> None:
    tree = trace_tree([event for event in opened.events if event.parent is not None])
    assert [each["lost"] for each in tree["spans"]] == [True] * 6


def named(opened: OpenedRun, name: str) -> str:
    return next(event.span for event in opened.events if event.name == name and event.error is None)


def test_a_model_call_shows_prompt_and_reply_without_secrets(opened: OpenedRun) -> None:
    detail = opened.detail(named(opened, "chat"))
    assert detail["model"] == {"model": "m", "role": "reflect", "prompt": "reflect"}
    assert detail["prompt"] == [
        {"role": "system", "content": "You judge."},
        {"role": "user", "content": "Question: red?\n\nKey ***."},
    ]
    assert detail["reply"] == {"text": "Enough.", "finish": "stop"}
    assert KEY not in repr(detail)
    assert messages_under(detail) == [
        "system:",
        "  You judge.",
        "user:",
        "  Question: red?",
        "  ",
        "  Key ***.",
        "reply:",
        "  Enough.",
    ]


def test_what_was_found_shows_its_words_from_the_pages_of_the_run(opened: OpenedRun) -> None:
    assert opened.detail(named(opened, "search"))["documents"] == [{"title": "Mars", "rank": 1}]
    assert opened.detail(named(opened, "retrieve"))["documents"] == [
        {"id": FOUND, "score": 0.5, "content": "Mars: Mars is red."}
    ]
    (page,) = opened.detail(named(opened, "read_page"), most=30)["documents"]
    assert page["id"] == "wiki:Mars@7"
    assert page["content"].startswith("<p>Mars is red.</p><p>dust dus… (")


async def test_a_piece_that_was_scored_against_several_needs_is_shown_once_with_its_best_score(tmp_path: Path) -> None:
    other = EvidenceId("wiki:Mars@7#s0/p2")
    observations = (
        Observation(FOUND, "text", 0.25, 1),
        Observation(other, "text", 0.5, 1),
        Observation(FOUND, "text", 0.75, 1, need=1),
        Observation(other, "text", 0.125, 1, need=1),
    )
    with TraceRecorder(tmp_path, "run-1", FakeClock()) as recorder:
        async with recorder.span("RERANKER", "rerank_evidence", {"round": 1}) as span:
            span.result({"observations": observations})
    opened = OpenedRun(tmp_path)
    assert opened.detail(named(opened, "rerank_evidence"))["documents"] == [
        {"id": FOUND, "score": 0.75},
        {"id": other, "score": 0.5},
    ]


async def test_the_edges_of_the_graphs_of_all_needs_are_shown(tmp_path: Path) -> None:
    row, passage = EvidenceId("wiki:Moons@7#s0/t1/r1"), EvidenceId("wiki:Phobos@7#s0/p1")
    graphs = (Subgraph((Edge(row, passage, 0.75),)), Subgraph((Edge(row, None, 0.5),)))
    with TraceRecorder(tmp_path, "run-1", FakeClock()) as recorder:
        async with recorder.span("RETRIEVER", "retrieve_subgraph", {"round": 1}) as span:
            span.result({"subgraphs": graphs})
    opened = OpenedRun(tmp_path)
    assert opened.detail(named(opened, "retrieve_subgraph"))["documents"] == [
        {"id": row, "title": f"with {passage}", "score": 0.75},
        {"id": row, "score": 0.5},
    ]


def test_numbers_of_vectors_are_counted_and_not_written_out(opened: OpenedRun) -> None:
    assert opened.detail(named(opened, "embed"))["output"] == "(numbers: 2×3 f4)"


def test_a_blob_that_is_missing_says_so_in_its_place(opened: OpenedRun) -> None:
    for blob in (opened.folder / "blobs").iterdir():
        blob.unlink()
    assert "(not there: blob " in repr(opened.detail(named(opened, "read_page"))["output"])


def test_a_span_is_found_by_the_beginning_of_its_key(opened: OpenedRun) -> None:
    key = named(opened, "chat")
    assert opened.detail(key[:12])["span"] == key
    with pytest.raises(UnknownName, match="no span is 'zz' in run"):
        opened.detail("zz")
    with pytest.raises(UnknownName, match="no span is ''"):
        opened.detail("")


def test_tries_after_the_first_are_drawn_recorded_and_replayed(opened: OpenedRun) -> None:
    drawn = render_tree(opened.events, wanted=Wanted(kinds=("LLM",)))
    assert drawn.splitlines()[-1].endswith(f"LLM 500 ms 12+3 tokens tried 2 times: ModelOverloaded: busy, {KEY}")
    assert render_totals(opened.events) == (
        "7 steps in 7.00 s, 1 model calls, 12+3 tokens, 1 errors, 1 tries after the first"
    )
    call = next(event for event in opened.events if event.kind == "LLM")
    assert retries_of(call) == (f"ModelOverloaded: busy, {KEY}",)


async def test_a_replay_makes_the_same_bytes_of_a_call_that_was_tried_again(tmp_path: Path) -> None:
    async def busy() -> int:
        asking_again(ModelOverloaded("busy"))
        return 1

    async def program(recorder: TraceRecorder | ReplayRecorder) -> None:
        await recorder.effect("LLM", "chat", None, int, busy)
        await recorder.effect("LLM", "quick", None, int, busy)

    with TraceRecorder(tmp_path, "run-1", FakeClock()) as recorder:
        await program(recorder)
    replayed = ReplayRecorder(tmp_path)
    await program(replayed)
    assert ordered_bytes(replayed.events) == ordered_bytes(load_trace(tmp_path))


def test_a_detail_is_written_out_without_terminal_codes(opened: OpenedRun) -> None:
    detail = {**opened.detail(named(opened, "chat")), "reply": {"text": "red\x1b[31m\nline", "finish": "stop"}}
    assert render_detail(detail).splitlines()[-3:] == ["reply:", "  red [31m", "  line"]


wanted = st.builds(
    Wanted,
    texts=st.lists(st.sampled_from(["TOOL", "read", "chat", "zz"]), max_size=2).map(tuple),
    kinds=st.lists(st.sampled_from(["TOOL", "LLM", "RETRIEVER"]), max_size=2).map(tuple),
    names=st.lists(st.sampled_from(["page", "SEARCH", "clock"]), max_size=2).map(tuple),
    failed=st.booleans(),
    slower=st.none() | st.floats(0, 2),
)


@given(wanted)
def test_every_event_shown_fits_or_encloses_one_that_fits(asked: Wanted) -> None:
    events = EVENTS
    fitting, shown = chosen(events, asked), with_surroundings(events, asked)
    assert {each.span for each in fitting} <= {each.span for each in shown}
    above = {each.parent for each in shown}
    assert all(each in fitting or each.span in above for each in shown)
    for each in fitting:
        assert not asked.failed or each.error
        assert asked.slower is None or each.end - each.start > asked.slower
        assert not asked.kinds or each.kind in asked.kinds
        assert not asked.names or any(name.lower() in each.name for name in asked.names)


def _events() -> tuple:
    from memory.trace import Event, Failure

    plain = Event("r", "0", None, "AGENT", "ask", 0.0, 9.0, None, None, None, {})
    rest = [
        ("1", "0", "TOOL", "read_page", 1.0, None),
        ("2", "0", "TOOL", "read_page", 0.1, Failure("PageUnavailable", "gone")),
        ("3", "0", "RETRIEVER", "search", 0.5, None),
        ("4", "3", "LLM", "chat", 2.5, None),
        ("5", "0", "TOOL", "clock", 0.0, None),
    ]
    made = (
        replace(plain, span=span, parent=parent, kind=kind, name=name, end=end, error=error)
        for span, parent, kind, name, end, error in rest
    )
    return (plain, *made)


EVENTS = _events()


@pytest.mark.parametrize(
    "secret",
    [
        "sk-proj-abcdefghijklmnopqrstuv",
        "hf_abcdefghijklmnopqrstuvwx",
        "ghp_abcdefghijklmnopqrstuvwxyz012345",
        "AKIAIOSFODNN7EXAMPLE0000",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl",
        "-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----",
    ],
)
def test_what_looks_like_a_key_is_masked_where_it_leaves_the_machine(secret: str) -> None:
    assert Redaction(cautious=True).text(f"a {secret} b") == "a *** b"
    assert Redaction().text(f"a {secret} b") == f"a {secret} b"


def test_passwords_in_addresses_and_headers_are_masked_and_plain_words_stay() -> None:
    careful = Redaction(["alice"], cautious=True)
    assert careful.text("http://alice:pw@host/x Authorization: Bearer abc.def-123456") == (
        "http://***@host/x Authorization: Bearer ***"
    )
    plain = "a desk-top skeleton-key; 12:30 http://host:80/a@b sk-8"
    assert careful.text(plain) == plain
