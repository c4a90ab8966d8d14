"""Paths as people give them, in options and settings."""

import os
from collections.abc import Iterable
from pathlib import Path


def expanded(given: str | Path) -> Path:
    """Return a path with the home folder for `~`; `~somebody` stays where there is no such user, and is not found.

    `Path.expanduser` raises there, which would end a mistyped name in a traceback.
    """
    return Path(os.path.expanduser(given))  # noqa: PTH111


def base_folders(sources: Iterable[str]) -> tuple[Path, ...]:
    """Return the folders of the knowledge bases among the names of sources, `skb:PATH`, each once."""
    named = (each.partition(":") for each in sources)
    return tuple(dict.fromkeys(expanded(path) for kind, _, path in named if kind == "skb" and path))
