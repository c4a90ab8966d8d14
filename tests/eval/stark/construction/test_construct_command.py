"""`heliograph eval stark construct`: from a base to a file of queries, or to a refusal."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from eval.stark.queries import query_line, read_queries
from heliograph.errors import UsageError
from indexers.skb.knowledge_base import BuiltKnowledgeBase

Cli = Callable[..., Result]
pytest.importorskip("bm25s")


@pytest.fixture
def command(lights: BuiltKnowledgeBase, tmp_path: Path) -> tuple[object, ...]:
    return ("eval", "stark", "construct", lights.folder, tmp_path / "q.jsonl", "--count", 20, "--half", "report")


def test_a_set_is_written_with_its_figures_and_read_again_with_its_plans(
    cli: Cli, command: tuple[object, ...], tmp_path: Path
) -> None:
    done = cli(*command, "--easiest", 1, "--json")
    assert done.exit_code == 0, done.stderr
    told = json.loads(done.stdout)
    assert (told["statistics"]["queries"], told["gold_answers"], told["answerable"]) == (20, 1.0, 1.0)
    assert sum(told["shapes"].values()) == pytest.approx(1)
    queries = read_queries(tmp_path / "q.jsonl")
    assert {each.split for each in queries} == {"test"}
    assert all(each.plan and each.id.startswith("report-") for each in queries)
    assert "".join(map(query_line, queries)) == (tmp_path / "q.jsonl").read_text()
    assert cli(*command).exit_code == 2


def test_a_set_that_is_too_easy_is_not_kept_unless_that_is_wanted(
    cli: Cli, command: tuple[object, ...], tmp_path: Path
) -> None:
    refused = cli(*command, "--easiest", 0)
    assert (refused.exit_code, (tmp_path / "q.jsonl").exists()) == (3, False)
    assert "R@20 of BM25 with neighbours' names" in refused.stdout
    assert "too easy: BM25 finds" in refused.stderr
    assert cli(*command, "--easiest", 0, "--accept-easy").exit_code == 0
    assert all(each.id.startswith("easy-report-") for each in read_queries(tmp_path / "q.jsonl"))


def test_a_plan_of_another_form_is_named(tmp_path: Path) -> None:
    record = {"query": "Which?", "answer_ids": [], "plan": {"gold": "a"}}
    (tmp_path / "q.jsonl").write_text(json.dumps(record))
    with pytest.raises(UsageError, match=r"q\.jsonl:1: plan\.register: Field required"):
        read_queries(tmp_path / "q.jsonl")
