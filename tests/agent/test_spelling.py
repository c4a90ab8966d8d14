"""A question is read past slips of the pen: a word that no source knows stands for the one that a source proposes."""

from hypothesis import given
from hypothesis import strategies as st

from agent.extractive.queries import MOST_WORDS
from agent.extractive.reflector import ExtractivePlanner
from agent.extractive.spelling import respelled, respellings
from heliograph.text.words import keywords
from heliograph.types import Need, Respelling
from tests.fakes import FakeSearch

KNOWN = {"jupiter": ["Jupiter"], "moons": ["Io"]}
SLIPS = {"jupitor": "jupiter"}


async def test_the_plan_is_of_the_question_as_it_is_read() -> None:
    plan = await ExtractivePlanner([FakeSearch(KNOWN, instead=SLIPS)]).plan("How many moons has Jupitor?", "auto")
    assert plan.needs == (Need("How many moons has Jupiter?"),)
    assert plan.respelled == (Respelling("jupitor", "jupiter"),)


async def test_without_sources_a_question_is_read_as_it_stands() -> None:
    assert (await ExtractivePlanner().plan("How many moons has Jupitor?", "auto")).respelled == ()


async def test_a_word_that_one_source_knows_is_no_slip() -> None:
    knows = FakeSearch({"jupitor": ["Jupitor (band)"]}, name="other")
    assert await respellings("Jupitor?", [FakeSearch(KNOWN, instead=SLIPS), knows]) == ()


async def test_two_sources_that_differ_settle_nothing() -> None:
    other = FakeSearch({}, name="other", instead={"jupitor": "janitor"})
    assert await respellings("Jupitor?", [FakeSearch({}, instead=SLIPS), other]) == ()
    assert await respellings("Jupitor?", [FakeSearch({}, instead=SLIPS), FakeSearch({}, name="other")])


async def test_a_source_that_is_to_be_spared_is_not_asked() -> None:
    spared = FakeSearch({}, name="spared", instead={"jupitor": "janitor"}, most_queries=4)
    assert await respellings("Jupitor?", [FakeSearch({}, instead=SLIPS), spared]) == (Respelling("jupitor", "jupiter"),)
    assert spared.asked == []


async def test_a_word_that_a_source_may_know_which_is_down_is_left_as_it_is() -> None:
    down = FakeSearch({}, name="down", fault="down")
    assert await respellings("Jupitor?", [FakeSearch({}, instead=SLIPS), down]) == ()


def test_capitals_stay_where_they_were() -> None:
    read = (Respelling("jupitor", "jupiter"), Respelling("mesenger", "messenger"))
    asked = "jupitor, Jupitor's and MESENGER; jupitors"
    assert respelled(asked, read) == "jupiter, Jupiter's and MESSENGER; jupitors"


@given(st.text(max_size=200))
async def test_a_question_of_known_words_stays_and_no_more_words_are_asked_for_than_queries_take(question: str) -> None:
    words = keywords(question)
    source = FakeSearch({word: ["Page"] for word in words})
    read = await respellings(question, [source])
    assert (read, respelled(question, read)) == ((), question)
    assert len(source.asked) <= MOST_WORDS
