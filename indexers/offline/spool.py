"""Pages of files and JSON lines, put down once so that any of them is read by its title."""

import hashlib
import json
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from heliograph.errors import PageUnavailable
from heliograph.storage import MALFORMED
from heliograph.types import Page, SourcePage, SourceRedirect
from indexers.offline.filesets import FileSet, damaged, needed, writing
from indexers.offline.texts import MappedTexts, mapped_array, write_texts

MOST_REDIRECTS = 16
LEFT_OUT = "left_out"
SPOOL, STAMP = "pages", "pages.json"
"""In the folder of a build: its pages, and what says of which files they are."""
_TITLES, _URLS, _HTML, _ORDER, _REDIRECTS = "titles", "urls", "html", "order.npy", "redirects.json"


def write_spool(found: Iterable[SourcePage | SourceRedirect], folder: Path) -> None:
    """Put pages down; of several with one title the first counts, and what is left out is kept in words.

    Raises:
        StoreFull | StoreError: the folder cannot be written.
    """
    redirects: dict[str, str] = {}
    with writing(folder) as draft:
        written = write_texts(draft.path, _HTML, _columns(found, draft.path, redirects))
        titles = MappedTexts(draft.path, _TITLES)
        order = np.array(sorted(range(written), key=titles.__getitem__), np.int64)
        first, left_out = _first_of_each(order, titles)
        bare = [number for number in first if not titles[number].strip()]
        left_out += [f"page {titles[number]!r}: has no title" for number in bare]
        np.save(draft.path / _ORDER, np.array([number for number in first if number not in bare], np.int64))
        (draft.path / _REDIRECTS).write_text(json.dumps(redirects, sort_keys=True), encoding="utf-8")
        write_texts(draft.path, LEFT_OUT, left_out)
        draft.counts |= {"pages": len(first) - len(bare), "left_out": len(left_out)}


def kept_stamp(out: Path) -> str:
    """Return of which files the pages of a build are; nothing where that cannot be read."""
    try:
        found = json.loads((out / STAMP).read_text(encoding="utf-8"))["files"]
        return found if isinstance(found, str) else ""
    except (OSError, *MALFORMED):
        return ""


def _columns(found: Iterable[SourcePage | SourceRedirect], folder: Path, redirects: dict[str, str]) -> Iterator[str]:
    """Yield the HTML of pages; titles and addresses, which are short, are written at the end."""
    titles, urls = list[str](), list[str]()
    for each in found:
        match each:
            case SourceRedirect(title, target):
                redirects.setdefault(title, target)
            case SourcePage(title, html, url):
                titles.append(title)
                urls.append(url)
                yield html
    write_texts(folder, _TITLES, titles)
    write_texts(folder, _URLS, urls)


def _first_of_each(order: NDArray[np.int64], titles: MappedTexts) -> tuple[list[int], list[str]]:
    first: list[int] = []
    left_out: list[str] = []
    last: str | None = None
    for number in order.tolist():
        title = titles[number]
        if title == last:
            left_out.append(f"page {title[:80]!r}: stands twice, the first one counts")
        else:
            first.append(number)
        last = title
    return first, left_out


@dataclass(frozen=True, slots=True)
class Spool:
    """The shelf of pages that were put down in a folder; `wiki` is the name that their ids begin with."""

    folder: Path
    wiki: str

    def opened(self) -> "SpooledPages":
        """Open it.

        Raises:
            StoreDamaged: it is not whole.
        """
        return SpooledPages(needed(self.folder), self.wiki)


class SpooledPages:
    """Pages of a spool by title, which are found without a list of them in memory."""

    def __init__(self, files: FileSet, wiki: str) -> None:
        self.wiki = wiki
        self.edition = _edition(files)
        self._titles, self._urls, self._html = (MappedTexts(files.folder, name) for name in (_TITLES, _URLS, _HTML))
        self._order = mapped_array(files.path(_ORDER))
        self._redirects = _redirects(files)

    async def titles(self) -> tuple[str, ...]:
        """Return all titles, sorted."""
        return tuple(self._titles[number] for number in self._order.tolist())

    async def titles_of(self, names: Sequence[str]) -> tuple[str | None, ...]:
        """Return the titles that names lead to."""
        return tuple(map(self._title_of, names))

    async def fetch(self, title: str) -> Page:
        """Read a page by its title.

        Raises:
            PageUnavailable: there is none.
        """
        number = self._number(title)
        if number is None:
            raise PageUnavailable(f'no page "{title}" in {self.wiki}')
        html = self._html[number]
        revision = hashlib.sha256(html.encode("utf-8", "surrogatepass")).hexdigest()[:16]
        return Page(self.wiki, title, revision, self._urls[number], html, "")

    def _title_of(self, name: str) -> str | None:
        for _ in range(MOST_REDIRECTS):
            for title in (name, name[:1].upper() + name[1:], name[:1].lower() + name[1:]):
                if self._number(title) is not None:
                    return title
            if name not in self._redirects:
                return None
            name = self._redirects[name].partition("#")[0]
        return None

    def _number(self, title: str) -> int | None:
        place = bisect_left(_Ordered(self._titles, self._order), title)
        if place == len(self._order):
            return None
        number = int(self._order[place])
        return number if self._titles[number] == title else None


def _redirects(files: FileSet) -> Mapping[str, str]:
    try:
        found = dict(json.loads(files.path(_REDIRECTS).read_text(encoding="utf-8")))
        if all(isinstance(target, str) for target in found.values()):
            return found
        raise TypeError(_REDIRECTS)
    except (OSError, *MALFORMED) as err:
        raise damaged(files.folder, f"{_REDIRECTS} cannot be read ({type(err).__name__})") from err


class _Ordered(Sequence[str]):
    """Titles in the order in which they are searched."""

    def __init__(self, titles: MappedTexts, order: NDArray[np.int64]) -> None:
        self._titles, self._order = titles, order

    def __len__(self) -> int:
        return len(self._order)

    def __getitem__(self, place: int) -> str:  # type: ignore[override]  # bisect asks for one at a time
        return self._titles[int(self._order[place])]


def _edition(files: FileSet) -> str:
    said = "".join(f"{name} {each.sha256}\n" for name, each in sorted(files.files.items()))
    return hashlib.sha256(said.encode("utf-8")).hexdigest()
