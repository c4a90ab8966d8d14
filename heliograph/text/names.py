"""Names in running text and in titles."""

import re
from itertools import dropwhile

from heliograph.text.words import STOP_WORDS

NAME = re.compile(
    r"\b[A-ZÀ-Þ][^\W\d_]*(?:[-'’.]+[^\W\d_]+)*\.?"
    r"(?: (?:(?:of|de|da|di|del|la|le|van|von|der|den|al|bin|ibn) )?[A-ZÀ-Þ][^\W\d_]*(?:[-'’.]+[^\W\d_]+)*)*"
)
_NUMBER = re.compile(r"( \d{1,3})\b(?![.,]\d)(?: ([a-z]+))?")


def names_in(text: str) -> tuple[str, ...]:
    """Return the runs of capitalised words of a text with the figures that number them, without words of grammar."""
    found: list[str] = []
    for match in NAME.finditer(text):
        said = tuple(dropwhile(lambda word: word.casefold() in STOP_WORDS, match.group().split()))
        if said and said[0][0].isupper():
            found.append(" ".join(said).rstrip(".") + _number(text, match.end()))
    return tuple(dict.fromkeys(found))


def _number(text: str, place: int) -> str:
    """Return the figure that numbers the name before a place: "Apollo 11 was", but not "Varn 3 boats"."""
    found = _NUMBER.match(text, place)
    if found is None:
        return ""
    counts = bool(found[2]) and found[2].endswith("s") and found[2] not in STOP_WORDS
    return "" if counts else found[1]


def plain(title: str) -> str:
    """Return a title without the words that tell it from others of its name: "Triton (moon)" is "Triton"."""
    return re.sub(r"(?<!\s)\s*+\([^()]*\)$", "", title)
