"""Units of measure, and quantities: figures with their unit as people write them in cells.

Read are separators, signs, ranges, margins, powers of ten, durations, and what stands in the column's name.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise

from heliograph.text.numbers import SCALES, SUPERSCRIPTS, plain, without_marks


@dataclass(frozen=True, slots=True)
class Measure:
    """How the figures of a column are to be read: a unit as written, its dimension, and the factor to the base unit.

    The factor includes words of scale: `million km` is 10⁹ metres. No dimension means a bare number.
    """

    text: str = ""
    dimension: str = ""
    factor: Decimal = Decimal(1)


BARE = Measure()


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


_TABLE = """
length: 0.001 mm millimetre millimeter; 0.01 cm centimetre centimeter; 1 m metre meter; 1000 km kilometre kilometer
length: 0.0254 in inch inches; 0.3048 ft foot feet; 0.9144 yd yard; 1609.344 mi mile; 1852 nmi nautical_mile
length: 149597870700 au astronomical_unit; 9460730472580800 ly light-year light_year
mass: 0.000001 mg milligram; 0.001 g gram; 1 kg kilogram kilogramme kilo; 1000 t tonne metric_ton
mass: 0.45359237 lb lbs pound_mass; 0.028349523125 oz ounce
time: 0.001 ms millisecond; 1 s sec second; 60 min mins minute; 3600 h hr hrs hour; 86400 d day; 604800 wk week
time: 31557600 yr yrs year
month: 1 month mo
speed: 1 m/s metres_per_second meters_per_second m_per_second; 1000 km/s km_per_second kilometres_per_second
speed: 1000 kilometers_per_second; 0.2777777777777777777777777778 km/h kph kilometres_per_hour kilometers_per_hour
speed: 0.2777777777777777777777777778 km_per_hour km_an_hour kilometres_an_hour kilometers_an_hour
speed: 0.44704 mph miles_per_hour miles_an_hour; 0.5144444444444444444444444444 kn knot
area: 1 m2 sq_m square_metre square_meter; 10000 ha hectare; 1000000 km2 sq_km square_kilometre square_kilometer
area: 4046.8564224 acre; 2589988.110336 sq_mi mi2 square_mile; 0.09290304 sq_ft ft2 square_foot square_feet
volume: 0.001 l litre liter; 1 m3 cubic_metre cubic_meter; 1000000000 km3 cubic_kilometre cubic_kilometer
power: 1 w watt; 1000 kw kilowatt; 1000000 mw megawatt; 1000000000 gw gigawatt
energy: 1 kwh; 1000 mwh; 1000000 gwh; 1000000000 twh
frequency: 1 hz hertz; 1000 khz kilohertz; 1000000 mhz megahertz; 1000000000 ghz gigahertz
pressure: 1 pa pascal; 100 hpa; 1000 kpa; 100000 bar; 100 mbar millibar; 101325 atm atmosphere
density: 1 kg/m3; 1000 g/cm3
acceleration: 1 m/s2
celsius: 1 °c degrees_celsius degree_celsius
fahrenheit: 1 °f degrees_fahrenheit degree_fahrenheit
kelvin: 1 k kelvin kelvins
angle: 1 ° deg degree
share: 1 % percent per_cent
dollar: 1 $ us$ usd dollar us_dollar
euro: 1 € eur euro
pound: 1 £ gbp pound
yen: 1 ¥ jpy yen
"""
"""A dimension, then its units: the factor to the base unit, and the names."""

_SCALES = SCALES | {"k": 3, "thousands": 3, "mn": 6, "millions": 6, "bn": 9, "billions": 9, "trillions": 12}
_SCALE = re.compile(r"^(?:[×x*·]\s*)?10\^?([+-]?\d{1,3})(?!\d)\s*")
_CASED = {"M", "MM", "T", "KM", "G", "H", "D", "S", "L", "MS"}  # not SI: `M` is million or mega, never metre


def _known() -> dict[str, Measure]:
    found: dict[str, Measure] = {}
    for line in _TABLE.strip().splitlines():
        dimension, units = line.split(": ")
        for factor, *names in (unit.split() for unit in units.split("; ")):
            for spelled in (name.replace("_", " ") for name in names):
                found[spelled] = Measure(spelled, dimension, Decimal(factor))
    return found


UNITS = _known()


def parse_measure(text: str) -> Measure | None:
    """Read `km`, `million US$`, `10^21 kg` or `thousands`; None where the words name no unit that is known.

    The empty text is the bare number; `K` alone is kelvin, `k` alone a thousand.
    """
    written = " ".join(text.replace("\u2212", "-").split())
    rest = written.translate(SUPERSCRIPTS)
    if not rest:
        return BARE
    scale = Decimal(1)
    if (power := _SCALE.match(rest)) and rest != "10":
        scale, rest = Decimal(10) ** int(power[1]), rest[power.end() :]
    words = [word for word in rest.split(" ") if word]
    for end in (0, -1):
        if words and words[end].casefold() in _SCALES and words[end] != ("K" if len(words) == 1 else "k"):
            scale *= Decimal(10) ** _SCALES[words.pop(end).casefold()]
    unit = _unit(" ".join(words))
    return None if unit is None else Measure(written, unit.dimension, unit.factor * scale)


def _unit(text: str) -> Measure | None:
    if not text:
        return BARE
    if text in _CASED:
        return None
    folded = text.casefold().removesuffix(".").removeprefix("of ").strip()
    for spelled in (text, folded, folded.removesuffix("s") if len(folded) > 3 else folded):
        if spelled in UNITS:
            return UNITS[spelled]
    return None


def leading_measure(words: Sequence[str]) -> tuple[Measure, int]:
    """Return the unit or scale that begins some words, and how many of them are it; a bare number and none without one.

    `in` alone is a preposition, not an inch.
    """
    for width in (3, 2, 1):
        measure = parse_measure(" ".join(words[:width]).rstrip(".:!?")) if len(words) >= width else None
        if measure is not None and measure != BARE and words[:width] != ["in"]:
            return measure, width
    return BARE, 0


_IN_BRACKETS = re.compile(r"[(\[]([^()\[\]]*)[)\]]")
_AFTER_COMMA = re.compile(r"(?:,|\bin\b)\s*([^,]+)$")


def header_measure(name: str) -> Measure:
    """Return the measure that a column name states: `Diameter (km)`, `Mass, kg`, `Height in m`; else bare."""
    for found in (*reversed(_IN_BRACKETS.findall(name)), *_AFTER_COMMA.findall(name)):
        measure = parse_measure(found.strip().removeprefix("in ").strip())
        if measure is not None and measure != BARE:
            return measure
    return BARE


def header_words(name: str) -> str:
    """Return a column name without its unit and footnote marks."""
    bare = _IN_BRACKETS.sub(" ", name)
    found = _AFTER_COMMA.search(bare)
    if found and parse_measure(found[1].strip()) not in (None, BARE):
        bare = bare[: found.start()]
    return " ".join(bare.split())


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
HOURS_AND_MINUTES = "h min"
"""What durations of several units are written in."""
_SECONDS = {"d": 86400, "h": 3600, "m": 60, "s": 1}

_DECIMAL_COMMA = re.compile(r"(?<=\d),(?=\d{1,2}(?![\d,]))(?<![.,]\d,)(?<![.,]\d\d,)(?<![.,]\d\d\d,)")
"""The comma of `9,50`; that of `1,250` sets thousands apart."""
_ASIDE = re.compile(r"(?<=\S)\s*\([^()]*\)\s*$")
LONGEST_FIGURE = 200
"""Characters of a cell, or of a date, beyond which it is prose or a list and no figure with a unit."""
_MISSING = frozenset(
    {"", "-", "--", "?", "n/a", "na", "none", "unknown", "tba", "tbd", "tbc", "nil", "n.a.", "no data", "..."}
)
_NO_SUCH_THING = frozenset({"none", "nil"})
_EXTENTS = frozenset({"wide", "high", "tall", "long", "deep", "across", "thick"})


def is_missing(text: str) -> bool:
    """Say whether a cell states that there is no value: empty, a dash, `n/a`, `unknown`."""
    return plain(text).casefold() in _MISSING


def states_none(text: str) -> bool:
    """Say whether a cell states that there is no such thing, where an empty one leaves open whether there is."""
    return plain(text).casefold() in _NO_SUCH_THING


def parse_quantity(text: str, header: Measure = BARE) -> Value | None:
    """Read one figure with its unit, or `header`'s; None for bounds (`<5`, `100+`), lists and anything not understood.

    A conversion or remark in brackets at the end is left aside: `828 m (2,717 ft)` is 828 metres.
    """
    shown = without_marks(text)
    cell = _DECIMAL_COMMA.sub(".", _ASIDE.sub("", plain(shown)))
    if cell.startswith("(") or not cell or len(cell) > LONGEST_FIGURE:
        return None
    return _duration(cell, shown) or _fraction(cell, shown, header) or _number(cell, shown, header)


CLOCK_TIME = Measure("min", "clock", Decimal(60))
"""Of a time of day; the time between two is told in minutes."""
_TIME_OF_DAY = re.compile(r"(?P<hours>[01]?\d|2[0-4])[:.](?P<minutes>[0-5]\d)\s*(?P<half>[ap]\.?m\.?)?", re.IGNORECASE)
_HALF_DAY = re.compile(
    r"\s?(?:o['’]?clock)?\s?(?:(?P<half>[ap])\.?m\b|(?:in the|at) (?P<part>morning|afternoon|evening|night))",
    re.IGNORECASE,
)


def parse_clock(text: str) -> Value | None:
    """Read a time of day, `07:30` or `7:30 pm`; None for anything else."""
    shown = without_marks(text)
    found = _TIME_OF_DAY.fullmatch(shown)
    if found is None:
        return None
    half, hours = (found["half"] or "").casefold()[:1], int(found["hours"])
    hours = hours % 12 + (12 if half == "p" else 0) if half else hours
    seconds = Decimal(hours * 3600 + int(found["minutes"]) * 60)
    return Value(seconds, seconds, shown, False, CLOCK_TIME)


def clocks(figure: str, behind: str) -> Iterator[str]:
    """Yield the times of day that a figure may be as a clock shows them: of hours up to twelve two, if none is said."""
    hours, _, minutes = figure.partition(":")
    if not hours.isdigit() or int(hours) > 24:
        return
    spoken = _HALF_DAY.match(f"{minutes[2:]}{behind}")
    if int(hours) > 12:
        yield f"{int(hours):02}:{minutes[:2] or '00'}"
        return
    early = spoken and (spoken["half"] or spoken["part"]).casefold() in ("a", "morning")
    for later in (False, True):
        if spoken and later == early:
            continue
        yield f"{int(hours) % 12 + 12 * later:02}:{minutes[:2] or '00'}"


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
    measure = Measure(HOURS_AND_MINUTES, "time", Decimal(1))
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
