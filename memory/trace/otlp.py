"""Spans to an OpenTelemetry collector over HTTP: the only file that loads OpenTelemetry, in a thread of its own.

A run is never kept waiting: its events go into a bounded queue, and a collector that does not answer is said once and
left alone for a while. What is lost there is in the run's own record, and can be sent again.
"""

import logging
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from queue import Empty, Full, Queue
from threading import Event as Flag
from threading import Thread
from types import TracebackType
from typing import TYPE_CHECKING

from heliograph.version import VERSION
from memory.trace.blobs import BlobStore
from memory.trace.events import Event
from memory.trace.openinference import Sent, resource, sent
from memory.trace.recorder import Listener
from memory.trace.redaction import Redaction
from memory.trace.spans import CLOCK

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import ReadableSpan
    from opentelemetry.sdk.trace.export import SpanExporter

MOST_WAITING = 2048
"""Events that wait to be sent; those that find the queue full are not sent."""
BATCH = 64
GATHERING = 0.3
"""Seconds for which a batch is gathered."""
SECONDS = 5.0
"""How long the collector has for one batch."""
LEFT_ALONE = 60.0
"""Seconds for which a collector that failed is not tried again."""
LAST_WAIT, DOUBTFUL_WAIT = 2.0, 0.2
"""Seconds that the end of a run waits for what is not sent yet: a collector that has answered, and one that has not."""


class OtlpExport:
    """Sends the events of runs under `home` to the collector at `address`, in the background.

    `say` hears once that something fails, in the thread that sends; `secrets` are masked in what is sent, and so is
    what looks like a key.
    """

    def __init__(self, address: str, home: Path, secrets: Sequence[str], say: Callable[[str], None]) -> None:
        self._address = address
        self._home = home
        self._redaction = Redaction(secrets, cautious=True)
        self._say = say
        self._waiting: Queue[Event | None] = Queue(MOST_WAITING)
        self._thread: Thread | None = None
        self._answered = Flag()
        self._again = 0.0
        self._said = False

    def beside(self, listener: Listener) -> Listener:
        """Return a listener that tells another one, and sends what it hears."""

        def hear(event: Event) -> None:
            listener(event)
            self.send(event)

        return hear

    def send(self, event: Event) -> None:
        """Have an event sent some time; nothing is waited for, and where too many wait it is not sent.

        Readings of the clock are left out.
        """
        if event.name == CLOCK:
            return
        if time.monotonic() < self._again:
            return
        if self._thread is None:
            self._thread = Thread(target=self._work, name="otlp", daemon=True)
            self._thread.start()
        with suppress(Full):
            self._waiting.put_nowait(event)

    def close(self) -> None:
        """Wait a little for what is not sent yet, longer for a collector that has answered, and end the thread."""
        thread, self._thread = self._thread, None
        if thread is None:
            return
        until = time.monotonic() + (LAST_WAIT if self._answered.is_set() else DOUBTFUL_WAIT)
        with suppress(Full):
            self._waiting.put(None, timeout=max(until - time.monotonic(), 0.0))
            thread.join(max(until - time.monotonic(), 0.0))

    def send_all(self, events: Iterable[Event]) -> tuple[int, int]:
        """Send the events of a recorded run now; return how many the collector took and how many there are."""
        exporter, taken = self._exporter(), 0
        gathered = [event for event in events if event.name != CLOCK]
        for start in range(0, len(gathered), BATCH):
            batch = gathered[start : start + BATCH]
            if not self._export(exporter, batch):
                break
            taken += len(batch)
        exporter.shutdown()
        return taken, len(gathered)

    def _work(self) -> None:
        """Send until the end; what nobody foresaw is said, and after a while another thread is tried."""
        with ExitStack() as ending:
            ending.push(self._ended)
            self._send_until_the_end(self._exporter())

    def _ended(
        self, kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> bool:
        """Say what ended the thread, as nobody above it would hear of that."""
        if kind is None or not issubclass(kind, Exception):
            return False
        self._thread = None
        self._fail(f"{kind.__name__} on the way to {self._address}")
        return True

    def _send_until_the_end(self, exporter: "SpanExporter") -> None:
        while batch := self._gathered():
            if time.monotonic() < self._again:
                continue
            if self._export(exporter, batch):
                self._answered.set()
            else:
                self._fail(f"{self._address} does not take OTLP over HTTP")
        exporter.shutdown()

    def _gathered(self) -> list[Event]:
        """Wait for an event and gather those that come soon after; an empty list is the end."""
        batch: list[Event] = []
        until = float("inf")
        while len(batch) < BATCH:
            try:
                left = None if until == float("inf") else max(until - time.monotonic(), 0.0)
                event = self._waiting.get(timeout=left)
            except Empty:
                break
            if event is None:
                if batch:
                    self._waiting.put(None)
                break
            batch.append(event)
            until = min(until, time.monotonic() + GATHERING)
        return batch

    def _export(self, exporter: "SpanExporter", batch: Sequence[Event]) -> bool:
        from opentelemetry.sdk.trace.export import SpanExportResult

        spans = [_span(sent(event, self._blobs(event), self._redaction)) for event in batch]
        return exporter.export(spans) is SpanExportResult.SUCCESS

    def _blobs(self, event: Event) -> Callable[[str], bytes]:
        return BlobStore(self._home / "runs" / event.run / "blobs").get

    def _fail(self, reason: str) -> None:
        self._again = time.monotonic() + LEFT_ALONE
        if not self._said:
            self._said = True
            self._say(
                f"traces are not exported: {reason}; the run goes on, and "
                "heliograph trace export RUN --otlp sends its record later"
            )

    def _exporter(self) -> "SpanExporter":
        """Make the exporter; what it logs of its failures is said here, once and in our words."""
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter

        for name in ("opentelemetry.exporter", "opentelemetry.sdk"):
            logging.getLogger(name).setLevel(logging.CRITICAL)
        return OTLPSpanExporter(self._address, timeout=SECONDS)


def _span(said: Sent) -> "ReadableSpan":
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import Event as SpanEvent
    from opentelemetry.sdk.trace import ReadableSpan
    from opentelemetry.sdk.util.instrumentation import InstrumentationScope
    from opentelemetry.trace import SpanContext, Status, StatusCode, TraceFlags

    def context(span: int) -> SpanContext:
        return SpanContext(said.trace, span, is_remote=False, trace_flags=TraceFlags(TraceFlags.SAMPLED))

    kind, _, message = (said.error or "").partition(": ")
    failure = {"exception.type": kind, "exception.message": message}
    return ReadableSpan(
        name=said.name,
        context=context(said.span),
        parent=context(said.parent) if said.parent is not None else None,
        resource=Resource(dict(resource(VERSION))),
        attributes=said.attributes,
        events=[SpanEvent("exception", failure, said.end)] if said.error else [],
        status=Status(StatusCode.ERROR, said.error) if said.error else Status(StatusCode.OK),
        start_time=said.start,
        end_time=said.end,
        instrumentation_scope=InstrumentationScope("heliograph", VERSION),
    )
