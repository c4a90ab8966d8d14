"""The test wiki answers as MediaWiki does, and its second search as CirrusSearch does."""

import asyncio
import gzip
import json
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlencode
from urllib.request import Request, urlopen

import pytest

from tests.servers.fault_proxy import FaultProxy
from tests.servers.faults import Forward
from tests.servers.wiki_pages import LONG_TITLE

pytestmark = pytest.mark.mediawiki


@dataclass(frozen=True)
class Got:
    """An answer of the wiki."""

    headers: dict[str, str]
    body: bytes


def fetch(url: str, **headers: str) -> Got:
    with urlopen(Request(url, headers=headers), timeout=30) as response:
        return Got({name.lower(): value for name, value in response.getheaders()}, response.read())


def ask(base: str, **parameters: str | int) -> dict[str, Any]:
    query = urlencode({"format": "json", "formatversion": 2, **parameters})
    return json.loads(fetch(f"{base}/w/api.php?{query}").body)


def search(base: str, query: str, **parameters: str | int) -> list[str]:
    found = ask(base, action="query", list="search", srsearch=query, **{"srwhat": "text", **parameters})
    return [hit["title"] for hit in found["query"]["search"]]


def parse(base: str, title: str, prop: str) -> dict[str, Any]:
    return ask(base, action="parse", page=title, redirects=1, prop=prop)["parse"]


def image(base: str, name: str) -> dict[str, Any]:
    told = {"prop": "imageinfo", "iiprop": "url|size|mime|extmetadata", "iiurlwidth": 120}
    return ask(base, action="query", titles=f"File:{name}", **told)["query"]["pages"][0]["imageinfo"][0]


def test_the_plain_search_wants_each_word_as_it_is_written(mediawiki_plain):
    assert set(search(mediawiki_plain, "observatory")) == {
        "Tarnwick Observatory",
        "Þóra Ægisdóttir-Łęcka",
        "Tarnwick",
        "Marrowdale",
    }
    assert search(mediawiki_plain, "observatories") == []
    assert search(mediawiki_plain, "cheese OR viaduct") == []


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("observatories", "Tarnwick Observatory"),
        ("cheese OR nonsenseword", "Ostrey Blue"),
        ("the keeper's daughter", "Ilse Tarrant"),
        ('"ten past four"', "Tarnwick Clock"),
        ("intitle:viaduct", "Great Pell Viaduct"),
        ('intitle:"light railway"', "Marrowdale Light Railway"),
        ("Tarrant’s viaduct", "Ilse Tarrant"),
        ("Heron (disambiguation)", "Heron (disambiguation)"),
        ("Salt & Slate", "Salt & Slate"),
        ("gent*", "Reyle's gentian"),
        ("鷺の湖", "鷺の湖"),
    ],
)
def test_the_cirrus_like_search_finds_first(mediawiki_cirrus, query, first):
    assert search(mediawiki_cirrus, query)[0] == first


@pytest.mark.parametrize(
    ("wider", "narrower"),
    [
        ("toll keepers", '"toll keepers"'),
        ("viaduct", "viaduct -railway"),
        ("heron", "heron !novel"),
        ("heron", "heron NOT novel"),
    ],
)
def test_the_cirrus_like_search_finds_fewer(mediawiki_cirrus, wider, narrower):
    assert set(search(mediawiki_cirrus, narrower)) < set(search(mediawiki_cirrus, wider))


@pytest.mark.parametrize("query", ["OR", '"', "-", "?!", 'x" OR 1=1 --', "intitle:", "( ^ * :"])
def test_the_cirrus_like_search_takes_any_characters(mediawiki_cirrus, query):
    assert search(mediawiki_cirrus, query) == []


def test_a_redirect_is_found_by_way_of_its_target(mediawiki_cirrus):
    assert search(mediawiki_cirrus, "Pell Viaduct")[0] == "Great Pell Viaduct"
    assert "Pell Viaduct" not in search(mediawiki_cirrus, "Pell Viaduct", srlimit=50)


def test_hidden_comments_are_not_found_but_text_that_a_style_hides_is(mediawiki_cirrus):
    assert search(mediawiki_cirrus, "persimmon") == []
    assert search(mediawiki_cirrus, "pangolin") == ["Ferryman's Oath"]


def test_search_results_go_on_at_an_offset(mediawiki_cirrus):
    first = ask(mediawiki_cirrus, action="query", list="search", srsearch="lenn", srlimit=3)
    assert first["continue"]["sroffset"] == 3
    both = search(mediawiki_cirrus, "lenn", srlimit=3) + search(mediawiki_cirrus, "lenn", srlimit=3, sroffset=3)
    assert both == search(mediawiki_cirrus, "lenn", srlimit=6)


