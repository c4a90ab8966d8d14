"""EM and F1 by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.ott.measures import exact_match, f1


@pytest.mark.parametrize(
    ("answer", "gold", "em", "overlap"),
    [
        ("The Lion King", "lion king", 1.0, 1.0),
        ("Walt Disney Pictures.", "Walt Disney", 0.0, 2 * 2 / 5),
        ("King Lion", "Lion King", 0.0, 1.0),
        ("a a b", "a b b", 0.0, 2 * 1 / 3),
        ("1,250", "1250", 1.0, 1.0),
        ("Ada", "Brandt", 0.0, 0.0),
        ("", "Brandt", 0.0, 0.0),
        ("the", "", 1.0, 1.0),
    ],
)
def test_answers_are_compared_without_case_punctuation_and_articles(
    answer: str, gold: str, em: float, overlap: float
) -> None:
    assert exact_match(answer, gold) == em
    assert f1(answer, gold) == pytest.approx(overlap)


@given(st.text(max_size=30), st.text(max_size=30))
def test_f1_is_the_same_both_ways_and_one_where_answers_match(one: str, other: str) -> None:
    assert f1(one, other) == f1(other, one)
    assert exact_match(one, other) <= f1(one, other) <= 1.0
    assert f1(one, one) == exact_match(one, one) == 1.0
