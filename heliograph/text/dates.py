"""Dates as people write them: whole cells as the days that they may mean, and the times of a text as far as it tells.

A time is a year of four digits, a month and a day, each of which may be unknown: 1947 is `1947`, '47 is `..47`, the
twenties are `..2.`, the nineteenth century is `18..`, 753 BC is `-0753`. Of a date in figures, 12/3/1879, both
readings count.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from functools import lru_cache
from typing import Literal

from heliograph.text.numbers import NUMBER_WORDS, SPELLED, plain, spelled_number, without_marks
from heliograph.text.units import LONGEST_FIGURE, Measure, Value, leading_measure
from heliograph.text.words import word_list

MONTHS = word_list("january february march april may june july august september october november december")
MONTH = "(?:" + "|".join(rf"{month[:3]}(?:{month[3:]}|\.)?" for month in MONTHS) + r"|sept\.?)(?!\w)"
"""The name of a month, in full or in short; to be read without regard to case."""
UNTOLD = ""
"""The year of a time that has none."""
ANY = "...."
"""A year of which no digit is known."""

_DAY = r"\d{1,2}(?:st|nd|rd|th)?"
_DAYS = rf"{_DAY}(?:(?:-|/|, | and | or | to ){_DAY}(?!\d)){{0,6}}"
_ERA = r"\s*(?-i:BCE?|AD|CE)\b"
_YEAR_BEHIND = rf"(?:-|\s*,?\s+(?:of )?)(?P<year>\d{{3,4}}|['’]\d\d)(?!,?\d)(?P<era>{_ERA})?"
DATE_FORM = (
    rf"\b(?:{_DAY} {MONTH}\s*,? \d{{3,4}}|{MONTH} {_DAY}\s*,? \d{{3,4}}|{MONTH}\s*,? \d{{4}}|\d{{4}}-\d{{2}}-\d{{2}}"
    rf"|\d{{3}}0s|\d{{1,4}}{_ERA})(?!\w)"
)
"""A date that tells its year by more than four digits alone; to be read without regard to case."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A time as far as it is known; `year` has a point for each unknown digit; `month` or `day` of 0 is none."""

    year: str = UNTOLD
    month: int = 0
    day: int = 0

    @property
    def days(self) -> tuple[Decimal, Decimal] | None:
        """The first and the last day that it may be; None where more than one digit of the year is unknown."""
        if not self.year or "." in self.year[:-1]:
            return None
        first, last = (int(self.year.replace(".", digit)) for digit in "09")
        return _days(first, self.month or 1, self.day or 1), _days(last, self.month or 12, self.day or 31)


@dataclass(frozen=True, slots=True)
class Time:
    """A time at its place in a text; several readings where its figures may be day and month or month and day."""

    readings: tuple[Moment, ...]
    start: int
    end: int


_Readings = Iterator[tuple[Moment, ...]]


def _named(found: re.Match[str]) -> _Readings:
    """Read `12 or 13 March 1879`, `May 1, 1902`, `March 1879`."""
    part = found.groupdict()
    month = _month(found["month"])
    for day in map(int, re.findall(r"\d+", part.get("days") or "0")):
        if day <= 31:
            yield (Moment(_year(part["year"] or "", part["era"]), month, day),)


def _month(name: str) -> int:
    return next(number for number, month in enumerate(MONTHS, 1) if month.startswith(name[:3].casefold()))


def _in_figures(found: re.Match[str]) -> _Readings:
    """Read `1879-03-12`, and `12/3/1879` in both orders."""
    one, two, three = found["one"], int(found["two"]), found["three"]
    if len(one) == 4:
        readings = [Moment(one, two, int(three))] if len(three) == 2 else []
    else:
        readings = [Moment(_year(three), two, int(one)), Moment(_year(three), int(one), two)]
    valid = tuple(dict.fromkeys(each for each in readings if 1 <= each.month <= 12 and 1 <= each.day <= 31))
    if valid:
        yield valid


