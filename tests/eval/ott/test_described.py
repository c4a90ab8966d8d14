"""The page that describes the folder of --data: what stands there as an example can be searched."""

import json
import lzma
import re
from collections.abc import Callable
from pathlib import Path

from click.testing import Result

PAGE = Path(__file__).parents[3] / "docs" / "ott-data.md"

Cli = Callable[..., Result]


def test_a_folder_made_by_the_page_is_searched(cli: Cli, tmp_path: Path) -> None:
    tables, passages, scopes, questions = re.findall(r"```json\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    (tmp_path / "questions").mkdir()
    (tmp_path / "questions" / "corpus_subsets.json").write_text(scopes, encoding="utf-8")
    (tmp_path / "tables.jsonl.xz").write_bytes(lzma.compress(tables.encode()))
    (tmp_path / "passages.jsonl.xz").write_bytes(lzma.compress(passages.encode()))
    (tmp_path / "asked.jsonl").write_text(questions, encoding="utf-8")
    files = ("--data", tmp_path, "--questions", tmp_path / "asked.jsonl")
    for scope in ("mini", "small", "full"):
        done = cli("eval", "ott", *files, "--scope", scope, "--method", "bm25", "--json")
        assert done.exit_code == 0, done.stderr
        found = json.loads(done.stdout)
        assert (found["metrics"]["gold_edge@50"], found["outside_scope"]) == (1.0, 0)
