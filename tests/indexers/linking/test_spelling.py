"""Near spellings."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexers.linking.spelling import Spelling, edits, trigrams

NAMES = ("philadelphia", "washington", "paris", "boston", "houston")


@pytest.mark.parametrize(
    ("word", "near"),
    [
        ("philadelfia", ("philadelphia",)),
        ("wahsington", ("washington",)),
        ("bostom", ("boston",)),
        ("boston", ("boston",)),
        ("pari", ()),
        ("oslo", ()),
        ("1999x", ()),
        ("東京都東京都", ()),
    ],
)
def test_a_word_finds_those_spelt_almost_like_it(word, near):
    spelling = Spelling((name, number) for number, name in enumerate(NAMES))
    assert tuple(NAMES[number] for number in spelling.near(word)) == near


def test_of_no_words_none_is_near():
    assert Spelling(()).near("boston") == ()


def test_trigrams_mark_the_ends():
    assert trigrams("aba") == ("^ab", "aba", "ba$")


@pytest.mark.parametrize(
    ("one", "other", "count"),
    [("abc", "abc", 0), ("abc", "acb", 1), ("abc", "ab", 1), ("abc", "axcd", 2), ("", "ab", 2)],
)
def test_edits_count_letters_inserted_deleted_replaced_or_swapped(one, other, count):
    assert edits(one, other, 3) == count


@given(st.text("ab", max_size=6), st.text("ab", max_size=6), st.integers(0, 3))
def test_edits_are_symmetric_and_stop_past_the_most(one, other, most):
    assert edits(one, other, most) == edits(other, one, most) == min(edits(one, other, 9), most + 1)
    assert (edits(one, other, most) == 0) == (one == other)
