"""A query is planned, carried out on relations and attributes, and ranked by what is left of it."""

import asyncio
from collections.abc import Callable

import pytest

from heliograph.errors import StoreDamaged, UnknownName
from indexers.skb.knowledge_base import BuiltKnowledgeBase
from tools.skb import traversal
from tools.skb.candidates import Candidates
from tools.skb.dense_retrieval import DenseRetriever
from tools.skb.lexical_retrieval import DocumentBm25, NeighbourBm25
from tools.skb.planning import plans
from tools.skb.planning.answers import plan_lines, planned_answers
from tools.skb.planning.conditions import PathCondition
from tools.skb.planning.plans import Plan
from tools.skb.planning.retrieval import PlanRetriever
from tools.skb.systems import SystemModels, plan_retriever


@pytest.fixture(scope="module")
def retriever(moons: BuiltKnowledgeBase) -> PlanRetriever:
    return plan_retriever(moons, SystemModels())


async def first(base: BuiltKnowledgeBase, retriever: PlanRetriever, query: str, k: int, type: str = "") -> set[str]:
    found = await retriever.retrieve(query, k, type)
    return {each.id for each in await base.entities([one.item for one in found])}


@pytest.mark.parametrize(
    ("query", "answers"),
    [
        ("Which moons of Neptune were not discovered with Voyager 2?", {"hippocamp", "larissa", "nereid", "triton"}),
        ("Which moon was also found by the man who discovered Miranda?", {"nereid"}),
        ("Which moon of Saturn has lakes of liquid methane?", {"titan"}),
    ],
)
async def test_relations_negations_figures_and_text_are_all_met(
    moons: BuiltKnowledgeBase, retriever: PlanRetriever, query: str, answers: set[str]
) -> None:
    assert await first(moons, retriever, query, len(answers), "moon") == answers


@pytest.mark.parametrize(
    ("query", "answers"),
    [
        ("Which moons visited by Voyager 1 did Galileo Galilei not discover?", {"dione", "mimas", "rhea", "titan"}),
        (
            "Which moons not discovered by William Herschel did John Herschel name?",
            {"ariel", "dione", "iapetus", "rhea", "tethys", "titan", "umbriel"},
        ),
        (
            "moons that William Lassell did not find but John Herschel named",
            {"dione", "enceladus", "iapetus", "mimas", "oberon", "rhea", "tethys", "titan", "titania"},
        ),
    ],
)
async def test_of_two_conditions_that_is_denied_at_which_the_denial_stands(
    moons: BuiltKnowledgeBase, retriever: PlanRetriever, query: str, answers: set[str]
) -> None:
    planned = await retriever.plan(query, "moon")
    found = await moons.entities(planned.plans[0].scored.entities.tolist())
    assert {each.id for each in found} == answers


async def test_a_figure_is_held_against_the_attribute_that_is_meant(
    moons: BuiltKnowledgeBase, retriever: PlanRetriever
) -> None:
    planned = await retriever.plan("Which moons of Saturn are more than 1,000 km across?", "moon")
    found = await moons.entities(planned.plans[0].scored.entities.tolist())
    assert {each.id for each in found} == {"dione", "iapetus", "rhea", "tethys", "titan"}


async def test_every_name_has_a_path_that_can_be_required(
    moons: BuiltKnowledgeBase, retriever: PlanRetriever, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plans, "MOST_PATHS", 2)
    planned = await retriever.plan("Which moon that orbits Neptune was found by Gerard Kuiper?", "moon")
    for each in planned.plans:
        required = [one.condition.mention for one in each.conditions if isinstance(one.condition, PathCondition)]
        assert {one.text for one in (*required, *each.unused)} >= {"Neptune", "Gerard Kuiper"}


async def test_each_answer_is_shown_by_triples_of_the_base(moons: BuiltKnowledgeBase, retriever: PlanRetriever) -> None:
    planned, answers = await planned_answers(moons, retriever, "Which moon was found by Gerard Kuiper?", 3, "moon")
    assert plan_lines(planned.plans[0], moons.graph)[:2] == [
        "asks for: moon",
        "person discovered moon: Gerard Kuiper",
    ]
    for each in answers[:2]:
        (path,) = each.paths
        (triple,) = path.triples
        assert triple in await moons.between(triple.source, triple.target)
        assert triple.target == each.entity.number
    assert {each.entity.id for each in answers[:2]} == {"miranda", "nereid"}


async def test_a_range_is_met_at_both_of_its_ends(moons: BuiltKnowledgeBase, retriever: PlanRetriever) -> None:
    planned = await retriever.plan("Which moons of Saturn are between 1,000 and 1,200 km across?", "moon")
    found = await moons.entities(planned.plans[0].scored.entities.tolist())
    assert {each.id for each in found} == {"dione", "tethys"}


