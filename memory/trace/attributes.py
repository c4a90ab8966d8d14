"""What an event says under OpenInference's names (semantic conventions, reserved attributes).

The line's own `input` and `output` are OpenInference's `input.value` and `output.value`: they are not written twice.
The messages of a chat are taken out of them where an event is flattened.
"""

from collections.abc import Sequence

from heliograph.protocols import SpanKind
from memory.trace.encoding import Json, dump
from memory.trace.events import Event, Failure

RETRIES = "heliograph.retries"
"""The attribute that says why a call was tried again, once for each time; a call that was not has none."""


def attributes_of(
    kind: SpanKind, name: str, given: Json, output: Json, error: Failure | None = None, retries: Sequence[str] = ()
) -> dict[str, Json]:
    """Derive the attributes of an event from what went in and what came out."""
    found: dict[str, Json] = {"openinference.span.kind": kind, "input.mime_type": _mime(given)}
    if error is None:
        found["output.mime_type"] = _mime(output)
    else:
        found["exception.type"] = error.type
        found["exception.message"] = error.message
    if retries:
        found[RETRIES] = list(retries)
    match kind:
        case "TOOL":
            found["tool.name"] = name
        case "EMBEDDING":
            _copy(given, "model", found, "embedding.model_name")
        case "LLM":
            _copy(given, "model", found, "llm.model_name")
            _count_tokens(output, found)
        case "RETRIEVER":
            _name_documents(output, found, "retrieval.documents")
        case "RERANKER":
            _copy(given, "question", found, "reranker.query")
            _name_documents(output, found, "reranker.output_documents")
    return found


def retries_of(event: Event) -> tuple[str, ...]:
    """Return why the call of an event was tried again, once for each time."""
    told = event.attributes.get(RETRIES)
    return tuple(map(str, told)) if isinstance(told, list) else ()


def flattened(event: Event) -> dict[str, bool | int | float | str]:
    """Return all attributes as OpenTelemetry takes them: one level, lists numbered, values plain."""
    values: dict[str, Json] = {"input.value": _written(event.input), **event.attributes}
    if event.error is None:
        values["output.value"] = _written(event.output)
    if event.kind == "LLM":
        values |= _chat(event.input, event.output)
    plain: dict[str, bool | int | float | str] = {}
    for name, value in values.items():
        _flatten(name, value, plain)
    return dict(sorted(plain.items()))


def _chat(given: Json, output: Json) -> dict[str, Json]:
    """Return the messages of a recorded `ChatRequest` and `Reply`; long texts stand there as the blobs they became."""
    said: dict[str, Json] = {}
    request = given.get("request") if isinstance(given, dict) else None
    prompt = request.get("prompt") if isinstance(request, dict) else None
    if isinstance(request, dict) and isinstance(prompt, dict):
        said["llm.input_messages"] = [_message("system", [prompt.get("system")]), _message("user", prompt.get("parts"))]
        asked = {"max_tokens": request.get("max_tokens"), "temperature": 0}
        said["llm.invocation_parameters"] = _written(asked)
    if isinstance(output, dict) and "text" in output:
        said["llm.output_messages"] = [_message("assistant", [output["text"]])]
        said["llm.finish_reason"] = output.get("finish")
    return said


def _message(role: str, texts: Json) -> Json:
    parts = texts if isinstance(texts, list) else []
    contents: list[Json] = [{"message_content.type": "text", "message_content.text": text} for text in parts]
    return {"message.role": role, "message.contents": contents}


_TOKEN_COUNTS = {
    "prompt_tokens": "llm.token_count.prompt",
    "completion_tokens": "llm.token_count.completion",
    "cached_tokens": "llm.token_count.prompt_details.cache_read",
}


def _count_tokens(output: Json, found: dict[str, Json]) -> None:
    if not isinstance(output, dict):
        return
    for field, name in _TOKEN_COUNTS.items():
        if isinstance(count := output.get(field), int):
            found[name] = count
    prompt, completion = output.get("prompt_tokens"), output.get("completion_tokens")
    if isinstance(prompt, int) and isinstance(completion, int):
        found["llm.token_count.total"] = prompt + completion


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
