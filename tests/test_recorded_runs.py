"""Runs of the demo kept since they were recorded: each replays byte for byte, with no model and no archive."""

import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

RUNS = Path(__file__).parent / "data" / "runs"
KEPT = sorted(RUNS.glob("*.tar.xz"))


@pytest.mark.parametrize("archive", KEPT, ids=lambda path: path.name.removesuffix(".tar.xz"))
def test_a_kept_run_replays_byte_for_byte(cli: Callable[..., Result], home: Path, archive: Path) -> None:
    with tarfile.open(archive) as kept:
        kept.extractall(home / "runs", filter="data")
    (run,) = (home / "runs").iterdir()
    replayed = cli("replay", run.name)
    assert (replayed.exit_code, replayed.stderr) == (0, "")
    assert replayed.stdout.endswith("trace events are byte-identical\n")


def test_enough_runs_are_kept() -> None:
    assert len(KEPT) >= 6
