"""Searching a real MediaWiki, by its own engine and by one with the rules of CirrusSearch."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from heliograph.errors import SearchUnavailable
from heliograph.types import Query, SearchResult
from tests.servers.fault_proxy import FaultProxy
from tests.tools.wikipedia.conftest import OpenWiki
from tools.wikipedia import Wikipedia
from tools.wikipedia.faults import faults

pytestmark = pytest.mark.mediawiki


async def test_a_search_ranks_titles_and_counts_matches(wiki: Wikipedia) -> None:
    found = await wiki.search(Query("market hall clock"), 10)
    assert "Tarnwick Clock" in {hit.title for hit in found.hits}
    assert [hit.rank for hit in found.hits] == list(range(1, len(found.hits) + 1))
    assert {hit.wiki for hit in found.hits} == {wiki.wiki}
    assert found.total >= len(found.hits)


async def test_more_matches_than_asked_for_are_counted(wiki: Wikipedia) -> None:
    found = await wiki.search(Query("Marrowdale"), 3)
    assert len(found.hits) == 3 and found.total > 3


async def test_nothing_found_is_an_empty_result(wiki: Wikipedia) -> None:
    query = Query("zyzzyva quokka")
    assert await wiki.search(query, 10) == SearchResult(query, (), 0)


async def test_a_word_that_no_page_has_brings_the_one_that_the_wiki_suggests(cirrus: Wikipedia) -> None:
    slip, known = Query("Tarnwik"), Query("Tarnwick")
    assert await cirrus.search(slip, 10) == SearchResult(slip, (), 0, "tarnwick")
    assert (await cirrus.search(known, 10)).instead == ""


async def test_every_hit_can_be_read(cirrus: Wikipedia) -> None:
    for hit in (await cirrus.search(Query("Tarnwick"), 50)).hits:
        assert (await cirrus.fetch(hit.title)).title == hit.title


async def test_a_query_of_more_than_300_characters_is_cut_before_it_is_refused(cirrus: Wikipedia) -> None:
    assert (await cirrus.search(Query("clock " * 80), 5)).hits


async def test_the_engine_refuses_301_characters_in_words_that_help(cirrus: Wikipedia) -> None:
    with pytest.raises(SearchUnavailable, match="finds the query too long"), faults(cirrus.wiki):
        cirrus._ask("query", list="search", srsearch="x" * 301)


async def test_one_search_is_one_request_of_at_most_50_hits(mediawiki_cirrus: str, wiki_at: OpenWiki) -> None:
    proxy = FaultProxy(mediawiki_cirrus)
    async with proxy as url:
        wiki = wiki_at(url)
        await wiki.search(Query("the lake"), 100)
        await wiki.search(Query("clock"), 7)
        await wiki.search(Query('" - "'), 7)
        await wiki.search(Query("clock"), 0)
    assert [seen.query["srlimit"] for seen in proxy.requests] == ["50", "7"]
    assert {seen.query["maxlag"] for seen in proxy.requests} == {"5"}
    assert {seen.query["srinfo"] for seen in proxy.requests} == {"totalhits|suggestion"}
    assert {seen.headers["accept-encoding"] for seen in proxy.requests} == {"gzip"}
    assert {seen.method for seen in proxy.requests} == {"GET"}
    agents = {seen.headers["user-agent"] for seen in proxy.requests}
    (agent,) = agents
    assert agent.startswith("Heliograph/0.2.0 (keeper@marrowdale.example) mwclient/")


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(text=st.text(max_size=400) | st.text('ab "-+:~*?!|&()[]{}^/\\OR', max_size=30))
async def test_any_text_as_a_query_gives_a_result(wiki: Wikipedia, text: str) -> None:
    found = await wiki.search(Query(text), 5)
    assert len(found.hits) <= 5
