"""Results as lines, and the means over them."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eval.ott.measures import NAMES, SOMETIMES
from eval.ott.ranking import CUT, Unit
from eval.ott.results import QuestionResult, Summary, read_results, result_line, summarise, write_results
from heliograph.errors import UsageError
from tests.eval.ott.lights import BY_WHOM, WHEN

FRACTION = st.floats(0, 1)
UNITS = st.builds(Unit, st.integers(0), st.lists(st.integers(0), max_size=3).map(tuple)) | st.builds(
    Unit, st.none(), st.tuples(st.integers(0))
)
RESULTS = st.lists(
    st.builds(
        QuestionResult,
        st.text(),
        st.lists(UNITS, max_size=CUT).map(tuple),
        st.dictionaries(st.sampled_from(NAMES), FRACTION),
        st.dictionaries(st.text(), st.floats(0, 1e6)),
        st.none() | st.text(),
    ),
    unique_by=lambda result: result.id,
)


def test_scores_of_a_ranking_are_read_and_written_with_it(tmp_path: Path) -> None:
    result = QuestionResult("q", (Unit(5, (7,)), Unit(6)), {}, {}, None, (0.5, -2.0))
    write_results(tmp_path / "run.jsonl", [result])
    assert read_results(tmp_path / "run.jsonl") == (result,)
    wrong = json.loads(result_line(result)) | {"scores": [0.5]}
    (tmp_path / "run.jsonl").write_text(json.dumps(wrong) + "\n")
    with pytest.raises(UsageError, match="not one for each unit of the ranking"):
        read_results(tmp_path / "run.jsonl")


def test_a_result_is_one_line_of_json() -> None:
    ranking = (Unit(5, (7,)), Unit(5), Unit(None, (7,)), Unit(5, (7, 8)))
    line = result_line(QuestionResult("q", ranking, {"AR@2": 1.0}, {"search": 0.5}))
    assert line == (
        '{"id": "q", "ranking": [[5, 7], [5], [null, 7], [5, 7, 8]], "metrics": {"AR@2": 1.0}, '
        '"seconds": {"search": 0.5}, "answer": null}\n'
    )


def test_a_ranking_is_kept_to_its_cut() -> None:
    result = QuestionResult("q", tuple(map(Unit, range(60))), {}, {})
    assert json.loads(result_line(result))["ranking"] == [[row] for row in range(50)]


@given(RESULTS)
@settings(max_examples=25)
def test_results_are_read_as_they_were_written(
    tmp_path_factory: pytest.TempPathFactory, results: list[QuestionResult]
) -> None:
    path = tmp_path_factory.mktemp("results") / "run.jsonl"
    write_results(path, results)
    assert read_results(path) == tuple(results)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"ranking": [[]]}, "no list of a row, or null, and passages"),
        ({"ranking": [[1, None]]}, "no list of a row, or null, and passages"),
        ({"ranking": [[None]]}, "no list of a row, or null, and passages"),
        ({"metrics": {"AR@2": "1"}}, r"metrics\.AR@2: "),
        ({"metrics": {"AR@2": float("nan")}}, r"metrics\.AR@2: "),
        ({"answer": 7}, "answer: "),
        ({"id": None}, "id: "),
    ],
)
def test_a_line_that_is_no_result_is_named(tmp_path: Path, change: dict[str, object], said: str) -> None:
    line = json.loads(result_line(QuestionResult("q", (), {}, {})))
    (tmp_path / "run.jsonl").write_text(json.dumps({**line, **change}))
    with pytest.raises(UsageError, match=rf"run\.jsonl:1: .*{said}"):
        read_results(tmp_path / "run.jsonl")


def test_a_question_has_one_result(tmp_path: Path) -> None:
    write_results(tmp_path / "run.jsonl", [QuestionResult("q", (), {}, {})] * 2)
    with pytest.raises(UsageError, match=r"run\.jsonl has two results of one question"):
        read_results(tmp_path / "run.jsonl")


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"run\.jsonl cannot be written: "):
        write_results(tmp_path / "nowhere" / "run.jsonl", [])


def test_a_missing_question_counts_nought_in_every_measure_and_not_in_the_seconds() -> None:
    one = QuestionResult("by", (), {"AR@2": 1.0, "nDCG@50": 0.5, "EM": 1.0}, {"search": 0.5, "read": 1.0})
    stray = QuestionResult("stray", (), {"AR@2": 1.0, "F1": 1.0}, {"search": 9.0})
    expected = dict.fromkeys((name for name in NAMES if name not in SOMETIMES or name == "EM"), 0.0)
    expected |= {"AR@2": 0.5, "nDCG@50": 0.25, "EM": 0.5}
    assert summarise([one, stray], (BY_WHOM, WHEN)) == Summary(expected, {"search": 0.5, "read": 1.0})


def test_a_measure_that_one_question_lacks_counts_nought_for_it() -> None:
    results = [QuestionResult("by", (), {"F1": 0.5}, {"read": 1.0}), QuestionResult("when", (), {}, {})]
    summary = summarise(results, (BY_WHOM, WHEN))
    assert (summary.metrics["F1"], summary.seconds) == (0.25, {"read": 0.5})
    assert "EM" not in summary.metrics


def test_measures_come_in_the_order_of_a_report() -> None:
    result = QuestionResult("by", (), dict.fromkeys(reversed(NAMES), 1.0), {})
    assert json.loads(summarise([result], (BY_WHOM,)).as_json()) == {
        "metrics": dict.fromkeys(NAMES, 1.0),
        "seconds": {},
        "outside_scope": 0,
    }
    assert tuple(summarise([result], (BY_WHOM,)).metrics) == NAMES


def test_a_run_of_nothing_has_nought_of_everything() -> None:
    nought = Summary(dict.fromkeys((name for name in NAMES if name not in SOMETIMES), 0.0), {})
    assert summarise([], (BY_WHOM,)) == summarise([], ()) == nought
