"""One request to DuckDuckGo's HTML page through ddgs's engine, and what its answer is: links, none, or a refusal."""

from dataclasses import dataclass
from urllib.parse import SplitResult

import primp
from ddgs.engines.duckduckgo import Duckduckgo

from heliograph.errors import RateLimited, SearchUnavailable, SourceBlocked
from tools.duckduckgo.links import destination
from tools.politeness import retry_after

MOST_BYTES = 1_000_000
"""A page of results has some 40 kB."""
LONGEST_REST = 3600.0
"""Seconds that a Retry-After can ask for."""
EVERY_REGION = "wt-wt"

LINK = "(.//h2//a/@href | ./a/@href)[1]"
"""The link of a result; the engine's own takes only the snippet's, and loses results that have none."""
CHALLENGE = (
    "//*[contains(@class, 'anomaly-modal')] | //form[@id = 'challenge-form'] | //form[contains(@action, 'anomaly.js')]"
)
"""The block page in its markup: in words it could be a query or a snippet."""
NO_RESULTS = (
    "//*[contains(concat(' ', normalize-space(@class), ' '), ' no-results ')]"
    " | //*[contains(concat(' ', normalize-space(@class), ' '), ' result--no-result ')]"
)


@dataclass(frozen=True, slots=True)
class Response:
    """What came back; `retry_after` are the seconds that it asks to wait, None where it does not say."""

    status: int
    body: str
    retry_after: float | None


class HtmlEngine:
    """ddgs's engine for DuckDuckGo, without its reading of an answer: there a block page is an empty result."""

    def __init__(self, url: str = "") -> None:
        self._engine = Duckduckgo()
        self._url = url or self._engine.search_url

    def ask(self, query: str, page: int, seconds: float) -> Response:
        """Send one request and wait for the whole answer; redirects are not followed, for bangs lead to other sites.

        Raises:
            SearchUnavailable: unreachable, silent, cut short, or too large.
        """
        form = self._engine.build_payload(query, EVERY_REGION, "moderate", None, page)
        try:
            response = self._engine.http_client.client.post(
                self._url, data=form, timeout=seconds, follow_redirects=False, stream=True
            )
            body = _read(response)
        except primp.TimeoutError as err:
            raise SearchUnavailable("duckduckgo: no answer before the deadline of the search") from err
        except primp.PrimpError as err:
            raise SearchUnavailable(
                f"duckduckgo: no connection, or one that broke off: {next(iter(err.args), err)}"
            ) from err
        rest = retry_after(response.headers.get("retry-after"))
        return Response(response.status_code, body, None if rest is None else min(rest, LONGEST_REST))

    def read(self, response: Response) -> tuple[SplitResult, ...]:
        """Return where the results lead, best first; none only where DuckDuckGo says that there is none.

        Raises:
            RateLimited: it asks to wait.
            SourceBlocked: it refuses us: 202, 403, or a page that asks for a human.
            SearchUnavailable: a failure of its own, or a page that is neither results nor the lack of them.
        """
        status = response.status
        if status == 429:
            raise RateLimited(f"duckduckgo: too many requests (HTTP 429), {_asks(response.retry_after)}")
        # A tree of its own begins the page, so that the parser never meets an empty one or an XML declaration.
        tree = self._engine.extract_tree("<html><body>" + response.body)
        if status in (202, 403) or tree.xpath(CHALLENGE):
            raise SourceBlocked(f"duckduckgo: refuses this machine (block page or captcha, HTTP {status})")
        if status != 200:
            raise SearchUnavailable(f"duckduckgo: HTTP {status} in place of results")
        hrefs = [href for item in tree.xpath(self._engine.items_xpath) for href in item.xpath(LINK)]
        links = tuple(target for href in hrefs if (target := destination(href)))
        if not links and not tree.xpath(NO_RESULTS):
            raise SearchUnavailable("duckduckgo: a page that is neither results nor the lack of them; has it changed?")
        return links


def _read(response: primp.Response) -> str:
    body = bytearray()
    for chunk in response.iter_bytes():
        body += chunk
        if len(body) > MOST_BYTES:
            response.close()
            raise SearchUnavailable(f"duckduckgo: an answer of more than {MOST_BYTES} bytes is no page of results")
    return body.decode("utf8", "replace")


def _asks(seconds: float | None) -> str:
    return "without saying for how long" if seconds is None else f"asks to wait {seconds:.0f} s"
