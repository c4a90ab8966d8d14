"""DuckDuckGo against a server on loopback that speaks its HTML, refuses as it does, and breaks as servers do."""

from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from heliograph.errors import RateLimited, SearchUnavailable, SourceBlocked
from heliograph.protocols import DocumentSearch
from heliograph.types import Hit, Query, SearchResult
from tests.servers import duckduckgo as ddg
from tests.servers.duckduckgo import Behaviour, DuckDuckGoServer
from tools.duckduckgo import DuckDuckGo, Pace
from tools.duckduckgo.links import NAMESPACES, article_title, destination, hosts_of
from tools.search import fuse, search_round

HOST = "en.wikipedia.org"
LIGHTS = ["Skerry Head Light", "Holm Light", "Torvik"]
MANY = [f"Island {number}" for number in range(1, 41)]
KNOWN = {"lights": LIGHTS, "islands": MANY, "varn lights": LIGHTS[::-1]}
HOSTILE = [
    "AC/DC",
    "C++",
    "What?",
    "100%",
    "AT&T",
    "O'Brien (surname)",
    'The "Heroes"',
    "Mission: Impossible",
    "Café Ångström",
    "東京",
    "Yahoo!",
    "Wikipedia",
    "Talk Talk",
    "Foo=bar&uddg=baz",
    "a;b,c",
    "😀",
]


@pytest.fixture
def server() -> Iterator[DuckDuckGoServer]:
    with DuckDuckGoServer(KNOWN) as running:
        yield running


def engine(server: DuckDuckGoServer, pace: Pace | None = None, **given: Any) -> DuckDuckGo:
    return DuckDuckGo(HOST, server.url, pace=pace or Pace(gap=0.0), **given)


async def titles(search: DocumentSearch, text: str = "lights", limit: int = 100) -> list[str]:
    return [hit.title for hit in (await search.search(Query(text), limit)).hits]


async def refused(search: DocumentSearch, text: str = "lights") -> SearchUnavailable:
    with pytest.raises(SearchUnavailable) as caught:
        await search.search(Query(text), 10)
    return caught.value


async def test_hits_are_articles_of_the_wiki_in_the_engines_order(server: DuckDuckGoServer) -> None:
    found = await engine(server).search(Query("lights"), 100)
    hits = (Hit("Skerry Head Light", 1, HOST), Hit("Holm Light", 2, HOST), Hit("Torvik", 3, HOST))
    assert found == SearchResult(Query("lights"), hits, total=1000)


async def test_one_request_goes_out_for_the_wiki_only_and_for_every_region(server: DuckDuckGoServer) -> None:
    await engine(server).search(Query("  varn\tlights "), 100)
    assert [(asked.query, asked.site, asked.region, asked.skip) for asked in server.asked] == [
        (f"varn lights site:{HOST}", HOST, "wt-wt", 0)
    ]


async def test_commands_that_lead_to_other_engines_are_not_sent(server: DuckDuckGoServer) -> None:
    server.script(ddg.no_results())
    await engine(server).search(Query("!g lights \\ducky wiki! \ud800\x00"), 10)
    assert server.asked[0].words == "g lights ducky wiki \x00"


@pytest.mark.parametrize("text", ["", "  ", "!", "!\\ ?!", "\ud800"])
async def test_a_query_without_words_is_refused_unsent(server: DuckDuckGoServer, text: str) -> None:
    assert "has no word to search for" in str(await refused(engine(server), text))
    assert server.asked == []


async def test_no_result_is_an_empty_result(server: DuckDuckGoServer) -> None:
    assert await engine(server).search(Query("zxqv"), 10) == SearchResult(Query("zxqv"), (), total=0)


async def test_the_limit_cuts_the_list(server: DuckDuckGoServer) -> None:
    assert await titles(engine(server), limit=2) == LIGHTS[:2]


async def test_further_pages_are_asked_for_only_where_wanted_and_needed(server: DuckDuckGoServer) -> None:
    assert await titles(engine(server), "islands") == MANY[:10]
    assert await titles(engine(server, pages=3), "islands") == MANY
    assert await titles(engine(server, pages=3), "islands", limit=12) == MANY[:12]
    assert await titles(engine(server, pages=3), "zxqv") == []
    assert [asked.skip for asked in server.asked] == [0, 0, 10, 25, 0, 10, 0]


@pytest.mark.parametrize("redirected", [False, True])
async def test_titles_with_every_sign_survive_the_way(server: DuckDuckGoServer, redirected: bool) -> None:
    server.script(ddg.results(HOSTILE, redirected))
    assert await titles(engine(server)) == HOSTILE


