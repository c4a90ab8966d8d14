"""Figures as people write them in cells: separators, signs, ranges, margins, powers of ten, units, marks."""

import re
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from itertools import pairwise

from heliograph.text.units import BARE, Measure, parse_measure


@dataclass(frozen=True, slots=True)
class Value:
    """What one cell holds, as an interval in base units (a date: in days); both ends equal where it is exact.

    `text` is the cell as it may be shown, without footnote marks.
    """

    low: Decimal
    high: Decimal
    text: str
    approximate: bool = False
    measure: Measure = BARE


_NUMBER = r"(?:\d{1,3}(?:,\d{3})+(?!\d)|\d{1,3}(?:[ ]\d{3})+(?!\d)|\d+)(?:\.\d+)?|\.\d+"
_HEDGE = r"(?:c\.|ca\.|circa|~|≈|about|approx\.|approximately|around|est\.|roughly)"
_POWER = r"(?:\s*[×x*·]\s*10\^?(?P<power>[+-]?\d{1,3})|[eE](?P<e>[+-]?\d{1,3}))"
_CELL = re.compile(
    rf"(?P<hedge>{_HEDGE}\s*)?(?P<sign>[+-])?\s*(?P<money>(?:US|A|C|NZ)?[$€£¥]\s*)?(?P<first>{_NUMBER})"
    rf"(?:\s*±\s*(?P<margin>{_NUMBER})|(?:\s*-\s*|\s+to\s+)(?P<second>{_NUMBER}))?{_POWER}?"
    r"(?P<ordinal>st|nd|rd|th)?\s*(?P<unit>.*)",
    re.IGNORECASE | re.DOTALL,
)
_FRACTION = re.compile(r"(?P<sign>-)?(?:(?P<whole>\d+)\s+)?(?P<top>\d+)/(?P<bottom>[1-9]\d*)\s*(?P<unit>.*)")
_PART = re.compile(r"\s*(\d+(?:\.\d+)?)\s*(days?|d|hours?|hrs?|h|minutes?|mins?|min|m|seconds?|secs?|s)\b[\s,]*", re.I)
_CLOCK = re.compile(r"(?:(?P<hours>\d+):)?(?P<minutes>[0-5]?\d):(?P<seconds>[0-5]\d(?P<fraction>\.\d+)?)")
_SECONDS = {"d": 86400, "h": 3600, "m": 60, "s": 1}

_FOOTNOTE = re.compile(r"(?<!\s)\s*+\[[^\[\]]{1,20}\]|(?<![*†‡§])[*†‡§]++(?=\s|$)|^[*†‡§]+")
_ASIDE = re.compile(r"(?<=\S)\s*\([^()]*\)\s*$")
_FRACTIONS = {"½": "1/2", "¼": "1/4", "¾": "3/4", "⅓": "1/3", "⅔": "2/3", "⅛": "1/8"}
LONGEST_FIGURE = 200
"""Characters of a cell, or of a date, beyond which it is prose or a list and no figure with a unit."""
_MISSING = frozenset(
    {"", "-", "--", "?", "n/a", "na", "none", "unknown", "tba", "tbd", "tbc", "nil", "n.a.", "no data", "..."}
)
_EXTENTS = frozenset({"wide", "high", "tall", "long", "deep", "across", "thick"})
_RAISED = re.compile(r"10([⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+)")
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")


@lru_cache(maxsize=65_536)
def without_marks(text: str) -> str:
    """Return a cell as it may be shown: footnote marks gone, blanks single."""
    return " ".join(_FOOTNOTE.sub("", text).split())


def plain(text: str) -> str:
    """Return a cell in the spelling that the readers know: one dash, one blank, `10^27` for raised powers."""
    found = _RAISED.sub(lambda power: "10^" + power[1].translate(_SUPERSCRIPTS), without_marks(text))
    for sign, spelled in _FRACTIONS.items():
        found = re.sub(rf"\s*{sign}", f" {spelled}", found)
    found = re.sub("[\u2010-\u2015\u2212]", "-", found).replace("\u2026", "...").translate(_SUPERSCRIPTS)
    return " ".join(found.split())


