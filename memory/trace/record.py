"""The record of a run: its events by span, and the values and errors that its effects had."""

from pathlib import Path
from typing import Any

from heliograph.errors import HeliographError, ReplayMiss, StoreDamaged
from memory.trace.blobs import BlobStore
from memory.trace.decoding import Decoder, Misfit
from memory.trace.encoding import dump
from memory.trace.events import Event
from memory.trace.reading import TRACE, load_trace
from memory.trace.spans import CLOCK, OpenSpan


class Record:
    """What a run has written so far.

    Raises:
        StoreDamaged: the trace cannot be read.
    """

    def __init__(self, folder: Path) -> None:
        recorded = load_trace(folder)
        self.run = recorded[0].run if recorded else folder.name
        self.events = {event.span: event for event in recorded}
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

    Raises:
        StoreDamaged: the trace cannot be read, or has another shape.
    """
    if not (folder / TRACE).exists():
        return None
    record = Record(folder)
    whole = next((event for event in record.events.values() if event.parent is None and event.name != CLOCK), None)
    return None if whole is None or whole.error else record.value(whole, returns)


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
