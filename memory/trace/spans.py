"""Which span is open, and the key that each one gets."""

from collections import Counter
from contextvars import ContextVar, Token
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Optional

from heliograph.protocols import SpanKind
from memory.trace.encoding import Json, dump

CLOCK = "clock"
"""The name of the events that record readings of the clock."""

_open: ContextVar[Optional["OpenSpan"]] = ContextVar("heliograph_open_span", default=None)


@dataclass(slots=True, eq=False)
class OpenSpan:
    """A span that has not ended, with a count of the children it had so far, equal ones together.

    `retries` says why what runs in it was tried again, once for each time.
    """

    tree: "SpanTree"
    key: str
    parent: str | None
    kind: SpanKind
    name: str
    given: Json
    children: Counter[bytes] = field(default_factory=Counter)
    retries: list[str] = field(default_factory=list)

    def enter(self) -> Token[Optional["OpenSpan"]]:
        """Become the parent of what this task, and the tasks it starts, do next."""
        return _open.set(self)


def leave(token: Token[OpenSpan | None]) -> None:
    """Give the place of parent back."""
    _open.reset(token)


class SpanTree:
    """Keys of one run's spans.

    A key is derived from the parent's key, kind, name, input, and how many equal siblings were opened before; never
    from time or chance. So the same step has the same key in a run and its replay, in whatever order tasks take turns.
    Only equal siblings that run at the same time depend on that order: they are told apart by who came first.
    """

    def __init__(self) -> None:
        self._roots: Counter[bytes] = Counter()

    def open(self, kind: SpanKind, name: str, given: Json) -> OpenSpan:
        """Make a child of the span that is open in this task."""
        above = _open.get()
        if above is not None and above.tree is not self:
            above = None
        parent = above.key if above else None
        siblings = above.children if above else self._roots
        digest = sha256(dump([parent, kind, name, given])).digest()
        ordinal = siblings[digest]
        siblings[digest] += 1
        return OpenSpan(self, _key(digest, ordinal), parent, kind, name, given)


def _key(digest: bytes, ordinal: int) -> str:
    """Return 16 hexadecimal digits, the length of a span id in OpenTelemetry."""
    return sha256(digest + ordinal.to_bytes(8, "big")).hexdigest()[:16]
