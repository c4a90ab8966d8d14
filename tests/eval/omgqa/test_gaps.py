"""A judge who left something undecided is refused, with how much, and with who has decided all."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.omgqa.gaps import judge_of_correctness, refuse_gaps, wanted
from eval.omgqa.judging.alignment import TASKS, Spoken
from eval.omgqa.judging.answers import AskedOf
from eval.omgqa.records import Pair
from heliograph.errors import UsageError
from tests.eval.omgqa.reporting.moons import MULTI, SINGLE, answered, unit

RUNS = [answered(system, id, "Io/p1", "Io/t1").run for system in (SINGLE, MULTI) for id in ("m1", "m2")]
ASKED = {
    "a": AskedOf("correct_use", "m1"),
    "b": AskedOf("support", "m1"),
    "c": AskedOf("support", "m2"),
    "d": AskedOf("correctness", "m1"),
    "e": AskedOf("correctness", "m2"),
}
NEEDED = wanted(RUNS, "leaf", {"m2"}, ASKED)
PLACE = Path("folder")
PAIRS = {Pair("m1", unit("Io/p1")), Pair("m1", unit("Io/t1"))}
WHOLE = {
    "relevancy": {"code": dict.fromkeys(PAIRS, True), "anna": {Pair("m1", unit("Io/p1")): True}},
    "correct_use": {"code": {"a": True}, "anna": {"a": False}},
    "completeness": {},
    "support": {"code": {"b": True, "c": True, "old": True}, "bert": {"b": True}},
    "correctness": {},
}


def test_a_report_rests_on_the_cases_of_answers_and_on_pairs_that_authors_did_not_label() -> None:
    assert dict(NEEDED) == {
        "relevancy": PAIRS,
        "correct_use": {"a"},
        "completeness": set(),
        "support": {"b", "c"},
        "correctness": {"d", "e"},
    }
    abstained = replace(RUNS[0], claims=(), retrieved=())
    assert wanted([abstained], "leaf", set(), {}) == {task: set() for task in TASKS}


def test_who_has_decided_all_is_measured_by() -> None:
    refuse_gaps(WHOLE, "code", NEEDED, PLACE)
    refuse_gaps({task: {} for task in TASKS}, "anybody", {task: set() for task in TASKS}, PLACE)


@pytest.mark.parametrize(
    ("judge", "lacks"),
    [
        ("anna", "relevancy 1 of 2, support 2 of 2"),
        ("bert", "relevancy 2 of 2, correct use 1 of 1, support 1 of 2"),
        ("nobody", "relevancy 2 of 2, correct use 1 of 1, support 2 of 2"),
    ],
)
def test_what_is_undecided_is_counted(judge: str, lacks: str) -> None:
    with pytest.raises(UsageError) as refused:
        refuse_gaps(WHOLE, judge, NEEDED, PLACE)
    assert str(refused.value) == (
        f"{judge!r} has not decided all that a report of folder rests on; undecided are: {lacks}; heliograph eval "
        "omgqa judge goes on, or label --task for a person; or report by --judge code, who has"
    )


def test_where_relevancy_alone_is_undecided_another_unit_may_have_been_judged() -> None:
    rows: Spoken = {**WHOLE, "relevancy": {"code": {Pair("m1", unit("Io/p1")): True}}}
    with pytest.raises(UsageError, match=r"undecided are: relevancy 1 of 2; .*; or name the --unit that was judged$"):
        refuse_gaps(rows, "code", NEEDED, PLACE)


def test_nobody_is_named_where_nobody_has_decided_all() -> None:
    partly: Spoken = {**WHOLE, "correct_use": {}}
    with pytest.raises(UsageError, match=r"or label --task for a person$"):
        refuse_gaps(partly, "code", NEEDED, PLACE)


@given(st.sets(st.sampled_from(sorted(PAIRS, key=str))), st.sets(st.sampled_from("abc")))
def test_a_single_gap_is_enough(pairs: set[Pair], cases: set[str]) -> None:
    words: Spoken = {
        "relevancy": {"anna": dict.fromkeys(pairs, True)},
        "correct_use": {"anna": dict.fromkeys(cases & {"a"}, True)},
        "completeness": {},
        "support": {"anna": dict.fromkeys(cases & {"b", "c"}, True)},
    }
    if pairs == PAIRS and cases == set("abc"):
        refuse_gaps(words, "anna", NEEDED, PLACE)
        return
    with pytest.raises(UsageError):
        refuse_gaps(words, "anna", NEEDED, PLACE)


ALL = {"d": True, "e": False}


@pytest.mark.parametrize(
    ("words", "judge"),
    [
        ({}, ""),
        ({"code": ALL}, "code"),
        ({"code": ALL, "qwen": ALL}, "code"),
        ({"qwen": ALL}, "qwen"),
        ({"qwen": ALL, "anna": {"d": True}}, "qwen"),
        ({"qwen": ALL, "anna": ALL}, ""),
        ({"anna": {"d": True}}, ""),
    ],
)
def test_correctness_is_by_the_judge_of_the_report_or_by_the_only_other_who_decided_all(
    words: dict[str, dict[str, bool]], judge: str
) -> None:
    assert judge_of_correctness({**WHOLE, "correctness": words}, "code", NEEDED, PLACE) == judge


def test_a_judge_who_has_decided_the_correctness_of_some_answers_is_refused() -> None:
    with pytest.raises(UsageError, match=r"'code' has not decided the correctness of 1 of 2 answers in folder; "):
        judge_of_correctness({**WHOLE, "correctness": {"code": {"d": True}}}, "code", NEEDED, PLACE)