def test_snippets_mark_the_words(mediawiki_cirrus):
    found = ask(mediawiki_cirrus, action="query", list="search", srsearch="wedding OR comets", srlimit=5)
    assert any('<span class="searchmatch">comet</span>' in hit["snippet"] for hit in found["query"]["search"])


def test_a_query_of_more_than_300_characters_is_refused_by_code(mediawiki_cirrus, mediawiki_plain):
    assert search(mediawiki_cirrus, "é" * 300) == []
    too_long = {"action": "query", "list": "search", "srsearch": "é" * 301, "srwhat": "text"}
    assert ask(mediawiki_cirrus, **too_long)["error"]["code"] == "cirrussearch-query-too-long"
    assert "error" not in ask(mediawiki_plain, **too_long)


def test_titles_alone_cannot_be_searched_by_the_cirrus_like_search(mediawiki_cirrus):
    asked = {"action": "query", "list": "search", "srsearch": "lenn", "srwhat": "title"}
    assert ask(mediawiki_cirrus, **asked)["error"]["code"] == "search-title-disabled"


def test_a_lagging_wiki_refuses_those_who_ask_it_to(mediawiki_plain):
    url = f"{mediawiki_plain}/w/api.php?action=query&meta=siteinfo&format=json&formatversion=2&maxlag="
    refused = fetch(f"{url}5", **{"X-Replication-Lag": "7.5"})
    assert json.loads(refused.body)["error"]["code"] == "maxlag"
    assert (refused.headers["retry-after"], refused.headers["x-database-lag"]) == ("5", "7")
    assert refused.headers["mediawiki-api-error"] == "maxlag"
    assert "error" not in json.loads(fetch(f"{url}10", **{"X-Replication-Lag": "7.5"}).body)
    assert "error" not in json.loads(fetch(f"{url}5").body)


async def test_the_proxy_makes_the_wiki_lag(mediawiki_plain):
    async with FaultProxy(mediawiki_plain, [Forward({"X-Replication-Lag": "30"})]) as url:
        codes = [await _code(f"{url}/w/api.php?action=query&maxlag=5&format=json") for _ in range(2)]
    assert codes == ["maxlag", None]


async def test_through_the_proxy_pictures_are_the_proxy_s_too(mediawiki_plain):
    async with FaultProxy(mediawiki_plain) as url:
        shown = await _thread(image, url, "Great Pell Viaduct.png")
    assert [shown["url"].startswith(f"{url}/images/"), shown["descriptionurl"]] == [
        True,
        f"{url}/wiki/File:Great_Pell_Viaduct.png",
    ]


@pytest.mark.parametrize(
    ("asked", "title", "steps", "section"),
    [
        ("tarnwick", "Tarnwick", 0, None),
        ("Ilse_Tarrant", "Ilse Tarrant", 0, None),
        ("I. Tarrant", "Ilse Tarrant", 1, None),
        ("Tarrant's viaduct", "Great Pell Viaduct", 2, None),
        ("Population of Tarnwick", "Tarnwick", 1, "Population"),
        ("Heron", "Heron (disambiguation)", 1, None),
    ],
)
def test_redirects_lead_to_a_page(mediawiki_plain, asked, title, steps, section):
    found = ask(mediawiki_plain, action="query", titles=asked, redirects=1)["query"]
    redirects = found.get("redirects", [])
    assert [page["title"] for page in found["pages"]] == [title]
    assert (len(redirects), redirects[-1].get("tofragment") if redirects else None) == (steps, section)


def test_some_redirects_lead_nowhere(mediawiki_plain):
    circle = ask(mediawiki_plain, action="query", titles="Crown of Hob", redirects=1)["query"]
    assert "pages" not in circle and len(circle["redirects"]) == 2
    broken = ask(mediawiki_plain, action="parse", page="The lost redirect", redirects=1)
    assert broken["error"]["code"] == "missingtitle"


@pytest.mark.parametrize(
    "title",
    [
        "What Does the Heron Know?",
        "Salt & Slate",
        "5 + 5 Letters",
        "Ostrey/Tarnwick mail",
        'The "Lesser" Crown',
        "100% Marrow",
        LONG_TITLE,
    ],
)
def test_odd_titles_have_pages(mediawiki_plain, title):
    assert parse(mediawiki_plain, title, "text")["title"] == title
    page = fetch(f"{mediawiki_plain}/wiki/{quote(title.replace(' ', '_'))}")
    assert page.headers["content-type"] == "text/html; charset=UTF-8"


