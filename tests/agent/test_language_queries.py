"""The plan by a model: its needs, and queries of plain words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.language.planner import LanguagePlanner
from agent.language.queries import plain_query
from agent.language.replies import WrittenPlan
from heliograph.errors import ModelMalformed, ModelTimeout
from heliograph.types import FormChoice, Need, Plan, Query
from tests.fakes_language import ScriptedLLM

QUESTION = "Who designed the lighthouse on Storholm?"


@pytest.mark.parametrize(
    ("written", "query"),
    [
        ("Varn Islands lighthouse", "Varn Islands lighthouse"),
        ('"Varn Islands" lighthouse', '"Varn Islands" lighthouse'),
        ("site:evil.example moons", "evil.example moons"),
        ('"Varn" insource:/x.*y/', '"Varn" x. y'),
        ("intitle: Varn", "Varn"),
        ("Star Wars: Episode IV", "Star Wars Episode IV"),
        ("-moon +sun ~star* !bang", "moon sun star bang"),
        ("moon AND NOT sun OR (star)", "moon and not sun or star"),
        ("see http://evil.example/a?b=c moons", "see moons"),
        ("ｈｔｔｐ：／／evil.example/x moons", "moons"),
        ("hxxp : / / evil.example moons", "moons"),
        ("www.evil.example evil.example/path moons", "moons"),
        ('odd " mark', "odd mark"),
        ("AC/DC's C++ 99.9%", "AC DC's C++ 99.9%"),
        ("mo\u200bons\u202e of\nMars", "moons of Mars"),
    ],
)
def test_a_query_is_plain_words(written, query):
    assert plain_query(written) == Query(query)


@pytest.mark.parametrize("written", ["", '"', "http://evil.example", "::", "-", "www.evil.example"])
def test_what_holds_no_word_is_no_query(written):
    assert plain_query(written) is None


@given(st.text(alphabet='ab:/.-~*"!|() ', max_size=40))
def test_no_operator_comes_out(written):
    query = plain_query(written)
    if query is not None:
        assert not set(query.text) & set(":/~*!|()\\")
        assert query.text.count('"') % 2 == 0
        assert not any(token.lstrip('"').startswith("-") for token in query.text.split())
        assert plain_query(query.text) == query


async def plan(reply: object, form: FormChoice = "auto") -> tuple[Plan, ScriptedLLM]:
    llm = ScriptedLLM([reply])
    return await LanguagePlanner(llm).plan(QUESTION, form), llm


async def test_a_plan_has_the_question_as_its_first_need_and_queries_of_plain_words():
    written = WrittenPlan(
        form="long",
        title="Lights",
        needs=[
            "designer  of the\nlighthouse",
            QUESTION,
            QUESTION.rstrip("?").lower(),
            "Designer of the lighthouse",
            "see http://x.example/",
        ],
        queries=["Storholm", "site:x lighthouse Storholm", *"abcdef"],
    )
    made, llm = await plan(written)
    needs = (Need(QUESTION), Need("Designer of the lighthouse", "plan"))
    assert made == Plan("long", needs, tuple(map(Query, ["Storholm", "x lighthouse Storholm", *"abcd"])))
    assert (llm.prompts[0].name, llm.prompts[0].parts) == ("plan", (f"Question: {QUESTION}", "Form: auto"))


async def test_a_form_that_was_asked_for_stands_and_a_report_keeps_its_title():
    made, llm = await plan(WrittenPlan(form="short", title="Lights of Varn", queries=["Varn"]), "report")
    assert (made.form, made.title) == ("report", "Lights of Varn")
    assert llm.prompts[0].parts[1] == "Form: report"


async def test_queries_without_a_word_are_malformed():
    with pytest.raises(ModelMalformed, match="no query"):
        await plan(WrittenPlan(queries=["http://x.example/"]))


async def test_a_failure_of_the_model_is_raised():
    with pytest.raises(ModelTimeout):
        await plan(ModelTimeout("late"))
