"""Units of measure: which are convertible into one another, and by what factor."""

import re
from dataclasses import dataclass
from decimal import Decimal


@dataclass(frozen=True, slots=True)
class Measure:
    """How the figures of a column are to be read: a unit as written, its dimension, and the factor to the base unit.

    The factor includes words of scale: `million km` is 10⁹ metres. No dimension means a bare number.
    """

    text: str = ""
    dimension: str = ""
    factor: Decimal = Decimal(1)


BARE = Measure()

_TABLE = """
length|mm millimetre millimeter|0.001
length|cm centimetre centimeter|0.01
length|m metre meter|1
length|km kilometre kilometer|1000
length|in inch inches|0.0254
length|ft foot feet|0.3048
length|yd yard|0.9144
length|mi mile|1609.344
length|nmi nautical_mile|1852
length|au astronomical_unit|149597870700
length|ly light-year light_year|9460730472580800
mass|mg milligram|0.000001
mass|g gram|0.001
mass|kg kilogram kilogramme|1
mass|t tonne metric_ton|1000
mass|lb lbs pound_mass|0.45359237
mass|oz ounce|0.028349523125
time|ms millisecond|0.001
time|s sec second|1
time|min mins minute|60
time|h hr hrs hour|3600
time|d day|86400
time|wk week|604800
time|yr yrs year earth_year|31557600
month|month mo|1
speed|m/s metres_per_second meters_per_second|1
speed|km/s kilometres_per_second kilometers_per_second|1000
speed|km/h kph kilometres_per_hour kilometers_per_hour|0.2777777777777777777777777778
speed|mph miles_per_hour|0.44704
speed|kn knot|0.5144444444444444444444444444
area|m2 sq_m square_metre square_meter|1
area|ha hectare|10000
area|km2 sq_km square_kilometre square_kilometer|1000000
area|acre|4046.8564224
area|sq_mi mi2 square_mile|2589988.110336
area|sq_ft ft2 square_foot square_feet|0.09290304
volume|l litre liter|0.001
volume|m3 cubic_metre cubic_meter|1
volume|km3 cubic_kilometre cubic_kilometer|1000000000
power|w watt|1
power|kw kilowatt|1000
power|mw megawatt|1000000
power|gw gigawatt|1000000000
energy|kwh|1
energy|mwh|1000
energy|gwh|1000000
energy|twh|1000000000
frequency|hz hertz|1
frequency|khz kilohertz|1000
frequency|mhz megahertz|1000000
frequency|ghz gigahertz|1000000000
pressure|pa pascal|1
pressure|hpa|100
pressure|kpa|1000
pressure|bar|100000
pressure|mbar millibar|100
pressure|atm atmosphere|101325
density|kg/m3|1
density|g/cm3|1000
acceleration|m/s2|1
celsius|°c degrees_celsius degree_celsius|1
fahrenheit|°f degrees_fahrenheit degree_fahrenheit|1
kelvin|k kelvin kelvins|1
angle|° deg degree|1
share|% percent per_cent|1
dollar|$ us$ usd dollar us_dollar|1
euro|€ eur euro|1
pound|£ gbp pound|1
yen|¥ jpy yen|1
jupiter radius|rj|1
earth mass|m⊕|1
"""

_SCALES = {"hundred": 2, "thousand": 3, "thousands": 3, "k": 3, "million": 6, "millions": 6, "mn": 6, "billion": 9}
_SCALES |= {"billions": 9, "bn": 9, "trillion": 12, "trillions": 12}
_POWER = re.compile(r"^(?:[×x*·]\s*)?10\^?([+-]?\d{1,3})(?!\d)\s*")
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")
_CASED = {"M", "MM", "T", "KM", "G", "H", "D", "S", "L", "MS"}  # not SI: `M` is million or mega, never metre


def _known() -> dict[str, Measure]:
    found: dict[str, Measure] = {}
    for line in _TABLE.strip().splitlines():
        dimension, names, factor = line.split("|")
        for name in names.split():
            spelled = name.replace("_", " ")
            found[spelled] = Measure(spelled, dimension, Decimal(factor))
    return found


_UNITS = _known()


def parse_measure(text: str) -> Measure | None:
    """Read `km`, `million US$`, `10^21 kg` or `thousands`; None where the words name no unit that is known.

    The empty text is the bare number.
    """
    written = " ".join(text.replace("\u2212", "-").split())
    rest = written.translate(_SUPERSCRIPTS)
    if not rest:
        return BARE
    scale = Decimal(1)
    if (power := _POWER.match(rest)) and rest != "10":
        scale, rest = Decimal(10) ** int(power[1]), rest[power.end() :]
    words = [word for word in rest.split(" ") if word]
    for end in (0, -1):
        if words and words[end].casefold() in _SCALES and (len(words) == 1 or words[end] != "k"):
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
        if spelled in _UNITS:
            return _UNITS[spelled]
    return None


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
