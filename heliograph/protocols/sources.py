"""The seams to sources: search, pages, pictures, and what is kept of them."""

from typing import Protocol

from heliograph.types import Hit, ImageEvidence, Page, PageKey, Picture, Query, SearchResult


class DocumentSearch(Protocol):
    """A search engine over the pages of one wiki.

    `most_queries` bounds what it is asked in one round; such an engine is not asked how many pages hold a word either.
    None leaves it open. One that `takes_questions` is asked what a round is to find out in whole sentences as well.
    """

    name: str
    most_queries: int | None
    takes_questions: bool

    async def search(self, query: Query, limit: int) -> SearchResult: ...


class PageSource(Protocol):
    """Pages of one wiki by title; `edition` changes when the same title may hold other text."""

    @property
    def wiki(self) -> str: ...

    @property
    def edition(self) -> str: ...

    async def fetch(self, title: str) -> Page:
        """Raises PageUnavailable: missing, empty, or a redirect loop."""


class PageReader(Protocol):
    """Pages through the page store: each is fetched once, ever."""

    async def read(self, hit: Hit) -> Page:
        """Raises PageUnavailable: missing, empty, or a redirect loop."""

    async def kept(self, key: PageKey) -> Page:
        """Return a page that was read before, by any run; raises UnknownName where the store has it no more."""

    @property
    def fetched(self) -> int:
        """How many pages came from a source and not from the store."""


class PageStore(Protocol):
    """Pages once read, content-addressed."""

    def find(self, wiki: str, edition: str, title: str) -> Page | None: ...

    def put(self, page: Page, edition: str, asked: str) -> PageKey:
        """Keep a page under its canonical title and under the title it was asked by."""

    def get(self, key: PageKey) -> Page: ...


class Pictures(Protocol):
    """Pictures of the pages that a run may read."""

    async def picture(self, image: ImageEvidence) -> Picture:
        """Return the picture, re-encoded, with licence and attribution.

        Raises:
            PageUnavailable: it is missing, too large, no picture, or elsewhere.
        """


class PictureSource(Pictures, Protocol):
    """Pictures of the pages of one wiki, only ever from its own file hosts."""

    @property
    def wiki(self) -> str: ...
