"""Two systems on the questions that both answered, by hand and by what always holds."""

import json
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eval.bootstrap import Interval
from eval.omgqa.measures import AVERAGE
from eval.omgqa.reporting.comparison import Comparison, Paired, Side, compare
from eval.omgqa.reporting.differences import comparison_json, comparison_markdown, comparison_text
from eval.omgqa.results import JudgedRun, Results
from heliograph.errors import UnknownName, UsageError
from tests.eval.omgqa.reporting.moons import DUCK, MULTI, QUESTIONS, RESULTS, RUNS, SINGLE, WIKI, answered, any_runs


def paired(found: Comparison, measure: str) -> Paired:
    return next(each for each in found.measures if each.measure == measure)


def sides(first: str, second: str, results: Results = RESULTS) -> Comparison:
    return compare(Side(results, first), Side(results, second), samples=200)


def test_precision_of_two_systems_by_hand() -> None:
    found = paired(sides(SINGLE, WIKI), "PER")
    # m1: 2/3 and 1/2, m2: 1 and 0, m3: 1/2 and 1/3
    assert found.first == pytest.approx((2 / 3 + 1 + 1 / 2) / 3)
    assert found.second == pytest.approx((1 / 2 + 0 + 1 / 3) / 3)
    assert found.interval.mean == pytest.approx((1 / 6 + 1 + 1 / 6) / 3)
    assert (found.better, found.equal, found.worse, found.questions) == (3, 0, 0, 3)
    assert found.interval.low == pytest.approx(1 / 6)  # all three draws without m2
    assert found.apart


def test_seeds_are_averaged_before_questions_are_paired() -> None:
    found = sides(MULTI, SINGLE)
    assert found.first_values["m2"]["PER"] == 0.75  # 1 and 1/2
    assert found.questions == ("m1", "m2", "m3", "m4")
    assert paired(found, "true abstention").questions == 1


def test_selective_accuracy_of_each_is_over_its_own_answers_and_the_difference_over_those_of_both() -> None:
    found = sides(DUCK, SINGLE)
    record = json.loads(comparison_json(found))
    # DUCK is right on m1 to m3 and silent on m4, which has no answer; SINGLE answers all, m1 and m2 rightly
    assert record["correctness"] == {
        "first": {"correct": 1.0, "coverage": 0.75, "selective accuracy": 1.0},
        "second": {"correct": 2 / 3, "coverage": 1.0, "selective accuracy": 0.5},
    }
    assert paired(found, "selective accuracy").questions == 3
    assert paired(found, "selective accuracy").interval.mean == pytest.approx(1 / 3)
    assert paired(found, "coverage").interval.mean == -0.25
    (row,) = (line for line in comparison_text(found).splitlines() if line.startswith(DUCK))
    assert row.split()[-5:] == ["1.000", "0.750", "1.000", "–", "–"]


def test_less_is_better_of_the_unjudged_rate() -> None:
    found = paired(sides(DUCK, WIKI), "unjudged")
    assert found.interval.mean == pytest.approx(-1 / 9)
    assert (found.better, found.equal, found.worse) == (1, 2, 0)


def test_questions_that_only_one_answered_are_left_out_and_counted() -> None:
    found = sides(WIKI, DUCK)
    assert (found.questions, found.alone) == (("m1", "m2", "m3"), (0, 1))
    assert "left out: 0 that only the first answered, 1 only the second" in comparison_text(found)


def test_what_changed_most_comes_first() -> None:
    found = compare(Side(RESULTS, SINGLE), Side(RESULTS, WIKI), by="PER", samples=200)
    assert [(each.question, each.first, each.second) for each in found.changes] == [
        ("m2", 1.0, 0.0),
        ("m1", 2 / 3, 1 / 2),
        ("m3", 1 / 2, 1 / 3),
    ]
    lines = comparison_text(found, most=1).splitlines()
    assert lines[-4:] == [
        "Questions that changed most in PER",
        "difference  first  second  id  question",
        "    +1.000  1.000   0.000  m2  What colour is the leading side of Iapetus in its photograph?",
        "2 more changed.",
    ]


