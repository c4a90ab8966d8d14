import asyncio
from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heliograph.errors import RateLimited, SearchUnavailable
from heliograph.types import Hit, Query, SearchResult, SourceReport
from tests.fakes import FakeSearch
from tools.search import RememberedSearch, RoundSearch, fuse, search_round, word_totals

PAGES = {
    "Foxtrot": "foxtrot smooth progressive dance big band music",
    "Waltz": "waltz smooth dance triple time music",
    "Big band": "big band jazz music ensemble",
}


class Shelf:
    """An engine that joins words by AND over a few pages, in the order of their titles."""

    most_queries: int | None = None
    takes_questions = False

    def __init__(self, pages: Mapping[str, str], name: str = "shelf") -> None:
        self.name = name
        self.asked: list[str] = []
        self._pages = pages

    async def search(self, query: Query, limit: int) -> SearchResult:
        self.asked.append(query.text)
        words = set(query.text.replace('"', " ").split())
        titles = sorted(title for title, text in self._pages.items() if words <= set(text.split()))
        return SearchResult(query, tuple(Hit(title, rank) for rank, title in enumerate(titles[:limit], 1)), len(titles))


class Phrases(Shelf):
    """An engine that takes quotes literally."""

    async def search(self, query: Query, limit: int) -> SearchResult:
        if '"' not in query.text:
            return await super().search(query, limit)
        self.asked.append(query.text)
        phrase = query.text.strip('"')
        titles = sorted(title for title, text in self._pages.items() if phrase in text)
        return SearchResult(query, tuple(Hit(title, rank) for rank, title in enumerate(titles[:limit], 1)), len(titles))


class Closed:
    most_queries: int | None = None
    takes_questions = False
    name = "closed"

    async def search(self, query: Query, limit: int) -> SearchResult:
        raise SearchUnavailable("closed: the archive is gone; name another with --source")


def result(text: str, *titles: str, total: int | None = None, wiki: str = "") -> SearchResult:
    hits = tuple(Hit(title, rank, wiki) for rank, title in enumerate(titles, start=1))
    return SearchResult(Query(text), hits, len(titles) if total is None else total)


async def test_every_query_is_asked_and_results_keep_the_order_of_the_queries() -> None:
    found = await search_round([Query("waltz"), Query("big band")], [Shelf(PAGES)], limit=10)

    assert found == RoundSearch(
        (result("waltz", "Waltz"), result("big band", "Big band", "Foxtrot")),
        (),
        (SourceReport("shelf", "ok"),),
    )


async def test_a_query_without_hits_loses_its_most_common_word() -> None:
    found = await search_round([Query("waltz jazz music")], [Shelf(PAGES)], limit=10)

    assert found.relaxed == (Query("waltz jazz"), Query("waltz"))
    assert found.results == (result("waltz", "Waltz"),)


async def test_words_that_no_page_has_go_before_the_most_common_one() -> None:
    found = await search_round([Query("tango dance smooth")], [Shelf(PAGES)], limit=10)

    assert found.relaxed == (Query("dance smooth"),)
    assert found.results == (result("dance smooth", "Foxtrot", "Waltz"),)


async def test_a_quoted_phrase_without_hits_is_unquoted_first() -> None:
    found = await search_round([Query('"band big"')], [Phrases(PAGES)], limit=10)

    assert found.relaxed == (Query("band big"),)
    assert found.results == (result("band big", "Big band", "Foxtrot"),)


async def test_two_queries_that_loosen_to_one_ask_it_once() -> None:
    shelf = Shelf(PAGES)
    found = await search_round([Query("jazz triple"), Query("smooth jazz")], [RememberedSearch(shelf)], limit=10)

    assert found.relaxed == (Query("jazz"),)
    assert found.results == (result("jazz", "Big band"),)
    assert sorted(shelf.asked) == ["jazz", "jazz triple", "smooth", "smooth jazz", "triple"]


async def test_a_query_without_hits_is_left_as_it_is_where_another_found_something() -> None:
    shelf = Shelf(PAGES)
    found = await search_round([Query("waltz jazz"), Query("waltz")], [shelf], limit=10)

    assert found == RoundSearch((result("waltz", "Waltz"),), (), (SourceReport("shelf", "ok"),))
    assert shelf.asked == ["waltz jazz", "waltz"]


