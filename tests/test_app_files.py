"""Answers as files from the command line: written whole, or refused before the question is asked."""

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from tests.agent.test_answer_files import words_of

Cli = Callable[..., Result]
QUESTION = "Who designed Skerry Head Light?"


@pytest.mark.parametrize("name", ["a.md", "a.html", "a.docx"])
def test_an_answer_is_printed_and_written(cli: Cli, archive: Path, home: Path, tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("older")
    result = cli("ask", "--source", f"zim:{archive}", "--out", tmp_path / name, QUESTION)
    assert result.exit_code == 0, result.stderr
    assert "[1]" in result.stdout
    assert f"wrote {tmp_path / name}" in result.stderr
    assert "Skerry Head Light" in words_of(tmp_path / name)
    again = cli("resume", "last", "--out", tmp_path / f"again-{name}")
    assert again.exit_code == 0, again.stderr
    assert words_of(tmp_path / f"again-{name}") == words_of(tmp_path / name)
    assert not list(tmp_path.glob(".*partial"))


@pytest.mark.parametrize("command", [("ask", QUESTION), ("resume", "last")])
def test_a_file_that_cannot_be_written_is_refused_before_anything_is_done(
    cli: Cli, home: Path, tmp_path: Path, command: tuple[str, str]
) -> None:
    result = (
        cli(*command, "--source", "zim:gone.zim", "--out", tmp_path / "a.odt")
        if command[0] == "ask"
        else cli(*command, "--out", tmp_path / "a.odt")
    )
    assert result.exit_code == 2
    assert "cannot tell what kind of file 'a.odt' is to be; end its name in .md, .html, .docx, .pdf" in result.stderr
    assert not (home / "runs").exists()


def test_a_file_in_a_folder_that_takes_none_keeps_the_answer(cli: Cli, archive: Path, home: Path) -> None:
    result = cli("ask", "--source", f"zim:{archive}", "--out", "/proc/answer.md", QUESTION)
    assert result.exit_code == 6
    assert "write it elsewhere with heliograph resume last --out FILE" in result.stderr
    assert "[1]" in cli("resume", "last").stdout
