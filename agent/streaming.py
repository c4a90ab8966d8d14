"""A run as typed events: steps from the trace events that a listener hears, claims as they are checked.

Streaming adds nothing to the record of a run.
"""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from agent.running import Hearing
from heliograph.types import (
    Answer,
    Answered,
    Begun,
    Claimed,
    EvidenceFound,
    Observation,
    PageKey,
    Plan,
    Planned,
    Progressed,
    Queried,
    Query,
    Reflected,
    Searched,
    SearchResult,
    SourceReport,
    StopReason,
    StreamEvent,
    ToldClaim,
    Verdict,
    WasRead,
)
from memory.ledger import rank
from memory.trace import Event
from memory.trace.blobs import BlobStore
from memory.trace.decoding import Decoder

Step = Callable[["Output", int], Iterator[StreamEvent]]


async def stream_run(home: Path, run: Callable[[Hearing], Awaitable[Answer]]) -> AsyncGenerator[StreamEvent, None]:
    """Yield what a run does as it happens, its answer last; who stops listening stops the run.

    Raises:
        HeliographError: what ended the run, after the events before it.
    """
    heard: asyncio.Queue[StreamEvent | None] = asyncio.Queue()
    teller = _Teller(home, heard.put_nowait)

    async def running() -> Answer:
        try:
            return await run(Hearing(teller.began, teller.progress, teller.listen, teller.claimed))
        finally:
            heard.put_nowait(None)

    task = asyncio.ensure_future(running())
    try:
        while (event := await heard.get()) is not None:
            yield event
        yield Answered(await task)
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await asyncio.gather(task, return_exceptions=True)


class _Teller:
    """Turn what is heard of one run into stream events."""

    def __init__(self, home: Path, tell: Callable[[StreamEvent], None]) -> None:
        self._home = home
        self._tell = tell
        self._folder = home / "runs"
        self._claims = 0

    def began(self, run: str) -> None:
        self._folder = self._home / "runs" / run
        self._tell(Begun(run))

    def progress(self, text: str) -> None:
        self._tell(Progressed(text))

    def claimed(self, told: ToldClaim) -> None:
        self._claims += 1
        self._tell(Claimed(self._claims, told))

    def listen(self, event: Event) -> None:
        step = STEPS.get(event.name)
        if step is None or event.error is not None:
            return
        given = event.input if isinstance(event.input, dict) else {}
        number = given.get("round", 0)
        for told in step(Output(event, self._folder), number if isinstance(number, int) else 0):
            self._tell(told)


class Output:
    """What a step of the graph changed of the state, field by field."""

    def __init__(self, event: Event, folder: Path) -> None:
        self._decoder = Decoder(BlobStore(folder / "blobs").get)
        self._fields: dict[str, Any] = self._decoder.decode(dict[str, Any], event.output)

    def of(self, field: str, hint: Any, otherwise: Any = ()) -> Any:
        """Return a field as type `hint`; `otherwise` where the step did not change it."""
        found = self._fields.get(field)
        return otherwise if found is None else self._decoder.decode(hint, found)


def _planned(output: Output, _: int) -> Iterator[StreamEvent]:
    plan = output.of("plan", Plan, None)
    if plan is not None:
        yield Planned(plan.form, plan.needs)


def _queried(output: Output, _: int) -> Iterator[StreamEvent]:
    queries = output.of("queries", tuple[Query, ...])
    yield Queried(output.of("round", int, 0), tuple(query.text for query in queries))


def _searched(output: Output, number: int) -> Iterator[StreamEvent]:
    results = output.of("results", tuple[SearchResult, ...])
    titles = dict.fromkeys(hit.title for result in results for hit in result.hits)
    relaxed = tuple(query.text for query in output.of("relaxed", tuple[Query, ...]))
    yield Searched(number, output.of("sources", tuple[SourceReport, ...]), tuple(titles), relaxed)


def _was_read(output: Output, number: int) -> Iterator[StreamEvent]:
    yield WasRead(number, output.of("read", tuple[PageKey, ...]), output.of("notes", tuple[str, ...]))


def _found(output: Output, number: int) -> Iterator[StreamEvent]:
    if found := output.of("observations", tuple[Observation, ...]):
        yield EvidenceFound(number, rank(found))


def _reflected(output: Output, number: int) -> Iterator[StreamEvent]:
    yield Reflected(number, output.of("verdict", Verdict), output.of("stop_reason", StopReason, None))


STEPS: dict[str, Step] = {
    "recall": _found,
    "plan": _planned,
    "rewrite_query": _queried,
    "search_documents": _searched,
    "index_evidence": _was_read,
    "expand_nodes": _was_read,
    "rerank_evidence": _found,
    "reflect": _reflected,
}
"""What is told of each step of the graph."""
