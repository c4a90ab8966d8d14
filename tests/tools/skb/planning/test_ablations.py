"""The planner does without a part that it is told to leave out."""

import pytest

from indexers.skb.knowledge_base import BuiltKnowledgeBase
from tools.skb.planning.ablations import PARTS, PlanOptions, unlearned_model
from tools.skb.planning.conditions import PathCondition
from tools.skb.planning.model import FEATURES
from tools.skb.systems import SystemModels, plan_retriever, retriever_named

QUERY = "Which moons of Neptune were not discovered with Voyager 2?"


async def test_without_the_graph_no_plan_follows_a_relation(moons: BuiltKnowledgeBase) -> None:
    planned = await plan_retriever(moons, SystemModels(), PlanOptions("graph")).plan(QUERY, "moon")
    assert not any(isinstance(one.condition, PathCondition) for each in planned.plans for one in each.conditions)


async def test_without_the_type_it_is_not_heard(moons: BuiltKnowledgeBase) -> None:
    retriever = plan_retriever(moons, SystemModels(), PlanOptions("type"))
    told, untold = [await retriever.plan(QUERY, type) for type in ("moon", "")]
    assert [each.type for each in told.plans] == [each.type for each in untold.plans]
    assert len({each.type for each in told.plans}) > 1
    of_types = [place for place, name in enumerate(FEATURES) if name.startswith("type_")]
    assert not any(each.scored.features[of_types].any() for each in told.plans)


async def test_without_text_what_a_plan_leads_to_is_equal(moons: BuiltKnowledgeBase) -> None:
    planned = await plan_retriever(moons, SystemModels(), PlanOptions("text")).plan(QUERY, "moon")
    assert not any(each.scored.texts.any() for each in planned.plans)


async def test_without_the_ladder_one_combination_is_followed(moons: BuiltKnowledgeBase) -> None:
    planned = await plan_retriever(moons, SystemModels(), PlanOptions("ladder")).plan(QUERY, "moon")
    assert len({each.conditions for each in planned.plans}) == 1


def test_without_the_reranker_weights_are_equal() -> None:
    model = unlearned_model()
    assert set(model.plans.tolist()) == {0.0, 1.0} and set(model.texts.tolist()) == {1.0}


@pytest.mark.parametrize("part", PARTS)
async def test_whatever_is_left_out_a_query_has_answers(moons: BuiltKnowledgeBase, part: str) -> None:
    assert await retriever_named(f"plan-without-{part}", moons, SystemModels()).retrieve(QUERY, 3, "moon")
