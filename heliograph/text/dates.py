"""Dates as people write them, each as the interval of days that it may mean."""

import re
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Literal

from heliograph.text.numbers import LONGEST_FIGURE, Value, plain, without_marks
from heliograph.text.units import Measure
from heliograph.text.words import word_list

MONTHS = word_list("january february march april may june july august september october november december")
_MONTH = (
    "(?P<month>" + "|".join(f"{name[:3]}(?:{name[3:]})?" if name != "may" else "may" for name in MONTHS) + r"|sept)\.?"
)
_YEAR = r"(?P<year>\d{3,4}|\d{1,2}(?=\s*(?:BC|AD|CE)))(?P<era>\s*(?:BCE?|AD|CE))?"
_FORMS = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        rf"(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\s+{_MONTH}\s*,?\s+{_YEAR}",
        rf"{_MONTH}\s+(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\s*,?\s+{_YEAR}",
        rf"{_MONTH}\s*,?\s+{_YEAR}",
        r"(?P<year>\d{4})-(?P<number>\d{2})-(?P<day>\d{2})",
        _YEAR,
    )
)
_DECADE = re.compile(r"(?:the\s+)?(\d{3}0)s", re.IGNORECASE)
_HEDGE = re.compile(r"^(?:c\.|ca\.|circa|~|≈|about|around)\s*", re.IGNORECASE)
_ASIDE = re.compile(r"(?<=\S)\s*\([^()]*\)\s*$")
_TIME = re.compile(r",?\s+(?:at\s+)?\d{1,2}:\d{2}(?::\d{2})?(?:\s*(?:UTC|GMT|am|pm))?$", re.IGNORECASE)
_RANGE = re.compile(r"^(?P<start>.+?)\s*(?:-|\bto\b)\s*(?P<end>.+)$")
_OPEN = frozenset({"present", "now", "today", "ongoing", "current"})

DATE = Measure("", "date")
_MONTH_DAYS, _YEAR_DAYS = 31, 31 * 12


def parse_date(text: str) -> Value | None:
    """Read a date, a month, a year or a decade; of a period, the moment at which it begins. None for anything else.

    `present` alone is later than every date.
    """
    shown = without_marks(text)
    cell = _ASIDE.sub("", plain(shown))
    if len(cell) > LONGEST_FIGURE:
        return None
    cell = _TIME.sub("", cell)
    hedge = _HEDGE.match(cell)
    cell = cell[hedge.end() :] if hedge else cell
    if cell.casefold() in _OPEN:
        return Value(_days(9999, 12, 31), _days(9999, 12, 31), shown, True, DATE)
    days = _moment(cell) or _period(cell)
    return None if days is None else Value(days[0], days[1], shown, hedge is not None, DATE)


def _moment(cell: str) -> tuple[Decimal, Decimal] | None:
    if decade := _DECADE.fullmatch(cell):
        return _days(int(decade[1]), 1, 1), _days(int(decade[1]) + 9, 12, 31)
    for form in _FORMS:
        if found := form.fullmatch(cell):
            return _interval(found.groupdict())
    return None


def _interval(part: dict[str, str | None]) -> tuple[Decimal, Decimal] | None:
    era = (part.get("era") or "").strip().upper()
    year = int(part["year"] or 0) * (-1 if era.startswith("B") else 1)
    named = part.get("month")
    month = _month_number(named) if named else int(part.get("number") or 0)
    day = int(part.get("day") or 0)
    if month > 12 or day > 31:
        return None
    return _days(year, month or 1, day or 1), _days(year, month or 12, day or 31)


def _period(cell: str) -> tuple[Decimal, Decimal] | None:
    """Return the beginning of a period whose two ends are dates in order, or `1977-81`."""
    found = _RANGE.match(cell)
    start = found and _moment(found["start"])
    if not found or start is None:
        return None
    end = found["end"]
    if end.casefold() in _OPEN or (re.fullmatch(r"\d{4}", found["start"]) and re.fullmatch(r"\d{2}", end)):
        return start
    last = _moment(end)
    return start if last is not None and last[1] >= start[0] else None


def _month_number(name: str) -> int:
    return next(number for number, month in enumerate(MONTHS, 1) if month.startswith(name.casefold().rstrip(".")[:3]))


def _days(year: int, month: int, day: int) -> Decimal:
    """Count days in months of 31: an order, not a calendar."""
    return Decimal((year * 12 + month - 1) * 31 + day - 1)


@dataclass(frozen=True, slots=True)
class Span:
    """The time between two dates."""

    amount: int
    unit: Literal["day", "month", "year"]


def span_between(left: Value, right: Value) -> Span | None:
    """Count the days between two days, the months between two months, or the years between two years.

    None for dates of different precision, decades, `present`, and days that no calendar has.
    """
    width = left.high - left.low
    if width != right.high - right.low or left.approximate or right.approximate:
        return None
    if width == _YEAR_DAYS - 1:
        return Span(abs(year_of(left) - year_of(right)), "year")
    if width == _MONTH_DAYS - 1:
        return Span(int(abs(left.low - right.low)) // _MONTH_DAYS, "month")
    try:
        days = _calendar(left) - _calendar(right)
    except ValueError:
        return None
    return Span(abs(days.days), "day") if width == 0 else None


def _calendar(value: Value) -> date:
    months, day = divmod(int(value.low), _MONTH_DAYS)
    return date(months // 12, months % 12 + 1, day + 1)


def year_of(value: Value) -> int:
    """Return the year in which a date begins."""
    return int(value.low // (31 * 12))


def whole_years(first: int, last: int) -> tuple[Decimal, Decimal]:
    """Return the interval of days from the start of one year to the end of another."""
    return _days(first, 1, 1), _days(last, 12, 31)
