"""What superlatives and comparatives mean: a direction, and the columns whose values they order."""

import re
from dataclasses import dataclass
from typing import Literal, get_args

from heliograph.text.numbers import NUMBER_WORDS, ORDINALS
from heliograph.text.words import word_list

Idea = Literal[
    "size", "mass", "date", "extent", "height", "depth", "speed", "distance", "heat", "cost", "density", "width",
    "population", "gross", "sales", "traffic", "deaths", "power", "rain", "wealth", "stated",
]  # fmt: skip

_IDEAS = """
size|diameter radius size area population width dimension dimensions|largest, biggest, greatest|smallest|\
larger bigger|smaller|large big small
mass|mass weight|heaviest, most massive|lightest, least massive|heavier|lighter|heavy massive
date|date year launch launched discovered discovery opened founded completed built released born established \
introduced season|most recently, most recent, latest, newest, youngest, last|earliest, oldest, first|later|earlier|\
old young
extent|duration length runtime running time|longest|shortest|longer|shorter|long short
height|height elevation altitude peak|tallest, highest|lowest|taller higher|lower|tall high low
depth|depth|deepest|shallowest|deeper|shallower|deep
speed|speed velocity|fastest|slowest|faster|slower|fast
distance|distance altitude|farthest, furthest, most distant, outermost|closest, nearest, innermost|\
farther further|closer nearer|far close
heat|temperature heat|hottest, warmest|coldest, coolest|hotter warmer|colder cooler|hot warm cold
cost|cost price budget fee|most expensive, costliest|least expensive, cheapest|||expensive
density|density|densest, most densely populated, most dense|least dense, least densely populated, most sparsely \
populated|denser||dense
width|width span diameter|widest|narrowest|wider|narrower|wide across
population|population|most populous, most populated|least populous, least populated
gross|gross revenue|highest-grossing, highest grossing
sales|sales copies|best-selling, best selling
traffic|passengers visitors attendance|busiest, most visited
deaths|deaths killed fatalities casualties dead victims|deadliest, bloodiest
power|power strength magnitude thrust|strongest, most powerful|weakest, least powerful
rain|rain rainfall precipitation|wettest|driest
wealth|wealth gdp income|richest, wealthiest|poorest
stated||maximum, most|minimum, fewest, least
"""
"""An idea; the column words that it is measured by; superlatives up and down; comparatives up and down; adjectives.

`stated` ideas name their column in the question.
"""
_ROWS: dict[Idea, list[str]] = {
    idea: [*line.split("|")[1:], *[""] * 5]
    for line in _IDEAS.strip().splitlines()
    for idea in get_args(Idea)
    if line.startswith(f"{idea}|")
}
COLUMNS: dict[Idea, tuple[str, ...]] = {idea: word_list(row[0]) for idea, row in _ROWS.items()}


@dataclass(frozen=True, slots=True)
class Superlative:
    """The idea behind a superlative, and whether its top is the greatest value (for dates: the latest)."""

    idea: Idea
    descending: bool


SUPERLATIVES: dict[str, Superlative] = {
    word: Superlative(idea, place == 1)
    for idea, row in _ROWS.items()
    for place in (1, 2)
    for word in row[place].split(", ")
    if word
}
_BY_LENGTH = sorted(SUPERLATIVES, key=lambda word: (-len(word), word))
COUNTS = {word: number for word, number in NUMBER_WORDS.items() if number > 1}

_PLACES = "|".join(word for word, place in ORDINALS.items() if place > 1)
_NUMBERS = "|".join((*COUNTS, r"\d{1,2}"))
SUPERLATIVE = (
    rf"(?:(?P<place>{_PLACES})[ -])?(?:(?P<take>{_NUMBERS}) )?(?P<superlative>{'|'.join(map(re.escape, _BY_LENGTH))})"
    rf"(?: (?P<taken>{_NUMBERS})(?= ))?(?![\w-])"
)
"""`largest`, `second largest`, `three largest`, `last three`."""

COMPARATIVES: dict[str, Idea] = {word: idea for idea, row in _ROWS.items() for word in word_list(f"{row[3]} {row[4]}")}
SMALLER = frozenset({"less", "fewer", *(word for row in _ROWS.values() for word in word_list(row[4]))})
ADJECTIVE_IDEAS: dict[str, Idea] = {word: idea for idea, row in _ROWS.items() for word in word_list(row[5])}
ADJECTIVES = "|".join(ADJECTIVE_IDEAS)
