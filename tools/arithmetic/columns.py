"""Typed columns of a table: what every cell of one column is worth, and which rows count.

A column has the kind of its majority: at least THRESHOLD of its cells that are not missing must be read as dates, or as
quantities of one dimension; otherwise it is text. Cells of another dimension, bounds such as `<5` and lists are
`unreadable`: they are never guessed at, and whoever computes must say what to do about them.
"""

import re
from collections import Counter
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache
from typing import Literal

from heliograph.text.dates import DATE, parse_date, year_of
from heliograph.text.numbers import NUMBER_WORDS, without_marks
from heliograph.text.units import (
    BARE,
    CLOCK_TIME,
    Measure,
    Value,
    header_measure,
    header_words,
    is_missing,
    parse_clock,
    parse_measure,
    parse_quantity,
)
from heliograph.text.words import stems
from heliograph.types import EvidenceId, TableEvidence

ColumnKind = Literal["number", "duration", "date", "text"]
THRESHOLD = 0.6
LEAST_ADDED = 4
"""Rows from which the last one may be told to total the others by its figures alone."""
_DATE_STEMS = frozenset(
    stems("year date launch launched discovered discovery founded opened opening completed released established")
    + stems("born died built first last start end arrival season introduced elected inaugurated event")
)
_AMOUNT_STEMS = frozenset(
    stems("population height length area capacity seats distance attendance votes points passengers number")
)
_HOURS = re.compile(r"\d\s*h\s*\d+\s*m\b")
_ALONE = re.compile(r"^\s*(\d+)\s*m\s*$")
_TOTAL = re.compile(
    r"(?:grand |sub-?)?totals?\s*(?:$|:.*|\(.*|\d.*|(?:of|for) .*)"
    r"|(?:sums?|averages?|means?|medians?|overall|all|combined)\s*(?:$|:.*|\(.*)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Column:
    """One column, typed. `values` has one entry a body row, None where the cell is missing or unreadable.

    `missing` and `unreadable` are row numbers from 0; `measure` is how sums are to be written.
    """

    index: int
    name: str
    kind: ColumnKind
    values: tuple[Value | None, ...]
    missing: tuple[int, ...]
    unreadable: tuple[int, ...]
    measure: Measure = BARE

    @property
    def is_of_times(self) -> bool:
        """Whether it is ordered from earliest to latest: by days or by times of day."""
        return self.kind == "date" or self.measure.dimension == "clock"


def row_id(table: TableEvidence, row: int) -> EvidenceId:
    """Return the id of the body row at this index; ids count from 1 and the header is not counted."""
    return EvidenceId(f"{table.id}/r{row + 1}")


def cell_text(table: TableEvidence, row: int, index: int) -> str:
    """Return one cell as it may be shown."""
    return without_marks(table.rows[row][index].text)


@lru_cache(maxsize=4096)
def typed_column(table: TableEvidence, index: int) -> Column:
    """Read one column by the kind of its majority; rows that are dividers or totals count as missing."""
    counted = set(body_rows(table))
    texts = _minutes([row[index].text if number in counted else "" for number, row in enumerate(table.rows)])
    missing = tuple(number for number, text in enumerate(texts) if is_missing(text))
    held = len(texts) - len(missing)
    name = table.header[index] if index < len(table.header) else ""
    header = header_measure(name)
    dates = _dates(texts)
    if _is_dated(name, header, texts, dates, held):
        return _column(index, name, "date", dates, missing, DATE)
    clocks = [None if is_missing(text) else parse_clock(text) for text in texts]
    if header == BARE and _are_times(name, texts, clocks, held):
        return _column(index, name, "duration", clocks, missing, CLOCK_TIME)
    written, texts = texts, _of_one_unit(_running_times(texts, name), header)
    units = (header,) * len(texts) if header != BARE or index == 0 else _units_of_rows(table)
    read = [None if is_missing(text) else parse_quantity(text, unit) for text, unit in zip(texts, units, strict=True)]
    measure = _common(read)
    amounts = [
        replace(value, text=without_marks(shown)) if value and text != shown else value
        for value, text, shown in zip(read, texts, written, strict=True)
    ]
    amounts = [value if value and value.measure.dimension == measure.dimension else None for value in amounts]
    if held == 0 or sum(value is not None for value in amounts) < THRESHOLD * held:
        return _column(index, name, "text", [None] * len(texts), missing, BARE)
    coded = (row for row, text in enumerate(texts) if amounts[row] is None and _stands_for_none(text.strip()))
    missing = tuple(sorted({*missing, *coded}))
    kind: ColumnKind = "duration" if measure.dimension in ("time", "month") else "number"
    return _column(index, name, kind, amounts, missing, header if header.text else measure)


@lru_cache(maxsize=256)
def _units_of_rows(table: TableEvidence) -> tuple[Measure, ...]:
    """Return the measure that the name of each row states in brackets, as in a table of properties: `Mass (kg)`.

    Where all that do state one dimension it is no such table: `(m)` behind names may stand for anything.
    """
    brackets = (text[text.find("(") :] if "(" in (text := without_marks(row[0].text)) else "" for row in table.rows)
    stated = tuple(map(header_measure, brackets))
    return stated if len({each.dimension for each in stated} - {""}) > 1 else (BARE,) * len(stated)


def _minutes(texts: list[str]) -> list[str]:
    """Read `15m` as minutes where other cells of the column have hours: `1h 20m`."""
    if not any(_HOURS.search(text) for text in texts):
        return texts
    return [_ALONE.sub(r"\1 min", text) for text in texts]


@lru_cache(maxsize=256)
def body_rows(table: TableEvidence) -> tuple[int, ...]:
    """Return the rows that hold items: no totals, no dividers that span the table, no repeated header."""
    rows = tuple(
        number
        for number, row in enumerate(table.rows)
        if not _is_divider(table, number) and not any(_TOTAL.fullmatch(without_marks(cell.text)) for cell in row[:2])
    )
    return rows[:-1] if _adds_up(table, rows) else rows


def _adds_up(table: TableEvidence, rows: tuple[int, ...]) -> bool:
    """Say whether the last row totals the others, whatever it is called: in two columns of figures at least."""
    if len(rows) < LEAST_ADDED:
        return False
    found = 0
    for index in range(1, len(table.header)):
        last = parse_quantity(table.rows[rows[-1]][index].text)
        if last is None or last.low == 0:
            continue
        parts = [parse_quantity(table.rows[row][index].text) for row in rows[:-1]]
        if sum((part.low for part in parts if part), Decimal(0)) != last.low:
            return False
        found += 1
    return found > 1


@lru_cache(maxsize=256)
def texts_beside(table: TableEvidence, index: int) -> frozenset[str]:
    """Return what a column does not say but others of the same things do, as the days of a timetable are."""
    cells = [[cell_text(table, row, each) for row in body_rows(table)] for each in range(len(table.header))]
    own, *others = (
        {text.casefold() for text in cells[each] if not is_missing(text)} for each in (index, *range(len(cells)))
    )
    return frozenset().union(*(other for other in others if other & own)) - own


@lru_cache(maxsize=256)
def label_index(table: TableEvidence) -> int | None:
    """Return the column that names the items: marked row headers first, else the first column of distinct texts.

    Where no column names its rows without repeating itself there is none.
    """
    rows = body_rows(table)
    for index in range(len(table.header)):
        cells = [table.rows[row][index] for row in rows]
        named = [cell for cell in cells if not is_missing(cell.text)]
        if len(named) < len(cells) or typed_column(table, index).kind != "text":
            continue
        if all(cell.header for cell in cells) or _distinct(table, rows, index):
            return index
    return None


def origin(table: TableEvidence, row: int, index: int) -> int:
    """Return the row whose cell a rowspan copied down to this one; the row itself where nothing was copied."""
    while row > 0 and table.rows[row][index].spanned and table.rows[row - 1][index].text == table.rows[row][index].text:
        row -= 1
    return row


def _distinct(table: TableEvidence, rows: tuple[int, ...], index: int) -> bool:
    owners = {origin(table, row, index) for row in rows}
    return len({cell_text(table, row, index).casefold() for row in owners}) == len(owners)


def _is_divider(table: TableEvidence, number: int) -> bool:
    row = table.rows[number]
    spans = len(row) > 1 and all(cell.spanned for cell in row[1:]) and len({cell.text for cell in row}) == 1
    return spans or tuple(cell.text for cell in row) == table.header


def _is_dated(name: str, header: Measure, texts: list[str], dates: list[Value | None], held: int) -> bool:
    """Tell years from amounts: bare figures of four digits are years where the name says so, or says no amount."""
    found = [(text, date) for text, date in zip(texts, dates, strict=True) if date is not None]
    if header != BARE or not found or len(found) < THRESHOLD * held:
        return False
    words = set(stems(_RATE.sub("", header_words(name))))
    if words & _DATE_STEMS:
        return True
    bare = [date for text, date in found if re.fullmatch(r"\s*\d{1,4}\s*", without_marks(text))]
    return not bare or (not words & _AMOUNT_STEMS and all(1000 <= year_of(date) <= 2100 for date in bare))


_RATE = re.compile(r"\b(?:an?|per|each|every) (?:year|month|week|day)\b", re.IGNORECASE)
SOME_YEAR = "2000"
"""The year of days and months in a column that tells none."""


def _dates(texts: list[str]) -> list[Value | None]:
    """Read every cell as a date; days and months of a column without any year are of one year."""
    day_first = any(_DAY_FIRST.match(text.strip()) for text in texts)
    found = [None if is_missing(text) else parse_date(text, day_first=day_first) for text in texts]
    if any(found):
        return found
    return [None if is_missing(text) else parse_date(text, SOME_YEAR) for text in texts]


_DAY_FIRST = re.compile(r"(?:1[3-9]|2\d|3[01])/\d{1,2}/\d")


def _of_one_unit(texts: list[str], header: Measure) -> list[str]:
    """Leave out a unit that nobody knows where all figures of a column have it: `49 dB`."""
    found = [_WITH_UNIT.fullmatch(text.strip()) for text in texts if not is_missing(text)]
    units = {each["unit"].casefold() for each in found if each}
    if header != BARE or len(units) != 1 or len(found) < 2 or not all(found) or parse_measure(*units) is not None:
        return texts
    return [each["figure"] if (each := _WITH_UNIT.fullmatch(text.strip())) else text for text in texts]


_WITH_UNIT = re.compile(r"(?P<figure>[+-]?\d[\d.,]*)\s*(?P<unit>[^\W\d_][^\d,;()]{0,20})")


def as_duration(text: str, name: str) -> str:
    """Write a time span as those of a column are read: `4:10` in minutes and seconds, where its name says so, `15m`."""
    return _ALONE.sub(r"\1 min", _running_times([text], name)[0])


def _stands_for_none(text: str) -> bool:
    """Say whether a few letters stand for a figure that there is not (`DNF`, `NM`, `x`), and for no number."""
    return len(text) <= MOST_LETTERS and text.isalpha() and text.casefold() not in NUMBER_WORDS


def _running_times(texts: list[str], name: str) -> list[str]:
    """Write `34:12` as minutes and seconds, in a column whose name says that it is a time."""
    if not set(stems(name)) & _TIME_STEMS or not any(_RUNNING.fullmatch(text.strip()) for text in texts):
        return texts
    return [f"0:{text.strip()}" if _RUNNING.fullmatch(text.strip()) else text for text in texts]


MOST_LETTERS = 3
"""Letters up to which a cell may stand for no figure."""
_RUNNING = re.compile(r"\d{1,2}:\d{2}(?:\.\d+)?")
_TIME_STEMS = frozenset(stems("time duration length split lap"))


def _are_times(name: str, texts: list[str], clocks: list[Value | None], held: int) -> bool:
    """Tell times of day from scores and from minutes with seconds: one has a zero in front, or a half of the day."""
    found = [text.strip() for text, clock in zip(texts, clocks, strict=True) if clock]
    sure = any(text.startswith("0") or text.lower().endswith("m") for text in found)
    full = not set(stems(name)) & _TIME_STEMS and all(text.find(":") == 2 for text in found)
    return len(found) >= THRESHOLD * max(1, held) and all(":" in text for text in found) and (sure or full)


def _common(read: list[Value | None]) -> Measure:
    """Return the measure that most cells have; of equally frequent ones the first."""
    seen = Counter(value.measure for value in read if value is not None)
    dimensions: Counter[str] = Counter()
    for measure, count in seen.items():
        dimensions[measure.dimension] += count
    if not seen:
        return BARE
    dimension = dimensions.most_common(1)[0][0]
    return next(measure for measure, _ in seen.most_common() if measure.dimension == dimension)


def _column(
    index: int, name: str, kind: ColumnKind, values: list[Value | None], missing: tuple[int, ...], measure: Measure
) -> Column:
    absent = set(missing)
    unreadable = tuple(row for row, value in enumerate(values) if value is None and row not in absent)
    return Column(index, name, kind, tuple(values), missing, () if kind == "text" else unreadable, measure)
