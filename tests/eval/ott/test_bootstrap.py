"""The paired bootstrap: differences by hand, and what holds of any two runs."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eval.ott.bootstrap import Difference, compare
from eval.ott.questions import OttQuestion
from eval.ott.results import QuestionResult
from tests.eval.ott.lights import WHEN

ASKED = tuple(replace(WHEN, id=f"q{number}", gold_table=f"t{number // 3}") for number in range(12))
VALUES = st.lists(st.floats(0, 1), max_size=len(ASKED))


def run(values: list[float], metric: str = "AR@2") -> list[QuestionResult]:
    return [QuestionResult(f"q{number}", (), {metric: value}, {}) for number, value in enumerate(values)]


def draws(first: list[QuestionResult], second: list[QuestionResult], seed: int = 0) -> tuple[Difference, ...]:
    return compare(first, second, ASKED, seed=seed, samples=200)


@given(VALUES, st.integers(0, 9))
@settings(max_examples=25)
def test_a_run_does_not_differ_from_itself(values: list[float], seed: int) -> None:
    assert draws(run([1.0, *values]), run([1.0, *values]), seed) == (Difference("AR@2", 0.0, 0.0, 0.0),)


@given(VALUES, VALUES, st.integers(0, 9))
@settings(max_examples=25)
def test_what_one_run_gains_the_other_loses(first: list[float], second: list[float], seed: int) -> None:
    for ours, theirs in zip(draws(run(first), run(second), seed), draws(run(second), run(first), seed), strict=True):
        assert (ours.mean, ours.low, ours.high) == pytest.approx((-theirs.mean, -theirs.high, -theirs.low))


@given(VALUES, VALUES)
@settings(max_examples=25)
def test_an_interval_lies_within_the_best_and_the_worst_table(first: list[float], second: list[float]) -> None:
    for difference in draws(run(first), run(second)):
        assert -1.0 <= difference.low <= difference.high <= 1.0


def test_a_gain_on_every_question_is_certain_and_a_missing_question_counts_nought() -> None:
    assert draws(run([0.75] * 12), run([0.25] * 12)) == (Difference("AR@2", 0.5, 0.5, 0.5),)
    assert draws(run([1.0] * 12), []) == (Difference("AR@2", 1.0, 1.0, 1.0),)


def test_questions_of_one_table_are_drawn_together() -> None:
    tables = tuple(replace(question, gold_table=f"t{number % 2}") for number, question in enumerate(ASKED))
    by_table = [float(number % 2) for number in range(12)]
    (difference,) = compare(run(by_table), run([0.0] * 12), tables, samples=200)
    assert difference == Difference("AR@2", 0.5, 0.0, 1.0)


def test_a_large_table_weighs_as_much_as_its_questions() -> None:
    tables: tuple[OttQuestion, ...] = tuple(
        replace(question, gold_table="small" if number == 0 else "large") for number, question in enumerate(ASKED)
    )
    (difference,) = compare(run([1.0]), [], tables, samples=200)
    assert difference == Difference("AR@2", pytest.approx(1 / 12), 0.0, 1.0)


def test_the_seed_decides_the_draws() -> None:
    values = [number / 12 for number in range(12)]
    assert draws(run(values), [], seed=1) == draws(run(values), [], seed=1) != draws(run(values), [], seed=2)


def test_every_measure_that_either_run_has_is_compared_in_the_order_of_a_report() -> None:
    found = draws(run([1.0], "F1"), run([1.0], "AR@2"))
    assert [difference.metric for difference in found] == ["AR@2", "F1"]
    assert [round(difference.mean, 3) for difference in found] == [-0.083, 0.083]


def test_without_questions_or_measures_there_is_nothing_to_compare() -> None:
    assert compare(run([1.0]), [], ()) == compare([], [], ASKED) == ()
