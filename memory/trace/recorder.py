"""Trace and record a live run."""

from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from contextvars import Token
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

from heliograph.protocols import Clock, Span, SpanKind
from heliograph.retrying import hearing
from heliograph.unsaid import unsaid
from memory.trace.attributes import attributes_of
from memory.trace.blobs import BlobStore
from memory.trace.disk import Journal
from memory.trace.encoding import Encoder, Json
from memory.trace.events import Event, Failure, to_line
from memory.trace.reading import TRACE
from memory.trace.redaction import Redaction
from memory.trace.spans import CLOCK, OpenSpan, SpanTree, leave

T = TypeVar("T")
Listener = Callable[[Event], None]


class TraceRecorder:
    """Write every span of one run to `trace.jsonl` in its folder as it ends.

    A killed process loses the spans that were open, nothing else. `secrets` are masked wherever they stand;
    `listener` hears each event after it was written.

    Raises (from every method):
        StoreFull: no space left for the trace.
    """

    def __init__(
        self, folder: Path, run: str, clock: Clock, secrets: Sequence[str] = (), listener: Listener = unsaid
    ) -> None:
        self.run = run
        self.folder = folder
        self._clock = clock
        self._tree = SpanTree()
        self._redaction = Redaction(secrets)
        self._encoder = Encoder(BlobStore(folder / "blobs").put, self._redaction)
        self._journal = Journal(folder / TRACE)
        self._listener = listener

    def span(self, kind: SpanKind, name: str, given: object) -> AbstractAsyncContextManager[Span]:
        """Open an event around a step of our own."""
        return _LiveSpan(self, self.open(kind, name, given))

    def open(self, kind: SpanKind, name: str, given: object) -> OpenSpan:
        """Make a span below the one that is open in this task."""
        return self._tree.open(kind, name, self._encoder.fold(given))

    async def effect(
        self,
        kind: SpanKind,
        name: str,
        given: object,
        returns: Any,  # noqa: ARG002 - what replay reads the record as
        call: Callable[[], Awaitable[T]],
    ) -> T:
        """Run `call` in a span of its own and keep what it returned or raised."""
        return await self.run_in(self.open(kind, name, given), call)

    async def run_in(self, opened: OpenSpan, call: Callable[[], Awaitable[T]]) -> T:
        """Run `call` in a span and keep what it returned or raised."""
        with hearing(opened.retries):
            async with _LiveSpan(self, opened) as span:
                result = await call()
                span.result(result)
        return result

    def now(self) -> float:
        """Read the clock, and record the reading as an event under the open span."""
        return self.read_and_record(self.open("TOOL", CLOCK, None))

    def read_and_record(self, opened: OpenSpan) -> float:
        """Read the clock into a span of its own."""
        instant = self._clock.now()
        self.finish(opened, instant, instant, instant, None)
        return instant

    def close(self) -> None:
        """Give the file back; the run stays readable."""
        self._journal.close()

    def __enter__(self) -> Self:
        """Record until the block ends."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close, however the block ended."""
        self.close()

    def read_clock(self) -> float:
        """Read the clock without recording it."""
        return self._clock.now()

    def encode(self, output: object) -> Json:
        """Encode what came out of a span."""
        return self._encoder.fold(output)

    def failure(self, error: BaseException | None) -> Failure | None:
        """Name the error that ended a span."""
        return failure_of(error, self._redaction)

    def finish(self, opened: OpenSpan, start: float, end: float, output: Json, error: Failure | None) -> None:
        """Write the event of a span that has ended."""
        retries = [self._redaction.text(cause) for cause in opened.retries]
        event = close_span(self.run, opened, start, end, output, error, retries)
        self._journal.append(to_line(event))
        self._listener(event)


def failure_of(error: BaseException | None, redaction: Redaction) -> Failure | None:
    """Name an error, without the secrets it may quote."""
    return Failure(type(error).__name__, redaction.text(str(error))) if error else None


def close_span(
    run: str,
    opened: OpenSpan,
    start: float,
    end: float,
    output: Json,
    error: Failure | None,
    retries: Sequence[str] = (),
) -> Event:
    """Make the event of a span that has ended; one that failed has no output."""
    output = output if error is None else None
    return Event(
        run=run,
        span=opened.key,
        parent=opened.parent,
        kind=opened.kind,
        name=opened.name,
        start=start,
        end=end,
        input=opened.given,
        output=output,
        error=error,
        attributes=attributes_of(opened.kind, opened.name, opened.given, output, error, retries),
    )


class _LiveSpan:
    """One span of a live run, open between entering and leaving."""

    def __init__(self, recorder: TraceRecorder, opened: OpenSpan) -> None:
        self._recorder = recorder
        self._opened = opened
        self._output: Json = None
        self._start = 0.0
        self._token: Token[OpenSpan | None]

    def result(self, output: object) -> None:
        """Keep what came out, as it is now."""
        self._output = self._recorder.encode(output)

    async def __aenter__(self) -> Span:
        self._start = self._recorder.read_clock()
        self._token = self._opened.enter()
        return self

    async def __aexit__(
        self, _kind: type[BaseException] | None, error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        leave(self._token)
        end = self._recorder.read_clock()
        self._recorder.finish(self._opened, self._start, end, self._output, self._recorder.failure(error))
