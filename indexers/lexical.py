"""How much of a question a text says: content words compared by their stems, weighted without any corpus.

No document frequencies: a weight that depended on what is stored would make scores relative.
"""

from collections.abc import Mapping
from functools import lru_cache

from heliograph.text.words import QUESTION_WORDS, bare, coverage, stem, stems, words

NAME_WEIGHT = 2.0
"""Of a word with a capital or a figure: names and numbers pick out what is asked."""
LONG_WEIGHT = 1.5
"""Of a word of at least LONG letters: longer words are rarer."""
LONG = 8

Weights = Mapping[str, float]
"""Stems of a question's content words, and how much each counts."""


@lru_cache(maxsize=64)
def content_words(question: str) -> Weights:
    """Return the stems of a question's content words with their weights.

    A capital at the very beginning says nothing. A question of function words only keeps them all.
    """
    weights: dict[str, float] = {}
    for place, word in enumerate(words(question)):
        plain = bare(word)
        if plain.casefold() not in QUESTION_WORDS:
            weights[stem(word)] = max(weights.get(stem(word), 0.0), _weight(plain, place == 0))
    return weights or dict.fromkeys(stems(question), 1.0)


def question_coverage(question: str, text: str) -> float:
    """Return the share of the question's content words, by weight, that stand in the text: 0 to 1."""
    return coverage(content_words(question), _known(text))


@lru_cache(maxsize=20_000)
def _known(text: str) -> frozenset[str]:
    return frozenset(stems(text))


def _weight(word: str, first: bool) -> float:
    if any(character.isdigit() for character in word) or (word != word.lower() and not first):
        return NAME_WEIGHT
    return LONG_WEIGHT if len(word) >= LONG else 1.0
