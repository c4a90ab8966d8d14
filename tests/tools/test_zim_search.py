import asyncio

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heliograph.types import Hit, Query, SearchResult
from tools.zim import ZimArchive
from tools.zim.wording import engine_query

BOTH = {"Fox, red", "Red fox"}
PUNCTUATION = st.sampled_from(
    ['"', "“", "(", ")", "*", "-", "+", "~", ":", "AND", "NOT", "OR", "\x00", "\ud800", "red", " "]
)


@pytest.fixture(scope="module")
def foxes(fox_zim):
    return ZimArchive(fox_zim)


@pytest.mark.parametrize(
    ("query", "titles"),
    [
        ("red fox", BOTH),
        ("FOX Red", BOTH),
        ("foxes jumping", BOTH),
        ("red tokyo", set()),
        ("zebra", set()),
        ('"red fox"', BOTH),
        ('"fox red"', BOTH),
        ('"red fox', BOTH),
        ('red" fox"', BOTH),
        ("“red fox”", BOTH),
        ("(red fox", BOTH),
        ("[red] {fox}", BOTH),
        ("red -fox", BOTH),
        ("+red +fox", BOTH),
        ("red* ~fox", BOTH),
        ("red\x00fox\x01", BOTH),
        ("re\u00add fox", BOTH),
        ("red AND fox", {"Red fox"}),
        ("rock and roll", {"Rock and roll"}),
        ("NOT blues", {"Rock and roll"}),
        ("jazz OR tokyo", set()),
        ("title:fox", set()),
        ("AT&T", {"Red fox"}),
        ("O'Brien", {"Red fox"}),
        ("O’Brien", {"Red fox"}),
        ("1,234", {"Red fox"}),
        ("C++", {"Red fox"}),
        ("U.S.", {"Red fox"}),
        ("cafe", {"Red fox"}),
        ("cafe\u0301", {"Red fox"}),
        ("state-of-the-art", {"Rock and roll"}),
        ("state of the art", {"Rock and roll"}),
        ("東京", {"Tokyo"}),
        ("日本 首都", {"Tokyo"}),
        ("", set()),
        (' "" - * ()', set()),
        ("fox " * 20_000, BOTH),
        ("x" * 5_000, set()),
    ],
)
async def test_all_words_must_match_and_nothing_is_an_operator(foxes, query, titles):
    found = await foxes.search(Query(query), 10)
    assert {hit.title for hit in found.hits} == titles
    assert found == SearchResult(
        Query(query), tuple(Hit(hit.title, rank, "foxes") for rank, hit in enumerate(found.hits, 1)), len(titles)
    )


@settings(max_examples=60, deadline=None)
@given(text=st.text(st.characters(exclude_categories=())) | st.lists(PUNCTUATION).map(" ".join))
def test_any_text_can_be_searched_for(fox_zim, text):
    found = asyncio.run(ZimArchive(fox_zim).search(Query(text), 10))
    assert len({hit.title for hit in found.hits}) == len(found.hits) <= 4


@given(st.text(st.characters(exclude_categories=())))
def test_the_words_of_a_query_are_told_once_and_for_all(text):
    words = engine_query(text)
    assert engine_query(words) == words == " ".join(words.split())
    assert not set(words) & set('"“”()[]*:\x00')
    words.encode("utf-8")


async def test_no_more_hits_come_than_were_asked_for(foxes):
    one = await foxes.search(Query("fox"), 1)
    assert (len(one.hits), one.total) == (1, 2)
    assert await foxes.search(Query("fox"), 0) == SearchResult(Query("fox"), (), 0)


async def test_searches_at_the_same_time_give_what_they_give_alone(foxes):
    queries = [Query(text) for text in ("red fox", "東京", "jazz", "zebra")] * 8
    alone = [await foxes.search(query, 5) for query in queries]
    assert await asyncio.gather(*(foxes.search(query, 5) for query in queries)) == alone


async def test_titles_are_suggested_by_the_beginning_of_a_word(foxes):
    assert await foxes.suggest("tok", 5) == (Hit("Tokyo", 1, "foxes"),)
