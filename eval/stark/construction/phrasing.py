"""A plan put into words: patterns of one family, filled with mentions, relations, attributes and words of documents."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from eval.stark.construction.relation_words import (
    RelationWords,
    SpokenSchema,
    attribute_words,
    plural_of,
    type_words,
    with_article,
)
from eval.stark.construction.wordings import Clauses, Family
from eval.stark.query_plan import EXTREMES, AttributeCondition, QueryPlan, Register
from heliograph.types import Hop

UNNAMED, TYPE_TOLD = 0.5, 0.25
"""How often a relation goes unnamed where it is the only one that joins two types, and a mention says its type."""
DATED = ("after", "before", "latest", "earliest")
"""Comparisons of dates: what was "created" has a wording of its own."""

_BY_NUMBER = re.compile(r"\[([^/\]]*)/([^\]]*)\]")


@dataclass(frozen=True, slots=True)
class Wording:
    """A query in words, and how many of them state relations and attributes, and what documents say."""

    text: str
    relational_words: int
    textual_words: int


@dataclass(frozen=True, slots=True)
class Start:
    """The type of what hops start from, and whether that is a name of several entities, or no name at all."""

    type: str
    is_ambiguous: bool = False
    is_nested: bool = False


@dataclass(frozen=True, slots=True)
class _Clauses:
    required: tuple[str, ...]
    text: tuple[str, ...]
    denied: tuple[str, ...]
    extreme: tuple[str, ...]


class Phrasing:
    """Put plans into words of a family; the same random numbers choose the same words."""

    def __init__(self, schema: SpokenSchema, family: Family, random: Random) -> None:
        self._schema, self._family, self._random = schema, family, random

    def compose(self, plan: QueryPlan, answer_type: str, starts: Sequence[Start], *, shared: bool = False) -> Wording:
        """Return a query for a plan.

        Args:
            plan: what is asked for, with the words of its mentions.
            answer_type: the type of the answers.
            starts: of the mention of each requirement.
            shared: the first requirement goes through a neighbour that both ends have in common.
        """
        head = self._random.choice(self._family.heads[plan.register])
        several, told = "{types}" in head, plan.register == "description"
        clauses = self._clauses(plan, starts, shared, several, told)
        body = _sentences(clauses, self._random) if told else _relative(clauses, self._random)
        noun = type_words(answer_type)
        text = head.format(type=noun, types=plural_of(noun), a_type=with_article(noun), clauses=body, sentences=body)
        relational = sum(len(each.split()) for each in (*clauses.required, *clauses.denied, *clauses.extreme))
        textual = sum(len(each.split()) for each in clauses.text)
        return Wording(_spelled(text, plan.register), relational, textual)

    def _clauses(self, plan: QueryPlan, starts: Sequence[Start], shared: bool, several: bool, told: bool) -> _Clauses:
        required, denied = list[str](), list[str]()
        for place, (each, start) in enumerate(zip(plan.requirements, starts, strict=True)):
            way = (each.mention.words, start, each.hops, several, told)
            if shared and place == 0:
                required.append(self._shared(*way))
            elif each.negated:
                denied.append(self._path(*way, negated=True))
            else:
                required.append(self._path(*way))
        extreme = [each for each in plan.conditions if each.comparison in EXTREMES]
        required += [self._comparison(each, several, told) for each in plan.conditions if each not in extreme]
        patterns = self._family.text_sentences if told else self._family.text
        said = " and ".join(plan.words)
        text = [_agreeing(self._random.choice(patterns), several).format(w=said)] if said else []
        compared = [self._comparison(each, several, told) for each in extreme]
        return _Clauses(tuple(required), tuple(text), tuple(denied), tuple(compared))

    def _path(
        self, words: str, start: Start, hops: Sequence[Hop], several: bool, told: bool, *, negated: bool = False
    ) -> str:
        """Return the clause of a metapath: what the last hop leads to, from what those before do."""
        *before, last = hops
        here, family = start, self._family
        for hop in before:
            noun = with_article(type_words(hop.type))
            words = f"{noun} {self._clause(family.relative, hop, here, words, several=False)}"
            here = Start(hop.type, is_nested=True)
        clauses = (family.denials, family.without, family.sentences, family.relative)[2 * (not negated) + (not told)]
        return self._clause(clauses, last, here, words, several=several and not told)

    def _clause(self, clauses: Clauses, hop: Hop, start: Start, words: str, *, several: bool) -> str:
        spoken = self._schema.relation(hop, start.type)
        bare = spoken.is_only and self._random.random() < UNNAMED
        end = "subject" if hop.direction == "in" else "object"
        patterns: Sequence[str] = clauses["bare" if bare else f"{spoken.grammar} {end}"]
        if start.is_nested:
            patterns = [each for each in patterns if each.endswith("{x}")] or patterns
        return _filled(self._random.choice(patterns), spoken, self._mention(words, start, bare), several)

    def _mention(self, words: str, start: Start, bare: bool) -> str:
        """Return a mention with its type where that has to be said, and else now and then."""
        if start.is_nested or start.type.casefold() in words.casefold():
            return words
        told = bare or start.is_ambiguous or self._random.random() < TYPE_TOLD
        return f"the {start.type} {words}" if told else words

    def _shared(self, words: str, start: Start, hops: Sequence[Hop], several: bool, told: bool) -> str:
        between, last = hops[0].type, hops[-1]
        spoken = self._schema.relation(last, between)
        bare = spoken.is_only and self._random.random() < UNNAMED
        end = "subject" if last.direction == "in" else "object"
        pattern = self._random.choice(self._family.shared["bare" if bare else f"{spoken.grammar} {end}"])
        words = self._mention(words, start, bare=False)
        found = _filled(pattern, spoken, words, several and not told, type_words(between))
        return f"it is one {found}" if told else found

    def _comparison(self, condition: AttributeCondition, several: bool, told: bool) -> str:
        patterns = self._family.comparisons if told else self._family.compared
        words, compared = attribute_words(condition.attribute), condition.comparison
        key = f"{compared} was" if words.endswith("ed") and compared in DATED else compared
        pattern = _agreeing(self._random.choice(patterns[key]), several and not told)
        return pattern.format(a=words, n="" if condition.value is None else f"{condition.value:g}")


def _filled(pattern: str, spoken: RelationWords, words: str, several: bool, between: str = "") -> str:
    verb = spoken.plural if several and spoken.grammar == "verb" else spoken.singular
    return _agreeing(pattern, several).format(
        x=words,
        r=spoken.singular,
        rs=spoken.plural,
        a_r=with_article(spoken.singular),
        v=verb,
        v_one=spoken.singular,
        vb=spoken.plural,
        ved=spoken.passive,
        m=between,
        a_m=with_article(between),
    )


def _agreeing(pattern: str, several: bool) -> str:
    return _BY_NUMBER.sub(lambda found: found[2 if several else 1], pattern)


def _relative(clauses: _Clauses, random: Random) -> str:
    """Return clauses behind a noun in any order; what is denied, and what is highest or lowest, stands last."""
    found = [*clauses.required, *clauses.text]
    random.shuffle(found)
    joined = " and ".join([", ".join(found[:-1]), found[-1]]) if len(found) > 1 else found[0]
    return ", ".join([joined, *(f"but {each}" for each in clauses.denied), *clauses.extreme])


def _sentences(clauses: _Clauses, random: Random) -> str:
    found = [*clauses.required, *clauses.text]
    random.shuffle(found)
    *before, last = [*found, *clauses.denied, *clauses.extreme]
    return ". ".join(map(_capitalised, [*before, last]))


def _capitalised(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]


def _spelled(text: str, register: Register) -> str:
    return text.casefold() if register == "fragment" else _capitalised(text)
