"""`heliograph eval stark` from queries to figures and a comparison."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from eval.stark.results import QueryResult, StarkRun, open_results
from indexers.skb.knowledge_base import BuiltKnowledgeBase
from tools.skb.systems import RERANKERS, SYSTEMS

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
        "Table 3: queries and answers",
        "split  queries  several answers  answers  > 20 %  best R@20  repeated  duplicates",
        "  all        3                0     1.00     0.0      100.0         0           0",
        "train        1                0     1.00     0.0      100.0         0           0",
        " test        2                0     1.00     0.0      100.0         0           0",
        "train / test: 0.33 / 0.67",
        "",
        "Table 4: variety of words",
        "split  words",
        "  all    4.0",
        "train    4.0",
        " test    4.0",
        "entropy (bits) and type-token ratio: on 1,500 words of each split",
        "",
        "Figure 4: % of the queries by number of words",
        "words    all  train   test",
        "  1-5  100.0  100.0  100.0",
        "",
        "Figure 4: % of the queries by number of answers",
        "answers    all  train   test",
        "      1  100.0  100.0  100.0",
        "",
        "Figure 5: % of the words that state requirements",
        'no query has a "composition"',
    ]
    told = json.loads(cli("eval", "stark", "describe", queries, "--skb", base.folder, "--json").stdout)
    assert told["base"]["entities"] == 5
    assert [(each["split"], each["outside"], each["unanswerable"]) for each in told["queries"]] == [
        ("all", 1, 1),
        ("train", 0, 0),
        ("test", 1, 1),
    ]
    assert told["queries"][0]["answer_counts"] == {"1": 3}


def test_a_base_is_described_alone(cli: Cli, base: BuiltKnowledgeBase) -> None:
    assert cli("eval", "stark", "describe", "--skb", base.folder).stdout.splitlines() == [
        "Table 2: moons",
        "entity types  relation types  average degree  entities  relations  tokens",
        "           2               0             0.0         5          0       5",
        "relations: 0 triples, in both directions; average degree: 2 * relations / entities; "
        "tokens: words of names and documents",
    ]


def test_how_words_divide_is_said_where_queries_tell_it(cli: Cli, tmp_path: Path) -> None:
    line = {"query": "dark moons", "answer_ids": [1], "composition": {"relational": 3, "textual": 1}}
    (tmp_path / "q.jsonl").write_text(json.dumps(line))
    assert cli("eval", "stark", "describe", "--queries", tmp_path / "q.jsonl").stdout.splitlines()[-2:] == [
        "split  queries  relational  textual",
        "  all        1        75.0     25.0",
    ]


def test_nothing_to_describe_is_refused(cli: Cli, queries: Path) -> None:
    queries.with_name("empty.jsonl").touch()
    given = {
        (): "nothing to describe",
        (queries, "--queries", queries): "one file",
        (queries.with_name("empty.jsonl"),): "no queries",
    }
    for options, said in given.items():
        done = cli("eval", "stark", "describe", *options)
        assert (done.exit_code, said in done.stderr) == (2, True)


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


def test_help_names_every_system_there_is(cli: Callable[..., Result]) -> None:
    shown = re.sub(r"\s+", "", cli("eval", "stark", "run", "--help").stdout)
    assert f"{','.join(SYSTEMS)};or{'or'.join(RERANKERS)},whichrank" in shown