def is_missing(text: str) -> bool:
    """Say whether a cell states that there is no value: empty, a dash, `n/a`, `unknown`."""
    return plain(text).casefold() in _MISSING


def parse_quantity(text: str, header: Measure = BARE) -> Value | None:
    """Read one figure with its unit, or `header`'s; None for bounds (`<5`, `100+`), lists and anything not understood.

    A conversion or remark in brackets at the end is left aside: `828 m (2,717 ft)` is 828 metres.
    """
    shown = without_marks(text)
    cell = plain(shown)
    cell = _ASIDE.sub("", cell)
    if cell.startswith("(") or not cell or len(cell) > LONGEST_FIGURE:
        return None
    return _duration(cell, shown) or _fraction(cell, shown, header) or _number(cell, shown, header)


def _number(cell: str, shown: str, header: Measure) -> Value | None:
    found = _CELL.fullmatch(cell)
    if found is None or (found["second"] and found["sign"]):
        return None
    measure = _measure(found["unit"], found["money"], header)
    if measure is None or (found["ordinal"] and found["unit"]):
        return None
    scale = Decimal(10) ** int(found["power"] or found["e"] or 0) * measure.factor
    first = _decimal(found["first"]) * (-1 if found["sign"] == "-" else 1)
    second = _decimal(found["second"]) if found["second"] else first
    if second < first:
        return None
    hedged = bool(found["hedge"] or found["margin"])
    return Value(first * scale, second * scale, _shown(shown, measure, header), hedged, measure)


def _fraction(cell: str, shown: str, header: Measure) -> Value | None:
    found = _FRACTION.fullmatch(cell)
    measure = found and _measure(found["unit"], None, header)
    if not found or measure is None:
        return None
    amount = Decimal(found["whole"] or 0) + Decimal(found["top"]) / Decimal(found["bottom"])
    amount *= measure.factor * (-1 if found["sign"] else 1)
    return Value(amount, amount, _shown(shown, measure, header), False, measure)


def _duration(cell: str, shown: str) -> Value | None:
    """Read `2 h 30 min`, `1:35:02` and `1:18.940`; a single part is left to the units, where `m` is a metre.

    Without hours only a fraction tells minutes and seconds from hours and minutes, and from a score.
    """
    measure = Measure("s", "time", Decimal(1))
    clock = _CLOCK.fullmatch(cell)
    if clock and (clock["hours"] or (clock["fraction"])):
        seconds = Decimal(clock["hours"] or 0) * 3600 + Decimal(clock["minutes"]) * 60 + Decimal(clock["seconds"])
        return Value(seconds, seconds, shown, False, measure)
    parts = list(_PART.finditer(cell))
    if len(parts) < 2 or "".join(part[0] for part in parts) != cell:
        return None
    steps = [_SECONDS[part[2][0].casefold()] for part in parts]
    if any(later >= earlier for earlier, later in pairwise(steps)):
        return None
    seconds = sum((Decimal(part[1]) * step for part, step in zip(parts, steps, strict=True)), Decimal(0))
    return Value(seconds, seconds, shown, False, measure)


def _measure(unit: str, money: str | None, header: Measure) -> Measure | None:
    """Let a unit in the cell win over the header's; a bare `$` leaves the scale (million) to the header."""
    if money:
        return parse_measure(f"{unit} {money.strip()}".strip()) if unit or header == BARE else header
    if not unit or (header != BARE and unit.casefold() in _EXTENTS):
        return header
    return parse_measure(unit)


def _shown(shown: str, measure: Measure, header: Measure) -> str:
    """Add the header's unit to a cell that leaves it to the header."""
    if measure != header or not header.text:
        return shown
    figure, _, extent = shown.rpartition(" ")
    return f"{figure} {header.text} {extent}" if extent.casefold() in _EXTENTS else f"{shown} {header.text}"


def _decimal(text: str) -> Decimal:
    return Decimal(text.replace(",", "").replace(" ", ""))
