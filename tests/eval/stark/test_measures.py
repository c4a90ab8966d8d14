"""Each measure by hand, its bounds, and its agreement with ir_measures."""

import ir_measures
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ir_measures import RR, Qrel, R, ScoredDoc, Success

from eval.stark.measures import NAMES, measures_of, ranked, recall
from heliograph.types import Scored

RANKINGS = st.lists(st.integers(0, 40), max_size=40, unique=True)
ANSWERS = st.lists(st.integers(0, 60), max_size=40)
MISSING = st.integers(0, 5)


def test_a_ranking_by_hand() -> None:
    assert measures_of((7, 3, 9), (9, 3, 4)) == {"Hit@1": 0.0, "Hit@5": 1.0, "R@20": 2 / 3, "MRR": 1 / 2}


def test_what_stands_beyond_a_cut_counts_in_the_reciprocal_rank_alone() -> None:
    ranking = range(100, 130)
    assert measures_of(ranking, {105}) == {"Hit@1": 0.0, "Hit@5": 0.0, "R@20": 1.0, "MRR": 1 / 6}
    assert measures_of(ranking, {120}) == {"Hit@1": 0.0, "Hit@5": 0.0, "R@20": 0.0, "MRR": 1 / 21}


def test_an_answer_that_was_not_returned_has_a_reciprocal_rank_of_nought() -> None:
    assert measures_of((1, 2), {3}) == dict.fromkeys(NAMES, 0.0)


def test_an_answer_outside_the_candidates_counts_as_one_that_is_not_found() -> None:
    assert measures_of((1, 2), {1}, missing=3) == {"Hit@1": 1.0, "Hit@5": 1.0, "R@20": 0.25, "MRR": 1.0}


@pytest.mark.parametrize("missing", [0, 2])
def test_a_query_without_an_answer_in_the_base_scores_nought(missing: int) -> None:
    assert measures_of((1, 2), (), missing) == dict.fromkeys(NAMES, 0.0)


def test_of_more_than_twenty_answers_a_perfect_ranking_does_not_find_all() -> None:
    assert measures_of(range(25), range(25))["R@20"] == 0.8


def test_an_answer_that_is_listed_twice_counts_once() -> None:
    assert recall((1, 2), (1, 1, 3), 20) == 0.5


def test_equal_scores_are_ordered_by_number_and_an_entity_is_ranked_once() -> None:
    found = [Scored(9, 0.5), Scored(4, 0.5), Scored(1, 0.1), Scored(6, 0.9), Scored(1, 0.6)]
    assert ranked(found) == (6, 1, 4, 9)


@given(RANKINGS, ANSWERS, MISSING)
def test_measures_lie_between_nought_and_one(ranking: list[int], answers: list[int], missing: int) -> None:
    measured = measures_of(ranking, answers, missing)
    assert tuple(measured) == NAMES
    assert all(0 <= value <= 1 for value in measured.values())
    assert measured["Hit@1"] <= measured["MRR"]
    assert measured["Hit@1"] <= measured["Hit@5"]


@given(RANKINGS, ANSWERS, MISSING, st.randoms())
def test_the_order_of_answers_decides_nothing(ranking: list[int], answers: list[int], missing: int, random) -> None:
    shuffled = random.sample(answers, len(answers))
    assert measures_of(ranking, shuffled, missing) == measures_of(ranking, answers, missing)


@given(RANKINGS, ANSWERS.filter(bool), MISSING)
def test_an_answer_put_in_front_never_lowers_the_first_hit(
    ranking: list[int], answers: list[int], missing: int
) -> None:
    led = [answers[0], *(number for number in ranking if number != answers[0])]
    before, after = measures_of(ranking, answers, missing), measures_of(led, answers, missing)
    assert after["Hit@1"] == 1.0 >= before["Hit@1"]
    assert after["MRR"] >= before["MRR"]


@given(RANKINGS.filter(bool), ANSWERS.filter(bool), MISSING)
def test_measures_are_those_of_ir_measures(ranking: list[int], answers: list[int], missing: int) -> None:
    wanted = [*map(str, set(answers)), *(f"missing {number}" for number in range(missing))]
    judgements = [Qrel("q", id, 1) for id in wanted]
    run = [ScoredDoc("q", str(number), -rank) for rank, number in enumerate(ranking)]
    found = ir_measures.calc_aggregate([Success @ 1, Success @ 5, R @ 20, RR], judgements, run)
    assert list(measures_of(ranking, answers, missing).values()) == pytest.approx(
        [found[Success @ 1], found[Success @ 5], found[R @ 20], found[RR]]
    )