def test_a_parse_call_tells_sections_pictures_and_revision(mediawiki_plain):
    page = parse(mediawiki_plain, "Tarrant's viaduct", "text|sections|images|revid|displaytitle|properties")
    assert [(section["line"], section["anchor"]) for section in page["sections"]] == [
        ("Building", "Building"),
        ("Views", "Views"),
    ]
    assert page["images"] == ["Great_Pell_Viaduct.png", "Map_of_Marrowdale.svg", "A_picture_that_nobody_uploaded.jpg"]
    assert page["properties"]["page_image_free"] == "Great_Pell_Viaduct.png"
    assert page["revid"] > 0
    assert '<figure class="mw-default-size" typeof="mw:File/Thumb">' in page["text"]
    assert "31&#160;m" in page["text"] and "102&#160;ft" in page["text"]


def test_disambiguation_pages_have_the_property(mediawiki_plain):
    assert parse(mediawiki_plain, "Lenn", "properties")["properties"] == {"disambiguation": ""}
    assert "disambiguation" not in parse(mediawiki_plain, "River Lenn", "properties")["properties"]


def test_the_annals_are_a_long_page(mediawiki_plain):
    page = ask(mediawiki_plain, action="query", titles="Annals of Marrowdale", prop="info")["query"]["pages"][0]
    assert page["length"] > 300_000


def test_a_picture_has_a_licence_and_an_author(mediawiki_plain):
    shown = image(mediawiki_plain, "Tarnwick Clock.png")
    told = {name: field["value"] for name, field in shown["extmetadata"].items() if name != "DateTime"}
    author = '<a href="/wiki/Anneke_Stroud" title="Anneke Stroud">Anneke Stroud</a>'
    assert told == {
        "ObjectName": "Tarnwick Clock",
        "LicenseShortName": "CC BY-SA 4.0",
        "UsageTerms": "Creative Commons Attribution-Share Alike 4.0",
        "LicenseUrl": "https://creativecommons.org/licenses/by-sa/4.0",
        "Artist": author,
        "Credit": "Own work",
        "DateTimeOriginal": "2024-05-02",
        "ImageDescription": 'The clock of <a href="/wiki/Tarnwick" title="Tarnwick">Tarnwick</a>\'s market hall,'
        " standing at ten past four",
    }


def test_a_picture_may_have_no_licence(mediawiki_plain):
    assert set(image(mediawiki_plain, "Ferry bell.png")["extmetadata"]) == {"DateTime", "ObjectName"}


@pytest.mark.parametrize(
    ("name", "size", "thumbnail"),
    [
        ("Ilse Tarrant.jpg", (480, 600), b"\xff\xd8\xff"),
        ("Great Pell Viaduct.png", (1200, 500), b"\x89PNG"),
        ("Map of Marrowdale.svg", (500, 400), b"\x89PNG"),
        ("Regatta boats.gif", (700, 360), b"GIF8"),
        ("Reyle's gentian.webp", (400, 400), b"\x89PNG"),
        ("Corvane Mere panorama.png", (6000, 5000), b"\x89PNG"),
    ],
)
def test_pictures_and_their_thumbnails_are_served(mediawiki_plain, name, size, thumbnail):
    shown = image(mediawiki_plain, name)
    assert (shown["width"], shown["height"]) == size
    assert fetch(shown["thumburl"]).body.startswith(thumbnail)
    assert len(fetch(shown["url"]).body) == shown["size"]


def test_the_panorama_is_huge_in_pixels_alone(mediawiki_plain):
    shown = image(mediawiki_plain, "Corvane Mere panorama.png")
    assert shown["width"] * shown["height"] == 30_000_000 and shown["size"] < 20_000


def test_answers_are_compressed_for_those_who_take_it(mediawiki_plain):
    url = f"{mediawiki_plain}/w/api.php?action=query&meta=siteinfo&format=json"
    squeezed = fetch(url, **{"Accept-Encoding": "gzip"})
    assert squeezed.headers["content-encoding"] == "gzip"
    assert json.loads(gzip.decompress(squeezed.body))["query"]["general"]["sitename"] == "Marrowdale Wiki"


async def _code(url: str) -> str | None:
    answer = await _thread(fetch, url)
    return json.loads(answer.body).get("error", {}).get("code")


async def _thread(call: Any, *given: Any) -> Any:
    return await asyncio.to_thread(call, *given)
