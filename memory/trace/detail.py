"""All that one span says: prompt, reply, documents, input and output, blobs put back and secrets masked."""

import math
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from operator import itemgetter
from typing import TypeAlias

from heliograph.errors import StoreDamaged
from memory.trace.attributes import retries_of
from memory.trace.encoding import Json, parse
from memory.trace.events import Event, Failure
from memory.trace.glance import glance, size
from memory.trace.redaction import Redaction
from memory.trace.tree import shows, tokens_of

Get: TypeAlias = Callable[[str], bytes]
"""Returns the blob under an address, as `BlobStore.get` does."""
TextOf: TypeAlias = Callable[[str], str | None]
"""Returns the words of a piece of evidence by its id; None where they are not known."""

MOST_CHARACTERS = 100_000
"""How much of a single text is shown: more than any prompt has, and less than some pages."""
_LISTS = ("hits", "found", "documents", "read", "results")
"""Under which names a step of the graph says what it found."""


def span_detail(
    event: Event,
    get: Get,
    redaction: Redaction,
    text_of: TextOf = lambda _: None,
    most: int = MOST_CHARACTERS,
) -> dict[str, Json]:
    """Return what one span shows in full, as plain JSON without secrets.

    `prompt` is a list of messages (`role`, `content`), `reply` has `text` and `finish`, `documents` is a list with
    `id`, `title`, `score`, `rank` and `content` as far as they are known; each is null where `shows` does not name it.
    `input` and `output` are what was recorded with blobs put back; numbers of vectors and bytes are only counted. Texts
    longer than `most` characters are cut, and say so.
    """
    given, output = (clean(unfolded(value, get), redaction, most) for value in (event.input, event.output))
    there = shows(event)
    return {
        "span": event.span,
        "kind": event.kind,
        "name": redaction.text(event.name),
        "start": event.start,
        "end": event.end,
        "error": _failure(event, redaction),
        "retries": [redaction.text(cause) for cause in retries_of(event)],
        "tokens": dict(tokens_of(event)) or None,
        "model": _model(given),
        "prompt": _prompt(given) if "prompt" in there else None,
        "reply": _reply(output) if "reply" in there else None,
        "documents": list(_documents(output, text_of, redaction)) if "documents" in there else None,
        "input": given,
        "output": output,
    }


def unfolded(value: Json, get: Get) -> Json:
    """Return a recorded value with the texts and JSON that became blobs; arrays and bytes by their size alone.

    A blob that is missing says so in its place: what is shown of a damaged run is all that there is.
    """
    match value:
        case list():
            shown: Json = [unfolded(item, get) for item in value]
        case {"$blob": str(name), "as": ("text" | "json") as kind}:
            shown = _blob(name, kind, get)
        case {"$blob": str(), "bytes": int(count)}:
            shown = f"({size(count)} of bytes)"
        case {"$bytes": str(written)}:
            shown = f"({size(len(written) * 3 // 4)} of bytes)"
        case {"$array": _}:
            shown = f"(numbers: {glance(value)})"
        case dict():
            shown = {name: unfolded(item, get) for name, item in value.items()}
        case _:
            shown = value
    return shown


def _blob(name: str, kind: str, get: Get) -> Json:
    try:
        data = get(name)
    except StoreDamaged as err:
        return f"(not there: {err})"
    return data.decode("utf-8", "replace") if kind == "text" else unfolded(parse(data), get)


def clean(value: Json, redaction: Redaction, most: int = MOST_CHARACTERS) -> Json:
    """Return a value with secrets masked in every text of it, and long texts cut."""
    match value:
        case str():
            masked = redaction.text(value)
            return masked if len(masked) <= most else f"{masked[:most]}… ({len(masked) - most:,} characters more)"
        case list():
            return [clean(item, redaction, most) for item in value]
        case dict():
            return {redaction.text(name): clean(item, redaction, most) for name, item in value.items()}
        case _:
            return value


