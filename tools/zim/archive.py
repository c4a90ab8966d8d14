"""Search, pages and pictures of one ZIM archive."""

import asyncio
import hashlib
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any

from heliograph.errors import ArchiveUnreadable, PageUnavailable
from heliograph.types import Hit, ImageEvidence, Page, Picture, Query, SearchResult
from tools.pictures import picture_of
from tools.zim.content import Credit, credit_path, read_credit
from tools.zim.entries import Entries, is_page
from tools.zim.facts import ArchiveFacts, read_facts
from tools.zim.integrity import CHECKED_BYTES, check_file
from tools.zim.markup import canonical_url, decoded, permalink
from tools.zim.spelling import TITLES, nearest
from tools.zim.wording import engine_query

MOST_PAGE_BYTES = 64_000_000
MOST_IMAGE_BYTES = 32_000_000


def utc_now() -> str:
    """Return the instant as ISO 8601 in UTC."""
    return datetime.now(UTC).isoformat(timespec="seconds")


class ZimArchive:
    """One archive as a document search, a page source and an image source; nothing is opened before the first use.

    libzim's searchers are not safe in several threads, so calls take turns. Archives of up to `checked_bytes` are
    compared with their checksum when they are opened.

    Raises (from everything but the constructor):
        ArchiveUnreadable: the file is missing, cut, damaged, or no ZIM archive.
    """

    most_queries: int | None = None
    takes_questions = False

    def __init__(self, path: Path, now: Callable[[], str] = utc_now, checked_bytes: int = CHECKED_BYTES) -> None:
        self.path = path
        self._checked_bytes = checked_bytes
        self.name = f"zim:{path.stem}"
        self._now = now
        self._turn = threading.RLock()

    @cached_property
    def wiki(self) -> str:
        """Name of the wiki: what the archive calls itself, else the name of its file."""
        return self._facts.wiki

    @cached_property
    def edition(self) -> str:
        """What changes when a title may hold other text."""
        return self._facts.edition

    def open(self) -> None:
        """Open the archive now, so that a bad one is found at once."""
        _ = self._facts

    async def search(self, query: Query, limit: int) -> SearchResult:
        """Search the full text, or the titles where the archive has no full-text index.

        Every word must match; see `engine_query` for what is left of a query. `total` counts the matching entries.
        """
        return await asyncio.to_thread(self._search, query, limit)

    async def suggest(self, text: str, limit: int) -> tuple[Hit, ...]:
        """Search the titles, the last word as a beginning of one."""
        return (await asyncio.to_thread(self._search, Query(text), limit, titles=True)).hits

    async def has(self, title: str) -> bool:
        """Tell whether a title, as readers write it, names an entry."""
        return await asyncio.to_thread(self._has, title)

    async def titles(self) -> tuple[str, ...]:
        """Return the title of every page by which `fetch` gives it, redirects left out, in any order."""
        return await asyncio.to_thread(self._titles)

    async def titles_of(self, names: Sequence[str]) -> tuple[str | None, ...]:
        """Return for each name the title of the page that it leads to, None where it leads to none.

        Redirects of the archive are followed; pages that only redirect are not read, so they count as pages.
        """
        return await asyncio.to_thread(self._titles_of, names)

    async def fetch(self, title: str) -> Page:
        """Read a page by its title, redirects followed.

        Raises:
            PageUnavailable: no such page, no text, or redirects in a loop.
        """
        return await asyncio.to_thread(self._fetch, title)

    async def read_image(self, title: str, source: str) -> bytes:
        """Return the bytes of a picture, by the page that shows it and the address it has there.

        Raises:
            PageUnavailable: no such page or picture.
        """
        return await asyncio.to_thread(self._image, title, source)

    async def picture(self, image: ImageEvidence) -> Picture:
        """Return a picture found on a page, encoded anew, with what the archive says of all its content.

        Raises:
            PageUnavailable: no such page or picture, or one that cannot be decoded.
        """
        return await asyncio.to_thread(self._picture, image)

    def _search(self, query: Query, limit: int, titles: bool = False) -> SearchResult:
        words = engine_query(query.text)
        if not words or limit < 1:
            return SearchResult(query, (), 0)
        with self._reading():
            by_title = titles or not self._archive.has_fulltext_index
            found = self._suggested(words, query.text) if by_title else self._matching(words)
            names: dict[str, None] = {}
            for name in self._names(found, limit):
                names.setdefault(name)
                if len(names) == limit:
                    break
            total = max(int(found.getEstimatedMatches()), len(names))
            instead = "" if names or by_title else self._instead(words)
        hits = tuple(Hit(name, rank, self.wiki) for rank, name in enumerate(names, start=1))
        return SearchResult(query, hits, total if hits else 0, instead)

    def _matching(self, words: str) -> Any:
        from libzim.search import Query as EngineQuery
        from libzim.search import Searcher

        return Searcher(self._archive).search(EngineQuery().set_query(words))

    def _instead(self, word: str) -> str:
        """Return the word of the archive that one which it does not have may be a slip of; "" where there is none."""

        def pages(other: str) -> int:
            return int(self._matching(other).getEstimatedMatches())

        def titles(beginning: str) -> Iterator[str]:
            return self._names(self._suggested(beginning, beginning), TITLES)

        return nearest(word, pages, lambda beginning: islice(titles(beginning), TITLES))

    def _suggested(self, words: str, text: str) -> Any:
        """Search titles; archives of before 2020 have no index for it, and libzim then heeds case and word order."""
        from libzim.suggestion import SuggestionSearcher

        searcher = SuggestionSearcher(self._archive)
        written = " ".join(text.encode("utf-8", "replace").decode().replace("\0", " ").split())
        forms = (words,) if self._archive.has_title_index else (words, written, words.capitalize(), words.title())
        for form in forms:
            found = searcher.suggest(form)
            if list(found.getResults(0, 1)):
                break
        return found

    def _names(self, found: Any, batch: int) -> Iterator[str]:
        """Yield the titles of the pages found, best first; one page may come by several entries."""
        start = 0
        while paths := list(found.getResults(start, batch)):
            yield from map(self._entries.name, filter(None, map(self._entries.found, paths)))
            start += len(paths)

    def _has(self, title: str) -> bool:
        with self._reading():
            return self._entries.find(title) is not None

    def _titles(self) -> tuple[str, ...]:
        with self._reading():
            return tuple(map(self._entries.name, self._entries.pages()))

    def _titles_of(self, names: Sequence[str]) -> tuple[str | None, ...]:
        with self._reading():
            entries = [self._entries.find(name) for name in names]
            pages = [None if entry is None else self._entries.found(entry.path) for entry in entries]
            return tuple(None if page is None else self._entries.name(page) for page in pages)

    def _fetch(self, title: str) -> Page:
        with self._reading():
            entry = self._entries.page(self._entry(title))
            name, item = self._entries.name(entry), entry.get_item()
            if item.size > MOST_PAGE_BYTES:
                raise PageUnavailable(
                    f'page "{name}" of {self.path.name} has {item.size:,} bytes; no page is that long'
                )
            content, mimetype = bytes(item.content), item.mimetype
        html = decoded(content, mimetype)
        if not html.strip():
            raise PageUnavailable(f'page "{name}" of {self.path.name} is empty; another --source may have it')
        return Page(
            wiki=self.wiki,
            title=name,
            revision=hashlib.sha256(content).hexdigest()[:16],
            url=permalink(html, self._facts.host) or canonical_url(html) or self._facts.url(name, entry.path),
            html=html,
            fetched=self._now(),
            licence=self._facts.licence,
            attribution=self._facts.attribution,
        )

    def _image(self, title: str, source: str) -> bytes:
        with self._reading():
            entry = self._entries.linked(self._entries.page(self._entry(title)), source)
            item = None if entry is None else entry.get_item()
            if item is None or is_page(entry) or item.size > MOST_IMAGE_BYTES:
                raise PageUnavailable(f'no picture "{source[:200]}" of the page "{title}" in {self.path.name}')
            return bytes(item.content)

    def _picture(self, image: ImageEvidence) -> Picture:
        title, source = image.place.title, image.source
        try:
            credit = read_credit(self._image(title, credit_path(source)))
        except PageUnavailable:
            credit = Credit()
        return picture_of(
            self._image(title, source),
            url=credit.url,
            licence=credit.licence or self._facts.licence,
            attribution=credit.attribution or self._facts.attribution,
        )

    def _entry(self, title: str) -> Any:
        entry = self._entries.find(title)
        if entry is None:
            raise PageUnavailable(f'no page "{title}" in {self.path.name}; try another title or another --source')
        return entry

    @contextmanager
    def _reading(self) -> Iterator[None]:
        """Take a turn; what libzim meets in a damaged file is said in our words."""
        try:
            with self._turn:
                yield
        except (RuntimeError, UnicodeDecodeError) as err:
            raise ArchiveUnreadable(f"{self.path} is damaged ({err}); fetch it again") from err

    @cached_property
    def _entries(self) -> Entries:
        return Entries(self._archive, self.path.name)

    @cached_property
    def _facts(self) -> ArchiveFacts:
        with self._reading():
            return read_facts(self._archive, self.path.stem)

    @cached_property
    def _archive(self) -> Any:  # libzim.reader.Archive; the library carries no types
        from libzim.reader import Archive

        check_file(self.path, self._checked_bytes)
        try:
            return Archive(self.path)
        except RuntimeError as err:
            raise ArchiveUnreadable(f"{self.path} cannot be opened as a ZIM archive: {err}; fetch it again") from err
