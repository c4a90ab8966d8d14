"""Quantities in cells, and the units that cells and column names state."""

from decimal import Decimal
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heliograph.text.dates import parse_date
from heliograph.text.units import (
    BARE,
    UNITS,
    header_measure,
    header_words,
    is_missing,
    leading_measure,
    parse_measure,
    parse_quantity,
)

QUANTITIES = [
    ("1,527", "1527", "1527", ""),
    ("1 527 km", "1527000", "1527000", "length"),
    ("−5 °C", "-5", "-5", "celsius"),
    ("3.5%", "3.5", "3.5", "share"),
    ("1.9×10^27 kg", "1.9E+27", "1.9E+27", "mass"),
    ("1.9 × 10²⁷ kg", "1.9E+27", "1.9E+27", "mass"),
    ("1.35 ± 0.02", "1.35", "1.35", ""),
    ("10–20", "10", "20", ""),
    ("½", "0.5", "0.5", ""),
    ("2½ h", "9000", "9000", "time"),
    ("$2,797,800,564", "2797800564", "2797800564", "dollar"),
    ("US$1.2 billion", "1200000000", "1200000000", "dollar"),
    ("828 m (2,717 ft)[3]", "828", "828", "length"),
    ("c. 1,000 km", "1000000", "1000000", "length"),
    ("~300", "300", "300", ""),
    ("5th", "5", "5", ""),
    ("2 h 30 min", "9000", "9000", "time"),
    ("1:35:02", "5702", "5702", "time"),
    ("1:18.940", "78.940", "78.940", "time"),
    ("4.65 t", "4650", "4650", "mass"),
    ("12†", "12", "12", ""),
]


@pytest.mark.parametrize(("text", "low", "high", "dimension"), QUANTITIES, ids=[row[0] for row in QUANTITIES])
def test_a_figure_is_read_as_people_write_it(text, low, high, dimension):
    value = parse_quantity(text)

    assert value is not None
    assert (value.low, value.high, value.measure.dimension) == (Decimal(low), Decimal(high), dimension)


@pytest.mark.parametrize(
    "text",
    [
        "<5",
        "100+",
        "1.234.567",
        "27 × 22 × 18",
        "3:1",
        "12:30",
        "10 20",
        "12 people",
        "12-5",
        "(5)",
        "up to 5",
        "",
        "Rhea",
        "4 5 6",
    ],
)
def test_what_is_no_single_figure_is_not_read(text):
    assert parse_quantity(text) is None


@pytest.mark.parametrize("text", ["", "—", "–", " - ", "n/a", "N/A", "unknown", "?", "…[2]"])
def test_a_missing_cell_is_known(text):
    assert is_missing(text)


@pytest.mark.parametrize(
    ("name", "unit", "words"),
    [
        ("Diameter (km)", "km", "Diameter"),
        ("Mass, kg", "kg", "Mass"),
        ("Height in m", "m", "Height"),
        ("Mass (×10^21 kg)", "×10^21 kg", "Mass"),
        ("Population (millions)", "millions", "Population"),
        ("Mean distance (km)[a]", "km", "Mean distance"),
        ("Notes (first)", "", "Notes"),
        ("Gold", "", "Gold"),
    ],
)
def test_a_column_name_states_its_unit(name, unit, words):
    assert (header_measure(name).text, header_words(name)) == (unit, words)


@given(st.decimals(-(10**12), 10**12, places=3, allow_nan=False, allow_infinity=False))
def test_a_number_survives_being_written_with_separators(number):
    value = parse_quantity(f"{number:,}".replace("-", "−"))

    assert value is not None
    assert (value.low, value.high) == (number, number)


@given(
    st.decimals(0, 10**6, places=2),
    st.sampled_from(["mm", "m", "km", "kg", "t", "min", "h", "days", "%", "km/s", "million km"]),
)
def test_a_quantity_in_the_cell_is_worth_what_its_header_says_it_is(number, unit):
    measure = parse_measure(unit)
    assert measure is not None
    in_cell, in_header = parse_quantity(f"{number} {unit}"), parse_quantity(f"{number}", measure)

    assert in_cell is not None
    assert in_header is not None
    assert in_cell.low == in_header.low == number * measure.factor


@given(st.text(max_size=40))
def test_no_cell_breaks_the_readers(text):
    parse_quantity(text)
    parse_date(text)


CONVERTIBLE = sorted(
    (one.text, other.text)
    for one, other in permutations(UNITS.values(), 2)
    if one.dimension == other.dimension and "k" not in (one.text, other.text)
)


@given(st.integers(1, 10**6), st.sampled_from(CONVERTIBLE))
def test_a_quantity_survives_being_converted_there_and_back(number, units):
    one, other = map(parse_measure, units)
    assert one is not None
    assert other is not None
    value = parse_quantity(f"{number} {units[0]}")
    assert value is not None
    there = value.low / other.factor
    back = there * other.factor / one.factor

    assert value.measure.dimension == other.dimension
    assert abs(back - number) <= Decimal(number) * Decimal("1e-20")


@pytest.mark.parametrize(
    ("text", "unit", "width"),
    [
        ("km wide", "km", 1),
        ("square metres of land", "square metres", 2),
        ("kilometres per hour", "kilometres per hour", 3),
        ("million US dollars", "million US dollars", 3),
        ("million people", "million", 1),
        ("in London", "", 0),
        ("boats", "", 0),
        ("", "", 0),
    ],
)
def test_the_longest_unit_that_begins_some_words_is_read(text, unit, width):
    measure, read = leading_measure(text.split())

    assert (measure.text, read) == (unit, width)
    assert (measure == BARE) is (width == 0)
