"""The commands of the guide do what it says of them, with nobody to answer."""

import json
import re
import shlex
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from indexers.skb.knowledge_base import BuiltKnowledgeBase

GUIDE = Path(__file__).resolve().parents[4] / "docs" / "how-to" / "describe-and-rate-queries.md"
COMMANDS = re.findall(r"^heliograph .*$", GUIDE.read_text(encoding="utf8"), re.MULTILINE)


def test_the_commands_of_the_guide_run(
    cli: Callable[..., Result], moons: BuiltKnowledgeBase, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("bm25s")
    monkeypatch.chdir(tmp_path)
    shutil.copytree(moons.folder, "lights.skb")
    Path("queries.jsonl").write_text(json.dumps({"query": "dark moons", "answer_ids": ["iapetus"]}))
    assert {command: cli(*shlex.split(command)[1:]).exit_code for command in COMMANDS} == dict.fromkeys(COMMANDS, 0)
    assert len(COMMANDS) == 6


def test_the_guide_names_all_that_json_has(
    cli: Callable[..., Result], moons: BuiltKnowledgeBase, tmp_path: Path
) -> None:
    (tmp_path / "q.jsonl").write_text(json.dumps({"query": "dark moons", "answer_ids": ["iapetus"]}))
    told = json.loads(cli("eval", "stark", "describe", tmp_path / "q.jsonl", "--skb", moons.folder, "--json").stdout)
    named = set(re.findall(r"\w+", " ".join(re.findall(r"`([^`]*)`", GUIDE.read_text(encoding="utf8")))))
    assert {*told, *told["base"], *told["queries"][0]} <= named