def masked(event: Event, redaction: Redaction) -> Event:
    """Return an event without secrets: before it is told in a few words, which could leave half of one."""
    attributes = {name: clean(value, redaction, sys.maxsize) for name, value in event.attributes.items()}
    return replace(
        event,
        name=redaction.text(event.name),
        input=clean(event.input, redaction, sys.maxsize),
        output=clean(event.output, redaction, sys.maxsize),
        error=Failure(event.error.type, redaction.text(event.error.message)) if event.error else None,
        attributes=attributes,
    )


def _failure(event: Event, redaction: Redaction) -> Json:
    return {"type": event.error.type, "message": redaction.text(event.error.message)} if event.error else None


def _model(given: Json) -> Json:
    if not isinstance(given, dict) or "model" not in given:
        return None
    return {name: given[name] for name in ("model", "role", "prompt", "structured") if name in given}


def _prompt(given: Json) -> Json:
    match given:
        case {"request": {"prompt": {"system": system, "parts": list(parts)}}}:
            texts = [part for part in parts if isinstance(part, str)]
            return [{"role": "system", "content": system}, {"role": "user", "content": "\n\n".join(texts)}]
        case _:
            return None


def _reply(output: Json) -> Json:
    match output:
        case {"text": text, "finish": finish}:
            return {"text": text, "finish": finish}
        case _:
            return None


def _documents(output: Json, text_of: TextOf, redaction: Redaction) -> Iterator[dict[str, Json]]:
    for item in _found(output):
        document = _document(item)
        name = document.get("id")
        content = text_of(name) if isinstance(name, str) and "content" not in document else None
        if content is not None:
            document["content"] = redaction.text(content)
        if document:
            yield document


def _found(output: Json) -> list[Json]:
    """Return the list of what was found: the output itself, or what stands in it under a telling name."""
    found: list[Json]
    match output:
        case list():
            found = output
        case {"$type": "PageRead", "page": dict(page)}:
            found = [page]
        case {"$type": "Page"}:
            found = [output]
        case {"$type": "Subgraph", "edges": list(edges)} | {"subgraph": {"edges": list(edges)}}:
            found = edges
        case {"subgraphs": list(subgraphs)}:
            found = [edge for subgraph in subgraphs for edge in _found(subgraph)]
        case {"observations": list(observations)}:
            found = _best_of_each(observations)
        case dict():
            found = next((listed for name in _LISTS if isinstance(listed := output.get(name), list)), [])
        case _:
            found = []
    return found


def _best_of_each(observations: list[Json]) -> list[Json]:
    """Return the best observation of each piece, best first: a piece has one per need."""
    best: dict[str, tuple[float, Json]] = {}
    for observed in observations:
        match observed:
            case {"evidence": str(name), "score": int() | float() as score}:
                best[name] = max(best.get(name, (-math.inf, None)), (score, observed), key=itemgetter(0))
    return [observed for _, observed in sorted(best.values(), key=itemgetter(0), reverse=True)]


def _document(item: Json) -> dict[str, Json]:
    """Return what is known of one document or piece; nothing of a value that is none."""
    known: dict[str, Json]
    match item:
        case str():
            known = {"id": item}
        case {"$type": "Page", "wiki": str(wiki), "title": str(title), "revision": str(revision), "html": html}:
            known = {"id": f"{wiki}:{title}@{revision}", "title": title, "content": html}
        case {"$type": "Edge", "segment": str(row), "passage": str(passage), "score": score}:
            known = {"id": row, "title": f"with {passage}", "score": score}
        case {"segment": str(row), "score": score}:
            known = {"id": row, "score": score}
        case {"item": inner, "score": score}:
            known = {**_document(inner), "score": score}
        case {"evidence": str(name), "score": score}:
            known = {"id": name, "score": score}
        case {"title": str(title), "rank": int(rank)}:
            known = {"title": title, "rank": rank}
        case {"id": str(name)}:
            known = {"id": name}
        case _:
            known = {}
    return known
