"""One event of a trace, as a noun and as a line."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import cast, get_args

from heliograph.protocols import SpanKind
from memory.trace.encoding import Json, dump, parse

_KINDS = frozenset(get_args(SpanKind))
_FIELDS = ("run", "span", "parent", "kind", "name", "start", "end", "input", "output", "error", "attributes")


@dataclass(frozen=True, slots=True)
class Failure:
    """The error that ended a span, by class name and message."""

    type: str
    message: str


@dataclass(frozen=True, slots=True)
class Event:
    """One closed span.

    `span` is the same for the same step in every run (see `SpanTree`); `parent` is None at the root.
    `start` and `end` are seconds since the epoch. `attributes` are named as in OpenInference.
    """

    run: str
    span: str
    parent: str | None
    kind: SpanKind
    name: str
    start: float
    end: float
    input: Json
    output: Json
    error: Failure | None
    attributes: dict[str, Json]

    @property
    def seconds(self) -> float:
        """Return how long the span was open."""
        return self.end - self.start


def to_line(event: Event) -> bytes:
    """Write an event as one JSON line, the same bytes for the same event."""
    error: Json = {"type": event.error.type, "message": event.error.message} if event.error else None
    values: dict[str, Json] = {
        "run": event.run,
        "span": event.span,
        "parent": event.parent,
        "kind": event.kind,
        "name": event.name,
        "start": event.start,
        "end": event.end,
        "input": event.input,
        "output": event.output,
        "error": error,
        "attributes": event.attributes,
    }
    return dump(values) + b"\n"


def from_line(line: bytes) -> Event:
    """Read a line that `to_line` wrote; raises ValueError when it is anything else."""
    try:
        values = parse(line)
    except json.JSONDecodeError as err:
        raise ValueError(f"no JSON at column {err.colno}") from err
    except RecursionError as err:
        raise ValueError("JSON that is nested too deep") from err
    if not isinstance(values, dict) or tuple(values) != _FIELDS:
        raise ValueError(f"not the fields {', '.join(_FIELDS)}")
    error = values["error"]
    return Event(
        run=_text(values["run"]),
        span=_text(values["span"]),
        parent=None if values["parent"] is None else _text(values["parent"]),
        kind=_kind(values["kind"]),
        name=_text(values["name"]),
        start=_seconds(values["start"]),
        end=_seconds(values["end"]),
        input=values["input"],
        output=values["output"],
        error=None if error is None else _failure(error),
        attributes=_mapping(values["attributes"]),
    )


def by_span(events: Iterable[Event]) -> tuple[Event, ...]:
    """Order events by span key: the order in which two runs are compared."""
    return tuple(sorted(events, key=lambda event: event.span))


def ordered_bytes(events: Sequence[Event]) -> bytes:
    """Return the trace ordered by span key, as bytes: equal for a run and its replay."""
    return b"".join(map(to_line, by_span(events)))


def _text(value: Json) -> str:
    if isinstance(value, str):
        return value
    raise ValueError(f"{value!r} where a string belongs")


def _seconds(value: Json) -> float:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return value
    raise ValueError(f"{value!r} where seconds belong")


def _kind(value: Json) -> SpanKind:
    if value in _KINDS:
        return cast(SpanKind, value)
    raise ValueError(f"{value!r} is no kind of span")


def _mapping(value: Json) -> dict[str, Json]:
    if isinstance(value, dict):
        return value
    raise ValueError(f"{value!r} where an object belongs")


def _failure(value: Json) -> Failure:
    fields = _mapping(value)
    return Failure(_text(fields.get("type")), _text(fields.get("message")))
