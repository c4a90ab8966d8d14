"""A home folder whose vectors a Chroma server keeps, by the command line: same answers, truth told, nothing lost."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from tests.servers.chroma import Chroma, chroma_server

Cli = Callable[..., Result]

ROOT = Path(__file__).resolve().parent.parent
QUESTION = "Who designed Skerry Head Light?"
DEMO_QUESTIONS = ("Who discovered Titan?", "Which is the largest moon of Jupiter?", "Who discovered Triton?")


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chroma]:
    with chroma_server(tmp_path_factory.mktemp("chroma")) as server:
        yield server


@pytest.fixture(scope="module")
def demo(cli: Cli, tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("demo") / "demo.zim"
    built = cli("snapshot", "build", ROOT / "demo" / "articles", made)
    assert built.exit_code == 0, built.stderr
    return made


def answer(result: Result) -> dict[str, Any]:
    """Return an answer without what differs from run to run: its name, how long it took, what was known before."""
    assert result.exit_code == 0, result.stderr
    told: dict[str, Any] = json.loads(result.stdout)
    return {name: value for name, value in told.items() if name not in ("run", "seconds", "usage")}


def test_the_demo_is_answered_alike_with_and_without_a_server(cli: Cli, demo: Path, running: Chroma, tmp_path: Path):
    for question in DEMO_QUESTIONS:
        here, there = (
            cli("ask", "--source", f"zim:{demo}", "--json", question, HELIOGRAPH_HOME=str(tmp_path / name), **given)
            for name, given in (("here", {}), ("there", {"HELIOGRAPH_CHROMA_URL": running.url}))
        )
        assert answer(here) == answer(there)
        assert answer(here)["citations"]
        assert answer(here)["rounds"][0]["evidence"]
    assert (tmp_path / "here" / "indexes" / "chroma").exists()
    assert not (tmp_path / "there" / "indexes" / "chroma").exists()


def test_a_server_that_dies_between_two_questions_costs_the_question_and_nothing_else(
    cli: Cli, archive: Path, home: Path, tmp_path: Path
) -> None:
    def ask(question: str) -> Result:
        given = {"HELIOGRAPH_CHROMA_URL": server.url, "HELIOGRAPH_MEMORY": "off"}
        return cli("ask", "--source", f"zim:{archive}", "--json", question, **given)

    with chroma_server(tmp_path / "data") as server:
        first = ask(QUESTION)
        server.kill()
        refused = ask("When was Holm Light closed?")
        assert (refused.exit_code, refused.stdout) == (6, "")
        assert f"heliograph: the Chroma server at {server.url} cannot be reached" in refused.stderr
        assert "start it or correct chroma_url; nothing is lost" in refused.stderr
        assert "byte-identical" in cli("replay", "last", HELIOGRAPH_CHROMA_URL=server.url).stdout
        server.start()
        assert "1957" in ask("When was Holm Light closed?").stdout
        assert answer(ask(QUESTION)) == answer(first)


def test_size_doctor_and_purge_say_what_the_server_has(
    cli: Cli, archive: Path, home: Path, running: Chroma, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HELIOGRAPH_CHROMA_URL", running.url)
    assert cli("store", "size").stdout.splitlines()[-1] == f"vectors  nothing yet at {running.url} (API 1.0.0)"
    assert cli("ask", "--source", f"zim:{archive}", QUESTION).exit_code == 0
    counted = re.escape(running.url).join((r"\d+ vectors in 3 collections at ", r" \(API 1\.0\.0\)"))
    assert re.search(rf"^vectors  {counted}$", cli("store", "size").stdout, re.MULTILINE)
    assert re.search(rf"^ok   vectors: {counted}$", cli("doctor").stdout, re.MULTILINE)
    monkeypatch.delenv("HELIOGRAPH_CHROMA_URL")
    left = "vectors of this home may be left on a Chroma server; set chroma_url to look there"
    assert cli("store", "size").stdout.splitlines()[-1] == left
    assert cli("store", "purge", "--indexes").stdout.endswith(f" bytes; {left}\n")
    monkeypatch.setenv("HELIOGRAPH_CHROMA_URL", running.url)
    assert (
        cli("store", "purge", "--indexes").stdout == f"removed indexes: 0 bytes, and 3 collections at {running.url}\n"
    )
    assert cli("store", "size").stdout.splitlines()[-1] == f"vectors  nothing yet at {running.url} (API 1.0.0)"


def test_a_purge_removes_nothing_while_the_server_cannot_be_asked(
    cli: Cli, archive: Path, home: Path, running: Chroma
) -> None:
    assert cli("ask", "--source", f"zim:{archive}", QUESTION, HELIOGRAPH_CHROMA_URL=running.url).exit_code == 0
    nowhere = {"HELIOGRAPH_CHROMA_URL": "http://127.0.0.1:9"}
    before = {path for path in home.rglob("*") if path.is_file()}
    purged = cli("store", "purge", "--indexes", **nowhere)
    assert (purged.exit_code, "cannot be reached" in purged.stderr) == (6, True)
    assert {path for path in home.rglob("*") if path.is_file()} == before
    assert "vectors  not counted: the Chroma server at http://127.0.0.1:9" in cli("store", "size", **nowhere).stdout
    doctor = cli("doctor", **nowhere)
    assert "MISS vectors: the Chroma server at http://127.0.0.1:9 cannot be reached" in doctor.stdout
    assert doctor.exit_code == 2
    assert cli("store", "purge", "--indexes", HELIOGRAPH_CHROMA_URL=running.url).exit_code == 0


def test_a_token_is_kept_by_no_run_and_shown_by_nothing(cli: Cli, archive: Path, home: Path, running: Chroma) -> None:
    secret = {"HELIOGRAPH_CHROMA_URL": running.url, "HELIOGRAPH_CHROMA_TOKEN": "open-sesame-0123"}
    assert cli("ask", "--source", f"zim:{archive}", QUESTION, **secret).exit_code == 0
    shown = cli("config", "show", **secret).stdout
    assert json.loads(shown)["chroma_url"] == running.url
    assert "sesame" not in shown and "chroma_token" not in shown
    assert not [path for path in home.rglob("*") if path.is_file() and b"open-sesame" in path.read_bytes()]
    assert cli("store", "purge", "--indexes", **secret).exit_code == 0


def test_a_run_that_was_begun_with_a_server_is_finished_without_it(
    cli: Cli, archive: Path, home: Path, running: Chroma
) -> None:
    asked = cli("ask", "--source", f"zim:{archive}", "--json", QUESTION, HELIOGRAPH_CHROMA_URL=running.url)
    (run,) = (home / "runs").iterdir()
    record = (run / "trace.jsonl").read_text(encoding="utf8").splitlines(keepends=True)
    begun = next(place for place, line in enumerate(record) if '"index_evidence"' in line)
    (run / "trace.jsonl").write_text("".join(record[: begun + 1]), encoding="utf8")
    (run / "checkpoints.sqlite").unlink()
    finished = cli("resume", "--json", run.name)
    assert answer(finished) == answer(asked)
    assert (home / "indexes" / "chroma").exists()
