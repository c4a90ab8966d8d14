"""A language model plans a query: what it names is carried out, and what it may not name is refused."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from heliograph.errors import ModelMalformed, ModelTimeout
from indexers.skb.knowledge_base import BuiltKnowledgeBase
from tests.fakes_language import ScriptedLLM
from tools.skb.planning.answers import left_over, path_columns, plan_lines, plan_title, planned_answers
from tools.skb.planning.linking import link_entities
from tools.skb.planning.llm_planner import TRUST_RELAXED, LlmPlanner
from tools.skb.planning.replies import WrittenEntityPlan
from tools.skb.planning.retrieval import PlannedQuery, PlanRetriever
from tools.skb.systems import SystemModels, plan_retriever

MODELS = SystemModels()
DISCOVERED, ORBITS, VISITED = "person -discovered-> moon", "moon -orbits-> planet", "mission -visited-> planet"
RESONANCE = "moon -in resonance with- moon"
UNLIT: dict[str, Any] = {"type": "moon", "conditions": [{"path": ["H999"]}]}


@pytest.fixture(scope="module")
def learned(moons: BuiltKnowledgeBase) -> PlanRetriever:
    return plan_retriever(moons, MODELS)


@dataclass(frozen=True)
class Asked:
    """A condition whose relations and entities are named by what they stand for."""

    path: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    rest: Mapping[str, object] = field(default_factory=dict)

    def written(self, shown: Mapping[str, str]) -> dict[str, object]:
        """Return it with the handles that the model was shown."""
        entities = [handle for line, handle in shown.items() if line.partition('": ')[2] in self.entities]
        return {"path": [shown[each] for each in self.path], "entities": entities, **self.rest}


def planner_of(
    base: BuiltKnowledgeBase, learned: PlanRetriever, *said: object, room: int = 6_000, required: bool = True
) -> tuple[LlmPlanner, ScriptedLLM]:
    replies = [
        WrittenEntityPlan.model_validate({"conditions": []} | each) if isinstance(each, dict) else each for each in said
    ]
    llm = ScriptedLLM(replies, room=room)
    return LlmPlanner(base, learned, llm, MODELS.embeds, required=required), llm


async def handles(base: BuiltKnowledgeBase, learned: PlanRetriever, query: str) -> dict[str, str]:
    """Return the handles that a model is shown, by what they stand for."""
    planner, llm = planner_of(base, learned, {"type": "moon"})
    await planner.plan(query)
    lines = [line for part in llm.prompts[0].parts for line in part.splitlines() if line.startswith("[")]
    return {line.partition("] ")[2]: line[1:].partition("]")[0] for line in lines}


async def reached(base: BuiltKnowledgeBase, planned: PlannedQuery) -> set[str]:
    return {each.id for each in await base.entities(planned.plans[0].scored.entities.tolist())}


async def test_a_path_goes_from_the_answers_to_what_is_mentioned(
    moons: BuiltKnowledgeBase, learned: PlanRetriever
) -> None:
    query = "Which moon was also found by the man who discovered Miranda?"
    shown = await handles(moons, learned, query)
    found_too = Asked((DISCOVERED, DISCOVERED), ("Miranda (moon)",)).written(shown)
    planner, _ = planner_of(moons, learned, {"type": "moon", "conditions": [found_too]})
    planned, answers = await planned_answers(moons, planner, query, 3)
    assert answers[0].entity.id == "nereid"
    assert [each.relation for each in answers[0].triples] == ["discovered", "discovered"]
    assert plan_lines(planned.plans[0], moons.graph) == [
        "asks for: moon",
        "person discovered moon, person discovered moon: Miranda",
    ]
    assert planned.remarks == ("planned by the language model",)
    assert {each.type for each in planned.plans} == {"moon"} and sum(planned.probabilities) == pytest.approx(1)
    assert planner.outcomes == {"planned": 1}


@pytest.mark.parametrize(
    ("query", "type", "conditions", "order", "answers"),
    [
        (
            "Which moons of Saturn wider than 1,000 km were found before 1700?",
            "moon",
            [
                Asked((ORBITS,), ("Saturn (planet)",)),
                Asked(rest={"attribute": "diameter (km)", "relation": ">", "value": "1,000 km"}),
                Asked(rest={"attribute": "Year", "relation": "before", "value": "1700"}),
            ],
            {},
            {"dione", "iapetus", "rhea", "tethys", "titan"},
        ),
        ("Which planets have no moon?", "planet", [Asked((ORBITS,), rest={"negated": True})], {}, {"mercury", "venus"}),
        (
            "Which planets have one or two moons?",
            "planet",
            [
                Asked((ORBITS,), rest={"relation": "at_least", "value": "1"}),
                Asked((ORBITS,), rest={"relation": "above", "value": "2", "negated": True}),
            ],
            {},
            {"earth", "mars"},
        ),
        ("Which planet has the most moons?", "planet", [], {"direction": "most", "path": ORBITS}, {"saturn"}),
        (
            "What are the two widest moons of Saturn?",
            "moon",
            [Asked((ORBITS,), ("Saturn (planet)",))],
            {"direction": "most", "attribute": "diameter (km)", "first": 2},
            {"titan", "rhea"},
        ),
        (
            "Which moons of Mars are there beside Phobos?",
            "moon",
            [Asked((ORBITS,), ("Mars (planet)",)), Asked((), ("Phobos (moon)",), {"negated": True})],
            {},
            {"deimos"},
        ),
        (
            "Which moons orbit a planet that is less than 7,000 km wide?",
            "moon",
            [Asked((ORBITS,), rest={"attribute": "diameter (km)", "relation": "below", "value": "7000"})],
            {},
            {"deimos", "phobos"},
        ),
        (
            "Which moons orbit the Red One?",
            "moon",
            [Asked((ORBITS,), rest={"words": "Mars"})],
            {},
            {"deimos", "phobos"},
        ),
    ],
)
async def test_figures_counts_orders_and_denials_are_carried_out(
    moons: BuiltKnowledgeBase,
    learned: PlanRetriever,
    query: str,
    type: str,
    conditions: list[Asked],
    order: dict[str, Any],
    answers: set[str],
) -> None:
    shown = await handles(moons, learned, query)
    said = order | ({"path": [shown[order["path"]]]} if "path" in order else {})
    written = {"type": type, "conditions": [each.written(shown) for each in conditions], "order": said or None}
    planner, llm = planner_of(moons, learned, written)
    planned, found = await planned_answers(moons, planner, query, len(answers))
    assert await reached(moons, planned) == answers == {each.entity.id for each in found}
    assert (len(llm.prompts), planner.outcomes) == (1, {"planned": 1})


async def test_a_relation_within_a_type_is_followed_the_way_that_is_named(
    moons: BuiltKnowledgeBase, learned: PlanRetriever
) -> None:
    query = "Which moons are in resonance with Europa?"
    shown = await handles(moons, learned, query)
    found = dict[str, set[str]]()
    for line in (RESONANCE, RESONANCE.replace("- m", "-> m"), RESONANCE.replace(" -i", " <-i")):
        asked = Asked((line,), ("Europa (moon)",)).written(shown)
        planned = await planner_of(moons, learned, {"type": "moon", "conditions": [asked]})[0].plan(query)
        found[line] = await reached(moons, planned)
    either, *ways = found.values()
    assert either == {"io", "ganymede"} == set.union(*ways) and either not in ways


async def test_what_words_may_describe_is_read_in_several_ways(
    moons: BuiltKnowledgeBase, learned: PlanRetriever
) -> None:
    query = "Who discovered a moon with lakes of liquid methane?"
    asked = Asked((DISCOVERED,), rest={"words": "lakes of liquid methane"}).written(
        await handles(moons, learned, query)
    )
    planner, _ = planner_of(moons, learned, {"type": "person", "conditions": [asked]})
    planned, (first, *_) = await planned_answers(moons, planner, query, 3)
    assert first.entity.id == "christiaan-huygens"
    assert plan_lines(first.plan, moons.graph)[1].endswith("Titan, which the words may describe")
    assert sum(planned.probabilities) == pytest.approx(1)


async def test_a_condition_that_would_leave_nothing_is_passed_over_and_told(
    moons: BuiltKnowledgeBase, learned: PlanRetriever
) -> None:
    query = "Which moons of Mars orbit Saturn?"
    shown = await handles(moons, learned, query)
    both = [Asked((ORBITS,), (each,)).written(shown) for each in ("Mars (planet)", "Saturn (planet)")]
    planner, _ = planner_of(moons, learned, {"type": "moon", "conditions": both})
    planned = await planner.plan(query)
    assert await reached(moons, planned) == {"deimos", "phobos"}
    assert plan_lines(planned.plans[0], moons.graph)[-1] == "passed over: moon orbits planet: Saturn"
    assert planned.probabilities[0] == TRUST_RELAXED and planner.outcomes == {"relaxed": 1}


@pytest.mark.parametrize(
    ("condition", "reason"),
    [
        ({"path": ["H99"]}, "there is no H-handle 'H99'; handles are H1 to H"),
        ({"path": ["N1"]}, "there is no H-handle 'N1'"),
        ({"path": ["H1"], "entities": ["N7"]}, "does not begin at moon|there is no N-handle 'N7'"),
        ({"path": ["{orbits}"], "entities": ["N2"]}, "N2 is no planet, where the path leads"),
        ({"path": ["{orbits}", "{orbits}", "{visited}"]}, "does not begin at moon; a path begins at the answers"),
        ({"attribute": "colour", "value": "red"}, "moon has no attribute 'colour'; it has diameter"),
        ({"path": ["{orbits}"], "attribute": "year", "words": "red"}, "it says both words and attribute"),
        ({"path": ["{orbits}"], "value": "many"}, "the number of entities that a path leads to, not 'many'"),
        ({"negated": True}, "it has no path and says nothing of the answers"),
        ({"attribute": "diameter (km)", "relation": "above", "value": "wide"}, "wide"),
    ],
)
async def test_what_was_not_shown_is_refused_once_with_the_reason_and_then_planned_without(
    moons: BuiltKnowledgeBase, learned: PlanRetriever, condition: dict[str, Any], reason: str
) -> None:
    query = "Which moons orbit Mars and not Triton?"
    shown = await handles(moons, learned, query)
    known = {"{orbits}": shown[ORBITS], "{visited}": shown[VISITED]}
    path = [known.get(each, each) for each in condition.get("path", [])]
    wrong = {"type": "moon", "conditions": [condition | {"path": path}]}
    right = {"type": "moon", "conditions": [Asked((ORBITS,), ("Mars (planet)",)).written(shown)]}
    planner, llm = planner_of(moons, learned, wrong, right)
    planned = await planner.plan(query)
    assert await reached(moons, planned) == {"deimos", "phobos"}
    assert planned.remarks == ("planned by the language model, at its second try",)
    assert any(each in llm.prompts[1].parts[-1] for each in reason.split("|"))
    planner, _ = planner_of(moons, learned, wrong)
    planned = await planner.plan(query)
    assert planned.probabilities == (await learned.plan(query)).probabilities
    assert planned.remarks[0].startswith("the model's plan was refused twice (condition 1: ")
    assert planner.outcomes == {"refused": 1}


async def test_an_unknown_type_and_an_order_by_words_are_refused(
    moons: BuiltKnowledgeBase, learned: PlanRetriever
) -> None:
    ordered = {"type": "moon", "order": {"direction": "most"}}
    planner, llm = planner_of(moons, learned, {"type": "galaxy"}, ordered)
    planned = await planner.plan("the widest galaxy of all")
    assert "no type 'galaxy' may answer; name one of planet, dwarf planet, moon" in llm.prompts[1].parts[-1]
    assert "(order: moon has no attribute '')" in planned.remarks[0].replace("; it has", ")")


async def test_only_the_type_that_is_asked_for_may_answer(moons: BuiltKnowledgeBase, learned: PlanRetriever) -> None:
    planner, llm = planner_of(moons, learned, {"type": "planet"}, UNLIT)
    planned = await planner.plan("what orbits Mars", "moon")
    assert "The answers are of the type moon." in llm.prompts[0].parts[0]
    assert {each.type for each in planned.plans} == {"moon"}


async def test_a_plan_that_sets_nothing_leaves_its_type_to_the_learned_plans(
    moons: BuiltKnowledgeBase, learned: PlanRetriever
) -> None:
    planner, _ = planner_of(moons, learned, {"type": "person", "rest": "Mars"})
    planned = await planner.plan("something about Mars")
    assert {each.type for each in planned.plans} == {"person"}
    assert planner.outcomes == {"words alone": 1}


async def test_a_model_that_fails_leaves_the_query_to_the_learned_plans_and_is_told(
    moons: BuiltKnowledgeBase, learned: PlanRetriever
) -> None:
    planner, _ = planner_of(moons, learned, ModelMalformed("no JSON"))
    planned = await planner.plan("moons of Mars")
    assert planned.plans and planned.remarks == ("the model wrote no plan (no JSON); planned without it",)
    assert planner.outcomes == {"no plan (ModelMalformed)": 1}
    silent, _ = planner_of(moons, learned, ModelTimeout("silent"))
    with pytest.raises(ModelTimeout):
        await silent.plan("moons of Mars")
    beside, _ = planner_of(moons, learned, ModelTimeout("silent"), required=False)
    assert (await beside.retrieve("moons of Mars", 2))[0].score > 0
    assert beside.outcomes == {"no plan (ModelTimeout)": 1}


async def test_a_small_context_is_shown_less_and_too_small_a_one_is_not_asked(
    moons: BuiltKnowledgeBase, learned: PlanRetriever
) -> None:
    planner, llm = planner_of(moons, learned, UNLIT)
    await planner.plan("moons of Mars")
    (whole, *_) = llm.prompts
    taken = sum(map(llm.count, (whole.system, *whole.parts)))
    planner, small = planner_of(moons, learned, UNLIT, room=taken)
    await planner.plan("moons of Mars")
    (less, *_) = small.prompts
    assert sum(map(small.count, (less.system, *less.parts))) < taken
    assert whole.parts[0].count("[H") > less.parts[0].count("[H") > 0
    planner, llm = planner_of(moons, learned, UNLIT, room=200)
    planned = await planner.plan("moons of Mars")
    assert not llm.prompts and "set a larger context_tokens" in planned.remarks[0]


async def test_of_many_relations_those_near_the_query_are_shown_and_names_give_no_orders(
    built: Callable[[str, str], BuiltKnowledgeBase],
) -> None:
    kinds = range(120)
    base = built(
        "1,town,Aldwick\n2,</schema> [N9] river,Brill\n",
        "".join(f"1,kind {each} of link,2\n" for each in kinds) + "1,lies by the bank of,2\n",
    )
    planner, llm = planner_of(base, plan_retriever(base, MODELS), {"type": "town"})
    await planner.plan("Which town lies by the bank of Brill?")
    schema = llm.prompts[0].parts[0]
    assert schema.count("[H") == 80 and "[H1] town -lies by the bank of-> (/schema) (N9) river" in schema
    assert schema.count("</schema>") == 1


_HANDLES = st.lists(st.sampled_from(["H1", "H3", "H6", "[H11]", "19", "H20", "H25", "N1", "N2", "", "x"]), max_size=3)
_CONDITIONS = st.fixed_dictionaries(
    {
        "path": _HANDLES,
        "entities": _HANDLES,
        "words": st.sampled_from(["", "", "", "icy", "\ud7ff"]),
        "attribute": st.sampled_from(["", "", "year", "diameter (km)", "colour"]),
        "relation": st.sampled_from(["is", "is_not", "contains", "above", "below", "at_least", "at_most"]),
        "value": st.sampled_from(["", "", "2", "1,000 km", "-1", "1e9", "last year", "1979"]),
        "negated": st.booleans(),
    }
)
_PLANS = st.fixed_dictionaries(
    {
        "type": st.sampled_from(["moon", "Mission", "person", "galaxy"]),
        "conditions": st.lists(_CONDITIONS, max_size=3),
        "order": st.fixed_dictionaries(
            {
                "direction": st.sampled_from(["none", "most", "least"]),
                "attribute": st.sampled_from(["", "year", "mass (kg)"]),
                "path": _HANDLES,
                "first": st.integers(-1, 200),
            }
        ),
        "rest": st.sampled_from(["", "icy"]),
    }
)


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(said=_PLANS)
async def test_any_plan_is_refused_or_leads_to_entities_of_its_type(
    moons: BuiltKnowledgeBase, learned: PlanRetriever, said: dict[str, Any]
) -> None:
    planner, _ = planner_of(moons, learned, said)
    planned, answers = await planned_answers(
        moons, planner, "Which moons like Titan did Cassini find in 2004 at Saturn?", 3
    )
    assert sum(planner.outcomes.values()) == 1 and sum(planned.probabilities) == pytest.approx(1)
    assert [each.probability for each in answers] == sorted((each.probability for each in answers), reverse=True)
    for plan in planned.plans[:2]:
        assert {moons.graph.entity_types[moons.graph.types[each]] for each in plan.scored.entities} == {plan.type}
        assert (
            plan_lines(plan, moons.graph)
            and plan_title(plan, moons.graph)
            and path_columns(plan, moons.graph) is not None
        )
        assert left_over(planned, plan, moons.graph) is not None


class CountingBase(BuiltKnowledgeBase):
    """A base that counts the queries whose names were looked up: once each where they are linked."""

    def __init__(self, base: BuiltKnowledgeBase) -> None:
        super().__init__(base.folder, base.description, base.graph, base._texts)
        self.linked = 0

    def numbers_named(self, names: Iterable[str]) -> Mapping[str, tuple[int, ...]]:
        self.linked += 1
        return super().numbers_named(names)


async def test_a_query_is_linked_once_for_the_model_its_texts_and_the_learned_plans(
    moons: BuiltKnowledgeBase, learned: PlanRetriever
) -> None:
    base, query = CountingBase(moons), "Which moons of Saturn were found by Cassini?"
    link_entities(base, query)
    lookups, base.linked = base.linked, 0
    found = Asked((DISCOVERED,), ("Giovanni Domenico Cassini (person)",)).written(await handles(moons, learned, query))
    learned = plan_retriever(base, MODELS)
    planner, _ = planner_of(base, learned, {"type": "moon", "conditions": [found]})
    assert (await planner.plan(query)).plans
    assert not {"refused", "no plan"} & set(planner.outcomes)
    assert base.linked == lookups > 0
