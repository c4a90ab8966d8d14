"""A recorder that keeps nothing: for retrieval without an answer, of which there is nothing to replay."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any, TypeVar

from heliograph.protocols import Clock, Span, SpanKind

T = TypeVar("T")


class UnkeptSpan:
    """A span of which nothing stays."""

    def result(self, output: object) -> None:
        """Forget what came out."""


class UnrecordedRecorder:
    """Run every effect, keep no span; `run` is empty."""

    run = ""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock

    def span(
        self,
        kind: SpanKind,  # noqa: ARG002 - the signature is the protocol's
        name: str,  # noqa: ARG002
        given: object,  # noqa: ARG002
    ) -> AbstractAsyncContextManager[Span]:
        """Open a span that nobody sees."""
        return _unseen()

    async def effect(
        self,
        kind: SpanKind,  # noqa: ARG002
        name: str,  # noqa: ARG002
        given: object,  # noqa: ARG002
        returns: Any,  # noqa: ARG002
        call: Callable[[], Awaitable[T]],
    ) -> T:
        """Run `call`."""
        return await call()

    def now(self) -> float:
        """Read the clock: seconds since the epoch, UTC."""
        return self._clock.now()


@asynccontextmanager
async def _unseen() -> AsyncIterator[Span]:
    yield UnkeptSpan()