async def test_a_plan_that_recognises_nothing_says_so_first(
    moons: BuiltKnowledgeBase, retriever: PlanRetriever
) -> None:
    planned = await retriever.plan("icy and full of craters", "moon")
    idle = next(each for each in planned.plans if not each.conditions and not each.order)
    assert plan_lines(idle, moons.graph)[:2] == [
        "no relation and no attribute is recognised: ranked by words alone",
        "asks for: moon",
    ]


async def test_types_that_are_scored_at_once_are_ranked_as_if_each_was_asked(moons: BuiltKnowledgeBase) -> None:
    query, candidates = "icy moons that Cassini flew past", Candidates(moons)
    types = {each.number: each.type for each in await moons.entities(range(len(moons.graph.types)))}
    for each in (DocumentBm25(moons), NeighbourBm25(moons), DenseRetriever(moons, SystemModels().embeds)):
        every, ranked = await each.scores(query), await each.retrieve(query, len(types))
        assert ranked and [-one.score for one in ranked] == sorted(-one.score for one in ranked)
        for type in candidates.types:
            best = tuple(one for one in ranked if types[one.item] == type)[:7]
            own = every.among(candidates.of_type(every.numbers, type))
            assert await each.retrieve(query, 7, type) == best == own.best(7)
            assert own.first(7).numbers.tolist() == sorted(one.item for one in best)


async def test_what_plans_lead_to_meets_their_conditions(moons: BuiltKnowledgeBase, retriever: PlanRetriever) -> None:
    def reached(plan: Plan, condition: PathCondition) -> set[int]:
        found = condition.requirement.start
        for hop in condition.requirement.hops:
            found = tuple(moons.graph.neighbours(found, hop.relation, hop.direction, hop.type).tolist())
        return set(found)

    planned = await retriever.plan("Which missions launched before 1980 entered orbit around Mars?")
    assert sum(planned.probabilities) == pytest.approx(1)
    for plan in planned.plans:
        entities = set(plan.scored.entities.tolist())
        assert entities and {moons.graph.entity_types[moons.graph.types[each]] for each in entities} == {plan.type}
        for each in plan.conditions:
            if isinstance(each.condition, PathCondition):
                others = reached(plan, each.condition)
                assert entities.isdisjoint(others) if each.operator == "not" else entities <= others


@pytest.mark.parametrize("query", ["", "   ", "?", "¿\ud7ff", "the " * 3_000, "Titan " * 400])
async def test_any_query_is_answered_with_entities_or_none(
    moons: BuiltKnowledgeBase, retriever: PlanRetriever, query: str
) -> None:
    found = await retriever.retrieve(query, 5)
    assert len(found) <= 5


async def test_queries_may_be_asked_at_once(moons: BuiltKnowledgeBase, retriever: PlanRetriever) -> None:
    queries = ("moons of Mars", "moons of Uranus found by William Lassell")
    alone = [await retriever.retrieve(each, 3, "moon") for each in queries]
    assert await asyncio.gather(*(retriever.retrieve(each, 3, "moon") for each in queries)) == alone


async def test_an_unknown_type_is_refused(retriever: PlanRetriever) -> None:
    with pytest.raises(UnknownName):
        await retriever.retrieve("moons of Mars", 3, "galaxy")


async def test_a_type_without_a_letter_and_a_hub_are_asked_like_others(
    built: Callable[[str, str], BuiltKnowledgeBase], monkeypatch: pytest.MonkeyPatch
) -> None:
    many = range(2, 60)
    base = built(
        "0,№,Seven\n1,country,Ruritania\n" + "".join(f"{each},town,Town {each}\n" for each in many),
        "".join(f"{each},lies in,1\n" for each in many) + "0,belongs to,1\n",
    )
    monkeypatch.setattr(traversal, "MOST_REACHED", 20)
    retriever = plan_retriever(base, SystemModels())
    _, answers = await planned_answers(base, retriever, "towns that lie in Ruritania", 3)
    assert [each.entity.type for each in answers] == ["town"] * 3
    assert all([triple.relation for path in each.paths for triple in path.triples] == ["lies in"] for each in answers)


async def test_a_base_that_was_replaced_leaves_the_indexes_of_the_other_alone(
    built: Callable[[str, str], BuiltKnowledgeBase],
) -> None:
    old = built("1,town,Aldwick\n2,town,Brill\n", "1,near,2\n")
    before = plan_retriever(old, SystemModels())
    new = built("1,town,Carrow\n2,town,Dray\n3,town,Ember\n", "1,near,2\n3,near,2\n")
    now = plan_retriever(new, SystemModels())
    assert len(await now.retrieve("towns near Dray", 3)) == 3
    with pytest.raises(StoreDamaged, match="replaced while it was open"):
        await before.retrieve("towns near Brill", 3)
    assert len(await now.retrieve("towns near Dray", 3)) == 3
    assert len(await plan_retriever(new, SystemModels()).retrieve("towns near Dray", 3)) == 3
