"""Which events of a trace somebody wants to see."""

from collections.abc import Iterable
from dataclasses import dataclass

from heliograph.protocols import SpanKind
from memory.trace.events import Event
from memory.trace.spans import CLOCK


@dataclass(frozen=True, slots=True)
class Wanted:
    """What events must be; what is not set holds for all, and of several kinds, names or texts any counts.

    `texts` are kinds or parts of names, `names` parts of names. `failed` are those that ended in an error, `slower`
    those that took more seconds.
    """

    texts: tuple[str, ...] = ()
    kinds: tuple[SpanKind, ...] = ()
    names: tuple[str, ...] = ()
    failed: bool = False
    slower: float | None = None

    @property
    def everything(self) -> bool:
        """Whether nothing is asked of an event."""
        return self == Wanted()

    def fits(self, event: Event) -> bool:
        """Say whether an event is one of those."""
        return (
            (not self.texts or any(_is_or_is_named(event, text) for text in self.texts))
            and (not self.kinds or event.kind in self.kinds)
            and (not self.names or any(_is_named(event, name) for name in self.names))
            and (not self.failed or event.error is not None)
            and (self.slower is None or event.seconds > self.slower)
        )


def chosen(events: Iterable[Event], wanted: Wanted) -> tuple[Event, ...]:
    """Return the events that fit; readings of the clock only where something is asked for."""
    return tuple(event for event in events if (event.name != CLOCK if wanted.everything else wanted.fits(event)))


def with_surroundings(events: Iterable[Event], wanted: Wanted) -> tuple[Event, ...]:
    """Return the events that fit and all that enclose one of them."""
    by_key = {event.span: event for event in events}
    kept: dict[str, Event] = {}
    for event in chosen(by_key.values(), wanted):
        around: Event | None = event
        while around is not None and around.span not in kept:
            kept[around.span] = around
            around = by_key.get(around.parent) if around.parent else None
    return tuple(kept.values())


def _is_named(event: Event, name: str) -> bool:
    return name.casefold() in event.name.casefold()


def _is_or_is_named(event: Event, text: str) -> bool:
    return event.kind == text.upper() or _is_named(event, text)