async def test_the_same_page_by_other_addresses_is_one_hit(server: DuckDuckGoServer) -> None:
    server.script(
        ddg.links(
            f"https://{HOST}/wiki/Holm_Light",
            f"https://{HOST}/wiki/Holm_Light#Lamp",
            f"https://{HOST}/wiki/Holm%20Light?oldid=5",
            "http://en.m.wikipedia.org/wiki/Holm_Light",
            f"https://{HOST.upper()}:443/wiki/Holm__Light_",
            ddg.redirect(f"https://{HOST}/wiki/Holm_Light?useskin=x#y"),
            f"https://{HOST}/wiki/Cafe%CC%81",
            f"https://{HOST}/wiki/Caf%C3%A9",
        )
    )
    assert await titles(engine(server)) == ["Holm Light", "Café"]


async def test_a_result_without_a_snippet_counts_by_its_heading(server: DuckDuckGoServer) -> None:
    card = f'<div class="result__body"><h2><a class="result__a" href="https://{HOST}/wiki/Torvik">Torvik</a></h2></div>'
    server.script(ddg.raw(f"<!DOCTYPE html><html><body>{card}</body></html>"))
    assert await titles(engine(server)) == ["Torvik"]


async def test_what_is_no_article_of_the_wiki_is_dropped(server: DuckDuckGoServer) -> None:
    server.script(
        ddg.links(
            "https://de.wikipedia.org/wiki/Holm_Light",
            "https://en.wikipedia.org.evil.example/wiki/X",
            "https://en.wikipedia.org@evil.example/wiki/X",
            "https://user@en.wikipedia.org/wiki/X",
            "https://en.wikipedia.org:8443/wiki/X",
            "https://evil.example/https://en.wikipedia.org/wiki/X",
            "ftp://en.wikipedia.org/wiki/X",
            "javascript:alert(1)",
            "https://en.wikipedia.org/w/index.php?title=X",
            "https://en.wikipedia.org/wiki/",
            "https://en.wikipedia.org/wiki/../w/X",
            "https://en.wikipedia.org/wiki/A%00B",
            "https://en.wikipedia.org/wiki/%FF%FE",
            "https://en.wikipedia.org/wiki/A%2523B",
            "https://en.wikipedia.org/wiki/%5B%5BX%5D%5D",
            "https://en.wikipedia.org/wiki/" + "x" * 256,
            "https://[::1/wiki/X",
            ddg.redirect("https://de.wikipedia.org/wiki/X"),
            ddg.redirect(ddg.redirect("https://en.wikipedia.org/wiki/X")),
            "https://en.wikipedia.org/wiki/Torvik",
        )
    )
    assert await titles(engine(server)) == ["Torvik"]


@pytest.mark.parametrize(
    "name",
    [
        "File:Tower.png",
        "Special:Search",
        "Talk:Torvik",
        "Category:Lights",
        "Help:Contents",
        "Wikipedia:About",
        "User_talk:Keeper",
        "template : X",
        "Portal:Sea",
        "WP:NPOV",
        "Draft:New",
        "category_talk:Lights",
        ":Torvik",
    ],
)
def test_pages_of_other_namespaces_are_no_articles(name: str) -> None:
    target = destination(f"https://{HOST}/wiki/{name.replace(' ', '%20')}")
    assert target is not None
    assert article_title(target, hosts_of(HOST)) is None


async def test_a_wiki_of_another_tongue_names_its_own_namespaces(server: DuckDuckGoServer) -> None:
    server.script(ddg.links("https://de.wikipedia.org/wiki/Datei:Turm.png", "https://de.wikipedia.org/wiki/Turm"))
    search = DuckDuckGo("de.wikipedia.org", server.url, namespaces=NAMESPACES | {"datei"}, pace=Pace(gap=0.0))
    assert await titles(search) == ["Turm"]


async def test_results_of_foreign_hosts_only_are_an_empty_result(server: DuckDuckGoServer) -> None:
    server.script(ddg.links("https://a.example/wiki/X", "https://b.example/"))
    assert (await engine(server).search(Query("lights"), 10)).hits == ()


