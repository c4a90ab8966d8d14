"""A form survives a spreadsheet, and what is wrong in it is named."""

from pathlib import Path

import pytest

from eval.stark.people.rating import RatedCase, Rating
from eval.stark.people.rating_form import read_form, write_form
from heliograph.errors import UsageError

CASES = (RatedCase("q0a", '=Which "moon",\nof all?'), RatedCase("q1b", "Größe?"))


def test_a_filled_form_is_read_back(tmp_path: Path) -> None:
    path = tmp_path / "form.csv"
    write_form(path, CASES)
    assert path.read_bytes().startswith(b"\xef\xbb\xbfcase,query,naturalness,diversity,practicality\r\nq0a,\"'=Which")
    assert read_form(path, CASES, "anna") == ()
    path.write_text(path.read_text(encoding="utf8").replace("?,,,", "?,4,3,5"), encoding="utf8")
    assert read_form(path, CASES, "anna") == (Rating("q1b", "anna", 4, 3, 5),)


def test_a_spreadsheet_may_write_semicolons_another_encoding_and_decimals(tmp_path: Path) -> None:
    path = tmp_path / "form.csv"
    path.write_bytes("case;query;naturalness;diversity;practicality\nq1b;Größe?;4,0;3;5.0\n".encode("cp1252"))
    assert read_form(path, CASES, "anna") == (Rating("q1b", "anna", 4, 3, 5),)


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("q1b,x,4,3,", "form.csv:2: practicality: an empty cell is no figure of 1 to 5; fill or clear the whole row"),
        ("q1b,x,4,6,1", "form.csv:2: diversity: '6' is no figure"),
        ("q77,x,4,3,1", "form.csv:2: 'q77' is none of these queries"),
        ("q1b,x,1,1,1\nq1b,x,1,1,1", "form.csv:3: q1b has a row above"),
    ],
)
def test_a_row_that_cannot_be_read_is_named(tmp_path: Path, row: str, said: str) -> None:
    (tmp_path / "form.csv").write_text(f"case,query,naturalness,diversity,practicality\n{row}\n")
    with pytest.raises(UsageError, match=said):
        read_form(tmp_path / "form.csv", CASES, "anna")


def test_another_file_is_no_form(tmp_path: Path) -> None:
    (tmp_path / "form.csv").write_text("case,query\n")
    with pytest.raises(UsageError, match=r"form\.csv:1: no column naturalness; save the form as CSV again"):
        read_form(tmp_path / "form.csv", CASES, "anna")
    with pytest.raises(UsageError, match=r"no file .*; write a form with --form first"):
        read_form(tmp_path / "none.csv", CASES, "anna")
