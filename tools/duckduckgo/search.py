"""DuckDuckGo as a search engine over the articles of one wiki: few requests, and no failure that looks like nothing."""

import asyncio
from collections.abc import Collection
from urllib.parse import SplitResult

from heliograph.errors import RateLimited, SearchUnavailable, SourceBlocked
from heliograph.types import Hit, Query, SearchResult
from tools.duckduckgo.engine import HtmlEngine
from tools.duckduckgo.links import NAMESPACES, article_title, hosts_of
from tools.duckduckgo.pace import Pace

MOST_QUERIES = 4
"""Queries of a round that are sent: some five requests in quick succession are known to bring the captcha."""
TOTAL = 1_000
"""Matches that a query is taken to have, for DuckDuckGo names no number: about those of two or three content words in
English Wikipedia. `tools.search.fuse` then weighs its lists in the middle of its scale (6.9 of 0.7 to 14): below an
engine that knows its query to be rare, above one that knows it to be common."""
_COMMANDS = str.maketrans("!\\", "  ")
"""What would send a query elsewhere: `!g` to another engine, a backslash to the first result."""


class DuckDuckGo:
    """The articles of one wiki by DuckDuckGo.

    Args:
        wiki_host: Such as en.wikipedia.org; hits elsewhere are dropped, however they were written.
        search_url: DuckDuckGo's own HTML page by default.
        seconds: For one search, waits included.
        most_queries: How many queries of one round are sent (`tools.search`); the others are said to be not asked.
        pages: Pages of results asked of each query, a request each; page 1 has about ten results.
        namespaces: Names of the wiki's other namespaces, in lower case; English ones by default.
        pace: Shared by all that ask DuckDuckGo from this process.
    """

    name = "duckduckgo"
    takes_questions = False

    def __init__(
        self,
        wiki_host: str,
        search_url: str = "",
        seconds: float = 30.0,
        most_queries: int = MOST_QUERIES,
        pages: int = 1,
        namespaces: Collection[str] = NAMESPACES,
        pace: Pace | None = None,
    ) -> None:
        self.most_queries: int | None = most_queries
        self._wiki = wiki_host
        self._hosts = hosts_of(wiki_host)
        self._seconds = seconds
        self._pages = pages
        self._namespaces = namespaces
        self._pace = pace or Pace()
        self._engine = HtmlEngine(search_url)

    async def search(self, query: Query, limit: int) -> SearchResult:
        """Return the articles that DuckDuckGo names, `total` by estimate; empty only where it says that there are none.

        Raises:
            RateLimited: DuckDuckGo asks to wait.
            SourceBlocked: DuckDuckGo refuses this machine, now or shortly before.
            SearchUnavailable: it failed, did not answer in time, or with a page of another layout.
        """
        try:
            async with asyncio.timeout(self._seconds):
                titles = await self._titles(query, limit)
        except TimeoutError as err:
            raise SearchUnavailable(f"duckduckgo: no answer within {self._seconds:g} s") from err
        hits = tuple(Hit(title, rank, self._wiki) for rank, title in enumerate(titles[:limit], start=1))
        return SearchResult(query, hits, max(TOTAL, len(hits)) if hits else 0)

    async def _titles(self, query: Query, limit: int) -> list[str]:
        deadline = self._pace.now() + self._seconds
        words = self._restricted(query)
        titles: dict[str, None] = {}
        for page in range(1, self._pages + 1):
            links = await self._links(words, page, deadline)
            found = (article_title(link, self._hosts, self._namespaces) for link in links)
            titles |= dict.fromkeys(title for title in found if title)
            if not links or len(titles) >= limit:
                break
        return list(titles)

    async def _links(self, words: str, page: int, deadline: float) -> tuple[SplitResult, ...]:
        async with self._pace.turn(deadline) as left:
            response = await asyncio.to_thread(self._engine.ask, words, page, left)
            try:
                return self._engine.read(response)
            except (SourceBlocked, RateLimited) as refusal:
                self._pace.refused(refusal, response.retry_after)
                raise

    def _restricted(self, query: Query) -> str:
        """Return the query for this wiki only, without commands and what no form can carry.

        Raises:
            SearchUnavailable: no word is left.
        """
        words = query.text.translate(_COMMANDS).encode("utf8", "ignore").decode().split()
        if not any(char.isalnum() for word in words for char in word):
            raise SearchUnavailable(f"duckduckgo: {query.text!r} has no word to search for")
        return f"{' '.join(words)} site:{self._wiki.partition(':')[0]}"
