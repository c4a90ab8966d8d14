"""How much of a question a text says: content words compared by their stems, weighted without any corpus.

No document frequencies: a weight that depended on what is stored would make scores relative.
"""

import re
import unicodedata
from collections.abc import Mapping
from functools import lru_cache

import Stemmer

WORD = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+(?:['’][^\W\d_]+)?|\w+")
POSSESSIVE = re.compile(r"['’]s?$")

NAME_WEIGHT = 2.0
"""Of a word with a capital or a figure: names and numbers pick out what is asked."""
LONG_WEIGHT = 1.5
"""Of a word of at least LONG letters: longer words are rarer."""
LONG = 8

FUNCTION_WORDS = frozenset(
    WORD.findall(
        """
        a about above across after again against all also although am among an and another any anybody anyone anything
        are around as at be because been before being below between both but by can could did do does doing done down
        during each either else ever every few for from further get give given gave go goes got had has have having he
        her here hers herself him himself his how however i if in into is it its itself just let list made make many may
        me might mine more most much must my myself name named names neither no nor not of off on once one only onto or
        other others our ours out over own per please said same say says shall she should since so some such tell than
        that the their theirs them themselves then there these they this those though through thus to too toward towards
        under until up upon us use used uses using very via was we were what whatever when where whether which while
        who whoever whom whose why will with within without would yes yet you your yours yourself
        """
    )
)

Weights = Mapping[str, float]
"""Stems of a question's content words, and how much each counts."""


@lru_cache(maxsize=64)
def content_words(question: str) -> Weights:
    """Return the stems of a question's content words with their weights.

    A capital at the very beginning says nothing. A question of function words only keeps them all.
    """
    words = [match.group() for match in WORD.finditer(question)]
    weights: dict[str, float] = {}
    for place, word in enumerate(words):
        if POSSESSIVE.sub("", word.casefold()) not in FUNCTION_WORDS:
            (stem,) = _stemmed([word])
            weights[stem] = max(weights.get(stem, 0.0), _weight(POSSESSIVE.sub("", word), place == 0))
    return weights or dict.fromkeys(_stemmed(words), 1.0)


def question_coverage(question: str, text: str) -> float:
    """Return the share of the question's content words, by weight, that stand in the text: 0 to 1."""
    weights = content_words(question)
    said = stems(text)
    total = sum(weights.values())
    return sum(weight for stem, weight in weights.items() if stem in said) / total if total else 0.0


@lru_cache(maxsize=20_000)
def stems(text: str) -> frozenset[str]:
    """Return the stems of all words of a text."""
    return frozenset(_stemmed([match.group() for match in WORD.finditer(text)]))


def _weight(word: str, first: bool) -> float:
    if any(character.isdigit() for character in word) or (word != word.lower() and not first):
        return NAME_WEIGHT
    return LONG_WEIGHT if len(word) >= LONG else 1.0


def _stemmed(words: list[str]) -> list[str]:
    plain = (POSSESSIVE.sub("", _unaccented(word.casefold())).replace(",", "") for word in words)
    stemmed: list[str] = Stemmer.Stemmer("english").stemWords(list(plain))
    return stemmed


def _unaccented(word: str) -> str:
    if word.isascii():
        return word
    return "".join(part for part in unicodedata.normalize("NFKD", word) if not unicodedata.combining(part))
