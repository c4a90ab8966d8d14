"""Pages from files of HTML, Markdown, plain text or CSV, their links and pictures pointed at entries of the archive."""

import hashlib
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from html import escape, unescape
from pathlib import Path

from heliograph.errors import UsageError
from heliograph.types import SourcePage
from tools.zim.content import Content, LeftOut, Skipped, SourceImage, entry_path
from tools.zim.lines import LINE_FILES
from tools.zim.markdown import render
from tools.zim.markup import decoded
from tools.zim.plain_files import render_table, render_text
from tools.zim.relinking import LinkKind, relinked

MARKDOWN_FILES = (".md", ".markdown")
PLAIN_FILES = {".txt": render_text, ".csv": render_table}
PAGE_FILES = (".html", ".htm", *MARKDOWN_FILES, *PLAIN_FILES)
IMAGE_TYPES = {
    ".png": ("image/png", b"\x89PNG"),
    ".jpg": ("image/jpeg", b"\xff\xd8\xff"),
    ".jpeg": ("image/jpeg", b"\xff\xd8\xff"),
    ".gif": ("image/gif", b"GIF8"),
    ".webp": ("image/webp", b"RIFF"),
    ".svg": ("image/svg+xml", b""),
}
"""Type and first bytes: a file that only bears the name of a picture is left out."""

_TITLES = tuple(
    re.compile(rf"<{name}\b[^<>]*+>((?:[^<]++|<(?!/?{name}\b))*+)</{name}\s*+>", re.IGNORECASE)
    for name in ("title", "h1")
)
_MARKUP = re.compile(r"<[^<>]*+>")


def page_files(folder: Path) -> tuple[Path, ...]:
    """Return the pages of a folder and the folders in it, hidden ones left out, in order of their paths.

    Raises:
        UsageError: a folder cannot be looked into; without its pages the others would pass for all.
    """
    files = folder_files(folder)
    with _readable(folder):
        return tuple(file for file in files if file.suffix.lower() in PAGE_FILES and file.is_file())


def folder_files(folder: Path) -> tuple[Path, ...]:
    """Return all that is in a folder and the folders in it, hidden ones left out; raises as `page_files` does."""
    with _readable(folder):  # of links in a circle Path.resolve makes an error, and realpath a path of no file
        return tuple(sorted(Path(os.path.realpath(file)) for file in _shown(folder)))


