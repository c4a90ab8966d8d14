"""Search and pages of one ZIM archive."""

import asyncio
import hashlib
import re
import threading
from collections.abc import Callable
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Any
from urllib.parse import quote

from heliograph.errors import ArchiveUnreadable, PageUnavailable
from heliograph.types import Hit, Page, Query, SearchResult
from tools.zim.integrity import check_file
from tools.zim.wording import engine_query

EDITION = "X-Content-Hash"
"""Metadata of archives made by `build_snapshot`: equal pages, equal edition; others go by their uuid."""
MOST_REDIRECTS = 8
REFRESH = re.compile(
    rb"""<meta[^>]+http-equiv=["']?refresh["']?[^>]+content=["'][^"']*url=['"]?([^"'>]+)""", re.IGNORECASE
)
"""A redirect as some Kiwix archives write it: a page of its own."""


def utc_now() -> str:
    """Return the instant as ISO 8601 in UTC."""
    return datetime.now(UTC).isoformat(timespec="seconds")


class ZimArchive:
    """One archive as a document search and a page source; nothing is opened before the first use.

    libzim's searchers are not safe in several threads, so calls take turns.

    Raises (from everything but the constructor):
        ArchiveUnreadable: the file is missing, cut, or no ZIM archive.
    """

    def __init__(self, path: Path, now: Callable[[], str] = utc_now) -> None:
        self.path = path
        self.name = f"zim:{path.stem}"
        self._now = now
        self._turn = threading.Lock()

    @property
    def wiki(self) -> str:
        """Name of the wiki: what the archive calls itself, else the name of its file."""
        return self._metadata("Name") or self.path.stem

    @property
    def edition(self) -> str:
        """What changes when a title may hold other text."""
        return self._metadata(EDITION) or str(self._archive.uuid)

    def open(self) -> None:
        """Open the archive now, so that a bad one is found at once."""
        _ = self._archive

    async def search(self, query: Query, limit: int) -> SearchResult:
        """Search the full text, or the titles where the archive has no full-text index."""
        return await asyncio.to_thread(self._search, query, limit)

    async def fetch(self, title: str) -> Page:
        """Read a page by its title, redirects followed.

        Raises:
            PageUnavailable: no such page, no text, or redirects in a loop.
        """
        return await asyncio.to_thread(self._fetch, title)

    def _search(self, query: Query, limit: int) -> SearchResult:
        from libzim.search import Query as EngineQuery
        from libzim.search import Searcher
        from libzim.suggestion import SuggestionSearcher

        words = engine_query(query.text)
        if not words:
            return SearchResult(query, (), 0)
        with self._turn:
            if self._archive.has_fulltext_index:
                found = Searcher(self._archive).search(EngineQuery().set_query(words))
            else:
                found = SuggestionSearcher(self._archive).suggest(words.replace('"', ""))
            total = int(found.getEstimatedMatches())
            paths = list(found.getResults(0, limit)) if limit > 0 else []
            titles = dict.fromkeys(self._target(self._archive.get_entry_by_path(path)).title for path in paths)
        hits = tuple(Hit(title, rank, self.wiki) for rank, title in enumerate(titles, start=1))
        return SearchResult(query, hits, total)

    def _fetch(self, title: str) -> Page:
        with self._turn:
            item, name = self._item(title)
            content = bytes(item.content)
        html = content.decode("utf-8", "replace")
        revision = hashlib.sha256(content).hexdigest()[:16]
        return Page(
            wiki=self.wiki,
            title=name,
            revision=revision,
            url=self._url(name, item.path),
            html=html,
            fetched=self._now(),
            licence=self._metadata("License"),
            attribution=self._metadata("Creator") or self._metadata("Publisher"),
        )

    def _item(self, title: str) -> tuple[Any, str]:
        """Follow redirects, those of the archive and those that are pages, to a page with text."""
        entry = self._entry(title)
        chain: list[str] = []
        while True:
            entry = self._target(entry)
            if entry.path in chain or len(chain) >= MOST_REDIRECTS:
                raise PageUnavailable(f'"{title}" redirects in a loop in {self.path.name}: {" > ".join(chain)}')
            chain.append(entry.path)
            item = entry.get_item()
            if not item.mimetype.startswith("text/html"):
                raise PageUnavailable(f'"{title}" in {self.path.name} is {item.mimetype or "nothing"}, not a page')
            refresh = REFRESH.search(bytes(item.content)[:4096])
            if refresh is None:
                return item, entry.title
            entry = self._entry(refresh.group(1).decode("utf-8", "replace").removeprefix("./").removeprefix("../A/"))

    def _entry(self, title: str) -> Any:
        underscored = title.replace(" ", "_")
        for find, name in (
            (self._archive.get_entry_by_title, title),
            (self._archive.get_entry_by_path, underscored),
            (self._archive.get_entry_by_path, f"A/{underscored}"),
            (self._archive.get_entry_by_title, title[:1].upper() + title[1:]),
        ):
            try:
                return find(name)
            except KeyError:
                continue
        raise PageUnavailable(f'no page "{title}" in {self.path.name}; try another title or another --source')

    def _target(self, entry: Any) -> Any:
        chain = [entry.path]
        while entry.is_redirect:
            entry = entry.get_redirect_entry()
            if entry.path in chain:
                raise PageUnavailable(f'"{chain[0]}" redirects in a loop in {self.path.name}: {" > ".join(chain)}')
            chain.append(entry.path)
        return entry

    def _url(self, title: str, path: str) -> str:
        source = self._metadata("Source")
        if source.startswith(("https://", "http://")) and "wiki" in source:
            host = source.split("/")[2]
            return f"https://{host}/wiki/{quote(title.replace(' ', '_'))}"
        return f"zim://{self.wiki}/{quote(path)}"

    def _metadata(self, name: str) -> str:
        if name not in self._archive.metadata_keys:
            return ""
        return bytes(self._archive.get_metadata(name)).decode("utf-8", "replace").strip()

    @cached_property
    def _archive(self) -> Any:  # libzim.reader.Archive; the library carries no types
        from libzim.reader import Archive

        check_file(self.path)
        try:
            return Archive(self.path)
        except RuntimeError as err:
            raise ArchiveUnreadable(f"{self.path} cannot be opened as a ZIM archive: {err}; fetch it again") from err
