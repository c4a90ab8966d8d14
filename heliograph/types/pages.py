"""What a source hands over: search results, raw pages, and pages that something is built of."""

from dataclasses import dataclass, field
from typing import Literal, NewType

from heliograph.types.later import LATER

PageKey = NewType("PageKey", str)
"""`wiki:Title@revision`, the title percent-encoded: one page in one state."""

SourceStatus = Literal["ok", "empty", "rate_limited", "failed"]


@dataclass(frozen=True, slots=True)
class Query:
    """One short search query, in the words that the engine gets."""

    text: str

    @property
    def words(self) -> tuple[str, ...]:
        """What an engine matches: two queries with the same words are one query, in whatever order."""
        return tuple(sorted(set(self.text.casefold().replace('"', " ").split())))


@dataclass(frozen=True, slots=True)
class Hit:
    """One page that a search named; `rank` counts from 1 in its own result list, `wiki` says whose page it is.

    `answers` is how probable it is, in [0, 1], that the page has a table whose rows, in its first column, are what the
    query asks for: 0 where the source cannot tell.
    """

    title: str
    rank: int
    wiki: str = ""
    answers: float = field(default=0.0, metadata=LATER)

    @property
    def page(self) -> tuple[str, str]:
        """The wiki and the title: two wikis may have pages of one title."""
        return (self.wiki, self.title)


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The hits of one query, best first, and the engine's estimate of all matches.

    `instead` is the word that the engine proposes in place of a query of one word that it does not know.
    """

    query: Query
    hits: tuple[Hit, ...]
    total: int
    instead: str = field(default="", metadata=LATER)


@dataclass(frozen=True, slots=True)
class Page:
    """One page as a source delivered it, before parsing.

    `revision` is the wiki's revision number or, where there is none, the content hash.
    `fetched` is ISO 8601 in UTC. `title` is the canonical one, after redirects.
    """

    wiki: str
    title: str
    revision: str
    url: str
    html: str
    fetched: str
    licence: str = ""
    attribution: str = ""


@dataclass(frozen=True, slots=True)
class SourcePage:
    """A page that an archive or a graph is to be built of; `url` is where it stands on the web, if anywhere."""

    title: str
    html: str
    url: str = ""


@dataclass(frozen=True, slots=True)
class SourceRedirect:
    """Another title of a page."""

    title: str
    target: str


@dataclass(frozen=True, slots=True)
class SourceReport:
    """How one source served one question; `detail` says why when it is not ok."""

    name: str
    status: SourceStatus
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Picture:
    """The bytes of an image, decoded and encoded anew, and what must be said beside it.

    `width` and `height` are pixels of `data`; `url` is the page that describes the file; `media_type` is image/png or
    image/jpeg.
    """

    data: bytes
    media_type: str
    width: int
    height: int
    url: str = ""
    licence: str = ""
    attribution: str = ""
