"""Results that survive a kill, and are never mixed with those of another run."""

import json
import os
from contextlib import ExitStack
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eval.ott.ranking import Unit
from eval.ott.results import QuestionResult, read_results, result_line
from eval.ott.results_log import folder_of, open_log
from heliograph.errors import StoreError, StoreLocked, UsageError

RESULTS = tuple(QuestionResult(f"q{n}", (Unit(n, (1,)),), {"AR@2": 1.0}, {"retrieve": 0.5}) for n in range(3))
MADE_BY = {"method": "bm25"}


def opened(path: Path, digest: str = "a") -> dict[str, QuestionResult]:
    """Open a log, and close it again."""
    with ExitStack() as stack:
        return dict(open_log(path, digest, MADE_BY, stack).results)


def written(path: Path) -> Path:
    with ExitStack() as stack:
        log = open_log(path, "a", MADE_BY, stack)
        for result in RESULTS:
            log.append(result)
        assert log.results == {result.id: result for result in RESULTS}
    return path


def test_results_are_read_back_and_beside_them_stands_what_made_them(tmp_path: Path) -> None:
    path = written(tmp_path / "new" / "run.jsonl")
    assert opened(path) == {result.id: result for result in RESULTS}
    assert read_results(path) == RESULTS
    assert json.loads((folder_of(path) / "made_by.json").read_text()) == {"digest": "a", "method": "bm25"}


@settings(max_examples=25)
@given(cut=st.integers(1, len(result_line(RESULTS[-1]))))
def test_a_line_that_a_kill_cut_short_is_dropped_and_the_others_stay(
    tmp_path_factory: pytest.TempPathFactory, cut: int
) -> None:
    path = written(tmp_path_factory.mktemp("log") / "run.jsonl")
    path.write_bytes(path.read_bytes()[:-cut])
    assert opened(path) == {result.id: result for result in RESULTS[:-1]}
    assert read_results(path) == RESULTS[:-1]


@pytest.mark.parametrize("content", ["other lines\n", "half a line", '{"question": "q"}\n'])
def test_a_file_that_is_not_of_results_is_left_as_it_is(tmp_path: Path, content: str) -> None:
    path = tmp_path / "notes.jsonl"
    path.write_text(content)
    with pytest.raises(UsageError, match="has results of other options"):
        opened(path)
    assert path.read_text() == content


def test_results_of_another_digest_are_refused(tmp_path: Path) -> None:
    path = written(tmp_path / "run.jsonl")
    with pytest.raises(UsageError, match="name another file with --out"):
        opened(path, "b")
    assert opened(path) == {result.id: result for result in RESULTS}


def test_a_foreign_end_of_a_file_is_not_cut_off(tmp_path: Path) -> None:
    path = written(tmp_path / "run.jsonl")
    with path.open("a") as lines:
        lines.write("my notes")
    with pytest.raises(UsageError, match="is no file of results"):
        opened(path)
    assert path.read_text().endswith("my notes")


DAMAGED = ("{", "", "[]", "null", '{"digest":' * 100_000, '{"digest": ' + "9" * 5_000 + "}")


@pytest.mark.parametrize("content", DAMAGED)
def test_a_record_that_cannot_be_read_is_named(tmp_path: Path, content: str) -> None:
    path = written(tmp_path / "run.jsonl")
    (folder_of(path) / "made_by.json").write_text(content)
    with pytest.raises(
        UsageError, match=r"made_by\.json cannot be read .*name another file with --out, or delete both"
    ):
        opened(path)
    assert read_results(path) == RESULTS


@pytest.mark.parametrize("content", DAMAGED)
@pytest.mark.parametrize("results", [0, 3])
def test_a_record_that_cannot_be_read_is_made_again_where_nothing_hangs_on_it(
    tmp_path: Path, results: int, content: str
) -> None:
    path = written(tmp_path / "a.jsonl") if results else tmp_path / "run.jsonl"
    folder_of(path).mkdir(exist_ok=True)
    (folder_of(path) / "made_by.json").write_text(content)
    assert len(opened(path)) == results
    assert json.loads((folder_of(path) / "made_by.json").read_text()) == {"digest": "a", "method": "bm25"}


def test_a_record_is_there_whole_or_not_at_all(tmp_path: Path) -> None:
    path = written(tmp_path / "run.jsonl")
    record = folder_of(path) / "made_by.json"
    with record.open() as before:
        opened(path)
        assert os.fstat(before.fileno()).st_ino != record.stat().st_ino
    assert not list(folder_of(path).glob("*.partial"))


def test_one_process_at_a_time_writes(tmp_path: Path) -> None:
    with ExitStack() as stack:
        open_log(tmp_path / "run.jsonl", "a", MADE_BY, stack)
        with pytest.raises(StoreLocked):
            opened(tmp_path / "run.jsonl")


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "run.jsonl").mkdir()
    with pytest.raises((StoreError, UsageError)):
        opened(tmp_path / "run.jsonl")