@pytest.mark.parametrize(
    ("behaviour", "kind", "words"),
    [
        (ddg.anomaly(202), SourceBlocked, "block page or captcha, HTTP 202"),
        (ddg.anomaly(200), SourceBlocked, "block page or captcha, HTTP 200"),
        (ddg.anomaly(503), SourceBlocked, "HTTP 503"),
        (ddg.status(202), SourceBlocked, "HTTP 202"),
        (ddg.raw(b"", 202), SourceBlocked, "HTTP 202"),
        (ddg.status(403), SourceBlocked, "HTTP 403"),
        (ddg.status(429), RateLimited, "without saying for how long"),
        (ddg.status(429, retry_after="120"), RateLimited, "asks to wait 120 s"),
        (ddg.status(429, retry_after="9" * 40), RateLimited, "asks to wait 3600 s"),
        (ddg.status(429, retry_after="Fri, 01 Jan 2021 00:00:00 GMT"), RateLimited, "asks to wait 0 s"),
        (ddg.status(429, retry_after="Fri, 01 Jan 2100 00:00:00 GMT"), RateLimited, "asks to wait 3600 s"),
        (ddg.status(429, retry_after="Fri, 31 Dec 9999 23:59:59 -2359"), RateLimited, "asks to wait 3600 s"),
        (ddg.status(429, retry_after="soon"), RateLimited, "without saying"),
        (ddg.status(429, retry_after="\u00b2"), RateLimited, "without saying"),
        (ddg.status(500), SearchUnavailable, "HTTP 500"),
        (ddg.status(503), SearchUnavailable, "HTTP 503"),
        (ddg.status(404), SearchUnavailable, "HTTP 404"),
        (ddg.status(302, location="http://127.0.0.1:1/"), SearchUnavailable, "HTTP 302"),
        (ddg.cut(), SearchUnavailable, "no connection, or one that broke off"),
        (ddg.changed_layout(), SearchUnavailable, "has it changed?"),
        (ddg.advertisements("https://en.wikipedia.org/wiki/Torvik"), SearchUnavailable, "has it changed?"),
        (ddg.links("javascript:void(0)", ""), SearchUnavailable, "has it changed?"),
        (ddg.raw(b""), SearchUnavailable, "has it changed?"),
        (ddg.raw(b"\x00"), SearchUnavailable, "has it changed?"),
        (ddg.raw('<?xml version="1.0" encoding="utf-16"?><frameset/>'), SearchUnavailable, "has it changed?"),
        (ddg.raw("<html><body><p>No results.</p></body></html>"), SearchUnavailable, "has it changed?"),
        (ddg.raw("<div>" * 100_000), SearchUnavailable, "has it changed?"),
        (ddg.raw(b"x" * 1_000_001), SearchUnavailable, "more than 1000000 bytes"),
        (ddg.raw(b"no gzip", content_encoding="gzip"), SearchUnavailable, "broke off"),
    ],
)
async def test_a_failure_is_never_an_empty_result(
    server: DuckDuckGoServer, behaviour: Behaviour, kind: type[SearchUnavailable], words: str
) -> None:
    server.script(behaviour)
    failure = await refused(engine(server))
    assert type(failure) is kind
    assert words in str(failure)
    assert str(failure).startswith("duckduckgo: ")
    assert len(server.asked) == 1


@pytest.mark.parametrize("words", ["anomaly-modal", "challenge-form", "no-results", "<div class='anomaly-modal'>"])
async def test_words_of_a_block_page_in_query_and_titles_block_nothing(server: DuckDuckGoServer, words: str) -> None:
    server.script(ddg.results(["Anomaly-modal", "Torvik"]))
    assert await titles(engine(server), words) == ["Anomaly-modal", "Torvik"]


async def test_nobody_at_the_address_is_a_failure() -> None:
    for url in ("http://127.0.0.1:1/html/", "nonsense", "http://"):
        assert str(await refused(DuckDuckGo(HOST, url))).startswith("duckduckgo: no connection")


async def test_a_round_of_searching_takes_it_as_a_source(server: DuckDuckGoServer) -> None:
    found = await search_round([Query("lights"), Query("varn lights")], [engine(server)])
    assert [report.status for report in found.reports] == ["ok"]
    assert fuse(found.results)[0].item.title in LIGHTS


async def test_its_lists_weigh_between_those_of_rare_and_of_common_queries(server: DuckDuckGoServer) -> None:
    ours = await engine(server).search(Query("lights"), 1)
    rare, common = (SearchResult(Query("x"), (Hit("X", 1, HOST),), total) for total in (10, 100_000))
    order = [[scored.item.title for scored in fuse([ours, other])] for other in (rare, common)]
    assert order == [["X", "Skerry Head Light"], ["Skerry Head Light", "X"]]


async def test_titles_may_come_from_another_search() -> None:
    def lookup(words: str) -> Sequence[str]:
        return [title for title in LIGHTS if words.casefold() in title.casefold()]

    with DuckDuckGoServer(lookup) as server:
        assert await titles(engine(server), "light") == LIGHTS[:2]
