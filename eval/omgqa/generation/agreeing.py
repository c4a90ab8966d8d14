"""Whether two short answers say the same: the same figures, and the words of one among those of the other."""

import re

from eval.accepted import normal

MOST_ADDED = 4
"""Words that one answer may add to the other: a unit, a preposition, the full form of a name."""

_WORD = re.compile(r"\d+(?:\.\d+)?|[^\W\d_]+")
_EMPTY = frozenset(("a", "an", "the", "of", "in", "on", "at", "by", "to", "and", "is", "was", "about", "it"))


def agree(one: str, other: str) -> bool:
    """Tell whether two answers say the same; an empty one agrees with none. It holds in both directions."""
    first, second = _words(one), _words(other)
    if not first or not second or _figures(first) != _figures(second):
        return False
    return (first <= second or second <= first) and len(first ^ second) <= MOST_ADDED


def _words(answer: str) -> frozenset[str]:
    words = frozenset(_WORD.findall(normal(answer)))
    return words - _EMPTY or words


def _figures(words: frozenset[str]) -> frozenset[float]:
    return frozenset(float(word) for word in words if word[0].isdecimal())
