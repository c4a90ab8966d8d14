"""The page: trace and details as data, drawn by a script that puts them in as text; without scripts the plain tree."""

import base64
import hashlib
import html
import json
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import cache
from importlib.resources import files
from typing import cast

from memory.trace.detail import clean
from memory.trace.encoding import Json
from memory.trace.folder import read_answer, read_manifest
from memory.trace.opened import OpenedRun
from memory.trace.redaction import MASK
from memory.trace.render import render_totals, render_tree
from memory.trace.runs import origin_of
from memory.trace.spans import CLOCK

MOST_CHARACTERS = 20_000
"""How much of a single text the page has."""
PRIVATE = ("home", "contact", "otlp_endpoint", "chroma_url")
"""Settings that say who somebody is and not what a run did."""
_START = """
const data = JSON.parse(document.getElementById("trace").textContent);
const detailOf = (span) => {
  const detail = data.details[span];
  const documents = detail.documents?.map((found) => ({ ...found, content: found.content ?? data.texts[found.id] }));
  return { ...detail, documents };
};
const choose = drawTrace(document.getElementById("view"), data.tree, detailOf);
addEventListener("hashchange", () => choose(location.hash.slice(1)));
choose(location.hash.slice(1));
"""


def trace_html(opened: OpenedRun, most: int = MOST_CHARACTERS) -> str:
    """Return a run as a page that needs no other file, with secrets masked and texts cut to `most` characters.

    Raises:
        StoreDamaged: the run cannot be read.
    """
    data = page_data(opened, most)
    about = cast(dict[str, Json], data["about"])
    script = f"{_shipped('view.js')}{_START}"
    return "".join(
        (
            '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{_policy(_shipped("view.css"), script)}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{_text(about['run'])}</title><style>{_shipped('view.css')}</style></head><body>",
            f'<h1 dir="auto">{_text(about["question"])}</h1><p class="about">{_text(_said(about))}</p>',
            f'<div id="view"><noscript><pre>{_text(_plain(opened))}</pre></noscript></div>',
            _folded("Settings", about["settings"]),
            _folded("Answer record", data["answer"]),
            f'<script type="application/json" id="trace">{_data(data)}</script>',
            f'<script type="module">{script}</script></body></html>\n',
        )
    )


def page_data(opened: OpenedRun, most: int = MOST_CHARACTERS) -> dict[str, Json]:
    """Return what the page is drawn of: `about` the run, its `answer`, `tree`, `details` by span, and `texts` by id.

    Words of evidence stand once in `texts`, however many spans found it.
    """
    texts: dict[str, Json] = {}
    shown = [event for event in opened.events if event.name != CLOCK]
    details: dict[str, Json] = {event.span: _shared(opened.detail_of(event, most), texts) for event in shown}
    answer = read_answer(opened.folder)
    return {
        "about": _about(opened),
        "answer": clean(json.loads(answer), opened.redaction, most) if answer else None,
        "tree": opened.tree(),
        "details": details,
        "texts": texts,
    }


def _about(opened: OpenedRun) -> dict[str, Json]:
    manifest = read_manifest(opened.folder)
    settings = {name: MASK if name in PRIVATE and value else value for name, value in manifest.settings.items()}
    said: dict[str, object] = {
        "run": manifest.run,
        "question": manifest.question,
        "version": manifest.version,
        "started": f"{datetime.fromtimestamp(manifest.started, UTC):%Y-%m-%d %H:%M:%S} UTC",
        "origin": origin_of(manifest),
        "settings": settings,
    }
    return cast(dict[str, Json], clean(cast(Json, said), opened.redaction))


def _shared(detail: dict[str, Json], texts: dict[str, Json]) -> Json:
    """Move the words of evidence out of a detail."""
    found = detail["documents"]
    documents = [_moved(each, texts) for each in found] if isinstance(found, list) else None
    return {**detail, "documents": documents}


def _moved(document: Json, texts: dict[str, Json]) -> Json:
    match document:
        case {"id": str(name), "content": content, **rest}:
            texts[name] = content
            return {"id": name, **cast(dict[str, Json], rest)}
        case _:
            return document


def _said(about: Mapping[str, Json]) -> str:
    origin = f", taken from {about['origin']}" if about["origin"] else ""
    return f"{about['run']}{origin}, begun {about['started']}, Heliograph {about['version']}"


def _plain(opened: OpenedRun) -> str:
    """Draw the tree as text, for who reads without scripts."""
    events = opened.masked
    return f"{render_totals(events)}\n{render_tree(events)}"


def _folded(title: str, value: Json) -> str:
    written = _text(json.dumps(value, ensure_ascii=False, indent=2))
    return f'<details><summary>{title}</summary><pre dir="auto">{written}</pre></details>'


def _policy(style: str, script: str) -> str:
    """Allow the page its own style and script, and nothing else, whatever its text may turn out to be."""
    allowed = f"style-src '{_hash(style)}'; script-src '{_hash(script)}'"
    return f"default-src 'none'; {allowed}; base-uri 'none'; form-action 'none'"


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def _data(value: Json) -> str:
    """Write JSON that no parser of HTML takes for anything else: without <, > and &, and in valid UTF-8."""
    written = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf8", "replace").decode("utf8")
    return written.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _text(value: Json) -> str:
    """Escape a text; what HTML cannot say is left out."""
    said = "".join(sign if sign.isprintable() or sign == "\n" else " " for sign in str(value))
    return html.escape(said.encode("utf8", "replace").decode("utf8"))


@cache
def _shipped(name: str) -> str:
    return (files("memory.trace.page") / name).read_text(encoding="utf8")
