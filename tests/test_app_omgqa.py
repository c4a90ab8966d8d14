"""`heliograph eval omgqa`: systems are asked, resumed, judged and reported from the command line."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from eval.omgqa.run_log import read_runs

Cli = Callable[..., Result]
QUESTIONS = (
    {"id": "v1", "question": "When was Skerry Head Light first lit?", "answers": ["1871"]},
    {"id": "v2", "question": "When did the ropewalk of Torvik close?", "answers": ["1931"]},
)


@pytest.fixture
def questions(tmp_path: Path) -> Path:
    path = tmp_path / "questions.jsonl"
    made_up = {"evidence": None, "modalities": ["text"], "source": "test"}
    path.write_text("".join(json.dumps(each | made_up) + "\n" for each in QUESTIONS), encoding="utf8")
    return path


@pytest.fixture
def grid(tmp_path: Path, archive: Path) -> Path:
    path = tmp_path / "grid.toml"
    path.write_text(
        f'[settings]\nsources = ["zim:{archive}"]\n[[grid]]\nindexing = "text-only"\n'
        'strategy = ["single-round", "multi-round"]\n[[grid]]\nllm = "far"\n[llms.far]\nmodel = "far"\n',
        encoding="utf8",
    )
    return path


def test_systems_that_lack_nothing_are_asked_once(cli: Cli, grid: Path, questions: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    asked = cli("eval", "omgqa", "run", grid, "--questions", questions, "--out", out)
    assert asked.exit_code == 0, asked.stderr
    assert "Z MS te-minilm far MR is left out: it lacks [llms.far] base_url" in asked.stderr
    assert f"the answers are in {out}" in asked.stdout
    runs = read_runs(out / "runs.jsonl")
    assert {(run.system, run.question) for run in runs} == {
        (f"Z TO te-minilm none {strategy}", question["id"]) for strategy in ("SR", "MR") for question in QUESTIONS
    }
    assert all("1871" in run.answer for run in runs if run.question == "v1")
    again = cli("eval", "omgqa", "run", grid, "--questions", questions, "--out", out)
    assert "4 of 4 answers are there already" in again.stderr
    assert read_runs(out / "runs.jsonl") == runs


def test_what_systems_lack_is_listed(cli: Cli, grid: Path) -> None:
    listed = cli("eval", "omgqa", "run", grid, "--list")
    assert listed.stdout.splitlines() == [
        "Z TO te-minilm none SR",
        "Z TO te-minilm none MR",
        "Z MS te-minilm far MR",
        "    lacks [llms.far] base_url: no server is named for it",
    ]
    assert len(cli("eval", "omgqa", "run", "paper", "--list", "--system", "D TO h-sfr llama-3-8b SR").stdout) < 300


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ((), "no questions are named; add --questions FILE, or --list"),
        (("--list", "--system", "X"), "there is no system 'X'; --list names them"),
        (("--questions", "{tmp}/none.jsonl"), "no file {tmp}/none.jsonl"),
        (("--questions", "{tmp}/questions.jsonl", "--system", "Z MS te-minilm far MR"), "none of the systems can run"),
    ],
)
def test_what_cannot_be_asked_is_refused(
    cli: Cli, grid: Path, questions: Path, tmp_path: Path, options: tuple[str, ...], complaint: str
) -> None:
    assert questions.exists()
    refused = cli("eval", "omgqa", "run", grid, *(option.format(tmp=tmp_path) for option in options))
    assert refused.exit_code == 2
    assert complaint.format(tmp=tmp_path) in refused.stderr
    assert "Traceback" not in refused.stderr
