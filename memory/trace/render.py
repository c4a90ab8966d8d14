"""Traces for the terminal: the tree of one run, and the list of runs."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from memory.trace.events import Event
from memory.trace.glance import clipped, duration, glance, glance_in
from memory.trace.runs import RunSummary
from memory.trace.spans import CLOCK

_DIM, _RED, _BOLD, _PLAIN = "\x1b[2m", "\x1b[31m", "\x1b[1m", "\x1b[0m"
_STATUS_WIDTH = len("unfinished")


@dataclass(frozen=True, slots=True)
class Ink:
    """ANSI codes, or none."""

    dim: str = ""
    red: str = ""
    bold: str = ""
    plain: str = ""


COLOURED = Ink(_DIM, _RED, _BOLD, _PLAIN)
UNCOLOURED = Ink()


def render_tree(
    events: Sequence[Event], depth: int | None = None, *, filters: Sequence[str] = (), ink: Ink = UNCOLOURED
) -> str:
    """Draw a trace as a tree: what each step got, what came out, how long it took.

    `depth` 1 shows the outermost spans only. A filter is a kind or a part of a name: spans that fit one are shown with
    those around them. Readings of the clock are shown only when asked for by name.
    """
    shown = _chosen(events, filters)
    known = {event.span for event in shown}
    below: defaultdict[str | None, list[Event]] = defaultdict(list)
    for event in sorted(shown, key=lambda event: (event.start, event.end, event.span)):
        below[event.parent if event.parent in known else None].append(event)
    lines: list[str] = []
    for event in below[None]:
        lines.append(_line(event, ink, lost=event.parent is not None))
        _draw(event, below, "", 1, depth, ink, lines)
    return "\n".join(lines)


def render_list(runs: Sequence[RunSummary], ink: Ink = UNCOLOURED) -> str:
    """Draw the list of runs, one line each, the latest last."""
    return "\n".join(_run_line(run, ink) for run in runs)


def _draw(
    event: Event,
    below: defaultdict[str | None, list[Event]],
    indent: str,
    level: int,
    depth: int | None,
    ink: Ink,
    lines: list[str],
) -> None:
    children = below[event.span]
    if depth is not None and level >= depth:
        return
    for child in children:
        last = child is children[-1]
        lines.append(f"{ink.dim}{indent}{'└─ ' if last else '├─ '}{ink.plain}{_line(child, ink)}")
        _draw(child, below, indent + ("   " if last else "│  "), level + 1, depth, ink, lines)


def _line(event: Event, ink: Ink, lost: bool = False) -> str:
    given = glance_in(event.input)
    head = f"{ink.bold}{clipped(event.name)}{ink.plain}{f' {given}' if given else ''}"
    note = " (the span around it never ended)" if lost else ""
    return f"{head} {_outcome(event, ink)}  {ink.dim}{event.kind} {duration(event.seconds)}{note}{ink.plain}"


def _outcome(event: Event, ink: Ink) -> str:
    if event.error is None:
        return f"→ {glance(event.output)}"
    return f"{ink.red}✗ {clipped(event.error.type)}: {clipped(event.error.message, 120)}{ink.plain}"


def _run_line(run: RunSummary, ink: Ink) -> str:
    started = datetime.fromtimestamp(run.started, UTC).strftime("%Y-%m-%d %H:%M:%S")
    seconds = "" if run.seconds is None else duration(run.seconds)
    colour = ink.red if run.status in ("failed", "damaged") else ink.plain
    status = f"{colour}{run.status:<{_STATUS_WIDTH}}{ink.plain}"
    return (
        f"{run.run}  {started}  {status}  {seconds:>8}  {run.stop_reason or '':<16}  {clipped(run.question)}".rstrip()
    )


def _chosen(events: Iterable[Event], filters: Sequence[str]) -> tuple[Event, ...]:
    """Return the events to show: those that fit, and all that enclose one of them."""
    by_key = {event.span: event for event in events}
    if not filters:
        return tuple(event for event in by_key.values() if event.name != CLOCK)
    kept: dict[str, Event] = {}
    for event in by_key.values():
        if not any(_fits(event, wanted) for wanted in filters):
            continue
        around: Event | None = event
        while around is not None and around.span not in kept:
            kept[around.span] = around
            around = by_key.get(around.parent) if around.parent else None
    return tuple(kept.values())


def _fits(event: Event, wanted: str) -> bool:
    return event.kind == wanted.upper() or wanted.casefold() in event.name.casefold()
