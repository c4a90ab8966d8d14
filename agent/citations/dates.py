"""Times of a claim against the times of what it cites: code refuses one only where every time cited speaks against it.

A time is a year of four digits, a month and a day, each of which may be unknown: 1947 is `1947`, '47 is `..47`, the
twenties are `..2.`, the nineteenth century is `18..`, and "New Year's Day 1801" is `1801` with a day that nobody read.
Two times agree when nothing known of one is another in the other. So a spelling that code does not know leaves a hole
in what is cited and never a contradiction, and the judge decides. Times that follow from another are times too: "a year
later", "aged 40", "the next day". Of a date in figures, 12/3/1879, both readings count.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache

from heliograph.text.dates import MONTHS
from heliograph.text.figures import Figure, figures_in, plain_spelling
from heliograph.text.words import word_list

UNTOLD = ""
"""The year of a time that has none."""
ANY = "...."
"""A year of which no digit is known."""
MOST_TIMES = 60
"""Times of what is cited from which others are derived."""
MOST_STEPS = 20
"""Stretches of time that are added to them."""
LAST_DAY = 31


@dataclass(frozen=True, slots=True)
class Moment:
    """A time as far as it is known; `year` has a point for each unknown digit; `month` or `day` of 0 is none."""

    year: str = UNTOLD
    month: int = 0
    day: int = 0


@dataclass(frozen=True, slots=True)
class Time:
    """A time at its place in a text; several readings where its figures may be day and month or month and day."""

    readings: tuple[Moment, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class CitedTimes:
    """The times of what is cited, and the numbers that are no part of one, for days may stand apart from months."""

    moments: tuple[Moment, ...]
    numbers: frozenset[int]

    def state(self, moment: Moment) -> bool:
        """Tell whether a time is told as exactly among these; its year may stand apart from its day."""
        year = moment.year == UNTOLD or any(moment.year == each.year for each in self.moments)
        days = {(each.month, each.day) for each in self.moments}
        months = {each.month for each in self.moments}
        return year and ((moment.month, moment.day) in days if moment.day else moment.month in months | {0})

    def allow(self, moment: Moment) -> bool:
        """Tell whether a time may stand among these."""
        if moment.year == UNTOLD:
            dated = [each for each in self.moments if each.day]
            return not dated or any(_agree(moment, each) for each in dated) or self._holds_parts(moment)
        if not any(_agree(Moment(moment.year), Moment(each.year)) for each in self.moments if each.year != UNTOLD):
            return False
        return any(_agree(moment, each) for each in self.moments if each.year != UNTOLD) or self._holds_parts(moment)

    def _holds_parts(self, moment: Moment) -> bool:
        """Tell whether day and month stand somewhere, if apart: "the 12th or 13th of March"."""
        days = self.numbers.union(each.day for each in self.moments)
        return any(each.month == moment.month for each in self.moments) and moment.day in days


_MONTH = "|".join(rf"{month[:3]}(?:{month[3:]}|\.)?" if month != "may" else "may" for month in MONTHS) + r"|sept\.?"
_DAYS = r"\d{1,2}(?:st|nd|rd|th)?(?:(?:-|/|, | and | or | to )\d{1,2}(?:st|nd|rd|th)?(?!\d)){0,6}"
_YEAR_BEHIND = r"(?:(?:-|,? (?:of )?)(?P<year{}>\d{{4}}|['’]\d\d)(?!,?\d))"
_NAMED = re.compile(
    rf"\b(?P<days>{_DAYS})(?: of)?[ -](?P<month>{_MONTH})(?!\w){_YEAR_BEHIND.format('')}?"
    rf"|\b(?P<month2>{_MONTH}) (?P<days2>{_DAYS})(?!\d|\.\d){_YEAR_BEHIND.format('2')}?"
    rf"|\b(?P<month3>{_MONTH}){_YEAR_BEHIND.format('3')}",
    re.IGNORECASE,
)
_FIGURES = re.compile(
    r"(?<![\d.,])(?P<one>\d{4}|\d{1,2})(?P<sign>[./-])(?P<two>\d{1,2})(?P=sign)(?P<three>\d{4}|\d\d)(?!\d)"
)
_ENDS = re.compile(r"(?<![\d.,])(?P<century>1\d|20)(?P<first>\d\d)[/-](?P<last>\d\d?)(?![\d,/-])")
_DECADES = re.compile(r"(?<![\d.,])(?P<figures>(?:1\d|20)?\d0)s\b")
_TENS = {word: str(number) for number, word in enumerate(word_list("twent thirt fort fift sixt sevent eight ninet"), 2)}
_DECADE_WORD = re.compile(rf"\b(?P<tens>{'|'.join(_TENS)})ies\b", re.IGNORECASE)
_SHORT_YEAR = re.compile(r"['’](?P<digits>\d\d)(?!\d)")
_JOINED_YEAR = re.compile(r"(?<=[^\W\d][./-])(?:1\d|20)\d\d(?!\d)")
_CENTURY = re.compile(
    r"\b(?:(?P<number>\d{1,2})(?:st|nd|rd|th) )?centur(?:y|ies)\b|\bmillenni|\b(?-i:[MDCLXVI]{4,})\b", re.IGNORECASE
)
_YEAR = re.compile(r"(?:1\d|20)\d\d")
_CLOCK = re.compile(
    r"(?<![\d:])(?:[01]?\d|2[0-4])(?::[0-5]\d(?::[0-5]\d)?(?![\d:])(?: ?[ap]\.?m\b)?"
    r"|(?:[.][0-5]\d)? ?(?:[ap]\.?m\b|o['’]clock|noon|midnight))",
    re.IGNORECASE,
)

_UNITS = {"day": 1, "night": 1, "week": 7, "fortnight": 14, "month": 31, "year": 372, "decade": 3720, "century": 37200}
_UNIT = "|".join((*_UNITS, "centurie"))
_COUNTED = re.compile(rf"^[ -]?(?P<unit>{_UNIT})s?\b")
_AGE = re.compile(r"\b(?:aged?|age of) $", re.IGNORECASE)
_NEAR = 16
"""Characters around a number in which its unit or "aged" may stand."""
_NEXT = re.compile(
    rf"\b(?:an?|one|next|following|previous|preceding) (?P<unit>{_UNIT})\b"
    rf"|\b(?P<before>{_UNIT}) (?:later|after|before|earlier|ago)\b"
)


def is_open_time(figure: Figure, claim: str, times: Sequence[Time], cited: CitedTimes) -> bool:
    """Tell whether a figure of a claim belongs to one of its times that what is cited allows, or to a time of day."""
    if any(clock.start() <= figure.start < clock.end() for clock in _CLOCK.finditer(claim)):
        return True
    own = times_of(figure, times)
    return bool(own) and all(any(map(cited.allow, time.readings)) for time in own)


def is_told_time(figure: Figure, times: Sequence[Time], cited: CitedTimes) -> bool:
    """Tell whether a figure of a claim belongs to one of its times that is told as exactly in what is cited."""
    own = times_of(figure, times)
    return bool(own) and all(any(map(cited.state, time.readings)) for time in own)


def times_of(figure: Figure, times: Sequence[Time]) -> tuple[Time, ...]:
    """Return the times that a figure of their text belongs to."""
    return tuple(time for time in times if time.start < figure.end and figure.start < time.end)


def cited_times(sources: Iterable[str]) -> CitedTimes:
    """Read all times of what is cited, with those that follow from one of them and a stretch of time."""
    moments: dict[Moment, None] = {}
    numbers: set[int] = set()
    steps: dict[tuple[int, int], None] = {}
    for source in map(plain_spelling, sources):
        times = times_in(source)
        moments.update((moment, None) for time in times for moment in time.readings)
        figures = figures_in(source)
        bare = (each.value.low for each in figures if not each.value.measure.dimension)
        numbers.update(int(number) for number in bare if 0 < number <= LAST_DAY)
        steps.update((step, None) for step in _steps(source, figures))
    derived = (
        later
        for moment in list(moments)[:MOST_TIMES]
        for step in list(steps)[:MOST_STEPS]
        for later in _stepped(moment, *step)
    )
    return CitedTimes((*moments, *derived), frozenset(numbers))


@lru_cache(maxsize=256)
def times_in(text: str) -> tuple[Time, ...]:
    """Read the times of a text in plain spelling; no part of one is read as another."""
    found: list[Time] = []
    rest = text
    for pattern, read in _READERS:
        for match in pattern.finditer(rest):
            found += (Time(readings, match.start(), match.end()) for readings in read(match))
        rest = pattern.sub(lambda match: "\x00" * len(match[0]), rest)
    return (*found, *_spelled_years(rest))


def _agree(one: Moment, other: Moment) -> bool:
    digits = all(left == right or "." in (left, right) for left, right in zip(one.year, other.year, strict=False))
    parts = ((one.month, other.month), (one.day, other.day))
    return digits and all(left == right or not (left and right) for left, right in parts)


def _named(match: re.Match[str]) -> Iterator[tuple[Moment, ...]]:
    """Read `12 or 13 March 1879`, `May 1, 1902`, `March 1879`."""
    found = match.groupdict()
    named, days, year = (
        next((found[key] for key in keys if found.get(key)), None)
        for keys in (("month", "month2", "month3"), ("days", "days2"), ("year", "year2", "year3"))
    )
    month = next(number for number, name in enumerate(MONTHS, 1) if name.startswith(str(named)[:3].casefold()))
    for day in re.findall(r"\d+", days or "0"):
        yield (Moment(_year(year or ""), month, int(day)),)


def _in_figures(match: re.Match[str]) -> Iterator[tuple[Moment, ...]]:
    """Read `1879-03-12`, and `12/3/1879` in both orders."""
    one, two, three = match["one"], int(match["two"]), match["three"]
    if len(one) == 4:
        readings = [Moment(one, two, int(three))] if len(three) == 2 else []
    else:
        readings = [Moment(_year(three), two, int(one)), Moment(_year(three), int(one), two)]
    valid = tuple(each for each in readings if 1 <= each.month <= 12 and 1 <= each.day <= 31)
    if valid:
        yield valid


def _year(digits: str) -> str:
    if not digits:
        return UNTOLD
    return digits if len(digits) == 4 and digits.isdecimal() else digits[-2:].rjust(4, ".")


def _years(*years: str) -> Iterator[tuple[Moment, ...]]:
    return ((Moment(year),) for year in years)


def _ends(match: re.Match[str]) -> Iterator[tuple[Moment, ...]]:
    """Read the two years of `1939-45` and `1996/7`."""
    first = match["century"] + match["first"]
    return _years(first, first[: -len(match["last"])] + match["last"])


def _century(match: re.Match[str]) -> Iterator[tuple[Moment, ...]]:
    """Read a century that is numbered in figures; of any other, and of Roman numerals, any year."""
    return _years(f"{int(match['number']) - 1:02}.." if match["number"] else ANY)


_READERS = (
    (_NAMED, _named),
    (_FIGURES, _in_figures),
    (_ENDS, _ends),
    (_DECADES, lambda match: _years(f"{match['figures'][:-1]}.".rjust(4, "."))),
    (_DECADE_WORD, lambda match: _years(f"..{_TENS[match['tens'].casefold()]}.")),
    (_SHORT_YEAR, lambda match: _years(f"..{match['digits']}")),
    (_JOINED_YEAR, lambda match: _years(match[0])),
    (_CENTURY, _century),
)


def _spelled_years(text: str) -> Iterator[Time]:
    """Read years in figures and in words: `1905`, `nineteen hundred and five`, `nineteen forty-seven`."""
    figures = sorted(figures_in(text), key=lambda each: each.start)
    for place, figure in enumerate(figures):
        number = figure.value.low
        if figure.kind != "number" or figure.value.measure.dimension or number != int(number):
            continue
        ahead = next(iter(figures[place + 1 : place + 2]), None)
        if ahead and 10 <= number <= 20 and 10 <= ahead.value.low < 100 and text[figure.end : ahead.start] == " ":
            yield Time((Moment(f"{int(number)}{int(ahead.value.low)}"),), figure.start, ahead.end)
        elif _YEAR.fullmatch(str(int(number))) and "," not in text[figure.start : figure.end]:
            yield Time((Moment(str(int(number))),), figure.start, figure.end)


def _steps(source: str, figures: Sequence[Figure]) -> Iterator[tuple[int, int]]:
    """Yield stretches of time, as how many of which unit in days: `ten years`, `aged 40`, `the next day`."""
    for figure in figures:
        amount = figure.value.low / figure.value.measure.factor
        counted = _COUNTED.match(source[figure.end : figure.end + _NEAR])
        if (
            figure.kind == "number"
            and amount == int(amount)
            and (counted or _AGE.search(source[max(0, figure.start - _NEAR) : figure.start]))
        ):
            yield int(amount), _UNITS[counted["unit"].replace("ie", "y")] if counted else _UNITS["year"]
    for found in _NEXT.finditer(source):
        yield 1, _UNITS[(found["unit"] or found["before"]).replace("ie", "y")]


def _stepped(moment: Moment, amount: int, unit: int) -> Iterator[Moment]:
    """Yield the times that lie so far from one, before and after."""
    if not moment.year.isdecimal():
        return
    for sign in (1, -1):
        if unit >= _UNITS["year"]:
            year = int(moment.year) + sign * amount * unit // _UNITS["year"]
            yield Moment(f"{year:04}") if 0 < year <= 9999 else moment
        elif unit == _UNITS["month"] and moment.month:
            months = int(moment.year) * 12 + moment.month - 1 + sign * amount
            yield Moment(f"{months // 12:04}", months % 12 + 1)
        elif moment.day:
            yield from _days_on(moment, sign * amount * unit)


def _days_on(moment: Moment, days: int) -> Iterator[Moment]:
    try:
        later = date(int(moment.year), moment.month, moment.day) + timedelta(days)
    except (ValueError, OverflowError):  # the 31st of June, or a day past the calendar's end
        return
    yield Moment(f"{later.year:04}", later.month, later.day)
