"""Reports of one run and of two, in words and as JSON."""

import json
from pathlib import Path

import pytest

from eval.ott.comparison import compare_runs
from eval.ott.measures import CUTS, NAMES, SOMETIMES
from eval.ott.report import losses, summary_text
from eval.ott.results import QuestionResult, Summary, write_results
from heliograph.errors import UnknownName, UsageError
from tests.eval.ott.lights import BY_WHOM, WHEN, write_questions

ALWAYS = tuple(name for name in NAMES if name not in SOMETIMES)


def results(path: Path, **values: float) -> Path:
    """Write a run in which each question has one value for every measure."""
    write_results(path, (QuestionResult(id, (), dict.fromkeys(ALWAYS, value), {}) for id, value in values.items()))
    return path


def test_the_figures_of_a_run_are_a_table_in_percent() -> None:
    metrics = {**dict.fromkeys(ALWAYS, 0.5), "AR@2": 0.25, "HITS@4K": 1.0}
    assert summary_text(Summary(metrics, {"retrieve": 0.0125, "rerank": 1.5}), 1107).splitlines() == [
        "1,107 questions",
        "percent           @2      @5     @10     @20     @50",
        "AR             25.00   50.00   50.00   50.00   50.00",
        "gold_edge      50.00   50.00   50.00   50.00   50.00",
        "gold_strict    50.00   50.00   50.00   50.00   50.00",
        "gold_table     50.00   50.00   50.00   50.00   50.00",
        "nDCG@50        50.00",
        "HITS@4K       100.00",
        "retrieve       0.013 s",
        "rerank         1.500 s",
    ]
    assert len(CUTS) == 5


def test_two_runs_are_compared_and_the_worst_losses_listed(tmp_path: Path) -> None:
    first = results(tmp_path / "a.jsonl", by=0.25, when=0.5)
    second = results(tmp_path / "b.jsonl", by=1.0, when=0.5)
    found = compare_runs(first, second, write_questions(tmp_path / "q.jsonl", (BY_WHOM, WHEN)), "nDCG@50")
    lines = found.text(worst=5).splitlines()
    assert lines[:3] == [
        "2 questions",
        "first - second      mean  95% from      to",
        "AR@2              -37.50    -37.50  -37.50 *",
    ]
    assert lines[-2:] == ["worse in nDCG@50:", "  -75.0  by  By whom?"]
    assert found.text(worst=0).splitlines() == lines[:-2]
    assert found.lacking == (0, 0)
    assert set(json.loads(found.as_json())) == set(ALWAYS)
    assert json.loads(found.as_json())["AR@2"] == {"metric": "AR@2", "mean": -0.375, "low": -0.375, "high": -0.375}


def test_a_question_that_one_run_lacks_counts_nothing_there(tmp_path: Path) -> None:
    first, second = results(tmp_path / "a.jsonl", by=1.0), results(tmp_path / "b.jsonl", by=1.0, when=1.0)
    found = compare_runs(first, second, write_questions(tmp_path / "q.jsonl", (BY_WHOM, WHEN)), "AR@5")
    assert (found.lacking, found.lost) == ((1, 0), (("when", -1.0),))
    assert found.differences[0].mean == -0.5


def test_a_measure_that_one_run_never_took_is_no_difference(tmp_path: Path) -> None:
    first, second = results(tmp_path / "a.jsonl", by=1.0), tmp_path / "b.jsonl"
    write_results(second, [QuestionResult("by", (), {"AR@2": 1.0, "HITS@4K": 1.0}, {})])
    found = compare_runs(first, second, write_questions(tmp_path / "q.jsonl", (BY_WHOM,)), "AR@2")
    assert [each.metric for each in found.differences] == ["AR@2"]


def test_a_file_without_results_is_refused(tmp_path: Path) -> None:
    full, empty = results(tmp_path / "a.jsonl", by=1.0), results(tmp_path / "b.jsonl")
    questions = write_questions(tmp_path / "q.jsonl", (BY_WHOM,))
    for pair in ((full, empty), (empty, full)):
        with pytest.raises(UsageError, match=r"b\.jsonl has no results; name a file that heliograph eval ott"):
            compare_runs(*pair, questions, "AR@2")


def test_losses_are_listed_from_the_greatest() -> None:
    values = {"a": (0.1, 0.9), "b": (0.5, 0.5), "c": (0.2, 0.4), "d": (1.0, 0.0)}
    runs = ({id: QuestionResult(id, (), {"AR@2": pair[n]}, {}) for id, pair in values.items()} for n in (0, 1))
    assert losses(*runs, "AR@2") == (("a", pytest.approx(-0.8)), ("c", pytest.approx(-0.2)))


def test_runs_of_other_questions_and_unknown_measures_are_refused(tmp_path: Path) -> None:
    run = results(tmp_path / "a.jsonl", by=1.0)
    questions = write_questions(tmp_path / "q.jsonl", (WHEN,))
    with pytest.raises(UsageError, match=r"lacks 1 of the questions of the runs, such as by; name the file"):
        compare_runs(run, run, questions, "AR@2")
    with pytest.raises(UnknownName, match='no measure "AR@3"; try AR@2, AR@5'):
        compare_runs(run, run, questions, "AR@3")
