"""A run's events as one JSON tree: what the page, the HTML export and other programs draw."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from memory.trace.attributes import retries_of
from memory.trace.encoding import Json
from memory.trace.events import Event
from memory.trace.glance import clipped, glance, glance_in
from memory.trace.spans import CLOCK

SCHEMA = "heliograph.trace-tree/1"
_COUNTS = {
    "prompt": "llm.token_count.prompt",
    "completion": "llm.token_count.completion",
    "cached": "llm.token_count.prompt_details.cache_read",
}
_FOUND = frozenset({"RETRIEVER", "RERANKER"})
PAGE_EFFECTS = frozenset({"read_page", "kept_page"})
"""Effects that give a page: what a run has read."""

Below: TypeAlias = Mapping[str | None, Sequence[Event]]


@dataclass(frozen=True, slots=True)
class Totals:
    """What a run did in all; tokens as the model servers counted them, `seconds` from its first instant to its last."""

    spans: int
    calls: int
    prompt_tokens: int
    completion_tokens: int
    errors: int
    retries: int
    seconds: float


def trace_tree(events: Sequence[Event]) -> dict[str, Json]:
    """Return the events as a tree of plain JSON, siblings in the order in which they began.

    `spans` are the outermost; each has `span`, `parent`, `kind`, `name`, `given` and `glance` (input and output in a
    few words), `start`, `end`, `seconds`, `error`, `tokens`, `retries` (why each try after the first was made),
    `shows` (what `span_detail` has of it beside input and output: prompt, reply, documents), `lost` (the span around it
    never ended) and `children`. Readings of the clock are left out.
    """
    below = children_of(event for event in events if event.name != CLOCK)
    all_of = totals(events)
    return {
        "schema": SCHEMA,
        "run": events[0].run if events else "",
        "start": min((event.start for event in events), default=0.0),
        "end": max((event.end for event in events), default=0.0),
        "totals": {name: getattr(all_of, name) for name in Totals.__slots__},
        "spans": [_branch(event, below) for event in below.get(None, ())],
    }


def children_of(events: Iterable[Event]) -> Below:
    """Return the events below each span, in the order in which they began; None has the outermost and the lost."""
    shown = sorted(events, key=lambda event: (event.start, event.end, event.span))
    known = {event.span for event in shown}
    below: defaultdict[str | None, list[Event]] = defaultdict(list)
    for event in shown:
        below[event.parent if event.parent in known else None].append(event)
    return below


def totals(events: Sequence[Event]) -> Totals:
    """Add up a trace."""
    calls = [tokens for event in events if (tokens := tokens_of(event))]
    return Totals(
        spans=sum(event.name != CLOCK for event in events),
        calls=sum(event.kind == "LLM" for event in events),
        prompt_tokens=sum(tokens.get("prompt", 0) for tokens in calls),
        completion_tokens=sum(tokens.get("completion", 0) for tokens in calls),
        errors=sum(event.error is not None for event in events),
        retries=sum(len(retries_of(event)) for event in events),
        seconds=max((event.end for event in events), default=0.0) - min((each.start for each in events), default=0.0),
    )


def tokens_of(event: Event) -> dict[str, int]:
    """Return what a model call read and wrote, as the server counted it; nothing of other events."""
    counts = ((name, event.attributes.get(attribute)) for name, attribute in _COUNTS.items())
    return {name: count for name, count in counts if isinstance(count, int)}


def shows(event: Event) -> tuple[str, ...]:
    """Say what can be shown of an event beside its input and output: prompt, reply, documents."""
    if event.kind == "LLM":
        return ("prompt",) if event.error else ("prompt", "reply")
    found = event.kind in _FOUND or event.name in PAGE_EFFECTS
    return ("documents",) if found and not event.error else ()


def _branch(event: Event, below: Below) -> Json:
    counted = tokens_of(event)
    return {
        "span": event.span,
        "parent": event.parent,
        "kind": event.kind,
        "name": clipped(event.name),
        "given": glance_in(event.input),
        "glance": "" if event.error else glance(event.output),
        "start": event.start,
        "end": event.end,
        "seconds": event.seconds,
        "error": {"type": event.error.type, "message": event.error.message} if event.error else None,
        "tokens": {name: counted[name] for name in counted} or None,
        "retries": list(retries_of(event)),
        "shows": list(shows(event)),
        "lost": event.parent is not None and event in below.get(None, ()),
        "children": [_branch(child, below) for child in below.get(event.span, ())],
    }
