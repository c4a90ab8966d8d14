"""Where commands write: an empty path and a device are refused before anything is read."""

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

Cli = Callable[..., Result]

CORPUS = ("--data", "ott", "--questions", "questions.jsonl")
LEARNING = (*CORPUS, "--start", "model", "--out")
WRITING = (
    ("graph", "build", "zim:wiki.zim", "--out"),
    ("snapshot", "build", "pages"),
    ("snapshot", "fetch", "Io (moon)"),
    ("eval", "ott", *CORPUS, "--out"),
    ("train", "edge-retriever", *LEARNING),
    ("train", "refiner-data", *CORPUS, "--out"),
    ("train", "fusion", *CORPUS, "--retriever", "model", "--held-out", "4", "--out"),
    ("train", "export", "model"),
)


@pytest.mark.parametrize("command", WRITING, ids=" ".join)
@pytest.mark.parametrize(
    ("place", "said"),
    [("", "the path is empty; name a file or a folder"), ("/dev/null", "/dev/null is neither a file nor a folder")],
)
def test_what_is_nowhere_is_not_written_to(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...], place: str, said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    refused = cli(*command, place)
    assert (refused.exit_code, said in refused.stderr) == (2, True), refused.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("kind", "said"), [("file", "is a file"), ("folder", "is a directory")])
def test_a_folder_is_no_file_and_a_file_no_folder(cli: Cli, tmp_path: Path, kind: str, said: str) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").touch()
    command = WRITING[0] if kind == "file" else WRITING[3]
    refused = cli(*command, tmp_path / kind)
    assert (refused.exit_code, said in refused.stderr) == (2, True), refused.stderr


def test_an_empty_source_is_not_the_current_folder(cli: Cli, tmp_path: Path) -> None:
    refused = cli("snapshot", "build", "", tmp_path / "wiki.zim")
    assert (refused.exit_code, "the path is empty" in refused.stderr) == (2, True), refused.stderr
