"""Pages of a snapshot: from folders of HTML or Markdown, or from JSON lines of {title, url, html}."""

import json
import lzma
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape, unescape
from pathlib import Path
from typing import IO
from urllib.parse import quote, unquote

from heliograph.errors import UsageError

PAGES = (".html", ".htm", ".md", ".markdown")
LINES = (".jsonl", ".ndjson", ".xz")
IMAGES = {".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".webp": "image/webp", ".gif": "image/gif"}

_TITLE = re.compile(r"<title[^>]*>(.*?)</title>", re.IGNORECASE | re.DOTALL)
_HEADING = re.compile(r"^#\s+(.+?)\s*#*\s*$", re.MULTILINE)
_REFERENCE = re.compile(r"""(\b(?:href|src)=)(["'])(.*?)\2""", re.IGNORECASE | re.DOTALL)
_CAPTIONED = re.compile(r"""<p>\s*(<img\b[^>]*?\btitle="([^"]*)"[^>]*>)\s*</p>""")


@dataclass(frozen=True, slots=True)
class SourcePage:
    """A page to be written; one with `redirect` has no text of its own."""

    title: str
    html: str
    url: str = ""
    redirect: str = ""


@dataclass(frozen=True, slots=True)
class SourceImage:
    """An image to be written, at the path by which pages name it."""

    path: str
    file: Path
    mimetype: str


@dataclass(frozen=True, slots=True)
class MissingImage:
    """An image that a page names and that is not there."""

    page: str
    path: Path


Content = SourcePage | SourceImage | MissingImage


def entry_path(title: str) -> str:
    """Return where a page stands in the archive, as Kiwix's archives have it."""
    return title.replace(" ", "_")


def read_sources(sources: Sequence[Path]) -> Iterator[Content]:
    """Yield what the sources hold, in a stable order; JSON lines are streamed.

    Raises:
        UsageError: a source is missing or of no known kind, or a line of it is no page; file and line are named.
    """
    for source in sources:
        if source.is_dir():
            yield from _folder(source)
        elif not source.exists():
            raise UsageError(f"no such folder or file: {source}")
        elif source.suffix in LINES:
            yield from _lines(source)
        elif source.suffix in PAGES:
            yield from _pages([source])
        else:
            raise UsageError(f"{source} is neither a folder nor one of {', '.join((*PAGES, *LINES))}")


def _folder(folder: Path) -> Iterator[Content]:
    files = sorted(file for file in folder.rglob("*") if file.suffix.lower() in PAGES)
    if not files:
        raise UsageError(f"no HTML or Markdown files in {folder}")
    yield from _pages(files)


def _pages(files: Sequence[Path]) -> Iterator[Content]:
    texts = {file.resolve(): file.read_text(encoding="utf8", errors="replace") for file in files}
    titles = {file: _title(file, text) for file, text in texts.items()}
    images: dict[Path, str] = {}
    for file, text in texts.items():
        html = _markdown(text) if file.suffix in (".md", ".markdown") else text
        yield SourcePage(titles[file], _document(titles[file], _relinked(html, file, titles, images)))
    for image in images:
        if image.is_file():
            yield SourceImage(f"images/{image.name}", image, IMAGES[image.suffix.lower()])
        else:
            yield MissingImage(images[image], image)


def _title(file: Path, text: str) -> str:
    markdown = file.suffix in (".md", ".markdown")
    found = _HEADING.search(text) if markdown else _TITLE.search(text)
    return unescape(found.group(1)).strip() if found else file.stem.replace("_", " ")


def _markdown(text: str) -> str:
    """Render Markdown with tables and raw HTML; an image alone with a title becomes a figure with that caption."""
    from markdown_it import MarkdownIt

    html = MarkdownIt("commonmark", {"html": True}).enable("table").render(text)
    return _CAPTIONED.sub(r"<figure>\1<figcaption>\2</figcaption></figure>", html)


def _document(title: str, html: str) -> str:
    if "<html" in html[:1000].lower():
        return html
    return f'<!DOCTYPE html><html><head><meta charset="utf-8"><title>{escape(title)}</title></head><body>{html}</body></html>'


def _relinked(html: str, file: Path, titles: dict[Path, str], images: dict[Path, str]) -> str:
    """Point links between files at the entries of the archive, and note the images that are needed."""

    def target(match: re.Match[str]) -> str:
        name, mark, reference = match.groups()
        path, fragment = unquote(unescape(reference)).partition("#")[::2]
        if not path or re.match(r"[a-z]+:|/", path, re.IGNORECASE):
            return match.group()
        file_named = (file.parent / path).resolve()
        if file_named in titles:
            path = quote(entry_path(titles[file_named]))
        elif file_named.suffix.lower() in IMAGES:
            images.setdefault(file_named, titles[file])
            path = quote(f"images/{file_named.name}")
        else:
            return match.group()
        return f"{name}{mark}{path}{'#' + fragment if fragment else ''}{mark}"

    return _REFERENCE.sub(target, html)


def _lines(path: Path) -> Iterator[SourcePage]:
    with _opened(path) as lines:
        for number, line in enumerate(lines, start=1):
            if not line.strip():
                continue
            try:
                record = json.loads(line)
                redirect = record.get("redirect", "")
                yield SourcePage(record["title"], "" if redirect else record["html"], record.get("url", ""), redirect)
            except (json.JSONDecodeError, KeyError, TypeError, AttributeError) as err:
                raise UsageError(f'{path}:{number} is no page; a line is {{"title", "url", "html"}}') from err


def _opened(path: Path) -> IO[str]:
    if path.suffix == ".xz":
        return lzma.open(path, "rt", encoding="utf8")
    return path.open(encoding="utf8")
