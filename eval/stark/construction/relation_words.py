"""Names of types, relations and attributes as people say them: "damage type" for actions.damage.damage_type."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from heliograph.types import Hop, TripleType

Grammar = Literal["noun", "nouns", "verb", "participle"]
"""Of a relation: author, classes, mentions, superseded by."""

_VERBS = frozenset(
    re.findall(
        r"\w+",
        """
        affects binds calls causes cites contains covers depends describes employs extends follows has imports includes
        inhibits interacts knows lists makes mentions mitigates needs orbits owns plays precedes produces provides
        references replaces requires stars supports targets treats uses writes
        """,
    )
)
_PREPOSITIONS = frozenset(re.findall(r"\w+", "about as at by for from in into of on to under with"))
_UNTELLING = frozenset(
    re.findall(r"\w+", "choice choices from item items name names option options reference type value")
)
"""Last words of a path that say nothing without those before."""
_MASS = frozenset(["data", "equipment", "gear", "information", "music", "software"])
_PLURALS = {"person": "people", "child": "children", "man": "men", "woman": "women", "series": "series"}
_PASSIVES = {"write": "written", "have": "had", "make": "made", "know": "known", "bind": "bound"}
_SINGULARS = {plural: singular for singular, plural in _PLURALS.items()}
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+|[^\W\d_]+")


@dataclass(frozen=True, slots=True)
class RelationWords:
    """How a relation is spoken of.

    Attributes:
        grammar: what kind of words it has.
        singular: of a noun; else the words as they are: "author", "superseded by", "mentions".
        plural: of a noun; of a verb the form of several: "mention".
        passive: of a verb: "mentioned".
        is_only: no other relation joins the same two types, which differ, so that it need not be named.
    """

    grammar: Grammar
    singular: str
    plural: str
    passive: str
    is_only: bool


class SpokenSchema:
    """The relations of a base in words; those that join the same types get as many words as tell them apart."""

    def __init__(self, schema: Sequence[TripleType]) -> None:
        self._joining = Counter(frozenset((each.source, each.target)) for each in schema)
        self._short = Counter((each.source, each.target, _short(each.relation)) for each in schema)

    def relation(self, hop: Hop, start: str) -> RelationWords:
        """Return the words of a hop from a type."""
        source, target = (start, hop.type) if hop.direction == "out" else (hop.type, start)
        several = self._short[source, target, _short(hop.relation)] > 1
        words = _long(hop.relation) if several else _short(hop.relation)
        return _relation_words(words, source != target and self._joining[frozenset((source, target))] == 1)


def attribute_words(attribute: str) -> str:
    """Return the words of an attribute's path, each once: "area of effect size" for area_of_effect.size."""
    return " ".join(dict.fromkeys(word for part in attribute.split(".") for word in _words(part)))


def type_words(type: str) -> str:
    """Return the words of a type, for one entity of it: "magic item", "piece of equipment"."""
    words = " ".join(type.replace("_", " ").split())
    return f"piece of {words}" if words in _MASS else words


def plural_of(words: str) -> str:
    """Return words in the plural by their last one, or by the one before "of"."""
    head, of, rest = words.partition(" of ")
    *before, last = head.split(" ")
    return " ".join([*before, _plural(last)]) + of + rest


def singular_of(words: str) -> str:
    """Return words in the singular by their last one, or by the one before "in"."""
    head, inside, rest = words.partition(" in ")
    *before, last = head.split(" ")
    return " ".join([*before, _singular(last)]) + inside + rest


def with_article(words: str) -> str:
    """Return words with "a" or "an"."""
    return f"{'an' if words[:1].casefold() in tuple('aeiou') and words[:3] != 'uni' else 'a'} {words}"


def _relation_words(words: str, is_only: bool) -> RelationWords:
    first, *middle = words.split(" ")
    last = middle[-1] if middle else first
    if first in ("has", "have") and middle:
        return _relation_words(" ".join(middle), is_only)
    if first in _VERBS or (last in _PREPOSITIONS and first.endswith("s") and not first.endswith("ss")):
        base_form = _base_form(first)
        passive = " ".join([_passive(base_form), *middle])
        return RelationWords("verb", words, " ".join([base_form, *middle]), passive, is_only)
    if last in _PREPOSITIONS or (not middle and last.endswith("ed")):
        return RelationWords("participle", words, words, words, is_only)
    singular = singular_of(words)
    grammar: Grammar = "noun" if singular == words else "nouns"
    return RelationWords(grammar, singular, _plural_noun(singular), singular, is_only)


def _plural_noun(words: str) -> str:
    head, inside, rest = words.partition(" in ")
    return plural_of(head) + inside + rest


def _short(relation: str) -> str:
    """Return the last part of a path, with the part before where it is untelling by itself."""
    parts = _parts(relation)
    if len(parts) > 1 and _words(parts[-1])[-1:] and set(_words(parts[-1])) <= _UNTELLING:
        return _without_repeats(parts[-2:])
    return _without_repeats(parts[-1:])


def _long(relation: str) -> str:
    """Return the last part of a path and where it is: "damage type in legendary actions"."""
    *before, last = _parts(relation)
    there = _words(last)
    inside = dict.fromkeys(word for part in before for word in _words(part) if word not in there)
    return f"{_without_repeats([last])} in {' '.join(inside)}" if inside else _without_repeats([last])


def _parts(relation: str) -> list[str]:
    """Return the parts of a path; of author___writes___paper the relation alone."""
    named = relation.split("___")
    return (named[1] if len(named) == 3 else relation).split(".")


def _without_repeats(parts: Sequence[str]) -> str:
    found = dict[str, str]()
    for word in (word for part in parts for word in _words(part)):
        found[_singular(word)] = word
    return " ".join(found.values())


def _words(name: str) -> list[str]:
    return [each.casefold() for each in _WORD.findall(name)]


def _plural(word: str) -> str:
    if word in _PLURALS or word in _MASS:
        return _PLURALS.get(word, word)
    if word.endswith("y") and word[-2:-1] not in tuple("aeiou"):
        return f"{word[:-1]}ies"
    return f"{word}es" if word.endswith(("s", "x", "z", "ch", "sh")) else f"{word}s"


def _singular(word: str) -> str:
    if word in _SINGULARS:
        return _SINGULARS[word]
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    if word.endswith(("sses", "xes", "ches", "shes")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) else word


def _base_form(verb: str) -> str:
    return "have" if verb == "has" else _singular(verb)


def _passive(verb: str) -> str:
    regular = f"{verb}d" if verb.endswith("e") else f"{verb}ed"
    return _PASSIVES.get(verb, regular)