async def test_a_word_that_no_page_has_ends_with_nothing_found() -> None:
    found = await search_round([Query("tango")], [Shelf(PAGES)], limit=10)

    assert found == RoundSearch((), (), (SourceReport("shelf", "empty"),))


async def test_an_unavailable_source_is_named_and_the_others_serve() -> None:
    found = await search_round([Query("waltz")], [Closed(), Shelf(PAGES)], limit=10)

    assert found == RoundSearch(
        (result("waltz", "Waltz"),),
        (),
        (
            SourceReport("closed", "failed", "closed: the archive is gone; name another with --source"),
            SourceReport("shelf", "ok"),
        ),
    )


async def test_a_source_that_found_nothing_is_empty_though_another_found_something() -> None:
    found = await search_round([Query("waltz")], [Shelf({}, "bare"), Shelf(PAGES)], limit=10)

    assert found.reports == (SourceReport("bare", "empty"), SourceReport("shelf", "ok"))


async def test_no_queries_find_nothing() -> None:
    assert await search_round([], [Shelf(PAGES)], limit=10) == RoundSearch((), (), (SourceReport("shelf", "empty"),))


async def test_a_remembered_search_asks_the_engine_once() -> None:
    shelf = Shelf(PAGES)
    remembered = RememberedSearch(shelf)

    first = await remembered.search(Query("waltz"), limit=10)
    assert await remembered.search(Query("waltz"), 10) == first == result("waltz", "Waltz")
    assert shelf.asked == ["waltz"]


async def test_word_totals_add_up_over_sources() -> None:
    totals = await word_totals(["music", "tango"], [Shelf(PAGES), Shelf({"Tango": "tango"}), Closed()])

    assert totals == {"music": 3, "tango": 1}


def test_a_page_that_two_queries_name_stands_before_the_first_of_one() -> None:
    fused = fuse([result("a", "One", "Both"), result("b", "Two", "Both")])

    assert [(page.item.title, page.item.rank) for page in fused] == [("Both", 1), ("One", 2), ("Two", 3)]


def test_a_rare_query_outweighs_a_common_one() -> None:
    fused = fuse([result("common", "Often", total=90_000), result("rare", "Seldom", total=3)])

    assert [page.item.title for page in fused] == ["Seldom", "Often"]
    assert fused[0].score == 1.0


def test_in_a_small_archive_a_rare_word_outweighs_three_common_ones() -> None:
    common = [result(word, "Often", "Seldom", total=40) for word in ("bright", "spots", "made")]
    fused = fuse([*common, result("occator", "Rarely", total=1)])

    assert [page.item.title for page in fused] == ["Rarely", "Often", "Seldom"]


def test_pages_of_two_wikis_with_one_title_stay_apart() -> None:
    fused = fuse([result("a", "Mercury", wiki="en"), result("a", "Mercury", wiki="simple")])

    assert [page.item for page in fused] == [Hit("Mercury", 1, "en"), Hit("Mercury", 2, "simple")]


def test_no_results_fuse_to_nothing() -> None:
    assert fuse([]) == ()


titles = st.lists(st.sampled_from("ABCDEFGH"), unique=True, max_size=6)
results = st.lists(
    st.builds(lambda names, more: result("q", *names, total=len(names) + more), titles, st.integers(0, 9))
)


@given(results, st.randoms(use_true_random=False))
def test_fusion_names_every_page_once_whatever_the_order_of_the_results(found: list[SearchResult], random) -> None:
    fused = fuse(found)
    shuffled = list(found)
    random.shuffle(shuffled)

    assert {page.item.title for page in fused} == {hit.title for each in found for hit in each.hits}
    assert [page.item.rank for page in fused] == list(range(1, len(fused) + 1))
    assert [page.score for page in fuse(shuffled)] == pytest.approx([page.score for page in fused])
    assert all(0 < page.score <= 1 for page in fused)


