"""What a question asks to be seen, and the probability that a picture shows it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexers.depiction import ODDS, Depiction, depiction_of, probability, sought

cosines = st.floats(-1, 1)
scales = st.floats(1, 100)


@pytest.mark.parametrize(
    ("question", "described"),
    [
        ("Which drawing shows a red circle above a blue square?", "a red circle above a blue square"),
        ("Show me a photo of the moon Titan", "the moon Titan"),
        ("Which painting has a woman with an umbrella in it?", "a woman with an umbrella in it"),
        ("In which picture is a red circle above a blue square shown?", "a red circle above a blue square"),
        ("In which picture can you see a lighthouse?", "a lighthouse"),
        ("Which image, taken in 1990, shows the Earth as a pale dot?", "the Earth as a pale dot"),
        ("Which map of Titan was made by Cassini?", "Titan"),
        ("Who painted the picture that shows the tower?", "the tower"),
        ("How many pictures of Mars has Viking taken?", "Mars"),
        ("What is the largest moon of Saturn?", None),
        ("Which moon shows a crater?", None),
        ("Is there a picture?", None),
        ("", None),
    ],
)
def test_a_description_is_what_a_question_for_a_picture_says_of_it(question, described):
    found = depiction_of(question)
    assert (found.text if found else None) == described
    assert sought(question) == (described or question)


def test_a_description_has_its_place_with_the_verb_before_it():
    question = "Which drawing shows a red circle?"
    assert depiction_of(question) == Depiction("a red circle", 14, 32)
    assert question[14:32] == "shows a red circle"


def test_an_expanded_query_is_described_by_its_question_alone():
    assert sought("Which drawing shows a red circle? Sheet > Rows: Name is Ada; Born is 1838") == "a red circle"


@given(st.text(max_size=200))
def test_any_text_can_be_asked(text):
    found = depiction_of(text)
    assert found is None or (0 <= found.start < found.end <= len(text) and found.text in text)


@given(cosines, cosines, cosines, scales)
def test_a_probability_grows_with_what_is_shown_and_falls_with_what_fits_everything(one, other, neutral, scale):
    low, high = sorted((one, other))
    assert 0 <= probability(low, neutral, scale) <= probability(high, neutral, scale) <= 1
    assert probability(neutral, high, scale) <= probability(neutral, low, scale)


def test_a_picture_that_fits_no_better_than_any_is_one_of_many():
    assert probability(0.2, 0.2, 100.0) == pytest.approx(1 / (1 + ODDS))
    assert probability(0.30, 0.22, 100.0) == pytest.approx(0.937, abs=0.001)
    assert probability(0.24, 0.22, 100.0) == pytest.approx(0.036, abs=0.001)
