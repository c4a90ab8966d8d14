"""Go on with a run that was cut short: what it has recorded is not done again, what it has not is done and recorded."""

from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar, cast

from heliograph.protocols import Clock, SpanKind
from heliograph.unsaid import unsaid
from memory.trace.disk import Journal, write_whole
from memory.trace.encoding import Json
from memory.trace.events import Event, Failure, to_line
from memory.trace.reading import TRACE, load_trace
from memory.trace.record import Record
from memory.trace.recorder import Listener, TraceRecorder
from memory.trace.spans import CLOCK, OpenSpan

T = TypeVar("T")


class ResumingRecorder(TraceRecorder):
    """Record a run into the folder where it was cut short.

    An effect that the record holds is given back and not run; so only those that were in flight at the kill run again.
    No span is written twice. Between the two processes no time passes: the clock goes on where the record ends.

    Raises:
        StoreDamaged: the trace cannot be read.
    """

    def __init__(
        self, folder: Path, run: str, clock: Clock, secrets: Sequence[str] = (), listener: Listener = unsaid
    ) -> None:
        Journal(folder / TRACE).close()  # made where there is none, its last line mended before it is read
        self.record = Record(folder, forget_failure(folder))
        last = max((event.end for event in self.record.events.values()), default=None)
        super().__init__(folder, run, clock if last is None else ContinuedClock(clock, last), secrets, listener)

    async def effect(
        self, kind: SpanKind, name: str, given: object, returns: Any, call: Callable[[], Awaitable[T]]
    ) -> T:
        """Return what the recorded call returned, or raise what it raised; run `call` where there is no record."""
        opened = self.open(kind, name, given)
        recorded = self.record.events.get(opened.key)
        if recorded is not None:
            return cast(T, self.record.value(recorded, returns))
        return await self.run_in(opened, call)

    def now(self) -> float:
        """Return the recorded reading of the clock, or read it."""
        opened = self.open("TOOL", CLOCK, None)
        recorded = self.record.events.get(opened.key)
        return recorded.start if recorded else self.read_and_record(opened)

    def finish(self, opened: OpenSpan, start: float, end: float, output: Json, error: Failure | None) -> None:
        """Write the event of a span that has ended, unless it was written before the kill."""
        if opened.key not in self.record.events:
            super().finish(opened, start, end, output, error)


class ContinuedClock:
    """A clock that goes on from an earlier reading, whatever time it is now."""

    def __init__(self, clock: Clock, last: float) -> None:
        self._clock = clock
        self._offset = last - clock.now()

    def now(self) -> float:
        """Return seconds since the epoch, less the time in which nothing ran."""
        return self._clock.now() + self._offset


def forget_failure(folder: Path) -> tuple[Event, ...]:
    """Take the events out by which a run says that it failed or was interrupted, and return the others.

    So they can happen anew. These are the outermost span, the steps below it that failed, and every effect of theirs
    that did, cancelled ones too. The trace is replaced as a whole.

    Raises:
        StoreDamaged | StoreFull: the trace cannot be read or written.
    """
    events = load_trace(folder)
    dropped = failed_spans(events)
    kept = tuple(event for event in events if event.span not in dropped)
    if len(kept) < len(events):
        write_whole(folder / TRACE, b"".join(map(to_line, kept)))
    return kept


def failed_spans(events: Sequence[Event]) -> frozenset[str]:
    """Return the failed spans from a failed root downwards, as far as each is below a failed one."""
    dropped: set[str | None] = {None}
    found: set[str] = set()
    while new := {event.span for event in events if event.error and event.parent in dropped} - found:
        found |= new
        dropped |= new
    return frozenset(found)
