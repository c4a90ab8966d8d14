"""A new run that begins as a recorded one did, up to a step, and goes another way from there."""

import shutil
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from heliograph.errors import ReplayMiss, UnknownName
from heliograph.storage import storage_error
from memory.trace.account import steps_of
from memory.trace.blobs import BlobStore
from memory.trace.disk import write_whole
from memory.trace.encoding import Json, parse
from memory.trace.events import Event, Failure, to_line
from memory.trace.folder import Manifest, write_manifest
from memory.trace.reading import TRACE
from memory.trace.record import call_of
from memory.trace.resume import ResumingRecorder
from memory.trace.spans import OpenSpan

T = TypeVar("T")


def events_before(events: Sequence[Event], node: str, time: int) -> tuple[Event, ...]:
    """Return what a run had recorded when it came to a step for the `time`-th time, in the order in which it did.

    Raises:
        UnknownName: the run never came to that step, or not so often.
    """
    steps = steps_of(events)
    found = [step for step in steps if step.name == node]
    if not found:
        gone = ", ".join(dict.fromkeys(step.name for step in steps)) or "none"
        raise UnknownName(f"the run never came to {node!r}; the steps that it ended are {gone}")
    if not 1 <= time <= len(found):
        often = "once; name it" if len(found) == 1 else f"{len(found)} times; the last is"
        raise UnknownName(f"the run came to {node} {often} {node}@{len(found)}")
    inside = _below(events, found[time - 1].span)
    cut = next(place for place, event in enumerate(events) if event.span in inside)
    return tuple(events[:cut])


def copy_beginning(home: Path, source: Path, manifest: Manifest, beginning: Sequence[Event]) -> Path:
    """Make the folder of a new run that has recorded `beginning` of the run in `source`; it appears at once or never.

    Raises:
        StoreDamaged: a blob is missing.
        StoreFull | StoreError: it cannot be written.
    """
    folder, passing = home / "runs" / manifest.run, home / "runs" / f".{manifest.run}"
    old, new = BlobStore(source / "blobs"), BlobStore(passing / "blobs")
    try:
        passing.mkdir(parents=True)
    except OSError as err:
        raise storage_error(err, passing) from err
    with ExitStack() as failing:
        failing.callback(shutil.rmtree, passing, ignore_errors=True)
        for event in beginning:
            _copy_blobs([event.input, event.output], old, new)
        write_whole(passing / TRACE, b"".join(to_line(replace(event, run=manifest.run)) for event in beginning))
        write_manifest(passing, manifest)
        try:
            passing.rename(folder)
        except OSError as err:
            raise storage_error(err, folder) from err
        failing.pop_all()
    return folder


class BranchingRecorder(ResumingRecorder):
    """Record a run that has the beginning of another: until `go_on` is called, every effect must be in its record.

    So the beginning is what it was, and whatever comes after it takes effect.
    """

    live = False

    def go_on(self) -> None:
        """Let effects run from here on."""
        self.live = True

    async def run_in(self, opened: OpenSpan, call: Callable[[], Awaitable[T]]) -> T:
        """Run `call`, unless it belongs to the beginning.

        Raises:
            ReplayMiss: the beginning is gone through by other calls than it was.
        """
        self._refuse_change(opened)
        return await super().run_in(opened, call)

    def read_and_record(self, opened: OpenSpan) -> float:
        """Read the clock, unless it belongs to the beginning; raises as `run_in`."""
        self._refuse_change(opened)
        return super().read_and_record(opened)

    def finish(self, opened: OpenSpan, start: float, end: float, output: Json, error: Failure | None) -> None:
        """Write the event of a span that has ended, unless it was written; raises as `run_in`."""
        recorded = self.record.events.get(opened.key)
        if not self.live and error is None and (recorded is None or recorded.output != output):
            raise ReplayMiss(f"{call_of(opened)} came to something else than in the record: the code changed since")
        super().finish(opened, start, end, output, error)

    def _refuse_change(self, opened: OpenSpan) -> None:
        if not self.live:
            raise ReplayMiss(
                f"the record holds no call {call_of(opened)}: the code or a model changed since; ask the question again"
            )


def _below(events: Sequence[Event], span: str) -> frozenset[str]:
    """Return a span and all below it."""
    found = {span}
    while new := {event.span for event in events if event.parent in found} - found:
        found |= new
    return frozenset(found)


def _copy_blobs(value: Json, old: BlobStore, new: BlobStore) -> None:
    """Copy the blobs that a recorded value names, those named in blobs too."""
    for name, kind in _blobs(value):
        data = old.get(name)
        new.put(data)
        if kind == "json":
            _copy_blobs(parse(data), old, new)


def _blobs(value: Json) -> Iterator[tuple[str, str]]:
    match value:
        case {"$blob": str(name), **rest}:
            kind = rest.get("as")
            yield name, kind if isinstance(kind, str) else ""
        case dict():
            for item in value.values():
                yield from _blobs(item)
        case list():
            for item in value:
                yield from _blobs(item)
