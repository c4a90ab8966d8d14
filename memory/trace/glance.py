"""Inputs and outputs of spans in a few words, safe for a terminal."""

from memory.trace.encoding import Json

_TELLING = ("query", "question", "title", "modality", "round", "queries", "texts", "documents")


def glance_in(given: Json) -> str:
    """Say what went into a span: the telling fields of it, else all."""
    match given:
        case {"model": str(model), "role": str(role), "prompt": str(prompt)}:
            return f"for {clipped(role)}, {clipped(prompt)}, to {clipped(model)}"
        case dict():
            pass
        case _:
            return "" if given is None else glance(given)
    telling = {name: given[name] for name in _TELLING if name in given} or _fields(given)
    return " ".join(_named(name, value) for name, value in telling.items())


def glance(value: Json) -> str:
    """Say what a value is: a text by its beginning, a list by its length, a noun by what it is known by."""
    match value:
        case None:
            return "nothing"
        case str():
            return f'"{clipped(value)}"'
        case float():
            return f"{value:.3g}"
        case list():
            return _listed(value)
        case dict():
            return _noun(value)
        case _:
            return str(value)


def clipped(text: str, length: int = 70) -> str:
    """Shorten to one line without control characters: traces quote pages, and pages may hold terminal codes."""
    line = " ".join("".join(sign if sign.isprintable() else " " for sign in text[: 4 * length]).split())
    return line if len(line) <= length else line[: length - 1] + "…"


def duration(seconds: float) -> str:
    """Write a time as people read it."""
    return f"{seconds * 1000:.0f} ms" if seconds < 1 else f"{seconds:.2f} s"


def size(count: int) -> str:
    """Write a number of bytes as people read it."""
    if count < 1000:
        return f"{count} B"
    return f"{count / 1000:.1f} kB" if count < 1_000_000 else f"{count / 1_000_000:.1f} MB"


def _named(name: str, value: Json) -> str:
    return glance(value) if name in ("query", "question", "title") else f"{clipped(name)} {glance(value)}"


def _listed(values: list[Json]) -> str:
    if 0 < len(values) <= 3 and all(isinstance(value, str) for value in values):
        return ", ".join(glance(value) for value in values)
    count = f"{len(values)} item{'' if len(values) == 1 else 's'}"
    scores = [score for value in values if isinstance(value, dict) and isinstance(score := value.get("score"), float)]
    return f"{count}, best {max(scores):.3f}" if scores else count


def _noun(value: dict[str, Json]) -> str:
    match value:
        case {"$blob": _, "bytes": int(count)}:
            said = size(count)
        case {"$array": str(kind), "shape": list(shape)}:
            said = f"{'×'.join(map(str, shape))} {kind.lstrip('<|')}"
        case {"$type": "SearchResult", "hits": list(hits), "total": total}:
            said = f"{len(hits)} hit{'' if len(hits) == 1 else 's'} of {total}"
        case {"$type": "PageRead", "page": dict(page), "origin": str(origin)}:
            said = f"{_noun(page)}, from the {origin}"
        case {"$type": "Page", "title": str(title), "revision": str(revision), "html": html}:
            said = f"{clipped(title)}@{clipped(revision, 12)}, {_written(html)}"
        case {"$type": "Verdict", "sufficient": bool(enough), "missing": list(missing)}:
            said = "sufficient" if enough else f"missing {_listed(missing)}"
        case {"$type": "Answer", "answer": str(text)} | {"$type": "Query" | "Reply", "text": str(text)}:
            said = glance(text)
        case _:
            said = ", ".join(f"{clipped(name)} {glance(item)}" for name, item in list(_fields(value).items())[:4])
    return said


def _written(html: Json) -> str:
    return size(len(html.encode("utf8", "replace"))) if isinstance(html, str) else glance(html)


def _fields(value: dict[str, Json]) -> dict[str, Json]:
    return {name: item for name, item in value.items() if name != "$type"}
