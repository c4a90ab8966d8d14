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
length: 0.001 mm millimetre millimeter; 0.01 cm centimetre centimeter; 1 m metre meter; 1000 km kilometre kilometer
length: 0.0254 in inch inches; 0.3048 ft foot feet; 0.9144 yd yard; 1609.344 mi mile; 1852 nmi nautical_mile
length: 149597870700 au astronomical_unit; 9460730472580800 ly light-year light_year
mass: 0.000001 mg milligram; 0.001 g gram; 1 kg kilogram kilogramme; 1000 t tonne metric_ton
mass: 0.45359237 lb lbs pound_mass; 0.028349523125 oz ounce
time: 0.001 ms millisecond; 1 s sec second; 60 min mins minute; 3600 h hr hrs hour; 86400 d day; 604800 wk week
time: 31557600 yr yrs year earth_year
month: 1 month mo
speed: 1 m/s metres_per_second meters_per_second; 1000 km/s kilometres_per_second kilometers_per_second
speed: 0.2777777777777777777777777778 km/h kph kilometres_per_hour kilometers_per_hour; 0.44704 mph miles_per_hour
speed: 0.5144444444444444444444444444 kn knot
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
jupiter radius: 1 rj
earth mass: 1 m⊕
"""
"""A dimension, then its units: the factor to the base unit, and the names."""

_SCALES = {"hundred": 2, "thousand": 3, "thousands": 3, "k": 3, "million": 6, "millions": 6, "mn": 6, "billion": 9}
_SCALES |= {"billions": 9, "bn": 9, "trillion": 12, "trillions": 12}
_POWER = re.compile(r"^(?:[×x*·]\s*)?10\^?([+-]?\d{1,3})(?!\d)\s*")
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")
_CASED = {"M", "MM", "T", "KM", "G", "H", "D", "S", "L", "MS"}  # not SI: `M` is million or mega, never metre


def _known() -> dict[str, Measure]:
    found: dict[str, Measure] = {}
    for line in _TABLE.strip().splitlines():
        dimension, units = line.split(": ")
        for factor, *names in (unit.split() for unit in units.split("; ")):
            for spelled in (name.replace("_", " ") for name in names):
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
