"""Runs are chosen by how they ended, by what was asked and since when."""

import json

import pytest

from heliograph.errors import UsageError
from memory.trace import RunSummary, WantedRuns, list_json, moment, wanted_runs

RUNS = (
    RunSummary("a", "Which moon?", 100.0, 1.5, "sufficient", "answered"),
    RunSummary("b", "Which planet?", 200.0, None, None, "failed", "a at reflect"),
)


@pytest.mark.parametrize(
    ("wanted", "names"),
    [
        (WantedRuns(), "ab"),
        (WantedRuns(("failed", "damaged")), "b"),
        (WantedRuns(text="MOON"), "a"),
        (WantedRuns(since=200.0), "b"),
        (WantedRuns(("answered",), since=200.0), ""),
    ],
)
def test_runs_that_fit_are_kept_in_their_order(wanted: WantedRuns, names: str) -> None:
    assert "".join(run.run for run in wanted_runs(RUNS, wanted)) == names


def test_the_list_is_one_line_of_json_a_run() -> None:
    assert [json.loads(line) for line in list_json(RUNS).splitlines()][1] == {
        "run": "b",
        "question": "Which planet?",
        "started": 200.0,
        "seconds": None,
        "stop_reason": None,
        "status": "failed",
        "origin": "a at reflect",
    }
    assert list_json(()) == ""


@pytest.mark.parametrize(
    ("said", "seconds"),
    [
        ("90min", 1_000_000.0 - 5400),
        ("1.5 h ago", 1_000_000.0 - 5400),
        ("2d", 1_000_000.0 - 172_800),
        ("1970-01-02", 86_400.0),
        ("1970-01-01T01:00:00", 3600.0),
        ("1970-01-01T01:00:00+01:00", 0.0),
    ],
)
def test_a_point_in_time_is_read(said: str, seconds: float) -> None:
    assert moment(said, 1_000_000.0) == seconds


@pytest.mark.parametrize("said", ["", "yesterday", "5", "5y", "2026-13-01"])
def test_what_is_no_point_in_time_is_refused(said: str) -> None:
    with pytest.raises(UsageError, match="is no point in time; write 2026-11-21"):
        moment(said, 0.0)
