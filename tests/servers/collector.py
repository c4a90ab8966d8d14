"""A collector of OpenTelemetry traces on loopback that remembers every span, or is of no use in a way of its own."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any, Literal

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

Manner = Literal["takes", "takes slowly", "refuses", "hangs"]
SLOWLY = 0.2
"""Seconds for which one that takes slowly keeps a request waiting."""


@dataclass
class Collector:
    """What was sent: spans by name, and how often anything was."""

    url: str = ""
    spans: list[Any] = field(default_factory=list)
    resources: list[dict[str, str]] = field(default_factory=list)
    requests: int = 0
    over: Event = field(default_factory=Event)

    def named(self, name: str) -> Any:
        (span,) = [span for span in self.spans if span.name == name]
        return span

    def await_spans(self, count: int, seconds: float = 10.0) -> None:
        until = time.monotonic() + seconds
        while len(self.spans) < count and time.monotonic() < until:
            time.sleep(0.01)
        assert len(self.spans) == count


def attributes(span: Any) -> dict[str, Any]:
    """Return the attributes of a span as plain values."""
    return {each.key: getattr(each.value, each.value.WhichOneof("value")) for each in span.attributes}


@contextmanager
def collector(manner: Manner = "takes") -> Iterator[Collector]:
    """Serve until the block ends."""
    told = Collector()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            told.requests += 1
            body = self.rfile.read(int(self.headers["Content-Length"]))
            if manner == "hangs":
                told.over.wait(30)
            if manner == "takes slowly":
                told.over.wait(SLOWLY)
            if manner in ("takes", "takes slowly"):
                assert self.path == "/v1/traces"
                for sent in ExportTraceServiceRequest.FromString(body).resource_spans:
                    told.resources.append({each.key: each.value.string_value for each in sent.resource.attributes})
                    told.spans += [span for scope in sent.scope_spans for span in scope.spans]
            self.send_response(200 if manner in ("takes", "takes slowly") else 400)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            return

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        told.url = f"http://127.0.0.1:{server.server_address[1]}"
        thread = Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield told
        finally:
            told.over.set()
            server.shutdown()
            thread.join()
