"""A recorded run opened to be looked at: its events, and all that any span of it says."""

from collections.abc import Sequence
from pathlib import Path

from heliograph.errors import UnknownName
from memory.trace.blobs import BlobStore
from memory.trace.detail import MOST_CHARACTERS, masked, span_detail
from memory.trace.encoding import Json
from memory.trace.events import Event
from memory.trace.reading import load_trace
from memory.trace.redaction import Redaction
from memory.trace.shelf import Shelf
from memory.trace.tree import trace_tree


class OpenedRun:
    """The trace of the run in a folder, with its blobs.

    `secrets` are masked in whatever is shown, beside what was masked when the run was recorded; whatever has the form
    of a key is, too.

    Raises:
        StoreDamaged: the trace cannot be read.
    """

    def __init__(self, folder: Path, secrets: Sequence[str] = ()) -> None:
        self.folder = folder
        self.events: tuple[Event, ...] = load_trace(folder)
        self.redaction = Redaction(secrets, cautious=True)
        self._get = BlobStore(folder / "blobs").get
        self._shelf = Shelf(self.events, self._get)

    @property
    def masked(self) -> tuple[Event, ...]:
        """The events without secrets."""
        return tuple(masked(event, self.redaction) for event in self.events)

    def tree(self) -> dict[str, Json]:
        """Return the tree of all spans (`trace_tree`)."""
        return trace_tree(self.masked)

    def detail(self, span: str, most: int = MOST_CHARACTERS) -> dict[str, Json]:
        """Return all that one span says (`span_detail`), by its key or an unambiguous beginning of it.

        Raises:
            UnknownName: no span has that key, or several begin so.
        """
        return self.detail_of(self._found(span), most)

    def detail_of(self, event: Event, most: int = MOST_CHARACTERS) -> dict[str, Json]:
        """Return all that one event says."""
        return span_detail(event, self._get, self.redaction, self._shelf.text_of, most)

    def _found(self, span: str) -> Event:
        fitting = [event for event in self.events if span and event.span.startswith(span)]
        if len(fitting) != 1:
            problem = f"{len(fitting)} spans begin with" if fitting else "no span is"
            raise UnknownName(
                f"{problem} {span!r} in run {self.folder.name}; heliograph trace show {self.folder.name} --spans "
                "draws each with its key"
            )
        return fitting[0]
