"""Heliograph for code that awaits nothing: the methods of `heliograph.Heliograph`, each returning when it is done."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app import BlockingHeliograph as Heliograph  # noqa: TID251 - as in heliograph/__init__.py

__all__ = ["Heliograph"]


def __getattr__(name: str) -> object:
    """Resolve the class on first use, as `heliograph` does."""
    if name == "Heliograph":
        return import_module("app").BlockingHeliograph
    raise AttributeError(f"module 'heliograph.sync' has no attribute {name!r}")
