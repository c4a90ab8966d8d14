"""Spans to an OpenTelemetry collector over HTTP: the only file that loads OpenTelemetry.

OpenTelemetry's `BatchSpanProcessor` queues what is sent and sends it in a thread of its own, so no run waits for a
collector. Spans that are lost there are in the run's own record, and `heliograph trace export` sends them later.
"""

import logging
import math
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import Event as SpanEvent
from opentelemetry.sdk.trace import ReadableSpan, SpanProcessor
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter, SpanExportResult
from opentelemetry.sdk.util.instrumentation import InstrumentationScope
from opentelemetry.trace import SpanContext, Status, StatusCode, TraceFlags

from heliograph.version import VERSION
from memory.trace.blobs import BlobStore
from memory.trace.events import Event
from memory.trace.openinference import Sent, resource, sent
from memory.trace.recorder import Listener
from memory.trace.redaction import Redaction
from memory.trace.spans import CLOCK

MOST_WAITING = 2048
"""Events that wait to be sent; when more come, the oldest are dropped."""
BATCH = 64
GATHERING = 0.3
"""Seconds for which a batch is gathered."""
SECONDS, PATIENT_SECONDS = 3.0, 10.0
"""Seconds that the collector has for one batch: beside a run, and when a recorded run is sent."""
LEFT_ALONE = 60.0
"""Seconds for which a collector that failed is not tried again."""
LAST_WAIT = 5.0
"""Seconds after `close` in which a batch may still be begun: with `SECONDS`, the longest that closing takes."""

_SAMPLED = TraceFlags(TraceFlags.SAMPLED)
_RESOURCE = Resource(dict(resource(VERSION)))
_SCOPE = InstrumentationScope("heliograph", VERSION)


class OtlpExport:
    """Sends the events of runs under `home` to the collector at `address`, in the background.

    `say` is called once, when sending first fails, in the thread that sends. `secrets` are masked in what is sent, and
    so is whatever looks like a key. The thread starts with the first event and ends in `close`.
    """

    def __init__(self, address: str, home: Path, secrets: Sequence[str], say: Callable[[str], None]) -> None:
        self._address = address
        self._home = home
        self._redaction = Redaction(secrets, cautious=True)
        self._exporter = _EventExporter(address, self._span, say)
        self._processor: SpanProcessor | None = None

    def beside(self, listener: Listener) -> Listener:
        """Return a listener that passes each event on to another one and then sends it."""

        def hear(event: Event) -> None:
            listener(event)
            self.send(event)

        return hear

    def send(self, event: Event) -> None:
        """Queue an event to be sent, without waiting; readings of the clock are left out."""
        if event.name == CLOCK:
            return
        if self._processor is None:
            self._exporter.stop_in(math.inf)
            self._processor = BatchSpanProcessor(self._exporter, MOST_WAITING, GATHERING * 1000, BATCH)
        self._processor.on_end(_EventSpan(event))

    def close(self, last_wait: float = LAST_WAIT) -> None:
        """Send what is queued and end the thread, within `last_wait` and `SECONDS`; a later event starts another."""
        processor, self._processor = self._processor, None
        if processor is not None:
            self._exporter.stop_in(last_wait)
            processor.shutdown()

    def send_all(self, events: Iterable[Event]) -> tuple[int, int]:
        """Send the events of a recorded run now; return how many the collector took and how many there are."""
        exporter, taken = _collector(self._address, PATIENT_SECONDS), 0
        gathered = [event for event in events if event.name != CLOCK]
        for start in range(0, len(gathered), BATCH):
            batch = [self._span(event) for event in gathered[start : start + BATCH]]
            if exporter.export(batch) is not SpanExportResult.SUCCESS:
                break
            taken += len(batch)
        exporter.shutdown()
        return taken, len(gathered)

    def _span(self, event: Event) -> ReadableSpan:
        blobs = BlobStore(self._home / "runs" / event.run / "blobs")
        return _readable(sent(event, blobs.get, self._redaction))


class _EventSpan(ReadableSpan):
    """An event in the processor's queue, which takes sampled spans: its attributes are made in the sending thread."""

    _context_of_any = SpanContext(1, 1, is_remote=False, trace_flags=_SAMPLED)

    def __init__(self, event: Event) -> None:
        super().__init__(event.name, self._context_of_any, resource=_RESOURCE)
        self.event = event


class _EventExporter(SpanExporter):
    """Sends queued events as spans; after a failure it leaves the collector alone for `LEFT_ALONE` seconds.

    `BatchSpanProcessor` logs each failure and tries every batch, however many are queued behind one that timed out.
    """

    def __init__(self, address: str, span: Callable[[Event], ReadableSpan], say: Callable[[str], None]) -> None:
        self._address = address
        self._span = span
        self._say = say
        self._collector: SpanExporter | None = None
        self._again = 0.0
        self._stop = math.inf
        self._said = False

    def stop_in(self, seconds: float) -> None:
        """Begin no batch later than so many seconds from now."""
        self._stop = time.monotonic() + seconds

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        """Send a batch; an error on the way is said, and is then the processor's, whose thread goes on."""
        taken = SpanExportResult.FAILURE
        if not self._again <= time.monotonic() <= self._stop:
            return taken
        try:
            self._collector = self._collector or _collector(self._address, SECONDS)
            taken = self._collector.export([self._span(each.event) for each in spans if isinstance(each, _EventSpan)])
        finally:
            if taken is not SpanExportResult.SUCCESS:
                self._fail(sys.exception())
        return taken

    def shutdown(self) -> None:
        """Close the connections; a later batch opens others."""
        collector, self._collector = self._collector, None
        if collector is not None:
            collector.shutdown()

    def _fail(self, error: BaseException | None) -> None:
        self._again = time.monotonic() + LEFT_ALONE
        if self._said:
            return
        self._said = True
        address = self._address
        reason = (
            f"{type(error).__name__} on the way to {address}" if error else f"{address} does not take OTLP over HTTP"
        )
        self._say(
            f"traces are not exported: {reason}; the run goes on, and "
            "heliograph trace export RUN --otlp sends its record later"
        )


def _collector(address: str, seconds: float) -> SpanExporter:
    """Make OpenTelemetry's exporter; what it and the processor log is left to `say`, once and in our words.

    The import takes longer than everything else here, so it is left to the thread that sends.
    """
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter

    for name in ("opentelemetry.exporter", "opentelemetry.sdk"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    return OTLPSpanExporter(address, timeout=seconds)


def _readable(said: Sent) -> ReadableSpan:
    def context(span: int) -> SpanContext:
        return SpanContext(said.trace, span, is_remote=False, trace_flags=_SAMPLED)

    kind, _, message = (said.error or "").partition(": ")
    failure = {"exception.type": kind, "exception.message": message}
    return ReadableSpan(
        name=said.name,
        context=context(said.span),
        parent=context(said.parent) if said.parent is not None else None,
        resource=_RESOURCE,
        attributes=said.attributes,
        events=[SpanEvent("exception", failure, said.end)] if said.error else [],
        status=Status(StatusCode.ERROR, said.error) if said.error else Status(StatusCode.OK),
        start_time=said.start,
        end_time=said.end,
        instrumentation_scope=_SCOPE,
    )
