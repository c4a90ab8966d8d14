"""A ZIM archive made of one's own pages."""

import hashlib
import re
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from html import escape
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from heliograph.errors import StoreFull, UsageError
from heliograph.types import SourcePage, SourceRedirect
from tools.zim.content import (
    Content,
    Credit,
    LeftOut,
    Skipped,
    SourceImage,
    credit_bytes,
    credit_path,
    entry_path,
    skipped_line,
)
from tools.zim.facts import EDITION
from tools.zim.markup import HEAD_BYTES, canonical_url
from tools.zim.sources import read_sources

if TYPE_CHECKING:
    from tools.zim.writing import ArchiveWriter

PROGRESS_EVERY = 5_000
MOST_TITLE_BYTES = 500
MOST_WORD_BYTES = 200
"""libzim writes an archive that it cannot open when a word of a title is longer than about 235 bytes."""

_LANGUAGE = re.compile(r"[a-z]{2,3}")
_CONTROL = re.compile(r"[\x00-\x1f\x7f\ud800-\udfff]")
_HEAD = re.compile(r"<head(?:\s[^<>]*+)?>", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class SnapshotReport:
    """What an archive was made of, and what was left out."""

    out: Path
    edition: str
    pages: int
    images: int
    redirects: int
    left_out: tuple[str, ...]
    skipped: tuple[Skipped, ...] = ()

    @property
    def summary(self) -> str:
        """Say it in a few lines."""
        made = f"{self.out}: {self.pages:,} pages, {self.images:,} images, {self.redirects:,} redirects"
        lines = [made, *(f"left out: {what}" for what in self.left_out)]
        return "\n".join([*lines, skipped_line(self.skipped)] if self.skipped else lines)


def build_snapshot(
    sources: Sequence[Path],
    out: Path,
    *,
    name: str | None = None,
    title: str | None = None,
    language: str = "eng",
    metadata: Mapping[str, str] = MappingProxyType({}),
    force: bool = False,
    progress: Callable[[int], None] = lambda _: None,
) -> SnapshotReport:
    """Write an archive with full-text and title index; it appears whole or not at all.

    The edition of the archive is the hash of its content: equal sources make an equal edition.

    Args:
        sources: folders or files of HTML, Markdown, text, CSV; JSON lines of {title, url, html} or {title, redirect}.
        out: the archive; folders above it are made.
        name: of the wiki, in evidence ids; the file's stem by default.
        title: for people; the name by default.
        language: ISO 639 code; it chooses the stemming of the search.
        metadata: more to say, under the keys of ZIM archives: Creator and License, which citations show, and Source,
            the URL of the wiki that the pages come from.
        force: replace an archive that is there.
        progress: is called with the number of pages so far.

    Raises:
        UsageError: a source cannot be used, nothing is in it, or `out` is there and `force` is not given.
        StoreFull: the archive cannot be written.
    """
    refuse_present(out, force)
    if not _LANGUAGE.fullmatch(language):
        raise UsageError(f"language {language!r} is no ISO 639 code; try eng")
    name = name or out.stem
    said = {"Name": name, "Title": title or name, "Language": language, "Publisher": title or name, **metadata}
    place = ", ".join(map(str, sources))
    return write_snapshot(read_sources(sources), out, said, place=place, progress=progress)


def refuse_present(out: Path, force: bool) -> None:
    """Refuse to write over a file unless that is wanted.

    Raises:
        UsageError: it is there.
    """
    if out.exists() and not (force and out.is_file()):
        step = "add --force to replace it" if out.is_file() else "name a file"
        raise UsageError(f"{out} is there already; {step}")


def write_snapshot(
    contents: Iterable[Content],
    out: Path,
    said: Mapping[str, str],
    *,
    place: str,
    progress: Callable[[int], None] = lambda _: None,
) -> SnapshotReport:
    """Write an archive of pages, pictures and redirects in place of what is at `out`; raises as `build_snapshot` does.

    `said` is its metadata, Name and Language among it; `place` is where the contents come from, for the error that
    there are none.
    """
    labels = {key: value.encode("utf-8", "replace").decode("utf-8") for key, value in said.items()}
    with _whole_or_nothing(out) as part:
        snapshot = _write(contents, part, labels, place, progress)
    progress(len(snapshot.pages))
    counts = len(snapshot.pages), len(snapshot.images), snapshot.redirected
    return SnapshotReport(out, snapshot.edition, *counts, tuple(snapshot.left_out), tuple(snapshot.skipped))


@contextmanager
def _whole_or_nothing(out: Path) -> Iterator[Path]:
    """Give a path beside `out` that takes its place at the end; libzim leaves other files beside what it writes."""
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        folder = Path(tempfile.mkdtemp(prefix=f".{out.name}.", dir=out.parent))
        try:
            yield folder / out.name
            (folder / out.name).replace(out)
        finally:
            shutil.rmtree(folder, ignore_errors=True)
    except OSError as err:
        raise StoreFull(f"cannot write {out}: {err.strerror or err}; free some space or name another file") from err


def _write(
    contents: Iterable[Content], part: Path, labels: Mapping[str, str], place: str, progress: Callable[[int], None]
) -> "_Snapshot":
    from tools.zim.writing import ArchiveWriter

    snapshot = _Snapshot(ArchiveWriter(part, labels["Language"]), progress)
    finished = False
    try:
        for content in contents:
            snapshot.add(content)
        if not snapshot.pages:
            skipped = f"; {skipped_line(snapshot.skipped)}" if snapshot.skipped else ""
            raise UsageError(f"no pages in {place}; nothing was written{skipped}")
        snapshot.add_redirects()
        snapshot.writer.finish(next(iter(snapshot.pages)), {**_made(snapshot), **labels})
        finished = True
    finally:
        if not finished:
            snapshot.writer.abandon()
    return snapshot


def _made(snapshot: "_Snapshot") -> dict[str, str]:
    return {
        "Date": datetime.now(UTC).date().isoformat(),
        "Description": f"{len(snapshot.pages):,} pages",
        "Scraper": "heliograph snapshot build",
        EDITION: snapshot.edition,
    }


@dataclass(slots=True)
class _Snapshot:
    """An archive in the making: the paths it holds, redirects that wait for their pages, and the hash of it all."""

    writer: "ArchiveWriter"
    progress: Callable[[int], None]
    pages: dict[str, None] = field(default_factory=dict)
    images: set[str] = field(default_factory=set)
    redirects: dict[str, SourceRedirect] = field(default_factory=dict)
    redirected: int = 0
    left_out: list[str] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)
    content: "hashlib._Hash" = field(default_factory=hashlib.sha256)

    def add(self, content: Content) -> None:
        """Write a page or picture, or keep a redirect for the end."""
        match content:
            case SourcePage(title=title):
                if fault := _title_fault(title) or self._page_fault(content):
                    self.left_out.append(f"page {title[:80]!r}: {fault}")
                else:
                    self._add_page(content)
            case SourceRedirect(title=title):
                if fault := _title_fault(title) or ("stands twice" if entry_path(title) in self.redirects else ""):
                    self.left_out.append(f"redirect {title[:80]!r}: {fault}")
                else:
                    self.redirects[entry_path(title)] = content
            case SourceImage(path=path):
                if path not in self.images:
                    self._add_image(content)
            case LeftOut(what=what):
                self.left_out.append(what)
            case Skipped():
                self.skipped.append(content)

    @property
    def edition(self) -> str:
        """The hash of what was written."""
        return self.content.hexdigest()

    def add_redirects(self) -> None:
        """Write the redirects that end at a page, however many steps they take."""
        for path, redirect in self.redirects.items():
            target = None if path in self.pages else self._end(path)
            if target is None:
                fault = "is a page" if path in self.pages else f"leads to no page, but to {redirect.target[:80]!r}"
                self.left_out.append(f"redirect {redirect.title[:80]!r}: {fault}")
                continue
            self._note("redirect", redirect.title, target)
            self.writer.add_redirect(path, redirect.title, target)
            self.redirected += 1

    def _page_fault(self, page: SourcePage) -> str:
        if entry_path(page.title) in self.pages:
            return "stands twice"
        return "" if page.html.strip() else "is empty"

    def _add_page(self, page: SourcePage) -> None:
        html = _with_address(page).encode("utf-8", "replace")
        path = entry_path(page.title)
        self._note("page", page.title, html)
        self.writer.add_page(path, page.title, html)
        self.pages[path] = None
        if len(self.pages) % PROGRESS_EVERY == 0:
            self.progress(len(self.pages))

    def _add_image(self, image: SourceImage) -> None:
        self.images.add(image.path)
        self._note(image.path, image.mimetype, image.content)
        self.writer.add_file(image.path, image.mimetype, image.content)
        if image.credit != Credit():
            credit = credit_bytes(image.credit)
            self._note(image.path, credit)
            self.writer.add_file(credit_path(image.path), "application/json", credit)

    def _end(self, path: str) -> str | None:
        seen = {path}
        while path in self.redirects and path not in self.pages:
            path = self._place(self.redirects[path].target)
            if path in seen:
                return None
            seen.add(path)
        return path if path in self.pages else None

    def _place(self, target: str) -> str:
        """Return the path that a redirect names; one to a section of a page leads to the page."""
        path = entry_path(target)
        known = path in self.pages or path in self.redirects
        return path if known else path.partition("#")[0]

    def _note(self, *parts: str | bytes) -> None:
        for part in parts:
            content = part if isinstance(part, bytes) else part.encode("utf-8")
            self.content.update(len(content).to_bytes(8, "big") + content)


def _title_fault(title: str) -> str:
    if not title.strip() or title != title.strip():
        return "is blank" if not title.strip() else "begins or ends with a space"
    if _CONTROL.search(title):
        return "has control characters"
    longest = max(len(word.encode()) for word in title.split())
    return "is too long a title" if len(title.encode()) > MOST_TITLE_BYTES or longest > MOST_WORD_BYTES else ""


def _with_address(page: SourcePage) -> str:
    """Return the HTML with the page's address on the web as its canonical link, where it has none yet."""
    if not page.url.startswith(("https://", "http://")) or canonical_url(page.html):
        return page.html
    link = f'<link rel="canonical" href="{escape(page.url)}">'
    head = _HEAD.search(page.html, 0, HEAD_BYTES)
    return page.html[: head.end()] + link + page.html[head.end() :] if head else link + page.html
