"""Weights of a choice and of how sure it is, against the choice itself and by hand; readings that are kept."""

import math
from dataclasses import replace
from pathlib import Path
from typing import get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.reader import answer_of
from bench.reader_fit import (
    Answers,
    Outcome,
    Read,
    calibrated,
    calibration_error,
    coverage,
    crossed,
    fitted,
    keep,
    kept,
    kept_under,
    logistic,
    temperature,
)
from eval.ott.measures import exact_match
from heliograph.errors import UsageError
from indexers.models.answer_choice import ChoiceWeights, Rule
from indexers.models.reader import CandidateAnswer, Reading

TEXTS = ("Oslo", "the Oslo", "Bergen", "Bergen Havn", "1871", "!")
LOGS = st.floats(-9, 0).map(lambda value: round(value, 3))
ANSWERS = st.builds(CandidateAnswer, st.just("span"), st.sampled_from(TEXTS), LOGS)
READINGS = st.builds(Reading, st.lists(ANSWERS, max_size=4).map(tuple), LOGS, LOGS)


@st.composite
def reads(draw: st.DrawFn) -> Read:
    readings = tuple(draw(st.lists(READINGS, min_size=1, max_size=4)))
    scores = tuple(draw(st.lists(LOGS, min_size=len(readings), max_size=len(readings))))
    return Read(draw(st.sampled_from(TEXTS)), readings, readings[:1], (True,) * len(readings), scores)


def read_of(answer: str, *candidates: tuple[str, float, float], scores: tuple[float, ...] = ()) -> Read:
    """A question whose candidates give one answer each: its text, its within and the candidate's share."""
    readings = tuple(Reading((CandidateAnswer("span", text, value),), -2.0, share) for text, value, share in candidates)
    holds = tuple(exact_match(text, answer) == 1 for text, _, _ in candidates)
    return Read(answer, readings, readings[:1], holds, scores)


@given(reads(), st.sampled_from(get_args(Rule)), st.sampled_from(["rank", "score"]), st.floats(0.1, 2), st.floats(0, 1))
def test_all_weights_at_once_choose_what_the_choice_does(read, rule, prior_of, within, share) -> None:
    weights = ChoiceWeights(within, share, 0.7, 20, "", rule, prior_of, 0.5)
    answers, one = Answers.of(read, weights), answer_of(read, weights, 20)
    if answers is None:
        assert one.text == ""
        return
    table = np.array([[within, share, 0.7]])
    chosen = int(answers.best(table, rule)[0])
    close = np.isclose(answers.weighed(table, rule)[0], answers.weighed(table, rule).max(), atol=1e-6)
    assert close[chosen]
    assert one.exact in answers.exact[close]


def test_what_the_retriever_knows_is_weighed_where_it_helps() -> None:
    right_first = [read_of("Oslo", ("Oslo", -2.0, 0.0), ("Bergen", -1.5, 0.0)) for _ in range(4)]
    assert fitted(right_first, ChoiceWeights()).prior > 0
    right_last = [read_of("Bergen", ("Oslo", -2.0, 0.0), ("Bergen", -1.5, 0.0)) for _ in range(4)]
    found = fitted(right_last, ChoiceWeights())
    assert (found.prior, found.rule) == (0.0, "sum")


def test_the_best_place_alone_counts_where_sums_mislead() -> None:
    often = tuple(("Bergen", -1.6, 0.0) for _ in range(6))
    read = [read_of("Oslo", ("Oslo", -1.0, 0.0), *often)] * 3 + [read_of("Oslo", *often[:3], ("Oslo", -1.5, 0.0))]
    found = fitted(read, ChoiceWeights())
    assert (found.rule, found.prior) == ("best", 0.0)


def test_scores_are_divided_until_the_gold_edge_is_as_likely_as_it_can_be() -> None:
    sure = [read_of("a", ("a", -1.0, 0.0), ("b", -1.0, 0.0), scores=(1.0, 0.0))] * 9
    wrong = read_of("b", ("a", -1.0, 0.0), ("b", -1.0, 0.0), scores=(1.0, 0.0))
    assert temperature(sure) == pytest.approx(0.05)
    assert temperature([*sure, wrong]) == pytest.approx(1 / math.log(9), rel=0.1)


def outcome(probability: float, exact: float) -> Outcome:
    return Outcome("x", exact, exact, probability, probability, -1.0)


def test_what_was_too_sure_becomes_less_so() -> None:
    told = [outcome(0.9, float(number % 2)) for number in range(400)]
    weights = calibrated(told, ChoiceWeights(within=2.0))
    assert weights.confidence(0.9, -1.0) == pytest.approx(0.5, abs=0.03)
    assert weights.within == 2.0
    assert calibrated([], weights) == weights


@given(st.lists(st.tuples(st.floats(-9, 9), st.booleans()), min_size=1), st.floats(0.01, 10), st.floats(-2, 2))
def test_no_other_weights_are_better_than_those_of_the_regression(told, strength, still) -> None:
    rows = np.array([(1.0, value) for value, _ in told])
    right, drawn_to = np.array([float(yes) for _, yes in told]), np.array([0.0, still])
    found = logistic(rows, right, drawn_to, strength)
    slope = rows.T @ (1 / (1 + np.exp(-rows @ found)) - right) + strength * (found - drawn_to)
    assert slope == pytest.approx(0, abs=1e-5)


def test_the_calibration_error_by_hand() -> None:
    assert calibration_error([0.95, 0.95, 0.15, 1.0], [1, 0, 0, 1]) == pytest.approx((0.9 + 0.15) / 4)
    assert calibration_error([], []) == 0


def test_the_surest_are_answered_first() -> None:
    found = dict(coverage([0.9, 0.1, 0.8, 0.2, 0.7], [1, 0, 1, 0, 0]))
    assert (found[0.2], found[0.4], found[0.6], found[1.0]) == (1, 1, 2 / 3, 2 / 5)


def test_halves_are_asked_with_the_weights_of_the_other() -> None:
    read = [read_of(str(number)) for number in range(5)]

    def fit(half):
        return ChoiceWeights(model=" ".join(each.answer for each in half))

    asked = crossed(read, fit, lambda each, found: replace(outcome(0.5, 1), text=f"{each.answer} by {found.model}"))
    assert [each.text for each in asked] == ["0 by 1 3", "2 by 1 3", "4 by 1 3", "1 by 0 2 4", "3 by 0 2 4"]


def test_readings_are_kept_whole_and_for_their_reader_alone(tmp_path: Path) -> None:
    cell = CandidateAnswer("cell", "Åse ; 9 m", -0.1, 0, 3, 7, 0)
    read = [
        Read("Åse", (Reading((cell, CandidateAnswer("yes", "yes", -4.5)), -3.0, -0.5),), (), (True,), (0.25,)),
        Read("", (), (Reading((), 0.0, 0.0),)),
    ]
    path = tmp_path / "kept.npz"
    assert kept(path, "one") is None
    keep(path, "one", read)
    assert kept(path, "one") == read
    with pytest.raises(UsageError, match=r"kept\.npz has readings of another model or of other files"):
        kept(path, "other")


def test_readings_are_of_the_files_as_they_are(tmp_path: Path) -> None:
    file = tmp_path / "rankings.jsonl"
    file.write_text("one")
    under = kept_under("reader 20", [file])
    assert under == kept_under("reader 20", [file]) != kept_under("reader 10", [file])
    file.write_text("other")
    assert kept_under("reader 20", [file]) != under