@contextmanager
def _readable(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as err:
        raise UsageError(
            f"{err.filename} cannot be read: {err.strerror}; make it readable, or leave it out of {folder}"
        ) from err


def _shown(folder: Path) -> Iterator[Path]:
    """Yield what is not hidden."""
    for inner, folders, names in os.walk(folder, onerror=_refuse):
        folders[:] = [name for name in folders if not name.startswith(".")]
        yield from (Path(inner, name) for name in names if not name.startswith("."))


def _refuse(err: OSError) -> None:
    raise err


def read_files(files: Sequence[Path], roots: Sequence[Path]) -> Iterator[Content]:
    """Yield pages and the pictures they show, each picture before the first page that shows it; then what is skipped.

    Args:
        files: resolved paths, of pages and of what else is in their folders; links between pages stay links.
        roots: folders from which pictures may be taken.

    Raises:
        UsageError: a file of HTML or Markdown cannot be read.
    """
    titles: dict[Path, str] = {}
    skipped: dict[Path, str] = {}
    for file in files:
        try:
            titles[file] = _read(file)[0]
        except ValueError as err:
            skipped[file] = str(err)
    images: dict[Path, str | None] = {}
    for file, title in titles.items():
        links = _Links(file, titles, images, roots)
        html = relinked(_read_again(file), links.entry, entry_path(title))
        yield from links.found
        yield SourcePage(title, _document(title, html))
    shown = {file for file, path in images.items() if path}
    for file, why in skipped.items():
        if file not in shown:
            yield Skipped(_place(file, roots), why)


@dataclass(slots=True)
class _Links:
    """What the links of one page mean; pictures met for the first time, and what is missing, are in `found`."""

    file: Path
    titles: Mapping[Path, str]
    images: dict[Path, str | None]
    roots: Sequence[Path]
    found: list[Content] = field(default_factory=list)

    def entry(self, link: str, kind: LinkKind) -> str | None:
        """Return the path of the entry that a link means, or None."""
        named = (self.file.parent / link.replace("\0", "")).resolve()
        if named in self.titles:
            return entry_path(self.titles[named]) if kind == "page" else None
        if kind == "page":
            if named.suffix.lower() in PAGE_FILES:
                self._lack(f'link to {link} on "{self.titles[self.file]}": no such page')
            return None
        if named not in self.images:
            self.images[named] = self._image(named)
        if self.images[named] is None:
            self._lack(f'image {link} of "{self.titles[self.file]}": no such picture')
        return self.images[named]

    def _lack(self, what: str) -> None:
        if LeftOut(what) not in self.found:
            self.found.append(LeftOut(what))

    def _image(self, named: Path) -> str | None:
        mimetype, start = IMAGE_TYPES.get(named.suffix.lower(), ("", b""))
        if not mimetype or not any(named.is_relative_to(root) for root in self.roots):
            return None
        try:
            content = named.read_bytes() if named.is_file() else b""
        except OSError:
            return None
        if not content or not content.startswith(start):
            return None
        path = f"_images/{named.stem}-{hashlib.sha256(content).hexdigest()[:8]}{named.suffix.lower()}"
        self.found.append(SourceImage(path, content, mimetype))
        return path


def _read(file: Path) -> tuple[str, str]:
    """Return title and HTML of a file; without a title of its own it has that of its name.

    Raises:
        ValueError: the file is to be skipped, with the reason.
        UsageError: it cannot be read.
    """
    suffix = file.suffix.lower()
    if suffix not in PAGE_FILES or not file.is_file():
        raise ValueError(_why_unread(file))
    try:
        content = file.read_bytes()
        if suffix in PLAIN_FILES:
            title, html = "", PLAIN_FILES[suffix](content)
        elif suffix in MARKDOWN_FILES:
            rendered = render(content.decode("utf-8-sig"))
            title, html = rendered.title, rendered.html
        else:
            html = decoded(content, "")
            found = next(filter(None, (title.search(html) for title in _TITLES)), None)
            title = unescape(_MARKUP.sub("", found[1])) if found else ""
    except UnicodeDecodeError as err:
        raise UsageError(f"{file} cannot be read: {err}; pages are UTF-8 text") from err
    except OSError as err:
        raise UsageError(f"{file} cannot be read: {err.strerror}; make it readable, or leave it out") from err
    return " ".join(title.split()) or file.stem.replace("_", " "), html


def _read_again(file: Path) -> str:
    try:
        return _read(file)[1]
    except ValueError as err:
        raise UsageError(f"{file} changed while it was read: {err}; build the archive again") from err


def _why_unread(file: Path) -> str:
    if not file.is_file():
        return "a link to nothing, or no file"
    if file.suffix.lower() == ".pdf":
        return "PDF is not read yet"
    if file.suffix.lower() in IMAGE_TYPES:
        return "no page shows it"
    if file.name.lower().endswith(LINE_FILES):
        return "JSON lines are read where the file itself is named"
    return f"only {', '.join(PAGE_FILES)} are read"


def _place(file: Path, roots: Sequence[Path]) -> str:
    """Return a path as short as it is clear: from where the folder stands that it is in."""
    root = next((root for root in roots if file.is_relative_to(root)), None)
    return str(file if root is None else file.relative_to(root))


def _document(title: str, html: str) -> str:
    if re.search(r"<(?:html|body|!doctype)\b", html[:2000], re.IGNORECASE):
        return html
    head = f'<meta charset="utf-8"><title>{escape(title)}</title>'
    return f"<!DOCTYPE html>\n<html><head>{head}</head>\n<body>\n{html}</body></html>\n"
