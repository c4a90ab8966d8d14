"""The question's words that a text says."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexers.lexical import LONG_WEIGHT, NAME_WEIGHT, content_words, question_coverage


@pytest.mark.parametrize(
    ("question", "words"),
    [
        (
            "What is the diameter of Ganymede in km?",
            {"diamet": LONG_WEIGHT, "ganymed": NAME_WEIGHT, "km": 1.0},
        ),
        ("Moons discovered in 1,610?", {"moon": 1.0, "discov": LONG_WEIGHT, "1610": NAME_WEIGHT}),
        ("Saturn's moons", {"saturn": 1.0, "moon": 1.0}),
        ("Who is he?", {"who": 1.0, "is": 1.0, "he": 1.0}),
        ("", {}),
    ],
)
def test_content_words_are_stemmed_and_names_and_numbers_count_more(question, words):
    assert content_words(question) == words


@pytest.mark.parametrize(
    ("text", "share"),
    [
        ("Ganymede has a diameter of 5268 km.", 1.0),
        ("The diameters are in km", (LONG_WEIGHT + 1) / (LONG_WEIGHT + NAME_WEIGHT + 1)),
        ("Two cups of flour", 0.0),
        ("", 0.0),
    ],
)
def test_coverage_is_the_share_of_the_words_by_weight(text, share):
    assert question_coverage("What is the diameter of Ganymede in km?", text) == pytest.approx(share)


def test_accents_and_separators_do_not_matter():
    assert question_coverage("Where is Côte with 12,500 people?", "cote has 12500 people") == 1.0


def test_a_question_without_words_is_covered_by_nothing():
    assert question_coverage("?!", "anything") == 0.0


@given(question=st.text(max_size=40), text=st.text(max_size=40), more=st.text(max_size=40))
def test_coverage_lies_between_0_and_1_and_more_text_never_lowers_it(question, text, more):
    assert 0.0 <= question_coverage(question, text) <= question_coverage(question, f"{text} {more}") <= 1.0 + 1e-9


@given(question=st.text(alphabet="abc XYZ 12.,'é", max_size=30))
def test_a_question_covers_itself(question):
    assert question_coverage(question, question) == pytest.approx(1.0 if content_words(question) else 0.0)
