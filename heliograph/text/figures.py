"""Numbers, amounts and dates of a claim, compared with those of the words that it cites.

Two figures are the same when their values are: 1,527 km and 1.527 thousand km, `two` and 2, 20 August 1977 and August
20, 1977. A date may be told less exactly than its source, never more exactly. A hedged figure (`about 1,500`) may be
a rounding: within half of its last significant place and within 5 per cent; an unhedged one may not, unless it is
converted from a unit that is no power of ten of its own: 1,527 km are 949 miles. A figure without a unit matches one
with a unit by its number, since the unit often stands in a column's name.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache
from typing import Literal

from heliograph.text.dates import DATE_FORM, parse_date
from heliograph.text.numbers import ORDINALS, SPELLED, plain, spelled_number
from heliograph.text.units import Value, leading_measure, parse_quantity

FigureKind = Literal["number", "date", "ordinal"]
TOLERANCE = Decimal("0.05")


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure as read; `hedge` is -1 below, 1 above, 0 about, None exact: `nearly`, `more than`, `about`.

    `start` and `end` are its place in the text as `plain` has it, without its unit.
    """

    kind: FigureKind
    value: Value
    text: str
    hedge: int | None = None
    start: int = 0
    end: int = 0


_DATE = re.compile(DATE_FORM, re.IGNORECASE)
_PLAIN = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?"
_AMOUNT = re.compile(
    rf"(?<![\w.])(?P<sign>-)?(?P<money>(?:US|A|C|NZ)?[$€£¥])?(?P<figure>{_PLAIN})(?P<power> ?[×x] ?10\^?-?\d{{1,3}})?"
    r"(?P<ordinal>st|nd|rd|th)?(?P<tail>(?: ?-?(?:[A-Za-z°%][\w°%/²³^-]*)){0,3}|%)?",
)
_WORD = re.compile(
    rf"(?P<word>{SPELLED})(?=(?P<tail>(?: [A-Za-z/°]+){{0,2}}))|\b(?P<place>{'|'.join(ORDINALS)})\b", re.IGNORECASE
)
_HEDGES: tuple[tuple[re.Pattern[str], int], ...] = (
    (re.compile(r"\b(?:about|around|approximately|roughly|some|circa|c\.|ca\.)\s*$|[~≈]\s*$", re.IGNORECASE), 0),
    (re.compile(r"\b(?:nearly|almost|just under|less than|under|fewer than)\s*$", re.IGNORECASE), -1),
    (re.compile(r"\b(?:more than|over|just over|at least)\s*$", re.IGNORECASE), 1),
)


@lru_cache(maxsize=256)
def figures_in(text: str) -> tuple[Figure, ...]:
    """Read all figures of a text, dates first, so that no part of a date is read as a number.

    The word `one` is left out: it is a pronoun as often as a figure.
    """
    rest = plain(text)
    found: list[Figure] = []
    for pattern, read in ((_DATE, _date), (_AMOUNT, _amount), (_WORD, _word)):
        masked: list[str] = []
        done = 0
        for match in pattern.finditer(rest):
            figure = read(match, rest)
            if figure is not None:
                end = _end(match)
                found.append(replace(figure, start=match.start(), end=end))
                masked += [rest[done : match.start()], "\x00" * (end - match.start())]
                done = end
        rest = "".join((*masked, rest[done:]))
    return tuple(found)


def _end(match: re.Match[str]) -> int:
    """Return where the words of a figure end and those of its unit begin."""
    return match.end("figure") if match.re is _AMOUNT else match.end()


def missing_figures(claim: str, sources: Iterable[str]) -> tuple[str, ...]:
    """Return the figures of a claim that stand in none of the sources."""
    known = [figure for source in sources for figure in figures_in(source)]
    return tuple(figure.text for figure in figures_in(claim) if not any(same(figure, other) for other in known))


def same(claimed: Figure, source: Figure) -> bool:
    """Say whether a source's figure bears a claimed one out."""
    if claimed.kind == "date" or source.kind == "date":
        return _same_date(claimed, source)
    if (claimed.kind == "ordinal") != (source.kind == "ordinal"):
        return False
    left, right = claimed.value, source.value
    if left.measure.dimension and right.measure.dimension:
        if left.measure.dimension != right.measure.dimension:
            return False
        converted = claimed.hedge is None and not _is_power_of_ten(left.measure.factor / right.measure.factor)
        hedged = replace(claimed, hedge=0) if converted else claimed
        unit = left.measure.factor
        return left.low == right.low or _near(left.low / unit, right.low / unit, hedged)
    if left.measure.dimension or right.measure.dimension:
        return _near(left.low / left.measure.factor, right.low / right.measure.factor, claimed)
    return _near(left.low, right.low, claimed)


def _is_power_of_ten(ratio: Decimal) -> bool:
    return ratio.normalize().as_tuple().digits == (1,)


def _same_date(claimed: Figure, source: Figure) -> bool:
    left, right = as_date(claimed), as_date(source)
    return left is not None and right is not None and left.low <= right.low and right.high <= left.high


def as_date(figure: Figure) -> Value | None:
    """Return a figure as the days that it may mean; None for one that is no date and no year."""
    if figure.kind == "date":
        return figure.value
    year = figure.kind == "number" and re.fullmatch(r"\d{4}", figure.text)
    return parse_date(figure.text) if year else None


def _near(claimed: Decimal, source: Decimal, figure: Figure) -> bool:
    if claimed == source or figure.hedge is None:
        return claimed == source
    if figure.hedge * (source - claimed) < 0:
        return False
    margin = TOLERANCE * abs(source)
    return abs(claimed - source) <= (margin if figure.hedge else min(margin, _half_place(claimed)))


def _half_place(amount: Decimal) -> Decimal:
    exponent = amount.normalize().as_tuple().exponent
    return Decimal(5).scaleb(exponent - 1) if isinstance(exponent, int) else Decimal(0)


def _date(match: re.Match[str], text: str) -> Figure | None:
    value = parse_date(match[0])
    return None if value is None else Figure("date", value, match[0], _hedge(text, match.start()))


def _amount(match: re.Match[str], text: str) -> Figure | None:
    figure = (match["sign"] or "") + (match["money"] or "") + match["figure"] + (match["power"] or "")
    hedge = _hedge(text, match.start())
    if match["ordinal"]:
        value = parse_quantity(match["figure"])
        return None if value is None else Figure("ordinal", value, match["figure"] + match["ordinal"], hedge)
    words = (match["tail"] or "").replace("-", " ").split()
    unit = " ".join(words[: leading_measure(words)[1]])
    for tail in (unit if unit.startswith("%") else f" {unit}", ""):
        value = parse_quantity(figure + tail)
        if value is not None:
            return Figure("number", value, (figure + tail).strip(), hedge)
    return None


def _word(match: re.Match[str], text: str) -> Figure | None:
    hedge = _hedge(text, match.start())
    if match["place"]:
        amount = Decimal(ORDINALS[match["place"].casefold()])
        return Figure("ordinal", Value(amount, amount, match[0]), match[0], hedge)
    word = match["word"].casefold().replace("-", " ")
    if word == "one":
        return None
    number = Decimal(spelled_number(word))
    measure, _ = leading_measure(match["tail"].split())
    return Figure("number", Value(number * measure.factor, number * measure.factor, word, False, measure), word, hedge)


def _hedge(text: str, start: int) -> int | None:
    before = text[max(0, start - 20) : start]
    return next((side for pattern, side in _HEDGES if pattern.search(before)), None)
