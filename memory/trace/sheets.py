"""One span in full for the terminal, and what stands under its line in the tree."""

import json
from collections.abc import Iterator, Sequence
from textwrap import wrap

from memory.trace.encoding import Json, listed

_WIDTH = 100


def render_detail(detail: dict[str, Json]) -> str:
    """Write out what `span_detail` gives: prompt and reply, documents, else input and output."""
    head = f"{detail['kind']} {detail['name']}  span {detail['span']}"
    return "\n".join((_plain(head), *(line for title, text in _parts(detail) for line in _part(title, text))))


def messages_under(detail: dict[str, Json]) -> Sequence[str]:
    """Return prompt and reply of a model call as lines to stand under its own."""
    said = [(title, text) for title, text in _parts(detail) if title in ("system", "user", "reply")]
    return [line for title, text in said for line in (f"{title}:", *(f"  {each}" for each in _wrapped(text)))]


def _parts(detail: dict[str, Json]) -> Iterator[tuple[str, str]]:
    if isinstance(error := detail["error"], dict):
        yield "error", f"{error['type']}: {error['message']}"
    for number, cause in enumerate(listed(detail["retries"]), start=1):
        yield f"tried again ({number})", str(cause)
    for message in listed(detail["prompt"]):
        if isinstance(message, dict):
            yield str(message["role"]), str(message["content"])
    if isinstance(reply := detail["reply"], dict):
        yield "reply", str(reply["text"])
    for number, document in enumerate(listed(detail["documents"]), start=1):
        if isinstance(document, dict):
            yield f"document {number}", _document(document)
    for name in ("input", "output"):
        if detail["prompt"] is None and detail[name] is not None:
            yield name, _json(detail[name])


def _document(document: dict[str, Json]) -> str:
    named = " ".join(f"{name} {document[name]}" for name in ("id", "title", "rank", "score") if name in document)
    return f"{named}\n{document['content']}" if document.get("content") else named


def _part(title: str, text: str) -> Iterator[str]:
    yield ""
    yield f"{title}:"
    for line in text.splitlines():
        yield f"  {_plain(line)}"


def _wrapped(text: str) -> Iterator[str]:
    for line in text.splitlines():
        yield from wrap(_plain(line), _WIDTH) or ("",)


def _json(value: Json) -> str:

    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=2)


def _plain(line: str) -> str:
    """Return a line without control characters: traces quote pages, and pages may hold terminal codes."""
    return "".join(sign if sign.isprintable() else " " for sign in line)
