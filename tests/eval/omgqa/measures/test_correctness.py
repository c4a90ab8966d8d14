"""Correctness, coverage and selective accuracy, by hand-computed examples and by what holds of any answers."""

from collections.abc import Mapping
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.omgqa.judged import Judged, Labels
from eval.omgqa.measures import CORRECTNESS, means, measures_of

RIGHT = Judged(Labels(), answer="It lacks 7 km [3].", accepted=("7 km", "seven kilometres"))
WRONG = replace(RIGHT, answer="It lacks 17 km [7].")
SILENT = replace(RIGHT, answer="Nothing says so.", abstained=True)
UNANSWERABLE = replace(RIGHT, accepted=())
UNKNOWN = replace(RIGHT, accepted=None)


def told(*answers: Judged) -> Mapping[str, float]:
    """Return the means of correctness alone."""
    return {name: value for name, value in means(map(measures_of, answers)).items() if name in CORRECTNESS}


def test_five_questions_by_hand() -> None:
    # three have a known answer and one of them is right; four of five were answered, and one of these four is right
    answers = (RIGHT, WRONG, SILENT, UNANSWERABLE, replace(UNANSWERABLE, answer="It lacks 7 km."))
    assert told(*answers) == {"correct": 1 / 3, "coverage": 4 / 5, "selective accuracy": 1 / 4}


def test_an_abstention_covers_less_and_costs_no_selective_accuracy() -> None:
    assert told(RIGHT, SILENT) == {"correct": 1 / 2, "coverage": 1 / 2, "selective accuracy": 1.0}
    assert told(RIGHT, WRONG) == {"correct": 1 / 2, "coverage": 1.0, "selective accuracy": 1 / 2}


def test_an_abstention_is_not_right_though_its_words_hold_the_answer() -> None:
    assert measures_of(replace(RIGHT, abstained=True))["correct"] == 0.0


def test_to_leave_a_question_without_an_answer_alone_is_neither_right_nor_wrong() -> None:
    assert told(replace(UNANSWERABLE, abstained=True)) == {"coverage": 0.0}


def test_where_nobody_knows_the_answer_only_coverage_is_measured() -> None:
    assert told(UNKNOWN) == {"coverage": 1.0}


def test_a_judge_counts_beside_the_strings() -> None:
    # the judge takes "four miles" for right, which no string does, and is not asked where there is no answer
    words = (
        replace(WRONG, answer="Four miles.", states_accepted=True),
        replace(WRONG, states_accepted=False),
        replace(SILENT, states_accepted=False),
        replace(UNANSWERABLE, states_accepted=False),
    )
    assert told(*words) == {
        "correct": 0.0,
        "coverage": 3 / 4,
        "selective accuracy": 0.0,
        "correct by judge": 1 / 3,
        "selective accuracy by judge": 1 / 3,
    }


@pytest.mark.parametrize(
    ("answer", "right"),
    [
        ("Seven  Kilometres, no more.", True),
        ("Distance: 7 km; Year: 1989.", True),
        ("It lacks 7 kmh.", False),
        ("It lacks 0.7 km.", False),
        ("See [7 km].", True),
        ("There are seven. [7] km", False),
    ],
)
def test_a_string_stands_in_the_answer_as_words_of_its_own_and_markers_are_none(answer: str, right: bool) -> None:
    assert measures_of(replace(RIGHT, answer=answer))["correct"] == right


def test_the_number_of_a_marker_is_no_answer() -> None:
    assert measures_of(replace(RIGHT, answer="Io has many [4].", accepted=("4",)))["correct"] == 0.0
    assert measures_of(replace(RIGHT, answer="Io has 4 [2].", accepted=("4",)))["correct"] == 1.0


judged = st.builds(
    Judged,
    st.just(Labels()),
    abstained=st.booleans(),
    answer=st.sampled_from(["7 km", "8 km", ""]),
    accepted=st.sampled_from([(), ("7 km",), ("8 km", "eight")]),
    states_accepted=st.just(None),
)


@given(st.lists(judged, min_size=1))
def test_right_answers_are_selective_accuracy_by_coverage(answers: list[Judged]) -> None:
    found, known = told(*answers), sum(bool(each.accepted) for each in answers)
    rights = found.get("correct", 0.0) * known
    assert found.get("selective accuracy", 0.0) * found["coverage"] * len(answers) == pytest.approx(rights)
    assert ("selective accuracy" in found) == any(not each.abstained for each in answers)
    assert all(0 <= value <= 1 for value in found.values())


@given(st.lists(judged, min_size=1), st.lists(judged))
def test_more_abstentions_never_change_selective_accuracy(answers: list[Judged], more: list[Judged]) -> None:
    silent = [replace(each, abstained=True) for each in more]
    there, alone = told(*answers, *silent), told(*answers)
    assert there.get("selective accuracy") == alone.get("selective accuracy")
    assert there["coverage"] <= alone["coverage"]


@given(judged)
def test_a_judge_who_says_what_the_strings_say_gives_the_same_figures(each: Judged) -> None:
    strings = measures_of(each)
    right = bool(strings.get("correct", 0.0))
    said = measures_of(replace(each, states_accepted=right))
    for name in ("correct", "selective accuracy"):
        assert said.get(f"{name} by judge") == strings.get(name)