@given(
    st.lists(
        st.lists(st.sampled_from(["waltz", "jazz", "music", "smooth", "tango", "big", "xx"]), min_size=1), max_size=5
    )
)
def test_every_query_ends_with_hits_or_with_words_that_no_page_has(queries: Sequence[Sequence[str]]) -> None:
    asked = [Query(" ".join(words)) for words in queries]
    found = asyncio.run(search_round(asked, [Shelf(PAGES)], limit=10))

    known = {word for text in PAGES.values() for word in text.split()}
    assert bool(found.results) == any(known & set(words) for words in queries)
    all_words = [query.words for query in found.relaxed]
    assert len(all_words) == len(set(all_words))
    assert all(each.hits for each in found.results)


async def test_a_source_that_is_to_be_spared_gets_the_first_queries_and_no_word_counts() -> None:
    shelf, scarce = Shelf(PAGES), FakeSearch({"waltz": ["Waltz"]}, "scarce", most_queries=1)
    found = await search_round([Query("waltz"), Query("jazz")], [shelf, scarce], limit=10)
    assert scarce.asked == ["waltz"]
    assert found.reports[1] == SourceReport("scarce", "ok", "1 of 2 queries were sent, to spare it")
    assert await word_totals(["waltz"], [scarce]) == {}
    assert scarce.asked == ["waltz"]


async def test_a_source_that_asks_to_wait_is_rate_limited_and_never_empty() -> None:
    class Waiting(FakeSearch):
        async def search(self, query: Query, limit: int) -> SearchResult:
            raise RateLimited("come back in an hour")

    found = await search_round([Query("waltz")], [Waiting({}, "busy"), Shelf(PAGES)], limit=10)
    assert found.reports[0] == SourceReport("busy", "rate_limited", "come back in an hour")
    assert found.results


async def test_the_fallback_serves_where_every_source_fails_and_only_there() -> None:
    down, archive = FakeSearch({}, "down", fault="it is down"), FakeSearch({"waltz": ["Waltz"]}, "archive")
    found = await search_round([Query("waltz")], [down], [archive], limit=10)
    assert [(report.name, report.status) for report in found.reports] == [("down", "failed"), ("archive", "ok")]
    assert [hit.title for result in found.results for hit in result.hits] == ["Waltz"]
    up = FakeSearch({}, "up")
    assert [report.name for report in (await search_round([Query("x")], [up, down], [archive])).reports] == [
        "up",
        "down",
    ]
    assert archive.asked == ["waltz"]


async def test_a_source_that_failed_at_one_query_of_several_has_served() -> None:
    class Flaky(FakeSearch):
        async def search(self, query: Query, limit: int) -> SearchResult:
            if query.text == "jazz":
                raise SearchUnavailable("it was busy")
            return await super().search(query, limit)

    found = await search_round([Query("waltz"), Query("jazz")], [Flaky({"waltz": ["Waltz"]}, "flaky")], limit=10)
    assert found.reports == (SourceReport("flaky", "ok", "1 of 2 queries failed: it was busy"),)
    nothing = await search_round([Query("tango"), Query("jazz")], [Flaky({}, "flaky")], limit=10)
    assert nothing.reports == (SourceReport("flaky", "failed", "it was busy"),)


async def test_questions_go_to_the_sources_that_take_some_and_the_others_loosen_their_own_queries() -> None:
    base = FakeSearch({"who danced what": ["Waltz"]}, "base", takes_questions=True)
    shelf, scarce = Shelf(PAGES), FakeSearch({}, "scarce", most_queries=1)
    queries, questions = [Query("waltz tango"), Query("polka")], [Query("who danced what")]
    found = await search_round(queries, [shelf, base, scarce], limit=10, questions=questions)
    assert base.asked == ["who danced what", "waltz tango", "polka"]
    assert "who danced what" not in shelf.asked
    assert scarce.asked[0] == "waltz tango"
    assert found.relaxed == (Query("waltz"),)
    assert [(each.query.text, len(each.hits)) for each in found.results] == [("who danced what", 1), ("waltz", 1)]
    assert [each.name for each in found.reports] == ["shelf", "base", "scarce"]


async def test_questions_go_to_a_fallback_that_takes_some() -> None:
    down = FakeSearch({}, "down", fault="it is down")
    base = FakeSearch({"who danced what": ["Waltz"]}, "base", takes_questions=True)
    found = await search_round([Query("polka")], [down], [base], questions=[Query("who danced what")])
    assert [hit.title for result in found.results for hit in result.hits] == ["Waltz"]
    assert down.asked == ["polka"]
