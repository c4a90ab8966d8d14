"""Pages from files of HTML or Markdown, their links and pictures pointed at entries of the archive."""

import hashlib
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape, unescape
from pathlib import Path

from heliograph.errors import UsageError
from heliograph.types import SourcePage
from tools.zim.content import Content, LeftOut, SourceImage, entry_path
from tools.zim.markdown import render
from tools.zim.markup import decoded
from tools.zim.relinking import LinkKind, relinked

MARKDOWN_FILES = (".md", ".markdown")
PAGE_FILES = (".html", ".htm", *MARKDOWN_FILES)
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
    try:
        return tuple(sorted(file.resolve() for file in _shown(folder) if file.is_file()))
    except OSError as err:
        raise UsageError(
            f"{err.filename} cannot be read: {err.strerror}; make it readable, or leave it out of {folder}"
        ) from err


def _shown(folder: Path) -> Iterator[Path]:
    """Yield what is named as a page and is not hidden."""
    for inner, folders, names in os.walk(folder, onerror=_refuse):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in names:
            if Path(name).suffix.lower() in PAGE_FILES and not name.startswith("."):
                yield Path(inner, name)


def _refuse(err: OSError) -> None:
    raise err


def read_files(files: Sequence[Path], roots: Sequence[Path]) -> Iterator[Content]:
    """Yield pages and the pictures they show, each picture before the first page that shows it.

    Args:
        files: resolved paths; a link from one to another becomes a link between their pages.
        roots: folders from which pictures may be taken.

    Raises:
        UsageError: a file cannot be read.
    """
    titles = {file: _read(file)[0] for file in files}
    images: dict[Path, str | None] = {}
    for file, title in titles.items():
        links = _Links(file, titles, images, roots)
        html = relinked(_read(file)[1], links.entry, entry_path(title))
        yield from links.found
        yield SourcePage(title, _document(title, html))


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
    """Return title and HTML of a file; without a title of its own it has that of its name."""
    try:
        content = file.read_bytes()
        if file.suffix.lower() in MARKDOWN_FILES:
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


def _document(title: str, html: str) -> str:
    if re.search(r"<(?:html|body|!doctype)\b", html[:2000], re.IGNORECASE):
        return html
    head = f'<meta charset="utf-8"><title>{escape(title)}</title>'
    return f"<!DOCTYPE html>\n<html><head>{head}</head>\n<body>\n{html}</body></html>\n"
