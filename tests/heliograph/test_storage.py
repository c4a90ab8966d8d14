"""A full disk is told as one whoever says it, and a damaged file as damaged."""

import bz2
import errno
import gzip
import lzma
import sqlite3
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from heliograph.errors import StoreDamaged, StoreError, StoreFull, StoreLocked, UsageError
from heliograph.storage import NOT_UNPACKED, database_error, open_unpacked, refuse_to_replace, storage_error

FILE = Path("home/file")


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EDQUOT, errno.EFBIG])
def test_what_the_system_says_of_a_full_disk(code: int) -> None:
    found = storage_error(OSError(code, "said"), FILE)
    assert (type(found), found.exit_code) == (StoreFull, 6)
    assert str(found).startswith("no space left to write home/file; free some space")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_what_numpy_says_of_a_full_disk_has_no_number() -> None:
    with pytest.raises(OSError, match="requested and") as cut, Path("/dev/full").open("wb", buffering=0) as full:
        np.zeros(1_000_000).tofile(full)
    assert cut.value.errno is None
    assert type(storage_error(cut.value, FILE)) is StoreFull


@pytest.mark.parametrize(
    ("cause", "said"), [(OSError(errno.EACCES, "denied"), "denied"), (OSError("odd"), "odd"), (OSError(), "OSError")]
)
def test_another_fault_names_its_cause(cause: OSError, said: str) -> None:
    found = storage_error(cause, FILE)
    assert type(found) is StoreError
    assert str(found).startswith(f"cannot write home/file: {said}; check its permissions")


@pytest.mark.parametrize(
    ("code", "kind", "step"),
    [
        (sqlite3.SQLITE_FULL, StoreFull, "free some space"),
        (sqlite3.SQLITE_IOERR_WRITE, StoreFull, "free some space"),
        (sqlite3.SQLITE_IOERR_SHMSIZE, StoreFull, "free some space"),
        (sqlite3.SQLITE_IOERR_FSYNC, StoreFull, "free some space"),
        (sqlite3.SQLITE_BUSY_SNAPSHOT, StoreLocked, "try again"),
        (sqlite3.SQLITE_READONLY_DIRECTORY, StoreError, "check its permissions"),
        (sqlite3.SQLITE_CORRUPT, StoreDamaged, "delete it"),
        (sqlite3.SQLITE_NOTADB, StoreDamaged, "delete it"),
        (sqlite3.SQLITE_IOERR_READ, StoreDamaged, "delete it"),
    ],
)
def test_what_a_database_says(code: int, kind: type[StoreError], step: str) -> None:
    said = sqlite3.OperationalError("said")
    said.sqlite_errorcode = code
    found = database_error(said, FILE, "delete it")
    assert (type(found), step in str(found), "home/file" in str(found)) == (kind, True, True)


PACKED = pytest.mark.parametrize(
    ("name", "pack"),
    [("a.GZ", gzip.compress), ("a.xz", lzma.compress), ("a.b.bz2", bz2.compress), ("gz", bytes), ("a.zip", bytes)],
)


@PACKED
def test_a_file_is_unpacked_by_its_name(tmp_path: Path, name: str, pack: Callable[[bytes], bytes]) -> None:
    (tmp_path / name).write_bytes(pack(b"Holm\nVarn\n"))
    with open_unpacked(tmp_path / name) as file:
        assert list(file) == [b"Holm\n", b"Varn\n"]


@pytest.mark.parametrize("pack", [gzip.compress, lzma.compress, bz2.compress])
def test_a_packed_file_that_was_cut_is_told(tmp_path: Path, pack: Callable[[bytes], bytes]) -> None:
    path = tmp_path / {gzip.compress: "a.gz", lzma.compress: "a.xz", bz2.compress: "a.bz2"}[pack]
    path.write_bytes(pack(b"Holm\n" * 100)[:-8])
    with pytest.raises(NOT_UNPACKED), open_unpacked(path) as file:
        file.read()


def test_what_is_there_is_replaced_only_when_that_is_wanted(tmp_path: Path) -> None:
    refuse_to_replace(tmp_path, force=True)
    refuse_to_replace(tmp_path / "new", force=False)
    with pytest.raises(UsageError, match="is there already; name another, or replace it with --force"):
        refuse_to_replace(tmp_path, force=False)
