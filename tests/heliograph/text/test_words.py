"""Words cover their text, and are compared by their stems."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heliograph.text.words import coverage, keywords, stems, words

TEXTS = st.text(st.sampled_from("abzÉß19½²' ’,.-_&\n"), max_size=60) | st.text(max_size=40)


@given(TEXTS)
def test_tokens_cover_the_text(text):
    """Every letter and figure stands in a token, in order; every token stands in the text."""
    assert [sign for word in words(text) for sign in word if sign.isalnum()] == [
        sign for sign in text if sign.isalnum()
    ]
    place = 0
    for word in words(text):
        place = text.index(word, place) + len(word)


@given(TEXTS)
def test_a_text_covers_itself(text):
    assert coverage(dict.fromkeys(stems(text), 2.0), frozenset(stems(text))) == float(bool(words(text)))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("1,000 km", ("1,000", "km")),
        ("1,000km", ("1,000", "km")),
        ("the 22nd A320 of 1998–99", ("the", "22nd", "A320", "of", "1998", "99")),
        ("Galileo's moons' don't", ("Galileo's", "moons", "don't")),
        ("well-known", ("well", "known")),
        ("3.5, 4", ("3.5", "4")),
    ],
)
def test_a_word_is_letters_and_figures_without_a_gap(text, found):
    assert words(text) == found


def test_accents_separators_and_possessives_do_not_tell_stems_apart():
    assert stems("Côte's 12,500") == stems("cote 12500")


def test_every_keyword_is_of_the_text_and_some_always_stand():
    assert keywords("What is it?") == ("what", "is", "it")
    assert keywords("Tell me how many boats it shows, get up") == ("boats", "shows")


def test_keywords_are_folded_distinct_and_without_the_words_of_asking() -> None:
    assert keywords(
        "Which of Jupiter 's moons did Galileo's telescope show, Jupiter’s 1,234 O'Brien AT&T Übersee ?"
    ) == (
        "jupiter",
        "moons",
        "galileo",
        "telescope",
        "1,234",
        "o'brien",
        "at&t",
        "übersee",
    )
