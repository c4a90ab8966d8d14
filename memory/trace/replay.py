"""Give the recorded effects of a run back, running none of them."""

from collections import defaultdict
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from contextvars import Token
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar, cast

from heliograph.errors import ReplayMiss
from heliograph.protocols import Span, SpanKind
from heliograph.unsaid import unsaid
from memory.trace.attributes import retries_of
from memory.trace.blobs import address
from memory.trace.encoding import Encoder, Json
from memory.trace.events import Event, Failure
from memory.trace.reading import load_trace
from memory.trace.record import Record, call_of
from memory.trace.recorder import Listener, close_span, failure_of
from memory.trace.redaction import Redaction
from memory.trace.spans import CLOCK, OpenSpan, SpanTree, leave

T = TypeVar("T")


class ReplayRecorder:
    """Answer every effect of one run from its record, and make the trace anew in `events`.

    The folder is only read. Give the `secrets` of the recording, if there were any.

    Raises:
        StoreDamaged: the trace or a blob of it cannot be read.
        ReplayMiss: a span or an effect that the record does not hold.
    """

    def __init__(self, folder: Path, secrets: Sequence[str] = (), listener: Listener = unsaid) -> None:
        self._record = Record(folder, load_trace(folder))
        self.run = self._record.run
        self.events: list[Event] = []
        self._below: defaultdict[str | None, list[Event]] = defaultdict(list)
        for event in self._record.events.values():
            self._below[event.parent].append(event)
        self._played: set[str] = set()
        self._tree = SpanTree()
        self._redaction = Redaction(secrets)
        self._encoder = Encoder(address, self._redaction)
        self._listener = listener

    def span(self, kind: SpanKind, name: str, given: object) -> AbstractAsyncContextManager[Span]:
        """Open an event around a step of our own; it lasts as long as it was recorded to last."""
        opened = self._tree.open(kind, name, self._encoder.fold(given))
        return _ReplayedSpan(self, opened, self._find(opened))

    async def effect(
        self,
        kind: SpanKind,
        name: str,
        given: object,
        returns: Any,
        call: Callable[[], Awaitable[T]],  # noqa: ARG002 - never run in replay
    ) -> T:
        """Return what the recorded call returned, as type `returns`, or raise what it raised.

        What the call itself recorded below it is taken over as it stands.
        """
        opened = self._tree.open(kind, name, self._encoder.fold(given))
        recorded = self._find(opened)
        self._take_over(recorded.span)
        if recorded.error is not None:
            self.finish(opened, recorded, None, recorded.error)
        value = self._record.value(recorded, returns)
        self.finish(opened, recorded, self.encode(value), None)
        return cast(T, value)

    def now(self) -> float:
        """Return the recorded reading of the clock."""
        opened = self._tree.open("TOOL", CLOCK, None)
        recorded = self._find(opened)
        self.finish(opened, recorded, recorded.output, None)
        return recorded.start

    def close(self) -> None:
        """Do nothing: a replay holds no file."""

    def encode(self, output: object) -> Json:
        """Encode what came out of a span."""
        return self._encoder.fold(output)

    def failure(self, error: BaseException | None) -> Failure | None:
        """Name the error that ended a span."""
        return failure_of(error, self._redaction)

    def finish(self, opened: OpenSpan, recorded: Event, output: Json, error: Failure | None) -> None:
        """Keep the event of a span that has ended, with the recorded times."""
        retries = retries_of(recorded)
        self._keep(close_span(self.run, opened, recorded.start, recorded.end, output, error, retries))

    def _keep(self, event: Event) -> None:
        self.events.append(event)
        self._listener(event)

    def _find(self, opened: OpenSpan) -> Event:
        recorded = self._record.events.get(opened.key)
        if recorded is None:
            raise ReplayMiss(self._miss(opened))
        self._played.add(recorded.span)
        return recorded

    def _take_over(self, span: str) -> None:
        for event in self._below[span]:
            self._played.add(event.span)
            self._take_over(event.span)
            self._keep(event)

    def _miss(self, opened: OpenSpan) -> str:
        wanted = f"run {self.run} holds no call {call_of(opened)}"
        left = [event for event in self._record.events.values() if event.span not in self._played]
        if not left:
            return f"{wanted}; every recorded call was used: the run was cut short, or the code changed since"
        first = min(left, key=lambda event: (_distance(event, opened), event.start, event.span))
        differs = f"the first recorded call that differs is {call_of(first)}"
        return f"{wanted}; {differs}: the settings or the code changed since"


class _ReplayedSpan:
    """One step of a replayed run, open between entering and leaving."""

    def __init__(self, recorder: ReplayRecorder, opened: OpenSpan, recorded: Event) -> None:
        self._recorder = recorder
        self._opened = opened
        self._recorded = recorded
        self._output: Json = None
        self._token: Token[OpenSpan | None]

    def result(self, output: object) -> None:
        """Keep what came out, as it is now."""
        self._output = self._recorder.encode(output)

    async def __aenter__(self) -> Span:
        self._token = self._opened.enter()
        return self

    async def __aexit__(
        self, _kind: type[BaseException] | None, error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        leave(self._token)
        self._recorder.finish(self._opened, self._recorded, self._output, self._recorder.failure(error))


def _distance(event: Event, opened: OpenSpan) -> int:
    """Rank an unused record as the one that was meant: same place and name, same place, same name, any."""
    here = event.parent == opened.parent
    same = (event.kind, event.name) == (opened.kind, opened.name)
    return (0 if here else 2) + (0 if same else 1)
