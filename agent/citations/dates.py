"""Times of a claim against the times of what it cites: code refuses one only where every time cited speaks against it.

Two times (`heliograph.text.dates`) agree when nothing known of one is another in the other. So a spelling that code
does not know leaves a hole in what is cited and never a contradiction, and the judge decides. Times that follow from
another are times too: "a year later", "aged 40", "the next day".
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from heliograph.text.dates import UNTOLD, Moment, Time, times_in
from heliograph.text.figures import Figure, figures_in
from heliograph.text.numbers import plain

MOST_TIMES = 60
"""Times of what is cited from which others are derived."""
MOST_STEPS = 20
"""Stretches of time that are added to them."""
LAST_DAY = 31


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
    for source in map(plain, sources):
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


def _agree(one: Moment, other: Moment) -> bool:
    digits = all(left == right or "." in (left, right) for left, right in zip(one.year, other.year, strict=False))
    parts = ((one.month, other.month), (one.day, other.day))
    return digits and all(left == right or not (left and right) for left, right in parts)


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
