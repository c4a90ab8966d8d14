"""The record of a run: its events by span, and the values and errors that its effects had."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from heliograph.errors import HeliographError, ReplayMiss, StoreDamaged
from memory.trace.blobs import BlobStore
from memory.trace.decoding import Decoder, Misfit
from memory.trace.encoding import dump
from memory.trace.events import Event
from memory.trace.reading import TRACE, last_event
from memory.trace.spans import CLOCK, OpenSpan


class Record:
    """What the run in a folder has written so far, as events that were read from there."""

    def __init__(self, folder: Path, recorded: Iterable[Event]) -> None:
        self.events = {event.span: event for event in recorded}
        self.run = next((event.run for event in self.events.values()), folder.name)
        self._decoder = Decoder(BlobStore(folder / "blobs").get)

    def value(self, event: Event, returns: Any) -> Any:
        """Return what a recorded effect returned, as type `returns`, or raise what it raised.

        Raises:
            StoreDamaged: the record has another shape.
            HeliographError: the recorded error.
        """
        if event.error is not None:
            raise _same_error(event)
        try:
            return self._decoder.decode(returns, event.output)
        except Misfit as err:
            raise StoreDamaged(f"the record of {call_of(event)} in run {self.run} cannot be read: {err}") from err


def returned(folder: Path, returns: Any) -> Any | None:
    """Return what the run in `folder` came to; None where it has not ended, or ended in an error.

    The outermost span ends last, so nothing else is read.

    Raises:
        StoreDamaged: the trace cannot be read, or has another shape.
    """
    last = last_event(folder) if (folder / TRACE).exists() else None
    if last is None or last.parent is not None or last.name == CLOCK or last.error:
        return None
    return Record(folder, (last,)).value(last, returns)


def call_of(of: Event | OpenSpan) -> str:
    """Name a call by kind, name and input, shortened."""
    given = of.input if isinstance(of, Event) else of.given
    written = dump(given).decode("utf-8", "replace")
    return f"{of.kind} {of.name} {written if len(written) <= 200 else written[:200] + '…'}"


def _same_error(event: Event) -> HeliographError:
    """Rebuild the error of a recorded call."""
    kind_of, message = (event.error.type, event.error.message) if event.error else ("", "")
    kinds = [HeliographError]
    for kind in kinds:
        if kind.__name__ == kind_of:
            return kind(message)
        kinds.extend(kind.__subclasses__())
    return ReplayMiss(
        f"{call_of(event)} ended in {kind_of} when it was recorded ({message}): "
        "not an error that Heliograph raises, so it cannot be replayed; ask again"
    )
