"""What the home folder keeps, how much it takes, and how to be rid of it."""

from collections.abc import Iterator
from pathlib import Path
from shutil import rmtree

from heliograph.errors import StoreFull, UsageError

PARTS = {
    "pages": ("pages",),
    "indexes": ("indexes", "embeddings.sqlite", "alignments.sqlite"),
    "runs": ("runs",),
}
"""Parts of the home folder, by the option that removes them."""


def render_sizes(home: Path) -> str:
    """Say how many bytes each part takes."""
    sizes = {part: sum(map(_bytes, _paths(home, part))) for part in PARTS}
    lines = [f"{part:8} {size:>15,} bytes" for part, size in sizes.items()]
    return "\n".join([*lines, f"{'all':8} {sum(sizes.values()):>15,} bytes in {home}"])


def purge(home: Path, *, indexes: bool, pages: bool, runs: bool) -> str:
    """Remove the chosen parts and say how many bytes that freed.

    Raises:
        UsageError: no part was chosen.
        StoreFull: a file cannot be removed.
    """
    chosen = [part for part, wanted in (("indexes", indexes), ("pages", pages), ("runs", runs)) if wanted]
    if not chosen:
        raise UsageError("nothing is chosen; add --indexes, --pages or --runs")
    freed = sum(_removed(path) for part in chosen for path in _paths(home, part))
    return f"removed {', '.join(chosen)}: {freed:,} bytes"


def _paths(home: Path, part: str) -> Iterator[Path]:
    for name in PARTS[part]:
        yield from sorted(home.glob(f"{name}*"))


def _bytes(path: Path) -> int:
    files = path.rglob("*") if path.is_dir() else (path,)
    return sum(file.stat().st_size for file in files if file.is_file())


def _removed(path: Path) -> int:
    size = _bytes(path)
    try:
        rmtree(path) if path.is_dir() else path.unlink()
    except OSError as err:
        raise StoreFull(f"cannot remove {path}: {err.strerror}; remove it by hand") from err
    return size
