"""Traces for the terminal: the tree of one run, and the list of runs."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from memory.trace.attributes import retries_of
from memory.trace.choosing import Wanted, with_surroundings
from memory.trace.events import Event
from memory.trace.glance import clipped, duration, glance, glance_in
from memory.trace.runs import RunSummary
from memory.trace.tree import Below, Totals, children_of, tokens_of, totals

_DIM, _RED, _BOLD, _PLAIN = "\x1b[2m", "\x1b[31m", "\x1b[1m", "\x1b[0m"
_STATUS_WIDTH = len("unfinished")
_NO_DATE = f"{'date unknown':<19}"


@dataclass(frozen=True, slots=True)
class Ink:
    """ANSI codes, or none."""

    dim: str = ""
    red: str = ""
    bold: str = ""
    plain: str = ""


COLOURED = Ink(_DIM, _RED, _BOLD, _PLAIN)
UNCOLOURED = Ink()
Under = Callable[[Event], Sequence[str]]
"""Returns the lines that stand under the line of an event."""


def render_tree(
    events: Sequence[Event],
    depth: int | None = None,
    *,
    filters: Sequence[str] = (),
    wanted: Wanted | None = None,
    ink: Ink = UNCOLOURED,
    under: Under = lambda _: (),
    keys: bool = False,
) -> str:
    """Draw a trace as a tree: what each step got, what came out, tokens, tries after the first, how long it took.

    `depth` 1 shows the outermost spans only. A filter is a kind or a part of a name, `wanted` says more: spans that fit
    are shown with those around them. Readings of the clock are shown only when asked for by name. `under` gives lines
    to stand below a span's own, `keys` shows the key of each.
    """
    shown = with_surroundings(events, wanted or Wanted(texts=tuple(filters)))
    drawing = _Drawing(children_of(shown), depth, ink, under, keys)
    return "\n".join(line for event in drawing.below[None] for line in drawing.lines(event))


def render_totals(events: Sequence[Event]) -> str:
    """Say in one line what a run did in all."""
    return ", ".join(_told(totals(events)))


def render_list(runs: Sequence[RunSummary], ink: Ink = UNCOLOURED) -> str:
    """Draw the list of runs, one line each, the latest last."""
    return "\n".join(_run_line(run, ink) for run in runs)


@dataclass(frozen=True, slots=True)
class _Drawing:
    """A tree that is being drawn."""

    below: Below
    depth: int | None
    ink: Ink
    under: Under
    keys: bool

    def lines(self, event: Event) -> Iterator[str]:
        """Draw an outermost event and all below it."""
        yield _line(event, self.ink, self.keys, lost=event.parent is not None)
        yield from self._under(event, "", 1)

    def _under(self, event: Event, indent: str, level: int) -> Iterator[str]:
        children = self.below.get(event.span, ()) if self.depth is None or level < self.depth else ()
        ink = self.ink
        rail = "│  " if children else "   "
        for said in self.under(event):
            yield f"{ink.dim}{indent}{rail}{said}{ink.plain}"
        for child in children:
            last = child is children[-1]
            yield f"{ink.dim}{indent}{'└─ ' if last else '├─ '}{ink.plain}{_line(child, ink, self.keys)}"
            yield from self._under(child, indent + ("   " if last else "│  "), level + 1)


def _line(event: Event, ink: Ink, keyed: bool, lost: bool = False) -> str:
    given = glance_in(event.input)
    head = f"{ink.bold}{clipped(event.name)}{ink.plain}{f' {given}' if given else ''}"
    note = " (the span around it never ended)" if lost else ""
    key = (event.span,) if keyed else ()
    told = " ".join((*key, event.kind, duration(event.seconds), *_tokens(event), *_retries(event)))
    return f"{head} {_outcome(event, ink)}  {ink.dim}{told}{note}{ink.plain}"


def _tokens(event: Event) -> Iterator[str]:
    counted = tokens_of(event)
    if counted:
        yield f"{counted.get('prompt', 0):,}+{counted.get('completion', 0):,} tokens"


def _retries(event: Event) -> Iterator[str]:
    causes = retries_of(event)
    if causes:
        yield f"tried {len(causes) + 1} times: {clipped(causes[-1])}"


def _told(all_of: Totals) -> Iterator[str]:
    yield f"{all_of.spans} steps in {duration(all_of.seconds)}"
    if all_of.calls:
        yield f"{all_of.calls} model calls, {all_of.prompt_tokens:,}+{all_of.completion_tokens:,} tokens"
    if all_of.errors:
        yield f"{all_of.errors} errors"
    if all_of.retries:
        yield f"{all_of.retries} tries after the first"


def _outcome(event: Event, ink: Ink) -> str:
    if event.error is None:
        return f"→ {glance(event.output)}"
    return f"{ink.red}✗ {clipped(event.error.type)}: {clipped(event.error.message, 120)}{ink.plain}"


def _run_line(run: RunSummary, ink: Ink) -> str:
    started = datetime.fromtimestamp(run.started, UTC).strftime("%Y-%m-%d %H:%M:%S") if run.started else _NO_DATE
    seconds = "" if run.seconds is None else duration(run.seconds)
    colour = ink.red if run.status in ("failed", "damaged") else ink.plain
    status = f"{colour}{run.status:<{_STATUS_WIDTH}}{ink.plain}"
    line = (
        f"{run.run}  {started}  {status}  {seconds:>8}  {run.stop_reason or '':<16}  {clipped(run.question)}".rstrip()
    )
    return f"{line}  {ink.dim}from {clipped(run.origin)}{ink.plain}" if run.origin else line
