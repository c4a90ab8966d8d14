"""A SQLite file that only its owner may read, opened for one transaction at a time; several processes may share it."""

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from indexers.database import translated

WAIT_SECONDS = 10.0


@contextmanager
def private_file(
    path: Path, schema: Sequence[str], remedy: str, wait_seconds: float = WAIT_SECONDS
) -> Iterator[sqlite3.Connection]:
    """Open the file, with its tables, for one transaction that no other process writes beside.

    Raises:
        StoreDamaged: the file cannot be read; `remedy` is the next step.
        StoreFull: no space is left.
        StoreLocked: another process writes for longer than `wait_seconds`.
        StoreError: the folder may not be written to.
    """
    with translated(path, remedy):
        path.parent.mkdir(parents=True, exist_ok=True)
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
        with closing(sqlite3.connect(path, timeout=wait_seconds, isolation_level=None)) as file:
            file.execute("BEGIN IMMEDIATE")
            for statement in schema:
                file.execute(statement)
            yield file
            file.execute("COMMIT")
