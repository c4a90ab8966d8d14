"""Drafts become queries of language models, whose answers are candidates that every filter accepts, or say why not."""

import asyncio
import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eval.stark.construction.constructor import Construction
from eval.stark.construction.language.outcomes import Outcome, draft_figures, figures_text, queries_of
from eval.stark.construction.language.pipeline import MOST_DRAFTS, ModelConstruction, construct_by_model
from eval.stark.construction.language.replies import QUERY_CHARACTERS
from eval.stark.construction.language.roles import ROLES, roles_named
from heliograph.errors import ContextOverflow, ModelMalformed, ModelTimeout
from indexers.skb.knowledge_base import BuiltKnowledgeBase
from tests.eval.stark.construction.language.models import RuleLLM, obliging, step_models

WANTED = ModelConstruction(Construction("development", 12), ROLES["general"])


def made(base: BuiltKnowledgeBase, *llms: RuleLLM, wanted: ModelConstruction = WANTED) -> tuple[Outcome, ...]:
    return asyncio.run(construct_by_model(base, wanted, step_models(*llms), lambda _said: None))


def reasons(outcomes: tuple[Outcome, ...]) -> set[str]:
    return {each.dropped.reason for each in outcomes if each.dropped}


def test_queries_have_the_candidates_that_the_filter_accepts(lights: BuiltKnowledgeBase) -> None:
    outcomes = made(lights, RuleLLM())
    queries = queries_of(outcomes)
    assert len(queries) == 12
    with_properties = 0
    for outcome in outcomes:
        if not outcome.query:
            continue
        query, plan = outcome.query.query, outcome.query.query.plan
        assert plan and plan.gold in query.answers
        assert query.text.startswith("Tell me: Which have")
        assert all(each.mention.words in query.text for each in plan.requirements)
        candidates = asyncio.run(lights.entities(sorted(outcome.draft.draft.candidates)))
        word = re.findall(r"known for (\w+)", " ".join(plan.properties))
        expected = [each for each in candidates if not word or word[0] in asyncio.run(lights.document(each.number))]
        assert query.answers == tuple(each.id for each in expected)
        with_properties += bool(word)
    assert with_properties >= 5
    figures = draft_figures(outcomes)
    assert (figures.queries, figures.gold_accepted) == (12, 1.0)
    assert "gold entity accepted by the filters  100.0 %" in figures_text(figures)


def test_the_same_replies_make_the_same_queries_however_many_are_under_way(lights: BuiltKnowledgeBase) -> None:
    several = [made(lights, RuleLLM(), wanted=replace(WANTED, at_once=count)) for count in (1, 7)]
    assert several[0] == several[1]


def test_every_filter_has_to_accept_and_one_that_refuses_spares_the_others(lights: BuiltKnowledgeBase) -> None:
    strict = RuleLLM(lambda _name, _asked: {"verdicts": [{"property": 1, "met": False}]})
    second = RuleLLM()
    outcomes = made(lights, RuleLLM(), strict, second)
    assert reasons(outcomes) == {"gold"}
    assert all(not each.query.query.plan.properties for each in outcomes if each.query and each.query.query.plan)
    assert (strict.asked("check_properties"), second.prompts) == (draft_figures(outcomes).judged, [])
    assert draft_figures(outcomes).gold_accepted == 0
    lenient = RuleLLM(lambda _name, _asked: {"verdicts": [{"property": 1, "evidence": "it is known", "met": True}]})
    both = [each for each in made(lights, RuleLLM(), lenient, second) if each.query and each.filtered]
    assert any(each.filtered and each.filtered.judged > len(each.filtered.accepted) for each in both)


@pytest.mark.parametrize(
    ("prompt", "said", "reason"),
    [
        ("extract_properties", {"found": []}, "properties"),
        ("extract_properties", {"found": [{"property": "is green", "source": "it is all green"}]}, "properties"),
        ("extract_properties", ["no"], "reply"),
        ("write_query", {"query": "Which lights are there?", "used": [1]}, "words"),
        ("write_query", {"query": "x" * (QUERY_CHARACTERS + 1), "used": [1]}, "reply"),
        ("rephrase_query", {"query": "Which lights are there?"}, "words"),
        ("rephrase_query", ModelMalformed("wrote no usable reply"), "reply"),
        ("check_properties", {"verdicts": []}, "gold"),
        ("check_properties", {"verdicts": [{"property": 1, "evidence": "bright green", "met": True}]}, "gold"),
        ("check_properties", ContextOverflow("an entity does not fit the prompt"), "gold"),
    ],
)
def test_a_bad_reply_costs_its_draft_and_not_the_run(
    lights: BuiltKnowledgeBase, prompt: str, said: object, reason: str
) -> None:
    outcomes = made(lights, RuleLLM(lambda name, asked: said if name == prompt else obliging(name, asked)))
    assert reasons(outcomes) == {reason}
    assert len(outcomes) <= MOST_DRAFTS * 12


def test_a_query_that_names_an_answer_is_dropped(lights: BuiltKnowledgeBase) -> None:
    first = next(each for each in made(lights, RuleLLM()) if each.query)

    def telling(name: str, asked: str) -> object:
        said = obliging(name, asked)
        return {"query": f"{first.text} {first.draft.gold.name}"} if said == {"query": first.text} else said

    dropped = next(each.dropped for each in made(lights, RuleLLM(telling)) if each.draft == first.draft)
    assert dropped and dropped.reason == "named"


def test_what_cannot_be_asked_ends_the_run(lights: BuiltKnowledgeBase) -> None:
    with pytest.raises(ModelTimeout):
        made(lights, RuleLLM(lambda _name, _asked: ModelTimeout("no reply")))


def test_prompts_have_the_role_and_requirements_with_both_ends(lights: BuiltKnowledgeBase) -> None:
    llm = RuleLLM()
    made(lights, llm, wanted=replace(WANTED, roles=roles_named("", "PRIME")))
    written = ["\n".join(each.parts) for each in llm.prompts if each.name == "write_query"]
    roles = {role for each in written for role in re.findall(r"The role: a ([\w ]+),", each)}
    assert 2 <= len(roles & {"doctor", "medical scientist", "patient"}) == len(roles)
    assert all(re.search(r"^- .*(-\w[\w ]*-> the wanted|the wanted .* -\w)", each, re.MULTILINE) for each in written)
    assert any("this must NOT be so" in each for each in written)


def test_a_document_is_cut_to_the_room_of_the_model(lights: BuiltKnowledgeBase) -> None:
    small = RuleLLM(room=100)
    assert "reply" in reasons(made(lights, small)) or small.asked("extract_properties") == 0


values = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 5) | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["found", "property", "source", "query", "used", "verdicts", "evidence", "met"]), inner
        )
    ),
    max_leaves=8,
)


@settings(max_examples=10, deadline=None)
@given(data=st.data())
def test_no_reply_ever_raises_and_answers_are_candidates(lights: BuiltKnowledgeBase, data: st.DataObject) -> None:
    def any_reply(name: str, asked: str) -> object:
        return obliging(name, asked) if data.draw(st.integers(0, 3)) else data.draw(values)

    wanted = replace(WANTED, wanted=Construction("development", 3), most_candidates=6)
    for outcome in made(lights, RuleLLM(any_reply), wanted=wanted):
        assert bool(outcome.query) != bool(outcome.dropped)
        if outcome.query:
            candidates = asyncio.run(lights.entities(sorted(outcome.draft.draft.candidates)))
            assert set(outcome.query.query.answers) <= {each.id for each in candidates}
            assert outcome.draft.gold.id in outcome.query.query.answers
