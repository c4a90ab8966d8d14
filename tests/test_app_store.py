"""A store that is locked, damaged or full ends a run with 6, names the remedy, and the remedy helps."""

import json
import os
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import Result

from indexers.lock import WriterLock
from tests.disks import small_disk

Cli = Callable[..., Result]

QUESTION = "Who designed Skerry Head Light?"


def complaint(result: Result) -> str:
    """Return the error, the last line on stderr; nothing stands on stdout."""
    assert isinstance(result.exception, SystemExit), result.exception
    assert result.stdout == ""
    return result.stderr.splitlines()[-1]


def test_a_locked_store_is_6_at_once_and_names_the_process(cli: Cli, archive: Path, home: Path) -> None:
    with WriterLock(home):
        result = cli("ask", "--source", f"zim:{archive}", QUESTION)
    assert complaint(result).startswith(f"heliograph: the folder {home} is being written by process {os.getpid()}")
    assert result.exit_code == 6
    assert cli("ask", "--source", f"zim:{archive}", QUESTION).exit_code == 0


@pytest.mark.parametrize(
    ("damaged", "remedy"),
    [
        ("pages/*.sqlite", "heliograph store purge --pages"),
        ("indexes/chroma/chroma.sqlite3", "heliograph store purge --indexes"),
        ("indexes/documents.sqlite", "heliograph store purge --indexes"),
        ("embeddings.sqlite", "heliograph store purge --indexes"),
    ],
)
def test_a_damaged_store_is_6_and_the_remedy_helps(
    cli: Cli, archive: Path, home: Path, damaged: str, remedy: str
) -> None:
    assert cli("ask", "--source", f"zim:{archive}", QUESTION).exit_code == 0
    (database,) = home.glob(damaged)
    database.write_bytes(b"this is no database " * 500)
    result = cli("ask", "--source", f"zim:{archive}", QUESTION)
    assert remedy in complaint(result)
    assert result.exit_code == 6
    assert cli(*remedy.split()[1:]).exit_code == 0
    assert cli("ask", "--source", f"zim:{archive}", QUESTION).exit_code == 0


def test_damaged_pages_are_read_again(cli: Cli, archive: Path, home: Path) -> None:
    first = json.loads(cli("ask", "--source", f"zim:{archive}", "--json", QUESTION).stdout)
    for path in (home / "pages").glob("*/*.z"):
        path.write_bytes(path.read_bytes()[:-1])
    shown = cli("show", first["citations"][0]["evidence"])
    assert (shown.exit_code, "heliograph store purge --pages" in complaint(shown)) == (6, True)
    again = json.loads(cli("ask", "--source", f"zim:{archive}", "--json", QUESTION).stdout)
    assert again["answer"] == first["answer"]
    assert again["usage"]["pages_read"] == first["usage"]["pages_read"]


def test_a_home_that_is_a_file_is_6(cli: Cli, archive: Path, home: Path) -> None:
    home.write_text("in the way")
    result = cli("ask", "--source", f"zim:{archive}", QUESTION)
    assert (result.exit_code, str(home) in complaint(result)) == (6, True)


@pytest.fixture
def full_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 8 MB."""
    with small_disk(tmp_path / "small", "8m") as folder:
        yield folder


@pytest.mark.parametrize("free", [0, 4_096, 100_000, 1_000_000])
def test_a_full_disk_is_6_and_space_helps(cli: Cli, archive: Path, full_disk: Path, free: int) -> None:
    home = full_disk / "home"
    filler = full_disk / "filler"
    room = shutil.disk_usage(full_disk).free - free
    filler.write_bytes(b"\0" * (room // 4096 * 4096))
    result = cli("ask", "--source", f"zim:{archive}", QUESTION, HELIOGRAPH_HOME=str(home))
    assert "free some space" in complaint(result)
    assert result.exit_code == 6
    filler.unlink()
    assert cli("ask", "--source", f"zim:{archive}", QUESTION, HELIOGRAPH_HOME=str(home)).exit_code == 0


def test_a_run_that_was_cut_short_does_not_replay(cli: Cli, archive: Path, home: Path) -> None:
    home.mkdir(parents=True, exist_ok=True)
    (home / "indexes").write_text("a file where the indexes belong")
    assert cli("ask", "--source", f"zim:{archive}", QUESTION).exit_code == 6
    result = cli("replay", "last")
    assert result.exit_code == 6
    assert re.search(r"run (\S+) has no answer: .*; finish it with heliograph resume \1$", complaint(result))
    assert "failed" in cli("trace", "list").stdout


def test_a_run_whose_indexes_were_purged_before_it_went_on_indexes_its_pages_again(
    cli: Cli, archive: Path, home: Path
) -> None:
    asked = json.loads(cli("ask", "--source", f"zim:{archive}", "--json", QUESTION).stdout)
    (run,) = (home / "runs").iterdir()
    record = (run / "trace.jsonl").read_text(encoding="utf8").splitlines(keepends=True)
    indexed = next(place for place, line in enumerate(record) if '"index_evidence"' in line)
    (run / "trace.jsonl").write_text("".join(record[: indexed + 1]), encoding="utf8")
    (run / "checkpoints.sqlite").unlink()
    assert cli("store", "purge", "--indexes").exit_code == 0
    finished = json.loads(cli("resume", "--json", run.name).stdout)
    assert (finished["answer"], finished["rounds"]) == (asked["answer"], asked["rounds"])
