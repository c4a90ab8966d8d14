"""The word of an archive that a word which it does not have may be a slip of.

libzim tells how many pages hold a word and not which words there are, so that slips are undone and asked for: all
strings that are one slip away (Norvig), a few hundred look-ups of 10 µs each.
"""

from collections.abc import Callable, Iterable
from functools import cache
from typing import TYPE_CHECKING

from heliograph.text.words import akin, stem, words

if TYPE_CHECKING:
    from spellchecker import SpellChecker

SHORTEST, LONGEST = 5, 20
"""Letters of a word that may be a slip: shorter ones are near to too many others, longer ones are no words."""
TWICE = 8
"""Letters from which a word may hold two slips; the word in its place then stands in a title."""
TITLES = 100
"""Titles that are looked at for such a word."""
STANDS_OUT = 10
"""How many times as many pages have the word that is taken as have any other."""


@cache
def dictionary() -> "SpellChecker":
    """Load the words of English, 0.1 s: none of them is a slip, whether or not an archive has it."""
    from spellchecker import SpellChecker

    return SpellChecker(language="en")


def nearest(word: str, pages: Callable[[str], int], titles: Callable[[str], Iterable[str]]) -> str:
    """Return the one word of an archive that is nearest to a word which it does not have; "" where none stands out.

    Words that differ in the last letter alone are two forms of one, as "Emirati" and "emirate", and neither is a slip.

    Args:
        word: in lower case; what has other letters than those of English has no slips that are known.
        pages: tells how many pages hold a word.
        titles: finds titles with a word that begins so.
    """
    if not (SHORTEST <= len(word) <= LONGEST and _is_plain(word)) or word in dictionary():
        return ""
    near = _slips(word)
    found = _held((each for each in near if each[:-1] != word[:-1]), pages)
    if not found and len(word) >= TWICE:
        named = {each.casefold() for title in titles(word[: TWICE // 2]) for each in words(title)}
        like = (each for each in named if abs(len(each) - len(word)) <= 2 and each[:-1] != word[:-1])
        found = _held((each for each in like if near & _slips(each)), pages)
    return _outstanding(word, found)


def _is_plain(word: str) -> bool:
    return word.isascii() and word.isalpha()


def _slips(word: str) -> set[str]:
    """Return the words that are a letter more, fewer or other, or two letters changed about, away from a word."""
    return {each for each in dictionary().edit_distance_1(word) if _is_plain(each)}


def _held(candidates: Iterable[str], pages: Callable[[str], int]) -> dict[str, int]:
    """Return the words that pages hold with how many.

    An archive stems what it is asked, and so has "emiriti" where it has "emirate": what is in no dictionary and is not
    its own stem may be no word at all.
    """
    told = (each for each in sorted(candidates) if each in dictionary() or stem(each) == each)
    return {each: count for each in told if (count := pages(each))}


def _outstanding(word: str, found: dict[str, int]) -> str:
    """Return the word of most pages; of one stem's words a known one, with the same letters, then the commonest."""

    def rank(other: str) -> tuple[int, bool, bool, float, int, str]:
        usage = dictionary().word_usage_frequency(other)
        return -found[other], not usage, sorted(other) != sorted(word), -usage, len(other), other

    best, *others = sorted(found, key=rank) or [""]
    rivals = [found[other] for other in others if not akin(stem(other), stem(best))]
    return best if not rivals or found[best] >= STANDS_OUT * max(rivals) else ""
