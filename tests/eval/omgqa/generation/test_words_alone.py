"""What the words of a question and its answer decide by themselves: agreement, faults, twins, and whose turn it is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.omgqa.generation.agreeing import agree
from eval.omgqa.generation.from_pairs import in_turn
from eval.omgqa.generation.twins import MOST_OVERLAP, Asked, overlap, words_of
from eval.omgqa.generation.wording import answer_fault, question_fault, told_fault
from tests.eval.omgqa.generation.lights import QUESTION
from tests.fakes_models import FakeEmbedder


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("1871", "in 1871", True),
        ("1,200 km", "1200 km", True),
        ("Ida Nord", "the keeper Ida Nord", True),
        ("Ida Nord", "Per Holm", False),
        ("1871", "1880", False),
        ("12", "12 of 15", False),
        ("", "", False),
        ("3.0 kg", "3 kg", False),
    ],
)
def test_answers_agree_by_figures_and_words(one: str, other: str, same: bool) -> None:
    assert agree(one, other) is same


@given(st.text(), st.text())
def test_agreement_holds_in_both_directions(one: str, other: str) -> None:
    assert agree(one, other) == agree(other, one)


@given(st.text(alphabet="abc 123", min_size=1))
def test_an_answer_agrees_with_itself(answer: str) -> None:
    assert agree(answer, answer) is bool(answer.strip())


@given(st.text(max_size=60))
def test_any_text_may_be_looked_at(text: str) -> None:
    assert question_fault(text) or text.endswith("?")
    assert answer_fault(text) or text.strip()


@pytest.mark.parametrize(
    "question",
    [
        "In which year did Ida Nord first row ashore?",
        "Is North Light or Holm Light the taller of the two?",
        "How many moons did the probe that took the picture find?",
        "What is the mass of the moon that Voyager 2 passed first?",
    ],
)
def test_a_question_for_a_fact_is_none_of_yes_or_no(question: str) -> None:
    assert question_fault(question) is None


@pytest.mark.parametrize(
    ("question", "answer", "told"),
    [
        ("Which light did Ida Nord of North Light keep?", "North Light", True),
        ("Which is taller, North Light or Holm Light?", "North Light", False),
        ("How many moons did Voyager 2 find there?", "2", False),
        ("Which light did Ida Nord keep?", "North Light", False),
    ],
)
def test_a_question_must_not_say_its_answer(question: str, answer: str, told: bool) -> None:
    assert (told_fault(question, answer) is not None) is told


async def test_of_questions_that_ask_nearly_the_same_the_first_is_kept() -> None:
    asked = Asked(FakeEmbedder())
    assert await asked.twin(QUESTION) is None
    await asked.add("a", QUESTION)
    await asked.add("b", "Which probe passed the outermost planet in 1989?")
    assert await asked.twin(QUESTION.replace("year", "very year")) == "a"
    assert await asked.twin("Which probe passed the outermost planet, and when, in 1989?") == "b"
    assert await asked.twin("How tall is the wooden tower on Gull Rock?") is None


async def test_twins_in_other_words_are_found_by_their_vectors() -> None:
    asked = Asked(FakeEmbedder())
    await asked.add("a", "Is it on or at an off ray?")
    assert overlap(words_of("Is it on or at an off ray?"), words_of("Is it on or at an off ray then?")) < MOST_OVERLAP
    assert await asked.twin("Is it on or at an off ray then?") == "a"


@given(st.sets(st.text(max_size=4)), st.sets(st.text(max_size=4)))
def test_overlap_is_symmetric_and_a_share(one: set[str], other: set[str]) -> None:
    first, second = frozenset(one), frozenset(other)
    assert overlap(first, second) == overlap(second, first)
    assert 0 <= overlap(first, second) <= 1
    assert overlap(first, first) == bool(first)


@given(st.lists(st.lists(st.integers(), max_size=4), max_size=3))
def test_taking_turns_loses_nothing(lists: list[list[int]]) -> None:
    assert sorted(in_turn(lists)) == sorted(each for some in lists for each in some)
