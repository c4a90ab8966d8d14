"""A thing may be described in place of named: by a clause after it, or by a sentence before the question."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.extractive.description import Description, description_of
from heliograph.text.words import stems


def read(question: str) -> tuple[frozenset[str], str]:
    told = description_of(question)
    return told.heads, " ".join(question[start:end].strip() for start, end in told.clauses)


@pytest.mark.parametrize(
    ("question", "heads", "clauses"),
    [
        ("Who built the tower that burnt down?", "tower", "that burnt down?"),
        ("When was the small ferry launched which sank?", "small ferry launched", "which sank?"),
        ("The island that burnt was owned by whom?", "island", "that burnt was owned by whom?"),
        ("How deep is the bay on Varn that froze?", "bay", "that froze?"),
        ("How wide is the island with the ropewalk?", "island", "with the ropewalk?"),
        ("Who owns the ship named after Ada Brandt?", "ship", "named after Ada Brandt?"),
        ("One island has a ropewalk. When was it closed?", "island ropewalk", "One island has a ropewalk."),
    ],
)
def test_the_clauses_that_describe_a_thing_are_found(question: str, heads: str, clauses: str) -> None:
    assert read(question) == (frozenset(stems(heads)), clauses)


@pytest.mark.parametrize(
    "question",
    [
        "Who built Holm Light?",
        "Who found that oil burns?",
        "When was it lit? Who lit it?",
        "The keeper's house on the hill is old",
        "",
    ],
)
def test_a_question_that_names_all_it_asks_about_describes_nothing(question: str) -> None:
    assert description_of(question) == Description()


@given(st.text(max_size=200))
def test_clauses_lie_within_the_question(question: str) -> None:
    told = description_of(question)
    assert all(0 <= start <= end <= len(question) for start, end in told.clauses)
    assert bool(told.heads) <= bool(told.clauses)
