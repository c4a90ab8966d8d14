"""Paths as people give them, in options and settings."""

import os
from pathlib import Path


def expanded(given: str | Path) -> Path:
    """Return a path with the home folder for `~`; `~somebody` stays where there is no such user, and is not found.

    `Path.expanduser` raises there, which would end a mistyped name in a traceback.
    """
    return Path(os.path.expanduser(given))  # noqa: PTH111
