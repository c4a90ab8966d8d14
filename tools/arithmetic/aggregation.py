"""Tell questions that only arithmetic over several rows can answer from those that a sentence may answer."""

import re

from heliograph.text.numbers import ORDINALS
from heliograph.text.units import parse_measure
from heliograph.text.words import STOP_WORDS
from tools.arithmetic.request import COUNTS, LONGEST_QUESTION, SUPERLATIVES, read_request

_NUMBER = COUNTS
_MEAN = re.compile(r"\b(?:on (?:the )?average|(?:the|an) (?:average|mean) (?!of\b)\w+)\b", re.IGNORECASE)
_SUM = re.compile(
    r"\b(?:in total|altogether|all together|in all|all told|(?:taken|put|added|add) together|add(?:ed|ing)? up|"
    r"combined|(?:the )?(?:sum|total) of|the (?:total|overall) \w+|summed|together)\b",
    re.IGNORECASE,
)
_SEVERAL = re.compile(
    rf"\b(?:all (?:of )?(?:the|its|his|her|their|these|those)?|these|those|listed|tabulated|"
    rf"(?:the|its|his|her|their|all|of|those|\w+'s) (?:{_NUMBER}))\b"
    r"|\b(?:of|by|for|across|among|did|do|were|over) (?:the|its|his|her|their) "
    r"(?P<noun>(?:[A-Za-z][\w-]* ){0,3}(?-i:[a-z])[\w-]*[^s\W]s)\b",
    re.IGNORECASE,
)
_COUNT = re.compile(
    r"\bhow many (?:of (?:the|its|his|her|their|these|those|all)\b|(?:listed|tabulated)\b)"
    r"|^(?:of|among|out of) (?:all )?(?:the|its|these|those)\b[^,]*, how many\b",
    re.IGNORECASE,
)
_COMPARED = re.compile(
    r"\bhow many (?P<noun>[a-z][\w-]*s)\b.* (?:more|less|fewer|larger|bigger|longer|taller|higher|heavier|smaller|"
    r"shorter|wider|deeper|over|above|below|under) (?:than )?(?:an?|\d[\d,.]*|[a-z]+) (?!of\b)[a-z]+",
    re.IGNORECASE,
)
_PLACES = "|".join(place for place, number in ORDINALS.items() if number > 1)
_SUPERLATIVE = "|".join(sorted((word for word in SUPERLATIVES if word not in ("first", "last")), key=len, reverse=True))
_NTH = re.compile(
    rf"\b(?:{_PLACES})[ -](?:{_SUPERLATIVE})\b"
    rf"|\b(?:ranked|ordered|sorted) by\b.*\b(?:comes?|is|ranks?) (?:{_PLACES})\b"
    rf"|^after [^,]+, (?:which|what|who) .*\b(?:{_SUPERLATIVE})\b|\b(?:listed|tabulated)\b.*\b(?:{_SUPERLATIVE})\b"
    rf"|\b(?:comes?|came|ranks?|ranked) (?:{_PLACES}) (?:by|in|among|of)\b",
    re.IGNORECASE,
)


def asks_aggregation(question: str) -> bool:
    """Say whether a question can only be answered by arithmetic over several rows.

    These are averages and totals over several things, counts out of a list, and places after the first in an order. A
    plain superlative is none, since a sentence may state it.
    """
    if len(question) > LONGEST_QUESTION:
        return False
    text = " ".join(question.split()).rstrip("?!. ").replace("’", "'")
    if _COUNT.search(text) or _NTH.search(text):
        return True
    compared = _COMPARED.search(text)
    if compared and not parse_measure(compared["noun"]):
        return True
    return bool(_MEAN.search(text) or _SUM.search(text)) and _speaks_of_several(text)


def asks_several(question: str) -> bool:
    """Say whether no single row by itself answers: a yes or no, a comparison, a total, or a list of items."""
    asked = read_request(question)
    if asked is None:
        return False
    listed = asked.many and asked.wanted in ("which", "what", "when")
    return bool(asked.wanted == "yes_no" or asked.comparative or asked.summed or listed)


def _speaks_of_several(text: str) -> bool:
    """Say whether the things that are added up are several; units of measure are none."""
    for found in _SEVERAL.finditer(text):
        noun = (found["noun"] or "things").split()[-1]
        if not parse_measure(noun) and noun not in STOP_WORDS:
            return True
    return False


_SECOND = re.compile(
    r",? and (?P<second>(?:(?:in|by|for|on|to|at) )?(?:who|whom|when|where|how|which|what|why)\b)", re.IGNORECASE
)
FIRST_WORDS = 4
"""Words of a question before which no second one hangs on it: "When and where …"."""


def split_questions(question: str) -> tuple[str, str]:
    """Split off a second question that hangs on the first: "Which is the largest, and who found it?"; empty if none."""
    found = _SECOND.search(question)
    if found is None or len(question[: found.start()].split()) < FIRST_WORDS:
        return question, ""
    return question[: found.start()], question[found.start("second") :]
