"""Whatever DuckDuckGo answers and whatever it is asked: hits are articles of the wiki, and only our errors leave."""

import asyncio
import re
from collections.abc import Iterator
from unicodedata import normalize
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from heliograph.errors import SearchUnavailable
from heliograph.types import Query, SearchResult
from tests.servers import duckduckgo as ddg
from tests.servers.duckduckgo import DuckDuckGoServer
from tools.duckduckgo import DuckDuckGo, Pace
from tools.duckduckgo.engine import HtmlEngine, Response
from tools.duckduckgo.links import NAMESPACES, article_title, destination, hosts_of

HOST = "en.wikipedia.org"
READER = HtmlEngine()
SIGNS = st.characters(categories=["L", "N", "S"], exclude_characters="<>|&~", include_characters="'()!?+/-,;\"*@%=")
TITLES = (
    st.text(SIGNS, min_size=1, max_size=40)
    .map(lambda name: normalize("NFC", name))
    .filter(lambda name: len(name.encode()) <= 255 and not re.search("%[0-9A-Fa-f]{2}", name))
)
HOSTS = st.sampled_from([HOST, "en.m.wikipedia.org", "evil.example", "duckduckgo.com", "", f"{HOST}@x", f"x@{HOST}"])
SCHEMES = st.sampled_from(["https://", "http://", "//", "", "ftp://", "javascript:", "https:", "///"])
PATHS = st.one_of(st.text(max_size=60), st.builds("/wiki/{}".format, st.text(max_size=60)))
ARTICLES = st.builds("https://en.wikipedia.org/wiki/{}".format, st.text(max_size=60))
URLS = st.one_of(st.text(max_size=80), st.builds("{}{}{}".format, SCHEMES, HOSTS, PATHS), ARTICLES)
HREFS = st.one_of(URLS, st.builds(ddg.redirect, URLS))
TAGS = (
    "<div class='result__body'>",
    "</div>",
    "<h2>",
    "<a href='",
    "'>",
    "<!--",
    "<frameset>",
    "<?xml ",
    "</body>",
    "\0",
)
SCRAPS = st.one_of(st.sampled_from(TAGS), st.text(max_size=20), HREFS)
BODIES = st.one_of(st.lists(SCRAPS, max_size=30).map("".join), st.text(max_size=200))


@pytest.fixture
def server() -> Iterator[DuckDuckGoServer]:
    with DuckDuckGoServer({}) as running:
        yield running


def ask(server: DuckDuckGoServer, text: str, limit: int) -> SearchResult:
    return asyncio.run(DuckDuckGo(HOST, server.url, pace=Pace(gap=0.0)).search(Query(text), limit))


def is_title(title: str) -> bool:
    """What MediaWiki would take as the title of an article, said a second time and otherwise."""
    return (
        title == " ".join(title.split(" "))
        and title.strip() == title
        and 0 < len(title.encode()) <= 255
        and not set(title) & set("<>[]{}|#_\x00\n\t\x7f")
        and not any(title.casefold().startswith(f"{name}:") for name in NAMESPACES)
    )


@given(HREFS)
@example("//duckduckgo.com/l/?uddg=https%3A%2F%2Fen.wikipedia.org%2Fwiki%2FTorvik")
@example(f"https://{HOST}/wiki/%E2%80%8E")
@example("https://℀.example/wiki/X")
def test_any_link_gives_a_title_of_the_host_or_none(href: str) -> None:
    target = destination(href)
    title = article_title(target, hosts_of(HOST)) if target else None
    if target is not None and title is not None:
        assert is_title(title)
        assert target.hostname in {HOST, "en.m.wikipedia.org"}
        assert target.username is None


@given(BODIES, st.sampled_from([200, 200, 200, 202, 204, 301, 403, 404, 429, 500]))
def test_any_page_is_read_or_refused(body: str, status: int) -> None:
    try:
        links = READER.read(Response(status, body, None))
    except SearchUnavailable as err:
        assert str(err).startswith("duckduckgo: ")
    else:
        assert status == 200
        assert all(link.scheme in ("http", "https") and link.hostname for link in links)
        assert links or "no-results" in body or "result--no-result" in body


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(hrefs=st.lists(HREFS, max_size=8), text=st.text(max_size=20), limit=st.integers(0, 5))
def test_whatever_is_asked_and_answered_hits_are_of_the_wiki(
    server: DuckDuckGoServer, hrefs: list[str], text: str, limit: int
) -> None:
    server.script(ddg.links(*hrefs))
    try:
        found = ask(server, text, limit)
    except SearchUnavailable:
        return
    assert len(found.hits) <= limit
    assert [hit.rank for hit in found.hits] == list(range(1, len(found.hits) + 1))
    assert len({hit.title for hit in found.hits}) == len(found.hits)
    assert all(hit.wiki == HOST and is_title(hit.title) for hit in found.hits)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(body=st.one_of(st.binary(max_size=300), BODIES), code=st.sampled_from([200, 202, 403, 418, 429, 502]))
def test_whatever_bytes_come_back_only_our_errors_leave(server: DuckDuckGoServer, body: bytes | str, code: int) -> None:
    server.script(ddg.raw(body, code))
    try:
        ask(server, "lights", 5)
    except SearchUnavailable as err:
        assert str(err).startswith("duckduckgo: ")


@given(st.lists(TITLES, max_size=10, unique=True))
def test_titles_come_back_as_they_are(names: list[str]) -> None:
    hrefs = [ddg.redirect(f"https://{HOST}/wiki/{quote(name, safe=ddg.SAFE)}") for name in names]
    answer = ddg.page(hrefs, names, "x")
    links = READER.read(Response(200, answer.body.decode(), None))
    assert [article_title(link, hosts_of(HOST)) for link in links] == names
