"""Heliograph: open questions answered from text, tables and images, every claim cited and checked."""

from importlib import import_module
from typing import TYPE_CHECKING

from heliograph.version import VERSION

if TYPE_CHECKING:
    from app import Heliograph  # noqa: TID251 - the one place that names the composition root

__all__ = ["Heliograph"]
__version__ = VERSION


def __getattr__(name: str) -> object:
    """Resolve the public class on first use: `app` builds everything and would be a circular import."""
    if name == "Heliograph":
        return import_module("app").Heliograph
    raise AttributeError(f"module 'heliograph' has no attribute {name!r}")
