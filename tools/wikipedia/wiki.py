"""One live MediaWiki as a document search, a page source and a picture source."""

import asyncio
import threading
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from typing import Any

from mwclient import Site
from mwclient.client import USER_AGENT

from heliograph.errors import ContactMissing, PageUnavailable, UsageError
from heliograph.types import ImageEvidence, Page, Picture, Query, SearchResult
from heliograph.version import VERSION
from tools.disambiguation import marked
from tools.errands import Errands
from tools.pictures import MOST_BYTES, picture_of
from tools.politeness import Manners
from tools.wikipedia.address import file_name, wiki_address
from tools.wikipedia.faults import faults, page_faults
from tools.wikipedia.replies import FileFacts, Parsed, Rights, read_file, read_parsed, read_rights, read_search
from tools.wikipedia.session import PoliteSession
from tools.wikipedia.wording import engine_query

MOST_HITS = 50
"""Hits of one request: more cost the wiki more, and the pages that are read stand among the first."""
WIDTH = 960
"""Pixels: one of the widths that Wikimedia makes thumbnails of; at any other it serves none, or the next larger one."""
MOST_HOPS = 3
MAX_LAG = 5
"""Seconds that a wiki's copies may be behind before it may turn us away: Wikimedia's advice to programs."""


def utc_now() -> datetime:
    """Return the time."""
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class LivePage:
    """A page as it is now, the titles that redirected to it, and whether it only tells meanings apart."""

    page: Page
    redirects: tuple[str, ...]
    disambiguation: bool


