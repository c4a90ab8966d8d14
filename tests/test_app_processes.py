"""The command line as a process of its own: interrupts, a second writer, terminals."""

import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import Result

from tools.zim import build_snapshot

ROOT = Path(__file__).resolve().parent.parent
HELIOGRAPH = [sys.executable, "-m", "app"]
MOST_SECONDS = 60

Cli = Callable[..., Result]


def environment(home: Path, **more: str) -> dict[str, str]:
    plain = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
    return {**plain, "HELIOGRAPH_HOME": str(home), "PYTHONPATH": str(ROOT), **more}


@pytest.fixture(scope="module")
def long_archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make an archive of one page that takes a minute to embed."""
    folder = tmp_path_factory.mktemp("long")
    items = "\n\n".join(f"Berth {n} of the harbour has bollard {n * 7} and crane {n * 11}." * 3 for n in range(8_000))
    (folder / "Harbour.md").write_text(f"# Harbour\n\n{items}\n")
    build_snapshot([folder], folder / "long.zim")
    return folder / "long.zim"


@pytest.fixture
def long_run(long_archive: Path, home: Path, tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """Start a run and wait until some of its texts are embedded."""
    arguments = ["ask", "--source", f"zim:{long_archive}", "Which berth of the harbour has crane 77?"]
    running = subprocess.Popen(
        [*HELIOGRAPH, *arguments], env=environment(home), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    wait_until(lambda: embedded(home) > 0, running)
    yield running
    running.kill()
    running.communicate()


def wait_until(holds: Callable[[], bool], running: subprocess.Popen[str]) -> None:
    deadline = time.monotonic() + MOST_SECONDS
    while not holds():
        assert running.poll() is None, running.communicate()
        assert time.monotonic() < deadline, "the run embeds nothing"
        time.sleep(0.05)


def embedded(home: Path) -> int:
    """Count the vectors that are kept."""
    path = home / "embeddings.sqlite"
    if not path.exists():
        return 0
    with closing(sqlite3.connect(path, timeout=MOST_SECONDS)) as vectors:
        if not vectors.execute("SELECT 1 FROM sqlite_master WHERE name = 'vectors'").fetchone():
            return 0
        count: int = vectors.execute("SELECT COUNT(*) FROM vectors").fetchone()[0]
    return count


def test_a_second_process_is_turned_away_and_an_interrupt_ends_the_first_with_130(
    long_run: subprocess.Popen[str], cli: Cli, archive: Path, home: Path
) -> None:
    second = cli("ask", "--source", f"zim:{archive}", "Who designed Skerry Head Light?")
    assert second.exit_code == 6
    assert f"is being written by process {long_run.pid}; wait until it has ended" in second.stderr

    long_run.send_signal(signal.SIGINT)
    output, errors = long_run.communicate(timeout=MOST_SECONDS)
    assert (long_run.returncode, output) == (130, "")
    assert errors.splitlines()[0] == "heliograph: starting"
    run = next((home / "runs").iterdir()).name
    assert errors.splitlines()[-1] == f"heliograph: interrupted; go on with heliograph resume {run}"
    assert "Traceback" not in errors

    assert embedded(home) > 0
    assert cli("store", "size").stdout.splitlines()[0].split()[1] != "0"
    assert "unfinished" in cli("trace", "list").stdout
    assert cli("ask", "--source", f"zim:{archive}", "Who designed Skerry Head Light?").exit_code == 0


@pytest.mark.parametrize(("variables", "coloured"), [({}, True), ({"NO_COLOR": "1"}, False)])
def test_a_terminal_gets_colours_unless_it_wants_none(home: Path, variables: dict[str, str], coloured: bool) -> None:
    written = on_terminal(["ask", ""], environment(home, TERM="xterm", **variables))
    assert "the question is empty" in written
    assert ("\x1b[" in written) == coloured


def on_terminal(arguments: list[str], variables: dict[str, str]) -> str:
    """Run a command with a terminal for stderr and return what it writes there."""
    ours, theirs = os.openpty()
    try:
        done = subprocess.run(
            [*HELIOGRAPH, *arguments], env=variables, stdout=subprocess.PIPE, stderr=theirs, check=False
        )
        assert (done.returncode, done.stdout) == (2, b"")
        return os.read(ours, 65_536).decode()
    finally:
        os.close(ours)
        os.close(theirs)


INTERRUPTED_AT_IMPORT = """
import signal, sys
from heliograph.starting import main

class Interrupting:
    def find_spec(self, name, path=None, target=None):
        if name == sys.argv[-1]:
            signal.raise_signal(signal.SIGINT)

sys.meta_path.insert(0, Interrupting())
main()
"""


@pytest.mark.parametrize("module", ["app", "click", "agent.batch"])
def test_an_interrupt_before_the_command_begins_is_one_line_and_130(home: Path, module: str) -> None:
    early = [sys.executable, "-c", INTERRUPTED_AT_IMPORT, "ask", module]
    done = subprocess.run(early, env=environment(home), capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (130, "")
    assert done.stderr.splitlines()[-1] == "heliograph: interrupted"
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("arguments", [["--help"], ["store", "home"], ["config", "show"]])
def test_a_full_disk_behind_stdout_is_6(home: Path, arguments: list[str]) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [*HELIOGRAPH, *arguments],
            env=environment(home),
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert (done.returncode, done.stderr) == (
        6,
        "heliograph: cannot write what is printed: No space left on device; free some space, or send it elsewhere\n",
    )


def test_a_full_disk_behind_both_streams_is_6_too(home: Path) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run([*HELIOGRAPH, "ask", "x"], env=environment(home), stdout=full, stderr=full, check=False)
    assert done.returncode == 6


def test_a_pipe_gets_no_colours(home: Path) -> None:
    done = subprocess.run([*HELIOGRAPH, "ask", ""], env=environment(home), capture_output=True, check=False)
    assert done.returncode == 2
    assert b"\x1b" not in done.stderr


def test_bytes_that_are_no_text_are_no_question(home: Path) -> None:
    done = subprocess.run(
        [*HELIOGRAPH, "ask", b"Who built \xff?"], env=environment(home), capture_output=True, check=False
    )
    assert done.returncode == 2
    assert b"the control character U+DCFF at place 11" in done.stderr
