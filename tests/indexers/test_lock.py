"""One writer a folder."""

import os
import signal
import subprocess
import sys

import pytest

from heliograph.errors import StoreError, StoreLocked
from indexers.lock import WriterLock

HOLD = """
import pathlib, sys, time
from indexers.lock import WriterLock
lock = WriterLock(pathlib.Path(sys.argv[1]))
lock.acquire()
print("held", flush=True)
time.sleep(60)
"""


@pytest.fixture
def holder(tmp_path):
    """Another process that holds the lock."""
    process = subprocess.Popen([sys.executable, "-c", HOLD, str(tmp_path)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    yield process
    process.kill()
    process.wait()
    process.stdout.close()


def test_a_second_process_is_told_at_once_who_holds_the_folder(tmp_path, holder):
    with pytest.raises(StoreLocked, match=f"{tmp_path}.*process {holder.pid};.*HELIOGRAPH_HOME"):
        WriterLock(tmp_path).acquire()


def test_a_process_that_was_killed_leaves_the_folder_free(tmp_path, holder):
    os.kill(holder.pid, signal.SIGKILL)
    holder.wait()
    with WriterLock(tmp_path):
        assert (tmp_path / "writer.pid").read_text() == str(os.getpid())


def test_two_locks_of_one_process_exclude_each_other_until_the_first_is_released(tmp_path):
    first, second = WriterLock(tmp_path), WriterLock(tmp_path)
    first.acquire()
    first.acquire()
    with pytest.raises(StoreLocked, match=f"process {os.getpid()}"):
        second.acquire()
    first.release()
    first.release()
    second.acquire()
    second.release()


def test_the_next_step_is_that_of_the_folder(tmp_path):
    with WriterLock(tmp_path), pytest.raises(StoreLocked) as refused:
        WriterLock(tmp_path, "name another --out").acquire()
    assert str(refused.value) == (
        f"the folder {tmp_path} is being written by process {os.getpid()}; wait until it has ended, "
        "or name another --out"
    )


def test_an_unknown_holder_is_another_process(tmp_path):
    with WriterLock(tmp_path):
        (tmp_path / "writer.pid").unlink()
        with pytest.raises(StoreLocked, match="by another process"):
            WriterLock(tmp_path).acquire()


def test_a_home_that_cannot_be_made_is_named(tmp_path):
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StoreError, match=r"folder .*file.*; check its permissions, or .*_HOME"):
        WriterLock(tmp_path / "file" / "home").acquire()
