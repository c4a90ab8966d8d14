"""`heliograph eval omgqa` on a disk that is full: the file and the next step are named, and the work goes on later."""

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import Result

from eval.omgqa.run_log import read_runs
from tests.disks import small_disk
from tests.evaluations import Evaluation, contents, refused

Cli = Callable[..., Result]


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 64 kB."""
    with small_disk(tmp_path / "disk", "64k") as folder:
        yield folder


def fill(disk: Path, left: int) -> None:
    room = os.statvfs(disk)
    (disk / "fill").write_bytes(bytes(room.f_bavail * room.f_bsize - left))


def in_any_order(folder: Path) -> dict[str, list[bytes]]:
    """Return the lines of a folder's files; words come as several at once are decided."""
    return {name: sorted(content.splitlines()) for name, content in contents(folder).items()}


@pytest.mark.parametrize(
    ("left", "full"),
    [(8_192, "evidence"), (12_288, "documents"), (16_384, "words"), (20_480, "pool")],
)
def test_a_disk_that_is_full_while_judging_is_named_and_the_same_command_goes_on(
    cli: Cli, evaluation: Evaluation, disk: Path, left: int, full: str
) -> None:
    whole = in_any_order(evaluation.folder)
    folder = disk / "folder"
    folder.mkdir()
    for name in ("questions.jsonl", "systems.jsonl", "runs.jsonl"):
        shutil.copy(evaluation.folder / name, folder)
    fill(disk, left)
    said = refused(cli("eval", "omgqa", "judge", folder), 6)
    elsewhere = "free some space or work on a copy of the folder elsewhere"
    assert said == f"heliograph: no space left to write {folder / full}.jsonl; {elsewhere}"
    (disk / "fill").unlink()
    assert cli("eval", "omgqa", "judge", folder).exit_code == 0
    assert in_any_order(folder) == whole
    fill(disk, 0)
    report = cli("eval", "omgqa", "report", folder, "--out", disk / "report.txt")
    assert refused(report, 6).endswith("/report.txt; free some space or name another file with --out")
    assert sorted(path.name for path in disk.iterdir()) == ["fill", "folder"]


def test_a_disk_that_is_full_while_asking_names_the_folder_and_keeps_what_was_answered(
    cli: Cli, evaluation: Evaluation, disk: Path
) -> None:
    fill(disk, 16_384)
    arguments = Evaluation(disk / "out", evaluation.questions, evaluation.grid, evaluation.home).arguments("run")
    said = refused(cli(*arguments), 6)
    assert said.endswith("/out/runs.jsonl; free some space or name another folder with --out")
    kept = read_runs(disk / "out" / "runs.jsonl")
    assert 0 < len(kept) < 4
    (disk / "fill").unlink()
    again = cli(*arguments)
    assert f"{len(kept)} of 4 answers are there already" in again.stderr
    assert read_runs(disk / "out" / "runs.jsonl")[: len(kept)] == kept
