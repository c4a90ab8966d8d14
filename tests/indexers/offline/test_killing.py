"""A build that is killed at any moment is finished by the same command, byte for byte as if nothing had happened."""

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.indexers.offline.worlds import page, sums, table

ROOT = Path(__file__).resolve().parents[3]
PAGES = 150
MOST_SECONDS = 120.0


def pages_in(folder: Path) -> Path:
    """Write pages of which every third has a table with links, and every third one without."""
    source = folder / "moons.jsonl"
    with source.open("w", encoding="utf8") as file:
        for number in range(PAGES):
            rows = [[f"[[Moon {(number + 7) % PAGES}]]", "1610"], [f"[[Moon {number // 2}]]", "x"]]
            bare = [[f"Moon {(number * 3) % PAGES}", "found"]]
            more = [[table(["Moon", "Found"], rows)], [table(["Name", "State"], bare)], []][number % 3]
            html = page(f"Moon {number} was found by observer {number % 11}.", *more)
            file.write(json.dumps({"title": f"Moon {number}", "html": html}) + "\n")
    return source


def command(source: Path, out: Path, *options: str) -> Sequence[str]:
    return [sys.executable, "-m", "app", "graph", "build", str(source), "--out", str(out), *options]


def built(source: Path, out: Path, *options: str, seed: int = 1) -> str:
    """Build in a process of its own; return what it said."""
    done = subprocess.run(
        command(source, out, "--pages-a-shard", "2", *options),
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": str(seed)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stderr


def killed(source: Path, out: Path, folder: str, sets: int) -> None:
    """Build in a process of its own until a folder holds some file sets, and kill it."""
    with subprocess.Popen(command(source, out, "--pages-a-shard", "2"), cwd=ROOT, stderr=subprocess.PIPE) as child:
        deadline = time.monotonic() + MOST_SECONDS
        while child.poll() is None and time.monotonic() < deadline and finished(out / folder) < sets:
            time.sleep(0.0005)
        child.kill()
    assert child.returncode == -signal.SIGKILL


def finished(folder: Path) -> int:
    return sum(not path.name.endswith(".part") for path in folder.iterdir()) if folder.exists() else 0


@pytest.mark.slow
def test_a_build_that_is_killed_twice_ends_with_the_bytes_of_an_undisturbed_one(tmp_path: Path) -> None:
    source = pages_in(tmp_path)
    said = built(source, tmp_path / "whole", seed=1)
    assert f"pages parsed: {PAGES} of {PAGES}" in said
    out = tmp_path / "killed"
    killed(source, out, "shards", 11)
    killed(source, out, "links", 7)
    assert not (out / "segments").exists()
    said = built(source, out, seed=2)
    assert "pages parsed: 75 of 75 shards are there already" in said
    assert "pages linked: 75 of" not in said
    assert "of 75 shards are there already" in said.partition("pages linked: ")[2]
    assert sums(out) == sums(tmp_path / "whole")


@pytest.mark.slow
@pytest.mark.parametrize(("kilobytes", "put_down"), [(4, False), (6, True)])
def test_a_disk_that_is_full_is_said_and_nothing_is_lost(tmp_path: Path, kilobytes: int, put_down: bool) -> None:
    source = pages_in(tmp_path)
    if put_down:
        killed(source, tmp_path / "full", "shards", 1)
    full = shlex.join(command(source, tmp_path / "full", "--pages-a-shard", "2"))
    done = subprocess.run(
        ["bash", "-c", f"ulimit -f {kilobytes}; exec {full}"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (done.returncode, "no space left to write" in done.stderr) == (6, True), done.stderr
    built(source, tmp_path / "whole")
    built(source, tmp_path / "full")
    assert sums(tmp_path / "full") == sums(tmp_path / "whole")
