"""Typed columns, quantities, units and dates."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heliograph.text.dates import MONTHS, parse_date
from heliograph.text.units import BARE, header_measure, header_words, is_missing, parse_measure, parse_quantity
from heliograph.types import Cell, EvidenceId, PageKey, Place, TableEvidence
from tools.arithmetic import typed_column
from tools.arithmetic.columns import body_rows

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


SAME_DAYS = [
    ("20 August 1977", "August 20, 1977"),
    ("20 August 1977", "1977-08-20"),
    ("20th Aug 1977", "20 Aug. 1977, 14:29 UTC"),
    ("August 20 , 1977 ( # 76000356 )", "20 August , 1977"),
    ("Aug 1977", "August 1977"),
    ("c. 1610", "1610"),
    ("1977–1981", "1977"),
    ("1977-81", "1977"),
    ("5 March 1979 – 9 July 1979", "5 March 1979"),
    ("1999–present", "1999"),
    ("4 July 2016 (arrival)[a]", "4 July 2016"),
]


@pytest.mark.parametrize(("left", "right"), SAME_DAYS)
def test_a_date_is_the_same_in_every_spelling(left, right):
    first, second = parse_date(left), parse_date(right)

    assert first is not None
    assert second is not None
    assert (first.low, first.high) == (second.low, second.high)


@pytest.mark.parametrize(
    "text", ["31 Movember 1977", "1977, 1979", "2000 metres", "32 May 1999", "1999-13-01", "9 July – 5 May 1990", ""]
)
def test_what_is_no_date_is_not_read(text):
    assert parse_date(text) is None


def test_dates_are_ordered_across_the_eras():
    ages = [parse_date(text) for text in ("753 BC", "44 BC", "476 AD", "1977", "present")]

    assert [age.low for age in ages if age] == sorted(age.low for age in ages if age)
    assert len([age for age in ages if age]) == 5


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


@given(st.dates())
def test_a_day_survives_being_written(day):
    written = [f"{day.day} {MONTHS[day.month - 1].capitalize()} {day.year:04}", day.isoformat()]
    values = [parse_date(text) for text in written]

    assert all(value is not None and value.low == value.high for value in values)
    assert len({value.low for value in values if value}) == 1


@given(st.dates(), st.dates())
def test_days_are_ordered_as_the_calendar_orders_them(left, right):
    first, second = parse_date(left.isoformat()), parse_date(right.isoformat())

    assert first is not None
    assert second is not None
    assert (first.low < second.low) == (left < right)


@given(st.text(max_size=40))
def test_no_cell_breaks_the_readers(text):
    parse_quantity(text)
    parse_date(text)


def column(name: str, *cells: str):
    """Return one typed column beside a column of row names."""
    key = PageKey("made.up:T@1")
    rows = tuple((Cell(f"Item {chr(97 + number)}"), Cell(text)) for number, text in enumerate(cells))
    return typed_column(TableEvidence(EvidenceId("t"), Place(key, "T", "s0"), "table", "", ("Name", name), rows), 1)


def test_convertible_units_of_one_column_are_brought_to_one():
    mixed = column("Length", "500 m", "2 km", "1.5 km")

    assert mixed.kind == "number"
    assert [value.low for value in mixed.values if value] == [500, 2000, 1500]


def test_a_foreign_unit_is_unreadable_and_a_dash_is_missing():
    mixed = column("Length", "500 m", "2 kg", "—", "3 km", "4 m")

    assert (mixed.kind, mixed.missing, mixed.unreadable) == ("number", (2,), (1,))


def test_a_column_is_text_when_too_few_cells_are_figures():
    assert column("Notes", "12", "none at all", "see above", "7 or so").kind == "text"


@pytest.mark.parametrize(
    ("name", "cells", "kind"),
    [
        ("Year", ("1977", "1980"), "date"),
        ("Launched", ("1977", "20 May 1980"), "date"),
        ("Population", ("1500", "1800"), "number"),
        ("Height (m)", ("1500", "1800"), "number"),
        ("Period", ("2 h", "90 min"), "duration"),
        ("Score", ("12", "7"), "number"),
        ("Country", ("France", "Japan"), "text"),
    ],
)
def test_a_column_has_the_kind_of_its_cells(name, cells, kind):
    assert column(name, *cells).kind == kind


def test_a_bare_number_takes_the_unit_of_the_header():
    (value,) = column("Diameter (km)", "1,527").values

    assert value is not None
    assert (value.low, value.text) == (1527000, "1,527 km")
    assert column("Diameter", "1,527").measure == BARE


def test_only_a_cell_that_spans_its_row_divides_a_table() -> None:
    place = Place(PageKey("w:T@1"), "T", "s0")
    divider = (Cell("North"), Cell("North", spanned=True))
    rows = (divider, (Cell("Luxa"), Cell("Luxa")), (Cell("Mon"), Cell("Mon")), (Cell("Sum 41"), Cell("12")))
    table = TableEvidence(EvidenceId("w:T@1#s0/t1"), place, "table", "", ("Country", "Capital"), rows)
    assert body_rows(table) == (1, 2, 3)
