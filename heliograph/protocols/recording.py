"""The seams of time and record."""

from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from typing import Any, Literal, Protocol, TypeVar

T = TypeVar("T")
SpanKind = Literal["CHAIN", "AGENT", "LLM", "TOOL", "RETRIEVER", "RERANKER", "EMBEDDING", "GUARDRAIL", "EVALUATOR"]


class Clock(Protocol):
    """Seconds since the epoch, UTC."""

    def now(self) -> float: ...


class Span(Protocol):
    """An open trace event."""

    def result(self, output: object) -> None:
        """Say what came out; plain JSON values and Heliograph's nouns are accepted."""


class Recorder(Protocol):
    """Trace and record every effect of one run, or give recorded effects back (replay)."""

    run: str

    def span(self, kind: SpanKind, name: str, given: object) -> AbstractAsyncContextManager[Span]:
        """Open an event around a step of our own; its children nest in it."""

    async def effect(
        self, kind: SpanKind, name: str, given: object, returns: Any, call: Callable[[], Awaitable[T]]
    ) -> T:
        """Run `call`, record its result as type `returns`; in replay return the record and never run it.

        Raises:
            ReplayMiss: the record holds no such call; the message names it.
        """

    def now(self) -> float:
        """Return the recorded clock."""
