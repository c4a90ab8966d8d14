"""General English: words for one thing, what verbs measure, adjectives of places, and words that add nothing."""

from collections.abc import Iterable
from functools import lru_cache

from heliograph.text.names import PERSONS
from heliograph.text.words import akin, stem, stems, word_list
from tools.arithmetic.superlatives import Idea

_ALIKE = """
find found discovered discoverer discovery spotted spot detected seen | film movie title | country nation |
arrived arrival reached reach | started began begin start | coloured colour color | manufacturer made maker |
directed director | written writer wrote write author | sung sing singer sang | designed architect designer design |
built build builder construct | won win winner champion victory | lost lose loss defeat | scored score |
led lead leader head | operated operator agency run ran operation operate | commanded commander |
launched launch | departed departure | opened opening inaugurated |
released release publish published premiere premiered | gross earned earnings takings revenue grossed |
collect collected gather gathered bring brought retrieve retrieved |
attendance spectators crowd watched | failure fail failed unsuccessful | success succeed successful |
largest biggest greatest | picture image photograph photo |
share percentage proportion fraction | ascent climbed climb ascended | fell fall demolished | elected election |
population inhabitants people residents live populated | married wife husband spouse |
deaths killed kill die died fatalities dead casualties | reign reigned ruled rule | sold sales copies sell |
listed tabulated list table
"""
_GROUPS = tuple(frozenset(stems(group)) for group in _ALIKE.split("|"))
_GROUPS_OF = {
    word: frozenset(number for number, group in enumerate(_GROUPS) if word in group)
    for word in frozenset[str]().union(*_GROUPS)
}

_NO_GROUP: frozenset[int] = frozenset()

_PLACES = {
    "american": "united states", "british": "united kingdom", "french": "france", "dutch": "netherlands",
    "spanish": "spain", "swiss": "switzerland", "greek": "greece", "welsh": "wales", "danish": "denmark",
    "irish": "ireland", "polish": "poland", "turkish": "turkey", "emirati": "united arab emirates",
    "northern": "north", "southern": "south", "eastern": "east", "western": "west",
    "usa": "united states", "us": "united states", "uk": "united kingdom", "america": "united states",
    "britain": "united kingdom", "norwegian": "norway", "portuguese": "portugal", "argentine": "argentina",
    "peruvian": "peru", "english": "england", "icelandic": "iceland",
    "finnish": "finland", "czech": "czechia",
}  # fmt: skip
PLACES = {stem(word): stems(place) for word, place in _PLACES.items()}
"""Adjectives of places whose noun they do not resemble; `italian` is found by its ending."""
_ADJECTIVE = ("ari", "ian", "ean", "ese", "ish", "an", "i")

_MEASURED: dict[Idea, str] = {
    "extent": "survive last operate work function stay remain spend spent endure live lived time duration run transmit",
    "mass": "weigh weight mass",
    "cost": "cost spend spent price budget",
    "distance": "drive driven travel cover covered sail sailed walk come came fly flew pass approach get got",
    "height": "rise tower stand height altitude tall",
    "width": "width across wide measure",
}
VERBS: dict[str, frozenset[Idea]] = {
    stem(word): frozenset(idea for idea, others in _MEASURED.items() if word in word_list(others))
    for listed in _MEASURED.values()
    for word in word_list(listed)
}
"""Words that say by what their subject is measured: what survives longest has the greatest duration."""

LIGHT = frozenset(
    stems(
        "still yet already now simply directly finally officially successfully briefly originally hold out need round "
        "around "
        "win won bring brought back home return returned carry carried take took taken make made get got go went come "
        "came do did happen happened occur place amount quantity send sent visit date day year whole entire list "
        "listed table tabulated given according recorded record here respectively together ended end resulted result "
        "called one ones among per item number total altogether down up out put set lie lies stood stand long lived "
        "material merely really actually ever even outright over above off away through there kept keep receive "
        "received gained gain if me tell give name identify state show known named which managed manage complete "
        "fully count counted counting many much first-ever world time times tall people person because while once "
        "again roughly about approximately exactly overall combined sum add added figure value values score scored "
        "measured measure held hold hosted host stretched part belong include including only no see stated you must "
        "we say today currently left typical typically usual average mean big large something anything but too them "
        "it during amongst within across between compare full fullest exact precise single new use used against "
        "suffer suffered enjoy enjoyed appear appeared feature produce produced aboard board order share way"
    )
) - frozenset(stems("left no but"))
"""Words that add nothing to what is computed: they tell how an amount came about, or speak of the table itself."""

SITES = stems("site location place venue city country region where hemisphere stadium town")
PEOPLE = PERSONS | {"name"}
PEOPLE_ENDINGS = ("ist", "ian")
"""What the column of people's names is called."""


@lru_cache(maxsize=65_536)
def alike(left: str, right: str) -> bool:
    """Say whether two stems name one thing in a question and a table."""
    grouped = not _GROUPS_OF.get(left, _NO_GROUP).isdisjoint(_GROUPS_OF.get(right, _NO_GROUP))
    return grouped or akin(left, right) or _of_place(left, right) or _of_place(right, left)


def among(word: str, others: Iterable[str]) -> bool:
    """Say whether one of several stems names the same thing as a word."""
    return any(alike(word, other) for other in others)


def _of_place(adjective: str, noun: str) -> bool:
    """Say whether one is the adjective of the other: `italian` of `itali`, `soviet` of itself."""
    if PLACES.get(adjective) == (noun,):
        return True
    ending = next((ending for ending in _ADJECTIVE if adjective.endswith(ending)), "")
    root = adjective.removesuffix(ending)
    return bool(ending) and len(root) >= 4 and noun.startswith(root) and len(noun) - len(root) <= 3
