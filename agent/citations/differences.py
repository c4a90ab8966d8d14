"""Differences and ratios that a claim tells of two figures, derived again from what it cites."""

import re
from calendar import monthrange
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import MAXYEAR
from decimal import Decimal
from itertools import combinations

from heliograph.text.figures import Figure, as_date, same

MONTH_DAYS = Decimal("30.44")
YEAR_DAYS = Decimal("365.2425")
SECONDS = Decimal(86_400)
MOST_FIGURES = 60
"""Figures that are compared in pairs."""

_LENGTHS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_COMPARED = re.compile(
    r"^[^.;:]{0,30}?\b(?:more|fewer|less|(?!after|later|earlier|number|other|under|over|per)\w{2,}er|worse|better)\b"
)
_APART = re.compile(r"^[^.;:]{0,20}?\b(?:before|after|later|earlier|apart|between|until|old|from)\b")
_TIMES = re.compile(r"^(?:-fold| times)\b")


def is_difference(figure: Figure, text: str, known: Sequence[Figure], told: Sequence[Figure]) -> bool:
    """Tell whether a figure is told as a difference or ratio, and two known figures have it.

    Args:
        known: The figures of what is cited.
        told: The figures of the claim, whose dates may be two of them.
    """
    if figure.kind != "number":
        return False
    behind = text[figure.end :]
    numbers = [each for each in known if each.kind == "number"][:MOST_FIGURES]
    if _TIMES.match(behind):
        return any(same(replace(figure, hedge=0), each) for each in _ratios(figure, numbers))
    if _APART.match(behind) and (days := _days(figure)):
        dates = [date for each in (*known, *told) if each is not figure and (date := as_date(each))][:MOST_FIGURES]
        ends = [(_calendar(date.low), _calendar(date.high)) for date in dates]
        spans = ((*one, *other) for one, other in combinations(ends, 2))
        return any(_may_lie(days, *span) for span in spans)
    return bool(_COMPARED.match(behind)) and any(same(figure, each) for each in _gaps(numbers))


def _gaps(numbers: Iterable[Figure]) -> Iterator[Figure]:
    for one, other in combinations(numbers, 2):
        if one.value.measure.dimension == other.value.measure.dimension:
            gap = abs(one.value.low - other.value.low)
            yield replace(one, value=replace(one.value, low=gap, high=gap))


def _ratios(figure: Figure, numbers: Iterable[Figure]) -> Iterator[Figure]:
    for one, other in combinations(numbers, 2):
        low, high = sorted((one.value.low, other.value.low))
        if low > 0 and one.value.measure.dimension == other.value.measure.dimension:
            yield replace(figure, value=replace(figure.value, low=high / low, high=high / low))


def _days(figure: Figure) -> tuple[Decimal, Decimal] | None:
    """Return the days that a stretch of time may have, half a unit up and down; None for what is none."""
    measure = figure.value.measure
    unit = MONTH_DAYS if measure.dimension == "month" else measure.factor / SECONDS
    if measure.dimension not in ("month", "time"):
        return None
    amount = figure.value.low * MONTH_DAYS if measure.dimension == "month" else figure.value.low / SECONDS
    return amount - unit / 2, amount + unit / 2


def _calendar(days: Decimal) -> Decimal:
    """Return days in months of 31, as `parse_date` counts them, as days of the calendar."""
    months, day = divmod(int(days), 31)
    year, month = divmod(months, 12)
    length = monthrange(year, month + 1)[1] if 0 < year <= MAXYEAR else 30
    return YEAR_DAYS * year + Decimal(sum(_LENGTHS[:month])) + min(day + 1, length)


def _may_lie(days: tuple[Decimal, Decimal], low: Decimal, high: Decimal, other: Decimal, last: Decimal) -> bool:
    """Tell whether so many days may lie between two dates, each of which is an interval."""
    nearest = max(Decimal(0), low - last, other - high)
    farthest = max(high - other, last - low)
    return days[0] <= farthest and nearest <= days[1]
