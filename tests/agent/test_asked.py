"""The kind of answer is read off the question: its question word, and what stands right after it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.extractive.asked import asked_of
from heliograph.text.words import stems


@pytest.mark.parametrize(
    ("question", "kind", "dimensions"),
    [
        ("How high is the tower?", "quantity", "length"),
        ("How heavy was the bell when it was cast?", "quantity", "mass"),
        ("How much does the bell weigh?", "quantity", "mass"),
        ("How many kilograms does the bell weigh?", "quantity", "mass"),
        ("How cold does the harbour get?", "quantity", "celsius fahrenheit kelvin"),
        ("At what temperature does the oil freeze?", "quantity", "celsius fahrenheit kelvin"),
        ("How long did the keeper stay?", "quantity", "length month time"),
        ("How often does the ferry sail?", "quantity", "month time"),
        ("What price did the lamp fetch?", "quantity", "dollar euro pound yen"),
        ("By how much did it sink?", "quantity", ""),
        ("How many islands are lived on?", "count", ""),
        ("When was the tower lit?", "time", ""),
        ("In which year did the ropewalk close?", "time", ""),
        ("Who built it?", "open", ""),
        ("What is a ropewalk?", "open", ""),
        ("What are the bright stones made of?", "open", ""),
        ("Which firm built it?", "open", ""),
        ("How does it burn?", "open", ""),
        ("ropewalk", "open", ""),
        ("", "open", ""),
    ],
)
def test_the_kind_and_the_dimensions_are_read_off_the_question(question: str, kind: str, dimensions: str) -> None:
    asked = asked_of(question)
    assert (asked.kind, asked.dimensions) == (kind, frozenset(dimensions.split()))


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("The lamp burnt oil. How many barrels did it need?", "count"),
        ("How far did the ferry go when it was new?", "quantity"),
    ],
)
def test_the_question_word_of_the_last_sentence_decides_and_not_that_of_a_clause(question: str, kind: str) -> None:
    assert asked_of(question).kind == kind


def test_what_is_counted_is_kept() -> None:
    assert asked_of("How many islands are there?").counted == frozenset(stems("islands"))


@given(st.text(max_size=200))
def test_any_text_is_read_the_same_twice(question: str) -> None:
    asked = asked_of(question)
    assert asked == asked_of(question)
    assert bool(asked.counted) <= (asked.kind == "count")


@pytest.mark.parametrize(
    ("question", "whether"),
    [
        ("is Holm Light taller than Storholm Mill", True),
        ("I need to know, has it got a lamp?", True),
        ("Was it lit in 1889 or in 1898?", False),
        ("When it was lit, who was there?", False),
        ("tell me about Holm Light", False),
    ],
)
def test_what_asks_for_yes_or_no_is_known(question: str, whether: bool) -> None:
    assert asked_of(question).whether == whether
