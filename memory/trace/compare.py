"""Where two traces differ."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from memory.trace.attributes import RETRIES
from memory.trace.encoding import dump
from memory.trace.events import Event, by_span, to_line
from memory.trace.spans import CLOCK


@dataclass(frozen=True, slots=True)
class Differences:
    """What two traces do not share, ordered by span key.

    `missing` spans are only in the first, `extra` ones only in the second; `changed` ones are in both, not alike.
    """

    changed: tuple[tuple[Event, Event], ...] = ()
    missing: tuple[Event, ...] = ()
    extra: tuple[Event, ...] = ()

    @property
    def same(self) -> bool:
        """Say whether the traces are byte-identical, ordered by span key."""
        return not (self.changed or self.missing or self.extra)


def compare(recorded: Iterable[Event], replayed: Iterable[Event]) -> Differences:
    """Compare a run and its replay, times included."""
    first = {event.span: event for event in recorded}
    second = {event.span: event for event in replayed}
    shared = ((event, second[span]) for span, event in sorted(first.items()) if span in second)
    return Differences(
        changed=tuple((old, new) for old, new in shared if to_line(old) != to_line(new)),
        missing=by_span(event for span, event in first.items() if span not in second),
        extra=by_span(event for span, event in second.items() if span not in first),
    )


def compare_work(first: Iterable[Event], second: Iterable[Event]) -> Differences:
    """Compare what two runs did, whatever their names, their times and how often calls were tried again."""
    return compare(map(_timeless, first), map(_timeless, second))


def render_differences(differences: Differences) -> str:
    """Say where two traces differ, one line a span; the empty string where they do not."""
    lines = [_changed_line(old, new) for old, new in differences.changed]
    lines += [f"- {event.span} {event.kind} {event.name}: only in the first" for event in differences.missing]
    lines += [f"+ {event.span} {event.kind} {event.name}: only in the second" for event in differences.extra]
    return "\n".join(lines)


def _timeless(event: Event) -> Event:
    output = None if event.name == CLOCK else event.output
    attributes = {name: value for name, value in event.attributes.items() if name != RETRIES}
    return replace(event, run="", start=0.0, end=0.0, output=output, attributes=attributes)


def _changed_line(old: Event, new: Event) -> str:
    fields = ("run", "parent", "start", "end", "input", "output", "error", "attributes")
    names = [name for name in fields if getattr(old, name) != getattr(new, name)]
    return f"~ {old.span} {old.kind} {old.name}: {', '.join(names)} differ; {_shown(old)} became {_shown(new)}"


def _shown(event: Event) -> str:
    failed = event.error and f"{event.error.type}: {event.error.message}"
    shown = failed or dump(event.output).decode("utf8", "replace")
    return shown if len(shown) <= 120 else shown[:120] + "…"
