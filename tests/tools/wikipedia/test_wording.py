"""Queries as a live engine gets them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.wikipedia.wording import LONGEST_QUERY, engine_query


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("Pell Viaduct arches", "Pell Viaduct arches"),
        ('"market hall" Tarnwick', '"market hall" Tarnwick'),
        ("AT&T 3.14 1,234 O'Brien C++ state-of-the-art 10:30", "AT&T 3.14 1,234 O'Brien C++ state-of-the-art 10:30"),
        ("insource:/x.*y/ intitle:a Talk:b", "insource /x. y/ intitle a Talk b"),
        ("-bridge +arch !tower tarn~ ta*n w?n", "bridge arch tower tarn ta n w n"),
        ("this AND that OR NOT other", "this and that or not other"),
        ("a | b <c> (d) [e] {f} ^2 \\g", "a b c d e f 2 g"),
        ("line\nfeed\0nul", "line feed nul"),
        ('an "open phrase', "an open phrase"),
        ("", ""),
        ('"', ""),
        ("- ? …", ""),
        ("\ud800 lone", "lone"),
        ("鷺の湖", "鷺の湖"),
    ],
)
def test_words_and_phrases_stay_and_operators_go(text: str, query: str) -> None:
    assert engine_query(text) == query


def test_a_long_query_ends_with_a_whole_word() -> None:
    query = engine_query("marrow " * 100)
    assert query == " ".join(["marrow"] * 43)


def test_exactly_300_characters_are_kept() -> None:
    text = "é" * 149 + " " + "é" * 150
    assert engine_query(text) == text
    assert engine_query(text + "é") == "é" * 149
    assert engine_query("é" * 400) == "é" * 300


def test_a_phrase_that_is_cut_is_no_phrase_any_more() -> None:
    assert '"' not in engine_query('"' + "marrow " * 100 + '"')


@given(st.text(max_size=700))
def test_any_text_gives_a_query_that_fits_and_stays_as_it_is(text: str) -> None:
    query = engine_query(text)
    assert len(query) <= LONGEST_QUERY and query.count('"') % 2 == 0
    assert query == " ".join(query.split())
    query.encode("utf-8")
