"""An event as OpenTelemetry and OpenInference take it: ids, nanoseconds, flat attributes without secrets."""

from dataclasses import dataclass, replace
from hashlib import sha256

from memory.trace.attributes import attributes_of, flattened, retries_of
from memory.trace.detail import Get, clean, unfolded
from memory.trace.encoding import Json
from memory.trace.events import Event
from memory.trace.redaction import Redaction

Plain = bool | int | float | str
PROJECT = "heliograph"
MOST_CHARACTERS = 30_000
"""How much of a single text is sent."""


@dataclass(frozen=True, slots=True)
class Sent:
    """One span as it is sent: `trace` has 128 bits, `span` and `parent` 64; times are nanoseconds since 1970."""

    trace: int
    span: int
    parent: int | None
    name: str
    start: int
    end: int
    attributes: dict[str, Plain]
    error: str | None


def trace_id(run: str) -> int:
    """Return the id of the trace of a run."""
    return int.from_bytes(sha256(run.encode()).digest()[:16], "big") or 1


def span_id(run: str, span: str) -> int:
    """Return the id of a span of one run.

    The span's own key does not serve: the same step has the same key in every run of a question, and collectors take
    an id for one span, whatever its trace. So a run that was taken from another is never mixed up with it, and the same
    run sent twice is one.
    """
    return int.from_bytes(sha256(f"{run}/{span}".encode()).digest()[:8], "big") or 1


def sent(event: Event, get: Get, redaction: Redaction, most: int = MOST_CHARACTERS) -> Sent:
    """Return an event as it is sent, with blobs put back, secrets masked and long texts cut."""
    given, output = (clean(unfolded(value, get), redaction, most) for value in (event.input, event.output))
    whole = replace(
        event,
        input=given,
        output=output,
        attributes=attributes_of(event.kind, event.name, given, output, event.error, retries_of(event)),
    )
    attributes = {**flattened(whole), **_embedded(event, given), **_said(event, given, output)}
    attributes |= {"heliograph.run": event.run, "heliograph.span": event.span}
    return Sent(
        trace=trace_id(event.run),
        span=span_id(event.run, event.span),
        parent=span_id(event.run, event.parent) if event.parent else None,
        name=event.name,
        start=int(event.start * 1e9),
        end=int(event.end * 1e9),
        attributes={name: _cut(value, redaction, most) for name, value in attributes.items()},
        error=redaction.text(f"{event.error.type}: {event.error.message}") if event.error else None,
    )


def _said(event: Event, given: Json, output: Json) -> dict[str, Plain]:
    """Return question and answer of the outermost span as the words that they are."""
    if event.kind != "AGENT" or event.parent is not None:
        return {}
    match given, output:
        case {"question": str(question)}, {"answer": str(answer)}:
            said = {"input": question, "output": answer}
        case {"question": str(question)}, _:
            said = {"input": question}
        case _:
            said = {}
    values: dict[str, Plain] = {f"{name}.value": text for name, text in said.items()}
    return values | {f"{name}.mime_type": "text/plain" for name in said}


def _embedded(event: Event, given: Json) -> dict[str, Plain]:
    """Return the texts of an embedding; its vectors are in the record."""
    texts = given.get("texts") if event.kind == "EMBEDDING" and isinstance(given, dict) else None
    if not isinstance(texts, list):
        return {}
    return {f"embedding.embeddings.{place}.embedding.text": str(text) for place, text in enumerate(texts)}


def _cut(value: Plain, redaction: Redaction, most: int) -> Plain:
    if not isinstance(value, str):
        return value
    masked = redaction.text(value)
    return masked if len(masked) <= most else f"{masked[:most]}…"


def resource(version: str) -> dict[str, str]:
    """Return what is said of the program that sends; Phoenix shows its runs as one project."""
    return {"service.name": PROJECT, "service.version": version, "openinference.project.name": PROJECT}
