"""Typed columns."""

import pytest

from heliograph.text.units import BARE
from heliograph.types import Cell, EvidenceId, PageKey, Place, TableEvidence
from tests.tools.made_up import table
from tools.arithmetic import typed_column
from tools.arithmetic.columns import body_rows


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


def test_what_there_is_of_a_thing_a_year_is_no_year():
    peaks = table(
        "Peaks", "", "Peak | Climbers a year | First year", "A | 120 | 1861", "B | 1900 | 1902", "C | 35 | 1874"
    )

    assert [typed_column(peaks, index).kind for index in (1, 2)] == ["number", "date"]
