"""A run opens the system that it names, and refuses options that this system has no use for."""

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from indexers.skb.knowledge_base import BuiltKnowledgeBase

Cli = Callable[..., Result]


@pytest.fixture
def queries(tmp_path: Path) -> Path:
    (tmp_path / "q.jsonl").write_text('{"query": "Which moon is Titan?", "answer_ids": ["titan"]}\n')
    return tmp_path / "q.jsonl"


def test_a_dense_system_is_asked_and_its_results_are_those_of_its_model(
    cli: Cli, queries: Path, base: BuiltKnowledgeBase, tmp_path: Path
) -> None:
    command = (
        "eval",
        "stark",
        "run",
        "--skb",
        base.folder,
        "--queries",
        queries,
        "--split",
        "all",
        "--system",
        "dense",
    )
    done = cli(*command, "--out", tmp_path / "run.jsonl")
    assert done.exit_code == 0, done.stderr
    assert '"system": "dense (all-MiniLM-L6-v2-int8)"' in (tmp_path / "run.jsonl").read_text()
    other = cli(*command, "--query-instruction", "Find: ", "--out", tmp_path / "run.jsonl")
    assert (other.exit_code, "name another file with --out" in other.stderr) == (2, True)


@pytest.mark.parametrize(
    ("options", "said", "code"),
    [
        (("--system", "dens"), "no system 'dens' for a knowledge base; name one of bm25, ", 2),
        (("--embedding", "a", "--scored", "5"), "has no use for --embedding and --scored; leave it away", 2),
        (("--system", "dense", "--embedding", "./nowhere"), "no folder ./nowhere; correct --embedding", 4),
        (("--system", "late-interaction", "--late-interaction-model", "./nowhere"), "no folder ./nowhere", 4),
        (("--system", "llm"), "set HELIOGRAPH_LLM__BASE_URL", 2),
    ],
)
def test_what_cannot_be_opened_is_refused(
    cli: Cli, queries: Path, base: BuiltKnowledgeBase, options: tuple[str, ...], said: str, code: int
) -> None:
    done = cli("eval", "stark", "run", "--skb", base.folder, "--queries", queries, "--split", "all", *options)
    assert said in done.stderr
    assert done.exit_code == code
