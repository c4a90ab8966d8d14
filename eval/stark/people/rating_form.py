"""A form for people without a terminal: a CSV file that spreadsheets open, with three columns to fill."""

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from eval.stark.people.rating import ASPECTS, HIGHEST, LOWEST, RatedCase, Rating
from heliograph.errors import UsageError
from heliograph.storage import plain_file
from memory.trace.disk import write_lines

COLUMNS = ("case", "query", *ASPECTS)
DELIMITERS = ",;\t"
"""Spreadsheets of some countries write semicolons."""
FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""How a cell begins that a spreadsheet would compute; an apostrophe before it keeps it a text."""
UNREAD = "save the form as CSV again, or write it anew with --form"


def write_form(path: Path, cases: Sequence[RatedCase]) -> None:
    """Write a form, in UTF-8 with the mark that spreadsheets know it by.

    Raises:
        StoreFull | StoreError: it cannot be written.
    """
    out = io.StringIO(newline="")
    rows = csv.writer(out)
    rows.writerow(COLUMNS)
    rows.writerows((case.key, _plain(case.text), *("" for _ in ASPECTS)) for case in cases)
    write_lines(path, ["\ufeff", out.getvalue()], "name another file with --form")


def read_form(path: Path, cases: Sequence[RatedCase], rater: str) -> tuple[Rating, ...]:
    """Read the ratings of a form; rows without any figure are passed over.

    Only keys and figures are read, so that a spreadsheet may have changed texts and their encoding.

    Raises:
        UsageError: it cannot be read or is no such form, a row is half filled or of no case, or a case has two rows.
    """
    known, found = {each.key for each in cases}, dict[str, Rating]()
    for place, row in _rows(path):
        key, figures = row["case"].strip(), [row[name].strip() for name in ASPECTS]
        if not any(figures):
            continue
        if key not in known:
            raise UsageError(
                f"{place}: {key[:40]!r} is none of these queries; name the file that the form was written for"
            )
        if key in found:
            raise UsageError(f"{place}: {key} has a row above; keep one of the two")
        found[key] = Rating(
            key, rater, *(_figure(each, name, place) for name, each in zip(ASPECTS, figures, strict=True))
        )
    return tuple(found.values())


def _figure(said: str, name: str, place: str) -> int:
    whole = said.removesuffix(".0").removesuffix(",0")
    if whole not in {str(each) for each in range(LOWEST, HIGHEST + 1)}:
        wrong = f"{said[:40]!r} is" if said else "an empty cell is"
        raise UsageError(f"{place}: {name}: {wrong} no figure of {LOWEST} to {HIGHEST}; fill or clear the whole row")
    return int(whole)


def _rows(path: Path) -> Iterator[tuple[str, Mapping[str, str]]]:
    try:
        text = plain_file(path).read_bytes().decode("utf-8-sig", errors="replace")
    except FileNotFoundError as err:
        raise UsageError(f"no file {path}; write a form with --form first") from err
    except OSError as err:
        raise UsageError(f"{path} cannot be read ({err.strerror or err}); name a form in CSV") from err
    head = text.partition("\n")[0]
    rows = csv.DictReader(io.StringIO(text, newline=""), delimiter=max(DELIMITERS, key=head.count), restval="")
    try:
        lacking = [name for name in COLUMNS if name not in (rows.fieldnames or ())]
        if lacking:
            raise UsageError(f"{path}:1: no column {lacking[0]}; {UNREAD}")
        for row in rows:
            yield f"{path}:{rows.line_num}", {name: row[name] or "" for name in COLUMNS}
    except csv.Error as err:
        raise UsageError(f"{path}:{rows.line_num}: {err}; {UNREAD}") from err


def _plain(text: str) -> str:
    return f"'{text}" if text.startswith(FORMULA) else text
