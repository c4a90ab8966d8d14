"""Figures of a text, compared by their values."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heliograph.text.figures import figures_in, missing_figures
from heliograph.text.words import word_list

FIGURES = [
    ("about 1,500 km", "1,527 km", True),
    ("1,500 km", "1,527 km", False),
    ("about 1,000 km", "1,527 km", False),
    ("about 40", "41", True),
    ("in 1977", "20 August 1977", True),
    ("in August 1977", "20 August 1977", True),
    ("20 August 1977", "in 1977", False),
    ("August 20, 1977", "20 August 1977", True),
    ("21 August 1977", "20 August 1977", False),
    ("in the 1970s", "20 August 1977", True),
    ("about 1977", "1978", False),
    ("two moons", "2 moons", True),
    ("three moons", "two moons", False),
    ("twenty-one", "21", True),
    ("1,527 km", "Diameter 1,527", True),
    ("more than 1,500", "1,527", True),
    ("more than 1,550", "1,527", False),
    ("nearly 1,550", "1,527", True),
    ("nearly 1,500", "1,527", False),
    ("1.527 thousand km", "1,527 km", True),
    ("1,527,000 m", "1,527 km", True),
    ("5 miles", "5 km", False),
    ("the 2nd", "the second", True),
    ("the third", "the second", False),
    ("−5 °C", "5 °C", False),
    ("7.5%", "7.5 per cent", True),
    ("$3 billion", "US$3,000,000,000", True),
    ("1.9×10²⁷ kg", "1.9 × 10^27 kg", True),
    ("no figure", "", True),
]


@pytest.mark.parametrize(("claim", "source", "stands"), FIGURES, ids=[f"{row[0]} | {row[1]}" for row in FIGURES])
def test_a_figure_stands_when_its_value_does(claim, source, stands):
    assert (missing_figures(claim, [source]) == ()) is stands


@given(st.text(max_size=60))
def test_every_text_bears_its_own_figures_out(text):
    assert missing_figures(text, [text]) == ()


ONES = word_list(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
TENS = word_list("_ _ twenty thirty forty fifty sixty seventy eighty ninety")


def in_words(number: int) -> str:
    """Write a number below a million in words."""
    for scale, word in ((1000, "thousand"), (100, "hundred")):
        whole, rest = divmod(number, scale)
        if whole:
            behind = f" {'and ' if rest < 100 else ''}{in_words(rest)}" if rest else ""
            return f"{in_words(whole)} {word}{behind}"
    if number >= 20:
        return TENS[number // 10] + (f"-{ONES[number % 10]}" if number % 10 else "")
    return ONES[number]


@given(st.integers(2, 999_999))
def test_a_number_in_words_and_in_digits_is_read_alike(number):
    (spelled,), (digits,) = figures_in(f"It sold {in_words(number)} copies"), figures_in(f"It sold {number:,} copies")

    assert (spelled.kind, spelled.value.low) == (digits.kind, digits.value.low) == ("number", number)


@given(st.integers(2, 99_999), st.sampled_from(["km", "kilograms", "hours"]))
def test_a_quantity_in_words_and_in_digits_is_read_alike(number, unit):
    (spelled,), (digits,) = figures_in(f"It has {in_words(number)} {unit}"), figures_in(f"It has {number:,} {unit}")

    assert (spelled.value.low, spelled.value.measure.dimension) == (digits.value.low, digits.value.measure.dimension)