class Wikipedia:
    """One live wiki; nothing is requested before the first use.

    Requests wait for one another: `at_once` go side by side, to Wikimedia's hosts never more than one. Time in that
    queue does not count against `manners.seconds`, so each request has its whole deadline.

    Raises (from everything but the constructor):
        RateLimited: the wiki asks to wait longer than there is time.
        SourceBlocked: it refuses us.
        SearchUnavailable: it fails, is silent, or has failed too often to be asked just now.
    """

    name = "wikipedia"
    most_queries: int | None = None
    takes_questions = False

    def __init__(
        self,
        wiki: str,
        contact: str,
        at_once: int = 1,
        seconds: float = 30.0,
        *,
        manners: Manners | None = None,
        now: Callable[[], datetime] = utc_now,
    ) -> None:
        """Name the wiki by its host, or by the address of its script path, and the operator by mail address or URL.

        `manners` stand in place of those that `seconds` alone would make.

        Raises:
            ContactMissing: there is no contact.
            UsageError: the wiki or the contact cannot be used.
        """
        self._address = wiki_address(wiki)
        self._agent = f"Heliograph/{VERSION} ({_valid(contact, self._address.host)}) {USER_AGENT}"
        self._manners = manners or Manners(seconds)
        self._now = now
        self.at_once = 1 if self._address.of_wikimedia else at_once
        self._errands = Errands(self.at_once, self.name)
        self._rights_turn = threading.Lock()

    @property
    def wiki(self) -> str:
        """The host, with its port if it has one."""
        return self._address.host

    @property
    def edition(self) -> str:
        """The day in UTC: a page that was read is asked for anew the next day."""
        return f"live-{self._now().astimezone(UTC).date().isoformat()}"

    async def search(self, query: Query, limit: int) -> SearchResult:
        """Search the full text of articles, in one request and for at most 50 hits."""
        words = engine_query(query.text)
        if not words or limit < 1:
            return SearchResult(query, (), 0)
        reply = await self._errands.run(lambda: self._search(words, min(limit, MOST_HITS)))
        return read_search(reply, query, self.wiki)

    async def fetch(self, title: str) -> Page:
        """Read a page by its title, redirects followed; a disambiguation page is marked (`tools.disambiguation`).

        Raises:
            PageUnavailable: missing, empty, no title, or of another wiki.
        """
        return (await self.read(title)).page

    async def read(self, title: str) -> LivePage:
        """Read a page and what is known of it; raises as `fetch` does."""
        asked = _sound(title)
        if not asked.strip("_ ") or asked.startswith("#"):
            raise PageUnavailable(f"{title[:200]!r} names no page of {self.wiki}; try another title")
        return await self._errands.run(lambda: self._read(asked))

    async def picture(self, image: ImageEvidence) -> Picture:
        """Fetch a thumbnail, from the wiki's own file hosts only.

        Raises:
            PageUnavailable: it is missing, too large, no picture, or elsewhere.
        """
        name = file_name(image.source) if self._address.file_url(image.source) else None
        if name is None:
            raise PageUnavailable(f'the picture "{image.source[:200]}" is no file of {self.wiki}')
        facts, data = await self._errands.run(lambda: self._file(_sound(name)))
        words = {"url": facts.descriptionurl, "licence": facts.licence, "attribution": facts.attribution}
        return await asyncio.to_thread(picture_of, data, **words)

    def close(self) -> None:
        """Ask nothing more."""
        self._errands.close()

    def _search(self, words: str, limit: int) -> object:
        given = {"srsearch": words, "srlimit": limit, "srnamespace": 0, "srinfo": "totalhits|suggestion", "srprop": ""}
        with faults(self.wiki):
            return self._ask("query", list="search", srwhat="text", **given)

    def _read(self, title: str) -> LivePage:
        wanted = "text|sections|displaytitle|revid|images|properties"
        flags = {"redirects": 1, "disableeditsection": 1, "disabletoc": 1, "disablelimitreport": 1}
        with page_faults(title, self.wiki):
            reply = self._ask("parse", page=title, prop=wanted, **flags)
        found = read_parsed(reply, self.wiki)
        redirects = tuple(redirect.origin for redirect in found.redirects)
        return LivePage(self._page(found, self._rights()), redirects, found.disambiguation)

    def _page(self, found: Parsed, rights: Rights) -> Page:
        revision = str(found.revid)
        return Page(
            wiki=self.wiki,
            title=found.title,
            revision=revision,
            url=self._address.permalink(found.title, revision),
            html=marked(found.text) if found.disambiguation else found.text,
            fetched=self._now().astimezone(UTC).isoformat(timespec="seconds"),
            licence=rights.licence,
            attribution=rights.attribution,
        )

    def _rights(self) -> Rights:
        """Return licence and makers, asked for once."""
        with self._rights_turn:
            return self._asked_rights

    @cached_property
    def _asked_rights(self) -> Rights:
        with faults(self.wiki):
            return read_rights(self._ask("query", meta="siteinfo", siprop="general|rightsinfo"), self.wiki)

    def _file(self, name: str) -> tuple[FileFacts, bytes]:
        metadata = "LicenseShortName|LicenseUrl|UsageTerms|Artist|Credit|Attribution"
        info = {"iiprop": "url|size|mime|extmetadata", "iiurlwidth": WIDTH, "iiextmetadatafilter": metadata}
        with page_faults(f"File:{name}", self.wiki):
            reply = self._ask("query", titles=f"File:{name}", prop="imageinfo", **info)
        facts = read_file(reply, name, self.wiki)
        return facts, self._download(facts.thumburl)

    def _download(self, url: str) -> bytes:
        """Fetch a file; each address on the way must be one of the wiki's own."""
        for _ in range(MOST_HOPS + 1):
            own = self._address.file_url(url)
            if own is None:
                raise PageUnavailable(f'the picture "{url[:200]}" does not lie on the file hosts of {self.wiki}')
            answer = self._session.request("GET", own, most_bytes=MOST_BYTES)
            if not answer.is_redirect:
                break
            url = self._address.joined(own, answer.headers["Location"])
        if answer.status_code != 200:
            raise PageUnavailable(f'no picture "{url[:200]}": {self.wiki} answers with status {answer.status_code}')
        return answer.content

    def _ask(self, action: str, **parameters: Any) -> object:
        reply: object = self._site.get(action, formatversion=2, maxlag=MAX_LAG, **parameters)
        return reply

    @cached_property
    def _site(self) -> Site:
        """mwclient's view of the wiki; retries are the session's, so it makes none."""
        address = self._address
        return Site(address.host, address.path, scheme=address.scheme, pool=self._session, do_init=False, max_retries=0)

    @cached_property
    def _session(self) -> PoliteSession:
        return PoliteSession(self._agent, self._manners)


def _valid(contact: str, host: str) -> str:
    if not contact.strip():
        raise ContactMissing(
            f"{host} is a live wiki, whose operators must be able to reach you: set `contact` (HELIOGRAPH_CONTACT) to "
            "your mail address or a page about you"
        )
    if not contact.isascii() or not contact.isprintable() or set(contact) & set("()"):
        raise UsageError(f"contact {contact!r}: write a mail address or a URL in plain ASCII, without brackets")
    return contact.strip()


def _sound(text: str) -> str:
    """Return text that can be sent: without halves of characters."""
    return text.encode("utf-8", "replace").decode("utf-8").strip()
