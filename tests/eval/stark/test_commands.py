"""`heliograph eval stark` from queries to figures and a comparison."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from eval.stark.results import QueryResult, StarkRun, open_results
from indexers.skb.knowledge_base import BuiltKnowledgeBase

Cli = Callable[..., Result]
NOUGHTS = {"Hit@1": 0.0, "Hit@5": 0.0, "R@20": 0.0, "MRR": 0.0}


@pytest.fixture
def queries(tmp_path: Path) -> Path:
    records = (
        {"id": 1, "query": "Which moon is Titan?", "answer_ids": ["titan"], "split": "test", "answer_type": "moon"},
        {"id": 2, "query": "Which one is Nemesis?", "answer_ids": ["nemesis"], "split": "test"},
        {"id": 3, "query": "Which moon is Phobos?", "answer_ids": ["phobos"], "split": "train"},
    )
    (tmp_path / "q.jsonl").write_text("".join(f"{json.dumps(each)}\n" for each in records))
    return tmp_path / "q.jsonl"


def test_queries_are_described(cli: Cli, queries: Path, base: BuiltKnowledgeBase) -> None:
    lines = cli("eval", "stark", "describe", queries).stdout.splitlines()
    assert lines == [
        "split  queries  answers  > 20 %  best R@20  repeated  duplicates  words",
        "  all        3      1.0     0.0      100.0         0           0    4.0",
        "train        1      1.0     0.0      100.0         0           0    4.0",
        " test        2      1.0     0.0      100.0         0           0    4.0",
        "entropy (bits) and type-token ratio: on 1,500 words of each split",
    ]
    told = json.loads(cli("eval", "stark", "describe", queries, "--skb", base.folder, "--json").stdout)
    assert [(each["split"], each["outside"], each["unanswerable"]) for each in told] == [
        ("all", 1, 1),
        ("train", 0, 0),
        ("test", 1, 1),
    ]


def test_queries_are_converted_and_what_is_there_is_not_replaced_unasked(cli: Cli, queries: Path) -> None:
    out = queries.with_name("out.jsonl")
    assert cli("eval", "stark", "convert", queries, out).stdout == f"{out}: 3 queries\n"
    refused = cli("eval", "stark", "convert", queries, out)
    assert (refused.exit_code, "replace it with --force" in refused.stderr) == (2, True)
    assert cli("eval", "stark", "convert", out, out, "--force").exit_code == 0


def test_two_runs_are_compared(cli: Cli, tmp_path: Path) -> None:
    for name, value in (("first", 1.0), ("second", 0.0)):
        kept = open_results(tmp_path / name, StarkRun(name, "q", name))
        for number in range(2 if value else 1):
            kept.append(QueryResult(str(number), "", (), {**NOUGHTS, "MRR": value}, 0.1, 1, 0))
    done = cli("eval", "stark", "compare", tmp_path / "first", tmp_path / "second")
    assert done.stdout.splitlines() == [
        "first: first; second: second",
        "2 queries",
        "first - second      mean  95% from      to",
        "Hit@1              +0.00     +0.00   +0.00",
        "Hit@5              +0.00     +0.00   +0.00",
        "R@20               +0.00     +0.00   +0.00",
        "MRR              +100.00   +100.00 +100.00 *",
    ]
    assert done.stderr == f"{tmp_path / 'second'} has no result for 1 of 2 queries; they count 0\n"
    told = json.loads(cli("eval", "stark", "compare", tmp_path / "first", tmp_path / "second", "--json").stdout)
    assert told["differences"]["MRR"] == {"mean": 1.0, "low": 1.0, "high": 1.0}


def test_a_system_is_asked_and_goes_on_with_its_results(
    cli: Cli, queries: Path, base: BuiltKnowledgeBase, tmp_path: Path
) -> None:
    pytest.importorskip("bm25s")
    out = tmp_path / "run.jsonl"
    command = ("eval", "stark", "run", "--skb", base.folder, "--queries", queries, "--out", out)
    done = cli(*command, "--json")
    assert done.exit_code == 0, done.stderr
    told = json.loads(done.stdout)
    assert (told["queries"], told["unanswerable"], told["measures"]["Hit@1"]) == (2, 1, 0.5)
    before = out.read_text()
    again = cli(*command)
    assert "2 of 2 queries have their results already" in again.stderr
    assert again.stdout.splitlines()[1] == "all             2   50.00   50.00   50.00   50.00"
    assert out.read_text() == before
    assert cli(*command, "--typed").exit_code == 2
    assert cli(*command[:-2], "--typed", "--split", "all", "--first", 1).exit_code == 0


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--system", "none"), "none"),
        (("--split", "val"), 'no queries of the split "val"; the splits are test, train; all stands for every query'),
        (("--typed", "--split", "train"), "says the type of its answers; leave --typed away"),
        (("--k", "10"), "--k"),
    ],
)
def test_what_cannot_be_asked_is_refused(
    cli: Cli, queries: Path, base: BuiltKnowledgeBase, options: tuple[str, ...], said: str
) -> None:
    done = cli("eval", "stark", "run", "--skb", base.folder, "--queries", queries, *options)
    assert done.exit_code == 2
    assert said in done.stderr
