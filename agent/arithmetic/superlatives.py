"""What superlatives and comparatives mean: a direction, and the columns whose values they order."""

import re
from dataclasses import dataclass
from typing import Literal

from agent.arithmetic.words import word_list

Idea = Literal[
    "size", "mass", "date", "extent", "height", "depth", "speed", "distance", "heat", "cost", "density", "width",
    "population",
    "gross", "sales", "traffic", "deaths", "power", "rain", "wealth", "stated",
]  # fmt: skip

COLUMNS: dict[Idea, tuple[str, ...]] = {
    "size": ("diameter", "radius", "size", "area", "population", "width", "dimension", "dimensions"),
    "mass": ("mass", "weight"),
    "date": ("date", "year", "launch", "launched", "discovered", "discovery", "opened", "founded", "completed",
             "built", "released",
             "born", "established", "introduced", "season"),
    "extent": ("duration", "length", "runtime", "running", "time"),
    "height": ("height", "elevation", "altitude", "peak"),
    "depth": ("depth",),
    "speed": ("speed", "velocity"),
    "distance": ("distance", "altitude", "approach"),
    "heat": ("temperature", "heat"),
    "cost": ("cost", "price", "budget", "fee"),
    "density": ("density",),
    "width": ("width", "span", "diameter"),
    "population": ("population",),
    "gross": ("gross", "revenue"),
    "sales": ("sales", "copies"),
    "traffic": ("passengers", "visitors", "attendance"),
    "deaths": ("deaths", "killed", "fatalities", "casualties", "dead", "victims"),
    "power": ("power", "strength", "magnitude", "thrust"),
    "rain": ("rain", "rainfall", "precipitation"),
    "wealth": ("wealth", "gdp", "income"),
    "stated": (),
}  # fmt: skip
"""Column words that an idea is measured by; `stated` ideas name their column in the question."""


@dataclass(frozen=True, slots=True)
class Superlative:
    """The idea behind a superlative, and whether its top is the greatest value (for dates: the latest)."""

    idea: Idea
    descending: bool


_LISTED: dict[tuple[Idea, bool], str] = {
    ("size", True): "largest, biggest, greatest",
    ("size", False): "smallest",
    ("mass", True): "heaviest, most massive",
    ("mass", False): "lightest, least massive",
    ("date", True): "most recently, most recent, latest, newest, youngest, last",
    ("date", False): "earliest, oldest, first",
    ("extent", True): "longest",
    ("extent", False): "shortest",
    ("height", True): "tallest, highest",
    ("height", False): "lowest",
    ("depth", True): "deepest",
    ("depth", False): "shallowest",
    ("speed", True): "fastest",
    ("speed", False): "slowest",
    ("distance", True): "farthest, furthest, most distant, outermost",
    ("distance", False): "closest, nearest, innermost",
    ("heat", True): "hottest, warmest",
    ("heat", False): "coldest, coolest",
    ("cost", True): "most expensive, costliest",
    ("cost", False): "least expensive, cheapest",
    ("density", True): "densest, most densely populated, most dense",
    ("density", False): "least dense, least densely populated, most sparsely populated",
    ("width", True): "widest",
    ("width", False): "narrowest",
    ("population", True): "most populous, most populated",
    ("population", False): "least populous, least populated",
    ("gross", True): "highest-grossing, highest grossing",
    ("sales", True): "best-selling, best selling",
    ("traffic", True): "busiest, most visited",
    ("deaths", True): "deadliest, bloodiest",
    ("power", True): "strongest, most powerful",
    ("power", False): "weakest, least powerful",
    ("rain", True): "wettest",
    ("rain", False): "driest",
    ("wealth", True): "richest, wealthiest",
    ("wealth", False): "poorest",
    ("stated", True): "maximum, most",
    ("stated", False): "minimum, fewest, least",
}
SUPERLATIVES: dict[str, Superlative] = {
    word: Superlative(idea, descending) for (idea, descending), listed in _LISTED.items() for word in listed.split(", ")
}
_BY_LENGTH = sorted(SUPERLATIVES, key=lambda word: (-len(word), word))
POSITIONS = {
    word: place
    for place, listed in enumerate(
        ("first 1st", "second 2nd", "third 3rd", "fourth 4th", "fifth 5th", "sixth 6th", "seventh 7th", "eighth 8th",
        "ninth 9th",
         "tenth 10th"), 1,
    )
    for word in listed.split()
}  # fmt: skip
COUNTS = {word: number for number, word in enumerate(word_list("two three four five six seven eight nine ten"), 2)}

_PLACES = "|".join(word for word, place in POSITIONS.items() if place > 1)
_NUMBERS = "|".join((*COUNTS, r"\d{1,2}"))
SUPERLATIVE = (
    rf"(?:(?P<place>{_PLACES})[ -])?(?:(?P<take>{_NUMBERS}) )?(?P<superlative>{'|'.join(map(re.escape, _BY_LENGTH))})"
    rf"(?: (?P<taken>{_NUMBERS})(?= ))?(?![\w-])"
)
"""`largest`, `second largest`, `three largest`, `last three`."""

COMPARATIVES: dict[str, Idea] = {
    "larger": "size", "bigger": "size", "smaller": "size", "heavier": "mass", "lighter": "mass", "longer": "extent",
    "shorter": "extent", "taller": "height", "higher": "height", "lower": "height", "deeper": "depth",
    "faster": "speed",
    "slower": "speed", "farther": "distance", "further": "distance", "closer": "distance", "hotter": "heat",
    "colder": "heat",
    "wider": "width", "later": "date", "earlier": "date",
}  # fmt: skip
SMALLER = frozenset(
    {"smaller", "lighter", "shorter", "lower", "slower", "closer", "colder", "earlier", "less", "fewer"}
)
ADJECTIVE_IDEAS: dict[str, Idea] = {
    "large": "size", "big": "size", "small": "size", "long": "extent", "short": "extent", "tall": "height",
    "high": "height",
    "low": "height", "deep": "depth", "fast": "speed", "far": "distance", "heavy": "mass", "massive": "mass",
    "old": "date",
    "young": "date", "hot": "heat", "cold": "heat", "wide": "width", "across": "width",
    "expensive": "cost", "dense": "density",
}  # fmt: skip
ADJECTIVES = "|".join(ADJECTIVE_IDEAS)
