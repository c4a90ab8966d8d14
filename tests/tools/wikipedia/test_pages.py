"""Pages of a real MediaWiki."""

import asyncio
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from heliograph.errors import PageUnavailable
from heliograph.types import TableEvidence
from indexers.parser import parse_page
from tests.servers.fault_proxy import FaultProxy
from tests.tools.wikipedia.conftest import CONTACT, OpenWiki
from tools.disambiguation import is_disambiguation
from tools.wikipedia import Wikipedia

pytestmark = pytest.mark.mediawiki
NOON = datetime(2026, 11, 21, 23, 30, tzinfo=timezone(timedelta(hours=-2)))


async def test_a_page_has_title_revision_permalink_and_makers(mediawiki_cirrus: str) -> None:
    wiki = Wikipedia(mediawiki_cirrus.removesuffix("/w/api.php") + "/w/", CONTACT, now=lambda: NOON)
    page = await wiki.fetch("Tarnwick")
    base = mediawiki_cirrus.removesuffix("/w/api.php")
    assert (page.wiki, page.title) == (wiki.wiki, "Tarnwick")
    assert page.revision.isdecimal()
    assert page.url == f"{base}/w/index.php?title=Tarnwick&oldid={page.revision}"
    assert page.attribution == "Marrowdale Wiki contributors"
    assert (page.fetched, wiki.edition) == ("2026-11-22T01:30:00+00:00", "live-2026-11-22")
    assert any(isinstance(leaf, TableEvidence) for leaf in parse_page(page).leaves)
    assert "mw-editsection" not in page.html and 'id="toc"' not in page.html


async def test_a_page_takes_one_request_and_the_licence_of_the_wiki_one_more(
    mediawiki_plain: str, wiki_at: OpenWiki
) -> None:
    proxy = FaultProxy(mediawiki_plain)
    async with proxy as url:
        wiki = wiki_at(url)
        assert proxy.requests == []
        await asyncio.gather(*(wiki.fetch(title) for title in ("Tarnwick", "Ostrey", "Marrowdale")))
    asked = sorted(seen.query["action"] for seen in proxy.requests)
    assert asked == ["parse", "parse", "parse", "query"]


@pytest.mark.parametrize(
    ("asked", "title"),
    [
        ("tarnwick", "Tarnwick"),
        ("Pell_Viaduct", "Great Pell Viaduct"),
        ("Tarrant's viaduct", "Great Pell Viaduct"),
        ("Population of Tarnwick", "Tarnwick"),
        ("Tarnwick#Population", "Tarnwick"),
        ("Salt & Slate", "Salt & Slate"),
        ("5 + 5 Letters", "5 + 5 Letters"),
        ("100% Marrow", "100% Marrow"),
        ("鷺の湖", "鷺の湖"),
        ("Ostrey/Tarnwick mail", "Ostrey/Tarnwick mail"),
        ('The "Lesser" Crown', 'The "Lesser" Crown'),
        ("…and then rain", "…and then rain"),
        ("Lenn: A Choral Walk", "Lenn: A Choral Walk"),
    ],
)
async def test_a_page_is_found_by_any_of_its_titles(cirrus: Wikipedia, asked: str, title: str) -> None:
    assert (await cirrus.fetch(asked)).title == title


async def test_redirects_name_the_titles_they_passed(cirrus: Wikipedia) -> None:
    assert (await cirrus.read("Tarrant's viaduct")).redirects == ("Tarrant's viaduct", "Pell Viaduct")


async def test_a_disambiguation_page_is_returned_and_known(cirrus: Wikipedia) -> None:
    lists, tells = await cirrus.read("Heron"), await cirrus.read("Tarnwick")
    assert lists.disambiguation and is_disambiguation(lists.page.html)
    assert not tells.disambiguation and not is_disambiguation(tells.page.html)
    assert any(leaf.links for leaf in parse_page(lists.page).leaves if not isinstance(leaf, TableEvidence))


@pytest.mark.parametrize(
    ("title", "reason"),
    [
        ("", "names no page"),
        ("   ", "names no page"),
        ("#x", "names no page"),
        ("Nowhere at all", "there is no such page"),
        ("The lost redirect", "there is no such page"),
        ("w:en:X", "there is no such page"),
        ("a|b", "that is no title"),
        ("<b>", "that is no title"),
        ("x" * 300, "that is no title"),
        ("Special:Version", "its name space has no pages"),
        ("Media:Clock.png", "its name space has no pages"),
        ("Crown of Hob", "is a redirect that leads to no page"),
        ("a\x00b", "that is no title"),
        ("\ud800", "no page"),
    ],
)
async def test_what_is_no_page_says_why(cirrus: Wikipedia, title: str, reason: str) -> None:
    with pytest.raises(PageUnavailable, match=reason):
        await cirrus.fetch(title)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(title=st.text(max_size=40) | st.text("aT|#<>[]{}:_/.%& \x00\x1f\n", max_size=12))
async def test_any_text_as_a_title_gives_a_page_or_says_that_there_is_none(cirrus: Wikipedia, title: str) -> None:
    try:
        page = await cirrus.fetch(title)
    except PageUnavailable:
        return
    assert page.title and page.html and page.revision


async def test_the_edition_is_the_day_of_greenwich() -> None:
    wiki = Wikipedia("en.wikipedia.org", CONTACT, now=lambda: datetime(2026, 1, 1, 0, 0, tzinfo=UTC))
    assert (wiki.edition, wiki.wiki, wiki.name) == ("live-2026-01-01", "en.wikipedia.org", "wikipedia")
