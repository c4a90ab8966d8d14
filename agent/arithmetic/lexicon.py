"""Words that stand for others in questions about tables, and what verbs measure."""

from agent.arithmetic.superlatives import Idea
from agent.arithmetic.words import akin, stem, stems, word_list

_GROUPS = tuple(
    frozenset(stems(group))
    for group in (
        "lunar moon moons",
        "solar sun",
        "martian mars",
        "venusian venus",
        "jovian jupiter",
        "find found discovered discoverer discovery",
        "commanded commander",
        "surface ground",
        "mission landing flight",
        "flyby pass encounter",
        "maria mare",
        "coronae corona",
        "arrived arrival reached",
        "started began begin start",
        "coloured colour color",
        "manufacturer made maker",
        "directed director",
        "written writer wrote author",
        "designed architect designer",
        "built builder",
        "won winner champion",
        "operated operator agency",
    )
)
NATIONS = {
    "american": "united states", "british": "united kingdom", "russian": "russia", "indian": "india",
    "chinese": "china", "japanese": "japan", "french": "france", "german": "germany", "italian": "italy",
    "spanish": "spain", "canadian": "canada", "australian": "australia", "northern": "north", "southern": "south",
    "eastern": "east", "western": "west",
}  # fmt: skip
"""Adjectives that name what a cell calls by its noun."""

_MEASURED: dict[Idea, str] = {
    "extent": "survive last operate work function stay remain spend spent endure live lived time duration",
    "mass": "weigh weight mass",
    "cost": "cost",
    "distance": "drive driven travel orbit come came fly flew pass approach get got",
}
VERBS: dict[str, Idea] = {stem(word): idea for idea, listed in _MEASURED.items() for word in word_list(listed)}
"""Verbs that say by what their subject is measured: what survives longest has the greatest duration."""

LIGHT = frozenset(
    stems(
        "win scored score bring brought back home return returned collect collected gather gathered carry carried "
        "take took taken make made get got go went come came do did happen occur place amount quantity send sent "
        "planetary visit date day year whole entire list listed table tabulated given according recorded here "
        "respectively together ended resulted called one ones among per item number total altogether down put set "
        "lie lies stood stand long-lived lived material"
    )
)
"""Words that add nothing to what is computed: they tell how an amount came about, or speak of the table itself."""

PLACES = stems("site location place venue city country region where hemisphere")


def alike(left: str, right: str) -> bool:
    """Say whether two stems name one thing in a question and a table."""
    return akin(left, right) or any(left in group and right in group for group in _GROUPS)
