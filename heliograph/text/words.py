"""Words as the question reader and the claim check compare them: lower-cased, stemmed, stop words set aside."""

import re
from collections.abc import Set
from functools import cache

import Stemmer

_STEMMER = Stemmer.Stemmer("english")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*|\d[\d,.]*\d|\d", re.UNICODE)
_POSSESSIVE = re.compile(r"['’]s?$")


def word_list(text: str) -> tuple[str, ...]:
    """Return the words of a lexicon that is written as one line of text."""
    return tuple(text.split())


STOP_WORDS = frozenset(
    word_list(
        "a an the of in on at to for from by with as and or is are was were be been being am it its this that "
        "these those there which who whom whose what when where how why do does did done has have had having "
        "will would can could may might shall should i you he she we they them his her their our your my me us "
        "also into onto about than then so such both each any all some very just only own same s t"
    )
)


@cache
def stem(word: str) -> str:
    """Reduce one word to the stem it is compared by; a possessive ending does not count."""
    return str(_STEMMER.stemWord(_POSSESSIVE.sub("", word.casefold())))


def words(text: str) -> tuple[str, ...]:
    """Return the words and figures of a text, in order, as written."""
    return tuple(_WORD.findall(text))


def stems(text: str) -> tuple[str, ...]:
    """Return the stems of all words of a text, in order."""
    return tuple(stem(word) for word in words(text))


def content_stems(text: str) -> tuple[str, ...]:
    """Return the stems of the words that carry meaning, in order."""
    return tuple(stem(word) for word in words(text) if word.casefold() not in STOP_WORDS)


_ENDINGS = frozenset(word_list("e i y ur er or eri ri ment ant ist ian ee"))
"""What a stemmer leaves of a noun made from a verb; `et` is none: a planet is no plan."""
_SHORTEST_AKIN = 4
"""Letters of the shorter of two stems from which they may be akin."""


def akin(left: str, right: str) -> bool:
    """Say whether two stems name one idea: equal, or a verb and its noun (`discov`, `discoveri`)."""
    if left == right:
        return True
    short, long = sorted((left, right), key=len)
    return len(short) >= _SHORTEST_AKIN and long.startswith(short) and long[len(short) :] in _ENDINGS


def akin_to_any(wanted: str, known: Set[str]) -> bool:
    """Say whether a stem is akin to any of those known; the time does not grow with their number."""
    if wanted in known:
        return True
    longer = len(wanted) >= _SHORTEST_AKIN and any(wanted + ending in known for ending in _ENDINGS)
    return longer or any(
        wanted.endswith(ending) and len(wanted) - len(ending) >= _SHORTEST_AKIN and wanted[: -len(ending)] in known
        for ending in _ENDINGS
    )
