"""Where a query joins what it asks for, what meets it is of several types, and one plan has it."""

import json
from itertools import pairwise
from pathlib import Path

import pytest

from indexers.skb.knowledge_base import BuiltKnowledgeBase
from tools.skb.planning.answer_types import joined_phrases
from tools.skb.planning.answers import answer_table, plan_lines, planned_answers
from tools.skb.planning.model import read_plan_model
from tools.skb.planning.retrieval import PlanRetriever
from tools.skb.planning.unions import united
from tools.skb.systems import SystemModels, plan_retriever

JOINED = Path(__file__).resolve().parents[4] / "demo" / "skb_joined_questions.jsonl"
NOT_MET = ("named after a person", "is behind the Saturn V", "more than 2,000 km", "has landed")
"""What no path or no attribute of both types says alike."""
QUESTIONS = [json.loads(line) for line in JOINED.read_text("utf8").splitlines()]
MET = [each for each in QUESTIONS if not any(part in each["question"] for part in NOT_MET)]


@pytest.fixture(scope="module")
def retriever(moons: BuiltKnowledgeBase) -> PlanRetriever:
    return plan_retriever(moons, SystemModels())


@pytest.mark.parametrize(
    ("query", "phrases"),
    [
        ("Which planets or dwarf planets did Dawn visit?", ["planets", "dwarf planets"]),
        ("On which icy moons and planets did it land?", ["icy moons", "planets"]),
        ("spells or items or feats that heal", ["spells", "items", "feats"]),
        ("Which moons discovered by Galileo or Cassini are icy?", []),
        ("Which moons of planets are icy?", []),
        ("Who or what discovered Titan?", []),
        ("which or and", []),
        ("moons or", []),
        ("", []),
    ],
)
def test_what_a_query_joins_to_ask_for_has_nothing_else_between(query: str, phrases: list[str]) -> None:
    assert [each[-1] for each in joined_phrases(query)] == phrases


@pytest.mark.parametrize("asked", MET, ids=lambda asked: asked["question"])
async def test_what_meets_a_query_of_several_types_is_one_plan(
    moons: BuiltKnowledgeBase, retriever: PlanRetriever, asked: dict[str, list[str]]
) -> None:
    planned, answers = await planned_answers(moons, retriever, str(asked["question"]), 20)
    plan = planned.plans[0]
    answers = tuple(each for each in answers if each.plan is plan)
    assert sorted(each.id for each in await moons.entities(plan.scored.entities.tolist())) == asked["answers"]
    assert sorted(each.entity.id for each in answers) == asked["answers"]
    assert {each.entity.type for each in answers} == set(plan.united)
    assert plan.type == " or ".join(plan.united)
    for each in answers:
        (path,) = each.paths
        assert path.entities[-1] == each.entity.number


async def test_its_answers_are_a_table_and_its_plan_is_told(
    moons: BuiltKnowledgeBase, retriever: PlanRetriever
) -> None:
    planned, answers = await planned_answers(moons, retriever, str(QUESTIONS[0]["question"]), 20)
    assert plan_lines(planned.plans[0], moons.graph) == [
        "asks for: planet or moon",
        "person discovered planet or moon: William Herschel",
    ]
    table = answer_table(planned, answers, moons.graph)
    assert table is not None
    assert (table.title, len(table.rows)) == ("planet or moon: William Herschel discovered it", 5)


async def test_a_type_that_nothing_leads_to_is_left_out(moons: BuiltKnowledgeBase, retriever: PlanRetriever) -> None:
    planned = await retriever.plan("Which planets or dwarf planets did William Herschel discover?")
    plan = planned.plans[0]
    assert (plan.type, plan.united) == ("planet", ())
    assert [each.id for each in await moons.entities(plan.scored.entities.tolist())] == ["uranus"]


async def test_plans_are_united_whole_and_orders_never(moons: BuiltKnowledgeBase, retriever: PlanRetriever) -> None:
    planned = await retriever.plan("Which moon or dwarf planet is the widest?")
    assert sum(planned.probabilities) == pytest.approx(1)
    assert {each.type for each in planned.plans if each.order} <= set(moons.entity_types)
    types = ("moon", "dwarf planet")
    alone = [await retriever.plan("Which of them is the widest?", type) for type in types]
    ordered = [next(plan for plan in each.plans if plan.order) for each in alone]
    assert united(ordered, types, read_plan_model().plans) == ordered
    joined = [each for each in planned.plans if each.united]
    assert joined
    for each in joined:
        numbers = each.scored.entities.tolist()
        assert all(one < other for one, other in pairwise(numbers))
        assert len(numbers) == len(each.scored.texts)
        assert {entity.type for entity in await moons.entities(numbers)} == set(each.united)


async def test_texts_stay_with_their_entities(moons: BuiltKnowledgeBase, retriever: PlanRetriever) -> None:
    alone = [(await retriever.plan(QUESTIONS[0]["question"], type)).plans[0].scored for type in ("planet", "moon")]
    plans = [(await retriever.plan(QUESTIONS[0]["question"], type)).plans[0] for type in ("moon", "planet")]
    (both,) = united(plans, ("moon", "planet"), read_plan_model().plans)
    for each in alone:
        places = both.scored.entities.searchsorted(each.entities)
        assert (both.scored.entities[places] == each.entities).all()
        assert (both.scored.texts[places] == each.texts).all()


async def test_a_query_of_one_type_is_planned_as_before(moons: BuiltKnowledgeBase, retriever: PlanRetriever) -> None:
    planned = await retriever.plan("Which moons did Galileo or Cassini discover?")
    assert not any(each.united for each in planned.plans)
