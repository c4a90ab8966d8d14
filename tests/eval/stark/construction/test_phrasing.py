"""Relations, attributes and whole plans in words."""

from collections.abc import MutableSequence
from dataclasses import fields
from random import Random
from typing import Any, Protocol, TypeVar, get_args

import pytest

from eval.stark.construction.entity_facts import ComparableValue, comparable
from eval.stark.construction.phrasing import Phrasing, Start
from eval.stark.construction.relation_words import (
    Grammar,
    RelationWords,
    SpokenSchema,
    attribute_words,
    plural_of,
    type_words,
)
from eval.stark.construction.templates import SHAPES
from eval.stark.construction.wordings import DEVELOPMENT, REPORT, Family
from eval.stark.query_plan import AttributeCondition, Comparison, Mention, PlannedRequirement, QueryPlan, Register
from heliograph.types import Attribute, Hop, TripleType

SCHEMA = SpokenSchema(
    (
        TripleType("light", "stands on", "island", 9),
        TripleType("light", "actions.damage.kind", "kind", 9),
        TripleType("light", "reactions.damage.kind", "kind", 9),
        TripleType("light", "keepers", "person", 9),
        TripleType("light", "author___writes___paper", "paper", 9),
        TripleType("paper", "has_topic", "light", 9),
        TripleType("light", "replaces", "light", 9),
        TripleType("light", "superseded by", "light", 9),
        TripleType("light", "choices.item", "yard", 9),
    )
)


@pytest.mark.parametrize(
    ("hop", "start", "words"),
    [
        (Hop("stands on", "in", "light"), "island", RelationWords("verb", "stands on", "stand on", "standed on", True)),
        (
            Hop("actions.damage.kind", "in", "light"),
            "kind",
            RelationWords("noun", "kind in actions damage", "kinds in actions damage", "kind in actions damage", False),
        ),
        (Hop("keepers", "out", "person"), "light", RelationWords("nouns", "keeper", "keepers", "keeper", True)),
        (
            Hop("author___writes___paper", "out", "paper"),
            "light",
            RelationWords("verb", "writes", "write", "written", False),
        ),
        (Hop("has_topic", "out", "light"), "paper", RelationWords("noun", "topic", "topics", "topic", False)),
        (Hop("replaces", "in", "light"), "light", RelationWords("verb", "replaces", "replace", "replaced", False)),
        (
            Hop("superseded by", "in", "light"),
            "light",
            RelationWords("participle", "superseded by", "superseded by", "superseded by", False),
        ),
        (
            Hop("choices.item", "in", "light"),
            "yard",
            RelationWords("noun", "choices item", "choices items", "choices item", True),
        ),
    ],
)
def test_a_relation_is_spoken_of_by_what_tells_it_apart(hop: Hop, start: str, words: RelationWords) -> None:
    assert SCHEMA.relation(hop, start) == words


def test_types_and_attributes_are_spelled_out() -> None:
    assert [plural_of(type_words(each)) for each in ("person", "magic_item", "class", "equipment", "category")] == [
        "people",
        "magic items",
        "classes",
        "pieces of equipment",
        "categories",
    ]
    assert attribute_words("area_of_effect.size") == "area of effect size"
    assert attribute_words("senses.passivePerception") == "senses passive perception"


@pytest.mark.parametrize(
    ("value", "found"),
    [
        (3, ComparableValue(3.0, False)),
        (True, None),
        ("01-Apr-2003", ComparableValue(2003.25, True)),
        ("2021-01-31", ComparableValue(2021.0, True)),
        ("60 ft.", None),
        ("", None),
    ],
)
def test_numbers_and_dates_compare(value: Attribute, found: ComparableValue | None) -> None:
    assert comparable(value) == found


def patterns(family: Family) -> set[str]:
    found = set[str]()
    for field in fields(family):
        value = getattr(family, field.name)
        several = value.values() if isinstance(value, dict) else [value]
        found |= {pattern for each in several for pattern in each}
    return found


def test_the_halves_share_no_shape_and_no_pattern() -> None:
    assert patterns(DEVELOPMENT).isdisjoint(patterns(REPORT))
    drawn = {half: {(each.hops, each.shared, each.negated, each.compared) for each in SHAPES[half]} for half in SHAPES}
    assert drawn["development"].isdisjoint(drawn["report"])


@pytest.mark.parametrize("family", [DEVELOPMENT, REPORT])
def test_a_family_has_words_for_every_relation_comparison_and_register(family: Family) -> None:
    keys = {"bare", *(f"{grammar} {end}" for grammar in get_args(Grammar) for end in ("subject", "object"))}
    for clauses in (family.relative, family.without, family.sentences, family.denials, family.shared):
        assert set(clauses) == keys
    dated = {f"{each} was" for each in ("after", "before", "latest", "earliest")}
    assert set(family.compared) == set(family.comparisons) == {*get_args(Comparison), *dated}
    assert set(family.heads) == set(get_args(Register))


Item_co = TypeVar("Item_co", covariant=True)


class SupportsLenAndGetItem(Protocol[Item_co]):
    def __len__(self) -> int: ...

    def __getitem__(self, place: int, /) -> Item_co: ...


class FirstChoice(Random):
    """Chooses the first of several, and leaves them in their order."""

    def choice(self, seq: SupportsLenAndGetItem[Item_co]) -> Item_co:
        return seq[0]

    def shuffle(self, x: MutableSequence[Any]) -> None:
        pass

    def random(self) -> float:
        return 0.9


REQUIREMENT = PlannedRequirement(Mention("p", "Ada"), (Hop("keepers", "in", "light"), Hop("replaces", "in", "light")))
DENIED = PlannedRequirement(Mention("i", "Varn"), (Hop("stands on", "in", "light"),), negated=True)
CONDITIONS = (AttributeCondition("height", "more", 20.0), AttributeCondition("created", "latest"))
STARTS = (Start("person"), Start("island", is_ambiguous=True))


@pytest.mark.parametrize(
    ("register", "text", "relational"),
    [
        (
            "question",
            "Which lights are there that replace a light whose keepers include Ada, with height above 20 and whose "
            "description mentions lamp, but that do not stand on the island Varn, that were created last?",
            24,
        ),
        (
            "fragment",
            "lights that replace a light whose keepers include ada, with height above 20 and whose description "
            "mentions lamp, but that do not stand on the island varn, that were created last",
            24,
        ),
        (
            "description",
            "I am trying to remember a light. It replaces a light whose keepers include Ada. Its height is above 20. "
            "Its description mentions lamp. It does not stand on the island Varn. Of all such ones it was created "
            "last. What is it called?",
            29,
        ),
    ],
)
def test_a_plan_is_put_into_words(register: Register, text: str, relational: int) -> None:
    plan = QueryPlan("g", register, (REQUIREMENT, DENIED), CONDITIONS, ("lamp",))
    made = Phrasing(SCHEMA, DEVELOPMENT, FirstChoice()).compose(plan, "light", STARTS)
    assert (made.text, made.relational_words, made.textual_words) == (text, relational, 4)


def test_what_two_entities_share_is_said() -> None:
    shared = PlannedRequirement(Mention("l", "Holm"), (Hop("keepers", "out", "person"), Hop("keepers", "in", "light")))
    plan = QueryPlan("g", "request", (shared,))
    made = Phrasing(SCHEMA, DEVELOPMENT, FirstChoice()).compose(plan, "light", [Start("light")], shared=True)
    assert made.text == "Please list all lights that share one of their keepers with Holm."
