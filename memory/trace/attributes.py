"""What an event says under OpenInference's names (semantic conventions, reserved attributes).

The line's own `input` and `output` are OpenInference's `input.value` and `output.value`: they are not written twice.
"""

from heliograph.protocols import SpanKind
from memory.trace.encoding import Json, dump
from memory.trace.events import Event, Failure


def attributes_of(
    kind: SpanKind, name: str, given: Json, output: Json, error: Failure | None = None
) -> dict[str, Json]:
    """Derive the attributes of an event from what went in and what came out."""
    found: dict[str, Json] = {"openinference.span.kind": kind, "input.mime_type": _mime(given)}
    if error is None:
        found["output.mime_type"] = _mime(output)
    else:
        found["exception.type"] = error.type
        found["exception.message"] = error.message
    match kind:
        case "TOOL":
            found["tool.name"] = name
        case "EMBEDDING":
            _copy(given, "model", found, "embedding.model_name")
        case "LLM":
            _copy(given, "model", found, "llm.model_name")
        case "RETRIEVER":
            _name_documents(output, found, "retrieval.documents")
        case "RERANKER":
            _copy(given, "question", found, "reranker.query")
            _name_documents(output, found, "reranker.output_documents")
    return found


def flattened(event: Event) -> dict[str, bool | int | float | str]:
    """Return all attributes as OpenTelemetry takes them: one level, lists numbered, values plain."""
    values: dict[str, Json] = {"input.value": _written(event.input), **event.attributes}
    if event.error is None:
        values["output.value"] = _written(event.output)
    plain: dict[str, bool | int | float | str] = {}
    for name, value in values.items():
        _flatten(name, value, plain)
    return dict(sorted(plain.items()))


def _mime(value: Json) -> str:
    return "text/plain" if isinstance(value, str) else "application/json"


def _written(value: Json) -> str:
    return value if isinstance(value, str) else dump(value).decode("utf-8", "replace")


def _copy(given: Json, field: str, found: dict[str, Json], name: str) -> None:
    if isinstance(given, dict) and isinstance(value := given.get(field), str):
        found[name] = value


def _name_documents(output: Json, found: dict[str, Json], name: str) -> None:
    """Name what was retrieved: hits by title, evidence by id and score."""
    items = output.get("hits") if isinstance(output, dict) else output
    if isinstance(items, list):
        found[name] = [_document(item) for item in items if isinstance(item, dict)]


def _document(item: dict[str, Json]) -> Json:
    named: dict[str, Json] = {}
    inner = item.get("item", item.get("evidence", item))
    if isinstance(inner, str):
        named["document.id"] = inner
    elif isinstance(inner, dict):
        named["document.id"] = inner.get("id", inner.get("title"))
        if isinstance(text := inner.get("text"), str):
            named["document.content"] = text
    if "score" in item:
        named["document.score"] = item["score"]
    return named


def _flatten(name: str, value: Json, into: dict[str, bool | int | float | str]) -> None:
    match value:
        case None:
            return
        case list():
            for number, item in enumerate(value):
                _flatten(f"{name}.{number}", item, into)
        case dict():
            for inner, item in value.items():
                _flatten(f"{name}.{inner}", item, into)
        case _:
            into[name] = value
