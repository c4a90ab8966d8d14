"""`heliograph eval omgqa` killed while it asks and while it judges: the same commands go on to the same tables."""

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from tests.killed import comparable, count_lines, killed, whole_lines

Cli = Callable[..., Result]
ROOT = Path(__file__).resolve().parent.parent
HELIOGRAPH = (sys.executable, "-m", "app")
ASKED = ("When was Skerry Head Light first lit?", "When did the ropewalk of Torvik close?")


@pytest.fixture
def run(tmp_path: Path, archive: Path) -> tuple[str, ...]:
    """Return the command that asks two systems two questions, but for its folder."""
    grid, questions = tmp_path / "grid.toml", tmp_path / "questions.jsonl"
    grid.write_text(
        f'[settings]\nsources = ["zim:{archive}"]\n[[grid]]\nstrategy = ["single-round", "multi-round"]\n',
        encoding="utf8",
    )
    rest = {"answers": ["1871", "1931"], "evidence": None, "modalities": ["text"], "source": "test"}
    every = ({"id": f"v{number}", "question": asked, **rest} for number, asked in enumerate(ASKED))
    questions.write_text("".join(json.dumps(each) + "\n" for each in every), encoding="utf8")
    return "eval", "omgqa", "run", str(grid), "--questions", str(questions), "--out"


def test_a_grid_that_is_killed_while_it_asks_and_while_it_judges_comes_to_the_same_tables(
    cli: Cli, run: tuple[str, ...], tmp_path: Path
) -> None:
    def go(home: Path, *arguments: object) -> str:
        done = cli(*arguments, HELIOGRAPH_HOME=str(home))
        assert done.exit_code == 0, done.stderr
        return done.stdout

    def kill(home: Path, path: Path, count: int, *arguments: object) -> bytes:
        environment = {**os.environ, "HELIOGRAPH_HOME": str(home), "PYTHONPATH": str(ROOT)}
        command = (*HELIOGRAPH, *map(str, arguments))
        assert killed(command, environment, path, count, tmp_path / "said.log") < count_lines(whole / path.name)
        return whole_lines(path)

    whole, broken, first, second = (tmp_path / name for name in ("whole", "broken", "home-1", "home-2"))
    judge = ("eval", "omgqa", "judge")
    report = ("eval", "omgqa", "report", "--format", "json")
    go(first, *run, whole)
    go(first, *judge, whole)

    answers = kill(second, broken / "runs.jsonl", 1, *run, broken)
    go(second, *run, broken)
    assert (broken / "runs.jsonl").read_bytes().startswith(answers)
    words = kill(second, broken / "words.jsonl", 1, *judge, broken)
    go(second, *judge, broken)
    assert (broken / "words.jsonl").read_bytes().startswith(words)

    assert comparable(go(second, *report, broken)) == comparable(go(first, *report, whole))
    assert json.loads(go(second, *report, broken))["tables"]["reuse"]["rows"][-1]["cells"]["embedded"] > 0