def test_changes_are_in_evidence_where_the_ten_were_not_all_judged() -> None:
    unasked = tuple(replace(each, judged=replace(each.judged, correct_use=None)) for each in RUNS)
    found = sides(SINGLE, WIKI, replace(RESULTS, runs=unasked))
    assert (found.by, AVERAGE in {each.measure for each in found.measures}) == ("F1-ER", False)


def test_one_system_in_two_results_is_compared_and_other_labels_are_said() -> None:
    again = replace(answered(WIKI, "m1", "Io/p2"), judged=replace(RUNS[0].judged, labels=RUNS[1].judged.labels))
    found = compare(Side(RESULTS, WIKI), Side(replace(RESULTS, runs=(again,), judge="another"), WIKI), samples=20)
    assert (found.questions, found.relabelled) == (("m1",), 1)
    text = comparison_text(found)
    assert f"second: {WIKI}, judged by another" in text
    assert "of 1 questions the judgements differ" in text


def test_a_system_without_answers_is_named_with_those_that_have_some() -> None:
    with pytest.raises(UnknownName, match=f'no answers of a system "nobody"; try "{DUCK}", '):
        sides("nobody", WIKI)
    with pytest.raises(UnknownName, match="no measure"):
        compare(Side(RESULTS, WIKI), Side(RESULTS, DUCK), by="beauty")


def test_other_questions_under_the_same_ids_are_refused() -> None:
    others = replace(RESULTS, questions={**QUESTIONS, "m1": replace(QUESTIONS["m1"], question="Who?")})
    with pytest.raises(UsageError, match="question m1 asks"):
        compare(Side(RESULTS, WIKI), Side(others, WIKI))


def test_markdown_and_json_say_the_same() -> None:
    found = sides(SINGLE, WIKI)
    record = json.loads(comparison_json(found))
    per = record["measures"]["PER"]
    assert f"| PER | {per['first']:.3f} | {per['second']:.3f} | {per['difference']:+.3f} |" in comparison_markdown(
        found
    )
    assert (per["better"], per["apart"]) == (3, True)
    assert record["first"] == {"system": SINGLE, "judge": "judge-model"}
    assert record["questions"]["m2"]["second"]["PER"] == 0.0
    assert comparison_json(found) == comparison_json(sides(SINGLE, WIKI))


def test_nothing_in_common_is_said() -> None:
    apart = replace(RESULTS, runs=(RUNS[0], *(each for each in RUNS if each.run.question == "m4")))
    text = comparison_text(sides(WIKI, DUCK, apart))
    assert "0 questions that both answered" in text
    assert "Paired differences, first less second: No question has a measure of both systems." in text


@given(any_runs())
@settings(max_examples=20, deadline=None)
def test_a_system_does_not_differ_from_itself(runs: tuple[JudgedRun, ...]) -> None:
    results = replace(RESULTS, runs=(RUNS[0], *runs))
    found = compare(Side(results, WIKI), Side(results, WIKI), samples=20)
    assert found.changes == ()
    assert {each.interval for each in found.measures} == {Interval(0.0, 0.0, 0.0)}
    assert all(each.equal == each.questions for each in found.measures)


@given(any_runs(), st.integers(0, 5))
@settings(max_examples=20, deadline=None)
def test_what_one_system_gains_the_other_loses(runs: tuple[JudgedRun, ...], seed: int) -> None:
    first, second = Side(replace(RESULTS, runs=(RUNS[0], *runs)), WIKI), Side(RESULTS, MULTI)
    ours, theirs = compare(first, second, seed=seed, samples=50), compare(second, first, seed=seed, samples=50)
    for mine, other in zip(ours.measures, theirs.measures, strict=True):
        assert mine.interval.mean == pytest.approx(-other.interval.mean)
        assert (mine.interval.low, mine.interval.high) == pytest.approx((-other.interval.high, -other.interval.low))
        assert (mine.better, mine.equal, mine.worse) == (other.worse, other.equal, other.better)
