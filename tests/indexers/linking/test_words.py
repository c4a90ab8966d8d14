"""Names as words that can be compared."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexers.linking.words import is_year, name_key, near_years, stems_of, words_of


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Women 's singles", "women’s Singles"),
        ("A.C. Milan", "AC Milan"),
        ("Łódź", "Lodz"),
        ("Straße", "strasse"),
        ("Rock & Roll", "rock and roll"),
        ("1986-87 season", "1986–1987 season"),
        ("O'Sullivan", "OSullivan"),
        ("J.Williams", "J. Williams"),
    ],
)
def test_spellings_of_one_name_have_one_key(one, other):
    assert name_key(one) == name_key(other)


@pytest.mark.parametrize(
    ("one", "other"), [("Lyon", "Lyons"), ("東京", "京都"), ("Москва", "Минск"), ("हिन्दी", "हिन्द")]
)
def test_other_names_have_other_keys(one, other):
    assert name_key(one) != name_key(other)


@given(st.text())
def test_a_key_is_its_own_key_whatever_its_case(text):
    assert name_key(name_key(text)) == name_key(text)
    assert all(words_of(word) == [word] for word in words_of(text))


def test_the_plural_is_the_same_stem_but_words_that_end_so_are_not_cut():
    assert stems_of("Giants Paris Moss Bus gas") == ["giant", "paris", "moss", "bus", "gas"]


@pytest.mark.parametrize(
    ("word", "near"),
    [
        ("2004", ("2004-05", "2003-04")),
        ("1999", ("1999-00", "1998-99")),
        ("1999-00", ("1999", "2000")),
        ("1234", ()),
        ("12", ()),
        ("heron", ()),
    ],
)
def test_a_year_is_near_its_seasons_and_a_season_near_its_years(word, near):
    assert near_years(word) == near
    assert is_year(word) == bool(near)
