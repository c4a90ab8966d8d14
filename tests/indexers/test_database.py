"""Databases that several open for the first time side by side."""

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from threading import Timer

import pytest

from heliograph.errors import StoreLocked
from indexers.database import connected, create

SCHEMA = "CREATE TABLE IF NOT EXISTS words (word TEXT)"


def rows(path: Path) -> int:
    with connected(path) as connection:
        found: int = connection.execute("SELECT COUNT(*) FROM words").fetchone()[0]
    return found


def test_a_file_that_another_just_makes_is_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "words.sqlite"
    with closing(sqlite3.connect(path, isolation_level=None, check_same_thread=False)) as other:
        other.execute("BEGIN IMMEDIATE")
        other.execute(SCHEMA)
        other.execute("INSERT INTO words VALUES ('holm')")
        ending = Timer(0.1, lambda: other.execute("COMMIT"))
        ending.start()
        create(path, SCHEMA)
        ending.join()
    assert rows(path) == 1


def test_many_make_one_file(tmp_path: Path) -> None:
    path = tmp_path / "words.sqlite"
    with ThreadPoolExecutor(8) as threads:
        list(threads.map(lambda _: create(path, SCHEMA), range(40)))
    assert rows(path) == 0


def test_what_stays_locked_is_said_to_be(tmp_path: Path) -> None:
    path = tmp_path / "words.sqlite"
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        other.execute(SCHEMA)
        with pytest.raises(StoreLocked, match=r"words\.sqlite is being written"):
            create(path, SCHEMA, wait_seconds=0.05)
