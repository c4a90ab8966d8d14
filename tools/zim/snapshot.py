"""A ZIM archive made of one's own pages."""

import hashlib
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from heliograph.errors import StoreFull, UsageError
from tools.zim.facts import EDITION
from tools.zim.sources import MissingImage, SourceImage, SourcePage, entry_path, read_sources

if TYPE_CHECKING:
    from hashlib import _Hash

PROGRESS_EVERY = 5_000
LONGEST_TITLE = 500


@dataclass(frozen=True, slots=True)
class SnapshotReport:
    """What an archive was made of, and what was left out."""

    out: Path
    pages: int
    images: int
    redirects: int
    left_out: tuple[str, ...]

    @property
    def summary(self) -> str:
        """Say it in a few lines."""
        made = f"{self.out}: {self.pages:,} pages, {self.images:,} images, {self.redirects:,} redirects"
        return "\n".join([made, *(f"left out: {what}" for what in self.left_out)])


def build_snapshot(
    sources: Sequence[Path],
    out: Path,
    *,
    name: str | None = None,
    title: str | None = None,
    language: str = "eng",
    force: bool = False,
    progress: Callable[[int], None] = lambda _: None,
) -> SnapshotReport:
    """Write an archive with full-text and title index; it appears whole or not at all.

    The edition of the archive is the hash of its content: equal sources make an equal edition.

    Raises:
        UsageError: a source cannot be used, nothing is in it, or `out` is there and `force` is not given.
        StoreFull: the archive cannot be written.
    """
    if out.exists() and not force:
        raise UsageError(f"{out} is there already; add --force to replace it")
    part = out.with_name(f".{out.name}.part")
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        part.unlink(missing_ok=True)
        writing = _Writing(progress)
        _write(part, name or out.stem, title or name or out.stem, language, writing, sources)
        part.replace(out)
    except OSError as err:
        raise StoreFull(f"cannot write {out}: {err.strerror or err}; free some space or name another file") from err
    finally:
        part.unlink(missing_ok=True)
    return SnapshotReport(out, len(writing.titles), writing.images, writing.redirects, tuple(writing.left_out))


@dataclass(slots=True)
class _Writing:
    """What has been written so far."""

    progress: Callable[[int], None]
    titles: set[str] = field(default_factory=set)
    images: int = 0
    redirects: int = 0
    left_out: list[str] = field(default_factory=list)
    content: "_Hash" = field(default_factory=hashlib.sha256)


def _write(path: Path, name: str, title: str, language: str, writing: _Writing, sources: Sequence[Path]) -> None:
    from libzim.writer import Creator

    with _chatter_on_stderr(), Creator(path).config_indexing(True, language) as creator:
        for content in read_sources(sources):
            _add(creator, content, writing)
        if not writing.titles:
            raise UsageError(f"no pages in {', '.join(map(str, sources))}; nothing was written")
        metadata = {
            "Name": name,
            "Title": title,
            "Language": language,
            "Creator": "Heliograph snapshot",
            "Publisher": "Heliograph",
            "Description": f"{len(writing.titles)} pages",
            EDITION: writing.content.hexdigest(),
        }
        for key, value in metadata.items():
            creator.add_metadata(key, value)


@contextmanager
def _chatter_on_stderr() -> Iterator[None]:
    """Send what libzim prints while it writes to stderr: our stdout is for results."""
    sys.stdout.flush()
    kept = os.dup(1)
    os.dup2(2, 1)
    try:
        yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)


def _add(creator: Any, content: SourcePage | SourceImage | MissingImage, writing: _Writing) -> None:
    match content:
        case SourcePage(title=title) if title in writing.titles or not title.strip() or len(title) > LONGEST_TITLE:
            why = "stands twice" if title in writing.titles else "is no title"
            writing.left_out.append(f'page "{title[:80]}": {why}')
        case SourcePage(title=title, redirect=redirect) if redirect:
            creator.add_redirection(entry_path(title), title, entry_path(redirect), {})
            writing.redirects += 1
        case SourcePage(title=title, html=html):
            creator.add_item(_item(entry_path(title), title, "text/html", html.encode("utf-8", "replace"), front=True))
            writing.titles.add(title)
            _note(writing, title.encode("utf-8", "replace"), html.encode("utf-8", "replace"))
            if len(writing.titles) % PROGRESS_EVERY == 0:
                writing.progress(len(writing.titles))
        case SourceImage(path=path, file=file, mimetype=mimetype):
            creator.add_item(_item(path, file.stem, mimetype, file.read_bytes(), front=False))
            writing.images += 1
        case MissingImage(page=page, path=path):
            writing.left_out.append(f'image {path.name} of "{page}": no such file')


def _note(writing: _Writing, *parts: bytes) -> None:
    for part in parts:
        writing.content.update(len(part).to_bytes(8, "big") + part)


def _item(path: str, title: str, mimetype: str, content: bytes, *, front: bool) -> Any:
    from libzim.writer import Hint, Item, StringProvider

    class Entry(Item):  # type: ignore[misc]  # libzim carries no types
        """One entry of the archive."""

        def get_path(self) -> str:
            return path

        def get_title(self) -> str:
            return title

        def get_mimetype(self) -> str:
            return mimetype

        def get_contentprovider(self) -> Any:
            return StringProvider(content)

        def get_hints(self) -> dict[Any, bool]:
            return {Hint.FRONT_ARTICLE: front}

    return Entry()
