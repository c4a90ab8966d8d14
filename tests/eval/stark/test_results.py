"""Results survive a kill, and are never mixed with those of another run."""

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eval.stark.queries import Composition, StarkQuery, query_line, read_queries
from eval.stark.results import QueryResult, StarkRun, describe_run, open_results, read_results
from heliograph.errors import StoreError, StoreLocked, UsageError
from indexers.skb.base_building import BaseDescription
from indexers.skb.knowledge_base import BuiltKnowledgeBase

RUN = StarkRun("0123", "4567", "bm25")
RESULTS = tuple(QueryResult(f"q{n}", "ké", ("a", "b"), {"MRR": 0.5}, 0.25, 3, n) for n in range(3))
LINE = (
    '{"run": "0123", "queries": "4567", "system": "bm25", "id": "q0", "kind": "k\\u00e9", "ranking": ["a", "b"], '
    '"measures": {"MRR": 0.5}, "seconds": 0.25, "answers": 3, "missing": 0}\n'
)


def written(path: Path) -> Path:
    with open_results(path, RUN) as kept:
        for result in RESULTS:
            kept.append(result)
    return path


def results_at(path: Path) -> dict[str, QueryResult]:
    with open_results(path, RUN) as kept:
        return kept.results


def test_results_are_read_back_as_they_were_written(tmp_path: Path) -> None:
    path = written(tmp_path / "run.jsonl")
    assert path.read_text().splitlines(keepends=True)[0] == LINE
    assert read_results(path).run == RUN
    assert tuple(read_results(path).results.values()) == RESULTS
    assert results_at(path) == {each.id: each for each in RESULTS}


@settings(max_examples=25)
@given(cut=st.integers(1, len(LINE)))
def test_a_line_that_a_kill_cut_short_is_dropped_and_the_others_stay(
    tmp_path_factory: pytest.TempPathFactory, cut: int
) -> None:
    path = written(tmp_path_factory.mktemp("run") / "run.jsonl")
    path.write_bytes(path.read_bytes()[:-cut])
    assert tuple(results_at(path).values()) == RESULTS[:-1]
    assert tuple(read_results(path).results.values()) == RESULTS[:-1]


@pytest.mark.parametrize("content", ["other lines\n", "half a line", '{"id": "q0"}\n', LINE + "my notes", "\n"])
def test_a_file_of_something_else_is_left_as_it_is(tmp_path: Path, content: str) -> None:
    path = tmp_path / "notes.jsonl"
    path.write_text(content)
    with pytest.raises(UsageError, match="has no results, or those of other queries or options; name another file"):
        open_results(path, RUN)
    assert path.read_text() == content


@pytest.mark.parametrize("other", [{"digest": "89ab"}, {"queries": "89ab"}, {"system": "bm25, typed"}])
def test_results_of_another_run_are_refused(tmp_path: Path, other: dict[str, str]) -> None:
    path = written(tmp_path / "run.jsonl")
    with pytest.raises(UsageError, match="name another file with --out"):
        open_results(path, replace(RUN, **other))


def test_a_run_is_known_by_its_queries_its_base_and_its_options(base: BuiltKnowledgeBase) -> None:
    asked = (StarkQuery("1", "Which?", ("titan",), "test"),)
    run = describe_run(asked, base, "bm25", 100, False)
    assert run == describe_run(asked, base, "bm25", 100, False)
    others = (
        describe_run((replace(asked[0], answers=("rhea",)),), base, "bm25", 100, False),
        describe_run(asked, base, "bm25-fields", 100, False),
        describe_run(asked, base, "bm25", 50, False),
        describe_run(asked, base, "bm25", 100, True),
    )
    assert len({run.digest, *(each.digest for each in others)}) == 5
    assert [each.queries == run.queries for each in others] == [False, True, True, True]
    assert others[-1].system == "bm25, typed"


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (LINE, r"run\.jsonl:2: a second result of 'q0'; keep the lines of one run"),
        (LINE.replace("bm25", "other").replace("q0", "q1"), r"run\.jsonl:2: another run; keep the lines of one run"),
        (json.dumps({**json.loads(LINE), "seconds": "1"}) + "\n", r"run\.jsonl:2: seconds: "),
        (json.dumps({**json.loads(LINE), "measures": {"MRR": float("nan")}}) + "\n", r"run\.jsonl:2: measures\.MRR: "),
        ("{}\n", r"run\.jsonl:2: run: Field required"),
    ],
)
def test_a_line_that_does_not_belong_is_named(tmp_path: Path, more: str, said: str) -> None:
    (tmp_path / "run.jsonl").write_text(LINE + more)
    with pytest.raises(UsageError, match=said):
        read_results(tmp_path / "run.jsonl")


def test_a_file_without_results_is_named(tmp_path: Path) -> None:
    (tmp_path / "run.jsonl").touch()
    with pytest.raises(UsageError, match="has no results; name a file that heliograph eval stark run has written"):
        read_results(tmp_path / "run.jsonl")


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="name another file with --out"):
        open_results(tmp_path, RUN)
    with open_results(tmp_path / "run.jsonl", RUN) as kept:
        (tmp_path / "run.jsonl").unlink()
        (tmp_path / "run.jsonl").mkdir()
        with pytest.raises(StoreError, match=r"cannot write .*run\.jsonl"):
            kept.append(RESULTS[0])


def test_a_file_that_is_open_is_not_written_by_another(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    with open_results(path, RUN) as kept:
        kept.append(RESULTS[0])
        with pytest.raises(StoreLocked, match="name another file with --out"):
            open_results(path, RUN)
    assert results_at(path) == {"q0": RESULTS[0]}


@dataclass
class Described:
    """As much of a base as a run is known by."""

    description: BaseDescription


def test_a_run_is_known_by_what_its_base_holds_and_how_indexes_are_made(
    base: BuiltKnowledgeBase, monkeypatch: pytest.MonkeyPatch
) -> None:
    def digest_of(description: BaseDescription) -> str:
        return describe_run((), cast("BuiltKnowledgeBase", Described(description)), "bm25", 100, False).digest

    known = digest_of(base.description)
    assert digest_of(replace(base.description, name="elsewhere")) == known
    assert digest_of(replace(base.description, digest="0")) != known
    assert digest_of(replace(base.description, candidate_types=("planet",))) != known
    monkeypatch.setattr("eval.stark.results.version", lambda name: f"0 of {name}")
    other = digest_of(base.description)
    monkeypatch.setattr("tools.skb.lexical_retrieval.FORMAT", 0)
    assert len({known, other, digest_of(base.description)}) == 3


def test_how_the_words_of_a_query_divide_is_kept_and_decides_no_result(
    base: BuiltKnowledgeBase, tmp_path: Path
) -> None:
    query = StarkQuery("1", "Which?", ("titan",), "test", composition=Composition(3, 1))
    (tmp_path / "q.jsonl").write_text(query_line(query))
    assert read_queries(tmp_path / "q.jsonl") == (query,)
    untold = replace(query, composition=None)
    assert describe_run([query], base, "bm25", 20, False) == describe_run([untold], base, "bm25", 20, False)
