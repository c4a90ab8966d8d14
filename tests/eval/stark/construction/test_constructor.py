"""Constructed queries have exactly the answers that their plans say, and the two halves have nothing in common."""

import asyncio
import re
from itertools import chain
from typing import get_args

import pytest

from eval.drawing import Half
from eval.stark.construction.constructor import ConstructedQuery, Construction, construct
from eval.stark.construction.entity_facts import comparable, stem
from eval.stark.construction.templates import SHAPES
from eval.stark.queries import StarkQuery
from eval.stark.query_plan import EXTREMES, AttributeCondition, QueryPlan
from heliograph.errors import UsageError
from indexers.skb.knowledge_base import BuiltKnowledgeBase
from tools.skb.traversal import reach

HALVES: tuple[Half, ...] = get_args(Half)
COUNT = 60


@pytest.fixture(scope="module", params=HALVES)
def made(lights: BuiltKnowledgeBase, request: pytest.FixtureRequest) -> tuple[ConstructedQuery, ...]:
    return asyncio.run(construct(lights, Construction(request.param, COUNT)))


async def meeting(base: BuiltKnowledgeBase, query: StarkQuery, plan: QueryPlan) -> set[int]:
    """Return what a plan asks for, by nothing but the base's own methods."""
    found = set(await base.of_type(query.answer_type))
    for each in plan.requirements:
        start = (await base.entity(each.mention.entity)).number
        reached = set(await reach(base, [start], each.hops))
        found = (found - reached if each.negated else found & reached) - {start}
    for condition in plan.conditions:
        found = await compared(base, found, condition)
    stems = {stem(word) for word in plan.words}
    texts = {number: re.findall(r"[a-z]+", (await base.document(number)).casefold()) for number in found}
    return {number for number, words in texts.items() if stems <= set(map(stem, words))}


async def compared(base: BuiltKnowledgeBase, numbers: set[int], condition: AttributeCondition) -> set[int]:
    values = {}
    for number in numbers:
        value = comparable((await base.attributes(number)).get(condition.attribute, ""))
        if value:
            is_extreme = condition.comparison in EXTREMES
            values[number] = value.value if is_extreme else float(int(value.value)) if value.is_date else value.value
    bound = condition.value
    match condition.comparison:
        case "more" | "after":
            return {number for number, value in values.items() if bound is not None and value > bound}
        case "less" | "before":
            return {number for number, value in values.items() if bound is not None and value < bound}
        case "most" | "latest":
            return {number for number, value in values.items() if value == max(values.values())}
    return {number for number, value in values.items() if value == min(values.values())}


async def test_the_answers_are_all_that_meet_the_plan(
    lights: BuiltKnowledgeBase, made: tuple[ConstructedQuery, ...]
) -> None:
    for query in (each.query for each in made):
        assert query.plan is not None
        found = await lights.entities(sorted(await meeting(lights, query, query.plan)))
        assert [each.id for each in found] == list(query.answers), query
        assert query.plan.gold in query.answers
        assert 1 <= len(query.answers) <= 20


async def test_answers_go_unnamed_and_mentions_stand_in_the_query(
    lights: BuiltKnowledgeBase, made: tuple[ConstructedQuery, ...]
) -> None:
    for query in (each.query for each in made):
        assert query.plan is not None
        for answer in [await lights.entity(id) for id in query.answers]:
            assert not re.search(rf"\b(?:{'|'.join((answer.name, *answer.aliases))})\b", query.text, re.IGNORECASE)
        assert all(each.mention.words in query.text for each in query.plan.requirements)
        assert all(word in query.text for word in query.plan.words)
        assert not re.search(r"[{}\[\]]", query.text)


def test_each_query_is_there_once_and_has_a_shape_of_its_half(made: tuple[ConstructedQuery, ...]) -> None:
    queries = [each.query for each in made]
    assert len({each.text.casefold() for each in queries}) == len({each.id for each in queries}) == COUNT
    (half,) = {each.id.partition("-")[0] for each in queries}
    names = {shape.name for each in HALVES if each == half for shape in SHAPES[each]}
    assert {each.kind for each in queries} <= names
    assert len({each.kind for each in queries}) > 5
    assert any(each.negated for query in queries if query.plan for each in query.plan.requirements)


async def test_the_same_seed_makes_the_same_queries(lights: BuiltKnowledgeBase) -> None:
    first, second, other = [await construct(lights, Construction("report", 15, seed)) for seed in (1, 1, 2)]
    assert first == second
    assert {each.query.text for each in first}.isdisjoint({each.query.text for each in other})


async def test_no_entity_is_gold_in_both_halves(lights: BuiltKnowledgeBase) -> None:
    golds = [
        {each.query.plan.gold for each in await construct(lights, Construction(half, 40)) if each.query.plan}
        for half in HALVES
    ]
    assert golds[0].isdisjoint(golds[1])
    assert set(chain(*golds))


async def test_a_base_without_relations_yields_nothing(unjoined: BuiltKnowledgeBase) -> None:
    with pytest.raises(UsageError, match=r"lights\.skb yields 0 of 5 queries; ask for fewer with --count, or build"):
        await construct(unjoined, Construction("development", 5))
