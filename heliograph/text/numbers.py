"""Numbers in words and in digits, and the one spelling in which cells and texts are read."""

import re
from functools import lru_cache

from heliograph.text.words import word_list

_ONES = word_list("one two three four five six seven eight nine")
_TEENS = word_list("ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen")
_TENS = word_list("twenty thirty forty fifty sixty seventy eighty ninety")
NUMBER_WORDS = {word: number for number, word in enumerate(("zero", *_ONES, *_TEENS))}
NUMBER_WORDS |= {word: 10 * number for number, word in enumerate(_TENS, 2)}
"""The words for 0 to 19, and for the tens."""
_PLACES = word_list("first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth")
ORDINALS = {word: number for number, word in enumerate(_PLACES, 1)}
ORDINALS |= {f"{number}{'th' if number > 3 else word[-2:]}": number for word, number in ORDINALS.items()}
"""The first twelve places, in words and in figures."""
SCALES = {"hundred": 2, "thousand": 3, "million": 6, "billion": 9, "trillion": 12}
"""Words of scale, and the powers of ten that they are."""
FRACTIONS = {"½": "1/2", "¼": "1/4", "¾": "3/4", "⅓": "1/3", "⅔": "2/3", "⅛": "1/8"}

_BELOW_HUNDRED = (
    rf"(?:(?:{'|'.join(_TENS)})(?:[- ](?:{'|'.join(_ONES)})\b)?|(?:{'|'.join((*_TEENS, *_ONES, 'zero'))})\b)"
)
_BELOW_THOUSAND = rf"(?:(?:{_BELOW_HUNDRED}|an?) hundred(?:(?: and)? {_BELOW_HUNDRED})?|{_BELOW_HUNDRED})"
SPELLED = rf"\b(?:(?:{_BELOW_THOUSAND}|a) thousand\b(?:,? (?:and )?{_BELOW_THOUSAND})?|{_BELOW_THOUSAND})\b"
"""A number below a million in words."""

LONGEST_KEPT = 200
"""Characters of a cell whose spelling is kept for the next question over its table."""
_FOOTNOTE = re.compile(r"(?<!\s)\s*+\[[^\[\]]{1,20}\]|(?<![*†‡§])[*†‡§]++(?=\s|$)|^[*†‡§]+")
_RAISED = re.compile(r"10([⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+)")
SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")
_FRACTION = re.compile(rf"\s*([{''.join(FRACTIONS)}])")
_GROUP = re.compile(r"(?<=\d)[\u00a0\u202f\u2009](?=\d{3}(?!\d))")


def spelled_number(phrase: str) -> int:
    """Return the worth of number words: `fourteen thousand four hundred`, `a hundred and fifteen`."""
    total = current = 0
    for word in re.findall("[a-z]+", phrase.casefold()):
        if word == "hundred":
            current = max(current, 1) * 100
        elif word == "thousand":
            total, current = max(current, 1) * 1000, 0
        else:
            current += NUMBER_WORDS.get(word, 0)
    return total + current


def in_digits(said: str) -> str:
    """Return a number in digits: `12`, `twelve`, `twelfth`, `12th`, and the `a` of `a day`."""
    folded = said.casefold()
    if said[0].isdigit():
        return re.sub(r"(?:st|nd|rd|th)$", "", folded)
    if folded in ("a", "an"):
        return "1"
    return str(ORDINALS[folded] if folded in ORDINALS else spelled_number(folded))


@lru_cache(maxsize=65_536)
def without_marks(text: str) -> str:
    """Return a cell as it may be shown: footnote marks gone, blanks single."""
    return " ".join(_FOOTNOTE.sub("", text).split())


def plain(text: str) -> str:
    """Return a cell in the spelling that the readers know: one dash, one blank, `10^27` for raised powers."""
    return (_plain if len(text) <= LONGEST_KEPT else _plain.__wrapped__)(text)


@lru_cache(maxsize=65_536)
def _plain(text: str) -> str:
    found = _RAISED.sub(lambda power: "10^" + power[1].translate(SUPERSCRIPTS), without_marks(_GROUP.sub(",", text)))
    found = _FRACTION.sub(lambda sign: f" {FRACTIONS[sign[1]]}", found)
    found = re.sub("[\u2010-\u2015\u2212]", "-", found).replace("\u2026", "...").translate(SUPERSCRIPTS)
    return " ".join(found.split())
