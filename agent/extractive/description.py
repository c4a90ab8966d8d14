"""The part of a question that describes a thing in place of naming it."""

import re
from dataclasses import dataclass
from itertools import takewhile

from heliograph.text.words import STOP_WORDS, stem
from heliograph.types import WordSpan

_SENTENCE = re.compile(r"[.!?:]\s+(?=\S)")
_PLACED = frozenset({"of", "on", "in", "at", "from", "near", "around", "over", "between"})
_WITHIN = _PLACED | {"and", "only", "same"}
"""Words of grammar that may stand within what a thing is called."""
_ASKS = re.compile(r"\b(?:who|whom|whose|when|where|how|which|what|name)\b", re.I)
_INTRODUCED = re.compile(r"\b(?:an?|one|the) (?=((?:[\w'’-]+ ){0,2}[\w'’-]+))", re.I)
_DESCRIBED = re.compile(
    r"\b(?:[Tt]he|[Aa]n?|[Oo]ne) (?=(?P<called>(?:(?!the |an? |one )[\w'’-]+ ){0,5}?(?!the |an? |one )[\w'’-]+)"
    r" (?:(?:from|in|on|of|by|at|to|after) )?(?:that|which|who|whose|whom|with|named|called)\b)"
)


@dataclass(frozen=True, slots=True)
class Description:
    """The clauses that describe a thing in place of its name, as stretches of the question, and what they call it."""

    heads: frozenset[str] = frozenset()
    clauses: tuple[tuple[int, int], ...] = ()

    def covers(self, span: WordSpan) -> bool:
        """Tell whether a word stands in one of the clauses."""
        return any(start <= span.start < end for start, end in self.clauses)


def description_of(question: str) -> Description:
    """Find what describes a thing: a clause after it ("the rover that …", "the moon with …"), a sentence before it."""
    start = max((found.end() for found in _SENTENCE.finditer(question)), default=0)
    told = start > 0 and "?" not in question[:start] and _ASKS.search(question, start) is not None
    before = ((0, start),) if told else ()
    for found in _DESCRIBED.finditer(question, start):
        called = found["called"].casefold().split()
        if not STOP_WORDS & {*called} - _WITHIN:
            heads = takewhile(lambda word: word not in _PLACED, called)
            return Description(frozenset(map(stem, heads)), (*before, (found.end("called"), len(question))))
    if not before:
        return Description()
    phrases = (found[1].split() for found in _INTRODUCED.finditer(question, 0, start))
    called = [word for phrase in phrases for word in takewhile(lambda word: word.casefold() not in STOP_WORDS, phrase)]
    return Description(frozenset(map(stem, called)), before)