def _year(digits: str, era: str | None = None) -> str:
    if not digits:
        return UNTOLD
    before = "-" if (era or "").strip()[:1] in ("B", "b") else ""
    return before + digits.zfill(4) if digits.isdecimal() and (era or len(digits) > 2) else digits[-2:].rjust(4, ".")


def _years(*years: str) -> _Readings:
    return ((Moment(year),) for year in years)


def _ends(found: re.Match[str]) -> _Readings:
    """Read the two years of `1939-45` and `1996/7`."""
    first = found["century"] + found["first"]
    return _years(first, first[: -len(found["last"])] + found["last"])


def _century(found: re.Match[str]) -> _Readings:
    """Read a century that is numbered in figures; of any other, and of Roman numerals, any year."""
    return _years(f"{int(found['number']) - 1:02}.." if found["number"] else ANY)


_TENS = {word[:-1]: number // 10 for word, number in NUMBER_WORDS.items() if number >= 20}
_FORMS: tuple[tuple[str, Callable[[re.Match[str]], _Readings]], ...] = (
    (rf"\b(?P<days>{_DAYS})(?: of)?[ -](?P<month>{MONTH})(?:{_YEAR_BEHIND})?", _named),
    (rf"\b(?P<month>{MONTH}) (?P<days>{_DAYS})(?!\d|\.\d)(?:{_YEAR_BEHIND})?", _named),
    (rf"\b(?P<month>{MONTH}){_YEAR_BEHIND}", _named),
    (r"(?<![\d.,])(?P<one>\d{4}|\d{1,2})(?P<sign>[./-])(?P<two>\d{1,2})(?P=sign)(?P<three>\d{4}|\d\d)(?!\d)",
     _in_figures),
    (rf"(?<![\d.,])(?P<year>\d{{1,4}})(?P<era>{_ERA})", lambda found: _years(_year(found["year"], found["era"]))),
    (r"(?<![\d.,])(?P<century>1\d|20)(?P<first>\d\d)[/-](?P<last>\d\d?)(?![\d,/-])", _ends),
    (r"(?<![\d.,])(?:the )?(?P<figures>(?:1\d|20)?\d0)s\b",
     lambda found: _years(f"{found['figures'][:-1]}.".rjust(4, "."))),
    (rf"\b(?P<tens>{'|'.join(_TENS)})ies\b", lambda found: _years(f"..{_TENS[found['tens'].casefold()]}.")),
    (r"['’](?P<digits>\d\d)(?!\d)", lambda found: _years(f"..{found['digits']}")),
    (r"(?<=[^\W\d][./-])(?:1\d|20)\d\d(?!\d)", lambda found: _years(found[0])),
    (r"\b(?:(?P<number>\d{1,2})(?:st|nd|rd|th) )?centur(?:y|ies)\b|\bmillenni|\b(?-i:[MDCLXVI]{4,})\b", _century),
)  # fmt: skip
_READERS = tuple((re.compile(form, re.IGNORECASE), read) for form, read in _FORMS)
_BARE = re.compile(
    rf"(?<![\w.,])(?P<year>(?:1\d|20)\d\d)(?!\w|,\d|\.\d)|(?P<head>{SPELLED})(?P<tail> {SPELLED})?", re.IGNORECASE
)
_BEHIND = re.compile(r"(?: ?-?[A-Za-z°%][\w°%/²³^-]*){1,3}")


@lru_cache(maxsize=256)
def times_in(text: str) -> tuple[Time, ...]:
    """Read the times of a text in plain spelling; no part of one is read as another."""
    found: list[Time] = []
    rest = text
    for pattern, read in _READERS:
        for match in pattern.finditer(rest):
            found += (Time(readings, match.start(), match.end()) for readings in read(match))
        rest = pattern.sub(lambda match: "\x00" * len(match[0]), rest)
    return (*found, *_bare_years(rest))


def _bare_years(text: str) -> Iterator[Time]:
    """Read years that stand alone: `1905`, `nineteen hundred and five`, `nineteen forty-seven`."""
    for found in _BARE.finditer(text):
        number = int(found["year"] or spelled_number(found["head"]))
        tail = spelled_number(found["tail"] or "")
        year = number * 100 + tail if 10 <= number <= 20 and 10 <= tail < 100 else number
        behind = _BEHIND.match(text, found.end())
        counted = behind and leading_measure(behind[0].replace("-", " ").split())[1]
        if 1000 <= year <= 2099 and not counted:
            yield Time((Moment(str(year)),), found.start(), found.end())


_HEDGE = re.compile(r"^(?:c\.|ca\.|circa|~|≈|about|around)\s*", re.IGNORECASE)
_ASIDE = re.compile(r"(?<=\S)\s*\([^()]*\)\s*$")
_CLOCK = re.compile(r",?\s+(?:at\s+)?\d{1,2}:\d{2}(?::\d{2})?(?:\s*(?:UTC|GMT|am|pm))?$", re.IGNORECASE)
_RANGE = re.compile(r"^(?P<start>.+?)\s*(?:-|\bto\b)\s*(?P<end>.+)$")
_OPEN = frozenset({"present", "now", "today", "ongoing", "current"})

DATE = Measure("", "date")
_MONTH_DAYS, _YEAR_DAYS = 31, 31 * 12


_WEEKDAY = re.compile(
    r"^(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?\.?,? (?=\d|[a-z]{3})", re.IGNORECASE
)


def parse_date(text: str, year: str = UNTOLD, *, day_first: bool = False) -> Value | None:
    """Read a date, a month, a year or a decade; of a period, the moment at which it begins. None for anything else.

    `present` alone is later than every date. A day or month without a year is of `year`, where one is given; where
    figures may be day and month or month and day (`3/4/2021`) they are none of both unless it is known that the day
    comes first, as it does before points (`3.4.2021`).
    """
    shown = without_marks(text)
    cell = _WEEKDAY.sub("", _ASIDE.sub("", plain(shown)))
    if len(cell) > LONGEST_FIGURE:
        return None
    cell = _CLOCK.sub("", cell)
    hedge = _HEDGE.match(cell)
    cell = cell[hedge.end() :] if hedge else cell
    if cell.casefold() in _OPEN:
        return Value(_days(9999, 12, 31), _days(9999, 12, 31), shown, True, DATE)
    days = _moment(cell, year, day_first) or _period(cell)
    return None if days is None else Value(days[0], days[1], shown, hedge is not None, DATE)


def _moment(cell: str, year: str = UNTOLD, day_first: bool = False) -> tuple[Decimal, Decimal] | None:
    """Read what tells one time; a bare figure of three or four digits is a year."""
    if re.fullmatch(r"\d{3,4}", cell):
        return Moment(cell).days
    if year and (found := _DAY_ALONE.fullmatch(cell)):
        day, month = (int(part) for part in found.groups())
        return Moment(year, month, day).days if month <= 12 and day <= 31 else None
    if year and re.fullmatch(MONTH, cell, re.IGNORECASE):
        return Moment(year, _month(cell)).days
    for pattern, read in _READERS:
        if (found := pattern.fullmatch(cell)) and (times := tuple(read(found))):
            first = times[0][0]
            if len(times) > 1 or (len(times[0]) > 1 and not day_first and not _POINTED.fullmatch(cell)):
                return None
            return (replace(first, year=year) if not first.year else first).days
    return None


_POINTED = re.compile(r"\d{1,2}\.\d{1,2}\.(?:\d{4}|\d\d)")
_DAY_ALONE = re.compile(r"(\d{1,2})\.(\d{1,2})\.")


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


def month_of(value: Value) -> int | None:
    """Return the month in which a date lies, from 1; None of a date that is not told to the month."""
    first, last = (int(end) // _MONTH_DAYS for end in (value.low, value.high))
    return first % 12 + 1 if first == last else None


def month_said(text: str) -> int | None:
    """Return the month, from 1, that a text names and nothing else."""
    return _month(text) if re.fullmatch(MONTH, text, re.IGNORECASE) else None
