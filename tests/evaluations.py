"""Folders of `heliograph eval omgqa` that were asked and judged over the small archive, as fixtures."""

import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest
from click.testing import Result

from tests.eval.omgqa.converting.written import lines

Cli = Callable[..., Result]
QUESTIONS = (("v1", "When was Skerry Head Light first lit?", "1871"), ("v2", "When did the ropewalk close?", "1931"))


@dataclass(frozen=True, slots=True)
class Evaluation:
    """A folder that was asked and judged, and what that was done with."""

    folder: Path
    questions: Path
    grid: Path
    home: Path

    def arguments(self, command: str) -> list[object]:
        """Return a command that uses the folder, the same again where it made the folder."""
        systems = [f"Z TO te-minilm none {strategy}" for strategy in ("SR", "MR")]
        more: Mapping[str, list[object]] = {
            "run": [self.grid, "--questions", self.questions, "--out", self.folder],
            "judge": [self.folder],
            "report": [self.folder, "--format", "html"],
            "compare": [self.folder, *systems],
            "label": [self.folder, "--judge", "anna"],
        }
        return ["eval", "omgqa", command, *more[command]]


@pytest.fixture(scope="session")
def judged(cli: Cli, archive: Path, tmp_path_factory: pytest.TempPathFactory) -> Evaluation:
    place = tmp_path_factory.mktemp("judged")
    made = Evaluation(place / "folder", place / "questions.jsonl", place / "grid.toml", place / "home")
    fixed = {"evidence": None, "modalities": ["text"], "source": "test"}
    lines(made.questions, *({"id": id, "question": asked, "answers": [told], **fixed} for id, asked, told in QUESTIONS))
    made.grid.write_text(
        f'[settings]\nsources = ["zim:{archive}"]\n[[grid]]\nindexing = "text-only"\n'
        'strategy = ["single-round", "multi-round"]\n'
    )
    for command in ("run", "judge"):
        done = cli(*made.arguments(command), HELIOGRAPH_HOME=str(made.home))
        assert done.exit_code == 0, done.stderr
    return made


@pytest.fixture
def evaluation(judged: Evaluation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Evaluation:
    monkeypatch.setenv("HELIOGRAPH_HOME", str(judged.home))
    shutil.copytree(judged.folder, tmp_path / "folder")
    return Evaluation(tmp_path / "folder", judged.questions, judged.grid, judged.home)


def contents(folder: Path) -> dict[str, bytes]:
    """Return what the files of a folder hold; who writes it is no part of that."""
    files = (path for path in folder.glob("*.jsonl") if path.is_file() and not path.is_symlink())
    return {path.name: path.read_bytes() for path in files}


def refused(result: Result, code: int) -> str:
    """Return the complaint of a command that was refused."""
    assert (result.exit_code, type(result.exception)) == (code, SystemExit), result.output
    return result.stderr.splitlines()[-1]
