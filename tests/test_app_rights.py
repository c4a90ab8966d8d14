"""Pages that may not be read: a build names them and ends, for without them it would pass for whole."""

import ctypes
import subprocess
import sys
from pathlib import Path

import pytest

from tests.test_app_processes import environment

PR_CAPBSET_DROP = 24
CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH = 1, 2


def under_file_modes() -> None:
    """Let file modes hold for root too, from the next program on."""
    system = ctypes.CDLL(None)
    for capability in (CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH):
        system.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0)


@pytest.mark.parametrize(("closed", "mode"), [("more", 0o000), ("more", 0o444), ("more/Holm.md", 0o000), (".", 0o000)])
def test_a_page_that_may_not_be_read_ends_the_build(home: Path, tmp_path: Path, closed: str, mode: int) -> None:
    pages = tmp_path / "pages"
    (pages / "more").mkdir(parents=True)
    for name in ("Torvik.md", "more/Holm.md"):
        (pages / name).write_text("# Page\n\nA page.\n", encoding="utf-8")
    named = pages / ("more/Holm.md" if mode == 0o444 else closed)
    (pages / closed).chmod(mode)
    done = subprocess.run(
        [sys.executable, "-m", "app", "graph", "build", str(pages), "--out", str(tmp_path / "graph")],
        env=environment(home),
        preexec_fn=under_file_modes,
        capture_output=True,
        text=True,
        check=False,
    )
    (pages / closed).chmod(0o755)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.splitlines()[-1].startswith(
        f"heliograph: {named} cannot be read: Permission denied; make it readable, or leave it out"
    )
