"""What the home folder keeps, how much it takes, and how to be rid of it."""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from shutil import rmtree

from heliograph.errors import StoreError, UsageError
from indexers.lock import LOCK_NAME, WriterLock
from indexers.vector_server import VectorServer, forget_name, known_name
from memory.days import DAY
from memory.pages import FilePageStore
from memory.trace.folder import begun_of

PARTS = {
    # alignments.sqlite is of versions that aligned words; it is still cleared away
    "indexes": ("indexes", "embeddings.sqlite", "alignments.sqlite", "pictures.sqlite", "tokens"),
    "pages": ("pages",),
    "runs": ("runs", "follow-ups"),
    "eval": ("eval",),
    "memory": ("episodes.sqlite",),
    "chats": ("conversations.sqlite", "chat_history"),
    "sessions": ("sessions.sqlite",),
    "demo": ("demo.zim",),
    "models": ("capabilities.json",),
}
"""Parts of the home folder: folders, and files with what stands beside databases.

`purge` removes the first four, each by the option of its name. What people said has commands of its own: memory and
chats are forgotten by `heliograph memory forget` and `/forget`; sessions are of the page's server.
"""
BESIDE = ("", "-wal", "-shm", "-journal")
LEFT = "vectors of this home may be left on a Chroma server; set chroma_url to look there"


def render_sizes(home: Path, server: VectorServer | None = None) -> str:
    """Say how many bytes each part takes, and what a server keeps, which does not say how many bytes that takes."""
    sizes = {part: sum(map(_bytes, _paths(home, part))) for part in PARTS}
    lines = [f"{part:8} {size:>15,} bytes" for part, size in sizes.items()]
    lines.append(f"{'all':8} {sum(sizes.values()):>15,} bytes in {home}")
    return "\n".join([*lines, *_said_of(home, server)])


def purge(  # noqa: PLR0913 - one a choice of the command
    home: Path,
    *,
    indexes: bool,
    pages: bool,
    runs: bool,
    measurements: bool = False,
    to_bytes: int | None = None,
    older_than: float | None = None,
    now: Callable[[], float] = time.time,
    server: VectorServer | None = None,
) -> str:
    """Remove the chosen parts and say how many bytes that freed; nothing else in the folder is touched.

    It holds the lock of the writer: a question under way reads pages that it found a moment ago, and writes its run.

    Args:
        home: the home folder.
        indexes: remove indexes and vectors.
        pages: remove the pages that were read.
        runs: remove recorded runs.
        measurements: remove what `heliograph eval` keeps: indexes of corpora, their vectors, and results.
        to_bytes: keep as many bytes of pages, those used last.
        older_than: remove only runs that began as many days ago.
        now: seconds since the epoch.
        server: the one that keeps the vectors, if one does; what it has of this home goes with the indexes.

    Raises:
        UsageError: no part was chosen, or a limit for a part that was not.
        StoreLocked: another process works in the folder; nothing was removed.
        StoreUnreachable: the server cannot be asked; nothing was removed.
        StoreError: a file cannot be removed.
    """
    _check_choice(indexes or pages or runs or measurements, pages or to_bytes is None, runs or older_than is None)
    freed, elsewhere = {}, ""
    with ExitStack() as locks:
        for folder in _locked(home, measurements):
            locks.enter_context(WriterLock(folder))
        if indexes:
            freed["indexes"], elsewhere = _purge_indexes(home, server)
        if pages:
            freed["pages"] = _removed(home, "pages") if to_bytes is None else _shrunk(home, to_bytes)
        if runs:
            freed["runs"] = _removed(home, "runs") if older_than is None else _aged(home, now() - older_than * DAY)
        if measurements:
            freed["eval"] = _removed(home, "eval")
    return f"removed {', '.join(freed)}: {sum(freed.values()):,} bytes{elsewhere}"


def _check_choice(something: bool, bytes_fit: bool, days_fit: bool) -> None:
    if not something:
        raise UsageError("nothing is chosen; add --indexes, --pages, --runs or --eval")
    if not bytes_fit:
        raise UsageError("--to-bytes is for pages; add --pages")
    if not days_fit:
        raise UsageError("--older-than is for runs; add --runs")


def _locked(home: Path, measurements: bool) -> Iterator[Path]:
    """Yield the folders whose writers must have ended: the home folder, if there is one, and those of measurements."""
    if home.is_dir():
        yield home
    if measurements:
        yield from (lock.parent for lock in home.glob("eval/**/" + LOCK_NAME))


def _purge_indexes(home: Path, server: VectorServer | None) -> tuple[int, str]:
    """Remove the indexes, those on the server first: where it cannot be asked, nothing is removed."""
    elsewhere = _purge_server(home, server) if known_name(home) is not None else ""
    return _removed(home, "indexes"), elsewhere


def _purge_server(home: Path, server: VectorServer | None) -> str:
    if server is None:
        return f"; {LEFT}"
    from indexers.chroma import removed_at

    count = removed_at(server, home)
    forget_name(home)
    return f", and {count} collections at {server.url}"


def _said_of(home: Path, server: VectorServer | None) -> Iterator[str]:
    if server is None:
        if known_name(home) is not None:
            yield LEFT
        return
    from indexers.chroma import stored_at

    try:
        yield f"{'vectors':8} {stored_at(server, home)}"
    except StoreError as err:
        yield f"{'vectors':8} not counted: {err}"


def _shrunk(home: Path, to_bytes: int) -> int:
    if to_bytes < 0:
        raise UsageError("--to-bytes cannot be negative; 0 removes all pages")
    return FilePageStore(home / "pages").purge(to_bytes) if (home / "pages").is_dir() else 0


def _aged(home: Path, before: float) -> int:
    """Remove the runs that began before an instant."""
    folder = home / "runs"
    runs = sorted(folder.iterdir()) if folder.is_dir() else []
    return sum(_remove(run) for run in runs if run.is_dir() and _began(run) < before)


def _began(run: Path) -> float:
    """Return when a run began: its name says it; a folder of another name counts as old as its last change."""
    return begun_of(run.name) or run.stat().st_mtime


def _removed(home: Path, part: str) -> int:
    return sum(map(_remove, _paths(home, part)))


def _paths(home: Path, part: str) -> Iterator[Path]:
    for name in PARTS[part]:
        for end in BESIDE if name.endswith(".sqlite") else ("",):
            path = home / f"{name}{end}"
            if path.exists() or path.is_symlink():
                yield path


def _bytes(path: Path) -> int:
    """Count what is in a file or folder; what other processes remove meanwhile counts nothing."""
    if not path.is_dir():
        return _length(path)
    return sum(_length(Path(folder) / name) for folder, _, names in os.walk(path) for name in names)


def _length(file: Path) -> int:
    try:
        return file.lstat().st_size
    except FileNotFoundError:
        return 0


def _remove(path: Path) -> int:
    """Remove a file or folder; of a link to a folder elsewhere, what is in the folder."""
    size = _bytes(path)
    try:
        if path.is_symlink() and path.is_dir():
            for inner in path.iterdir():
                _remove(inner)
        elif path.is_dir():
            rmtree(path)
        else:
            path.unlink()
    except OSError as err:
        raise StoreError(f"cannot remove {path}: {err.strerror}; check its permissions") from err
    return size
