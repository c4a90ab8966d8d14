"""Entity linking: which words of a query name entities of a base, by their names and aliases (STaRK, section 2.1)."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from heliograph.text.words import QUESTION_WORDS, stems
from indexers.skb.knowledge_base import BuiltKnowledgeBase
from tools.zim.spelling import dictionary

LONGEST_NAME = 40
"""Words of a name that is looked up whole: titles of papers have up to some thirty."""
MOST_LINKED = 200
"""Words of a query that are linked, the first ones."""
LONGEST_PART = 4
"""Words of a part of a name."""
MOST_MEANT = 8
"""Entities that a part of a name may mean; beyond, it means none of them."""
FEW_MEANT = 3
"""The same of a part that is written small: it may be no name at all."""
MOST_SAYING = 15
"""Entities that say such a part anywhere: a common word names nothing by being part of a name."""
MOST_OF_NAME = 50
"""Entities of one name, the first by number."""
COMMON = 1_000
"""Uses from which a word of the dictionary is a common one."""
LEAST_LETTERS = 3
"""Of a part of a name."""
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class EntityMention:
    """Words of a query that may name entities: its characters from `start` to before `end`.

    Attributes:
        text: the words; of an entity that the query may describe, its name.
        entities: what they may name.
        whole: whether they are a whole name or alias of the first of these, and no mere part of one.
        cosine: of an entity that the query names with no word and may describe, how like the query it is.
    """

    start: int
    end: int
    text: str
    entities: tuple[int, ...]
    whole: bool
    cosine: float = 0.0

    @property
    def is_described(self) -> bool:
        """Whether no word of the query names it."""
        return self.start == self.end


def link_entities(base: BuiltKnowledgeBase, query: str) -> tuple[EntityMention, ...]:
    """Return the entities that a query mentions, in its order; longer names go before shorter ones, and none overlap.

    Words that name types and relations of the base alone are no mentions, unless they are a whole name with a capital.
    It blocks, so call it in a thread.
    """
    words = [(found.start(), found.end()) for found in _WORD.finditer(query)][:MOST_LINKED]
    schema = frozenset(stems(" ".join((*base.entity_types, *base.relations)).replace("_", " ")))
    whole = list(_whole_names(base, query, words, schema))
    taken = {place for first, last, _ in whole for place in range(first, last)}
    found = [_mention(query, words, *each, whole=True) for each in whole]
    found += [_mention(query, words, *each, whole=False) for each in _parts(base, query, words, taken, schema)]
    return tuple(sorted(found, key=lambda each: each.start))


Words = Sequence[tuple[int, int]]
Linked = tuple[int, int, tuple[int, ...]]
"""Places of words, from one to before another, and the entities that they may name."""


def _whole_names(base: BuiltKnowledgeBase, query: str, words: Words, schema: frozenset[str]) -> Iterator[Linked]:
    """Yield the longest whole names; of one word also what has it as a part of its name, behind."""
    spans = [
        (first, last)
        for first in range(len(words))
        for last in range(first + 1, min(len(words), first + LONGEST_NAME) + 1)
        if not _says_nothing(query, words[first:last]) or (first and _is_capitalised(query, words[first:last]))
    ]
    forms = {span: _forms(_said(query, words, *span)) for span in spans}
    known = base.numbers_named({form for several in forms.values() for form in several})
    taken = set[int]()
    for first, last in sorted(spans, key=lambda span: (span[0] - span[1], span[0])):
        exact, *others = (known.get(form, ()) for form in forms[first, last])
        entities = tuple(dict.fromkeys(exact or chain.from_iterable(others)))[:MOST_OF_NAME]
        if not entities or not taken.isdisjoint(range(first, last)):
            continue
        said = _said(query, words, first, last)
        capital = said[:1].isupper()
        if set(stems(said)) <= schema and (not capital or first == 0):
            continue
        taken |= set(range(first, last))
        beside = base.numbers_with(said, MOST_MEANT) if capital and last - first == 1 else ()
        yield first, last, tuple(dict.fromkeys((*entities, *beside)))


def _parts(
    base: BuiltKnowledgeBase, query: str, words: Words, taken: set[int], schema: frozenset[str]
) -> Iterator[Linked]:
    """Yield the longest stretches of other words that stand in a few names."""
    first = 0
    while first < len(words):
        last = first + 1
        for end in range(min(len(words), first + LONGEST_PART), first, -1):
            said = _said(query, words, first, end)
            if not taken.isdisjoint(range(first, end)) or not _may_be_part(said, schema):
                continue
            capital = said[:1].isupper()
            entities = base.numbers_with(said, MOST_MEANT if capital else FEW_MEANT)
            if entities and (capital or _is_uncommon(said) or base.is_rare(said, MOST_SAYING)):
                yield first, end, entities
                last = end
                break
        first = last


def _may_be_part(said: str, schema: frozenset[str]) -> bool:
    words = said.split()
    ends = words[0], words[-1]
    telling = all(len(each) >= LEAST_LETTERS and each.casefold() not in QUESTION_WORDS for each in ends)
    return telling and not set(stems(said)) <= schema


def _is_uncommon(said: str) -> bool:
    known = dictionary()
    return all(known[word.casefold()] < COMMON for word in said.split())


def _says_nothing(query: str, words: Words) -> bool:
    return all(query[start:end].casefold() in QUESTION_WORDS for start, end in words)


def _is_capitalised(query: str, words: Words) -> bool:
    """Say whether words may be a name by their capitals alone, as "The Who"."""
    return all(query[start].isupper() for start, _ in words)


def _forms(said: str) -> tuple[str, ...]:
    """Return words as they are, and then in the other number: names are looked up by letters."""
    *before, last = _WORD.findall(said.casefold())
    others = _singulars(last) if last.endswith("s") and len(last) > LEAST_LETTERS else [f"{last}s"]
    return tuple(" ".join((*before, each)) for each in (last, *others) if each)


def _singulars(word: str) -> list[str]:
    """Return what a word on -s may be the plural of."""
    if word.endswith("ies"):
        return [word[:-1], f"{word[:-3]}y"]
    return [word[:-1], word[:-2]] if word.endswith(("ses", "xes", "zes", "ches", "shes")) else [word[:-1]]


def _said(query: str, words: Words, first: int, last: int) -> str:
    return query[words[first][0] : words[last - 1][1]]


def _mention(
    query: str, words: Words, first: int, last: int, entities: tuple[int, ...], *, whole: bool
) -> EntityMention:
    return EntityMention(words[first][0], words[last - 1][1], _said(query, words, first, last), entities, whole)
