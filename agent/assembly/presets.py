"""The settings at hand, and each preset that has what it needs, by the names of models."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from agent.assembly.sources import LIVE
from heliograph.config import PRESETS, Settings, load_settings, preset_flags
from heliograph.errors import UsageError

NAME = "heliograph"


def usable_presets(preset: str | None, config: Path | None, flags: Mapping[str, Any]) -> dict[str, Settings]:
    """Return settings by name: first `heliograph`, what flags and file say, then `heliograph-PRESET`.

    A preset is left out that has no source, whose archive is not there, or that lacks the operator's contact.

    Raises:
        UsageError: nothing is left, or a setting cannot be used.
    """
    own = load_settings(flags, preset, config)
    given = {**preset_flags(preset), **{name: value for name, value in flags.items() if value not in (None, ())}}
    others = {f"{NAME}-{name}": _with(name, given, config) for name in PRESETS if name != preset}
    found = {NAME: own} if own.sources else {}
    found |= {name: each for name, each in others.items() if _usable(each)}
    if not found:
        raise UsageError("no source: name one with --source zim:PATH, or try --preset demo or --preset live")
    return found


def _with(preset: str, given: Mapping[str, Any], config: Path | None) -> Settings:
    """Return what is given with a preset over it, so that each preset is what its name says."""
    return load_settings({name: value for name, value in given.items() if name not in PRESETS[preset]}, preset, config)


def _usable(settings: Settings) -> bool:
    if not settings.sources or (set(LIVE) & set(settings.sources) and not settings.contact):
        return False
    return "demo" not in settings.sources or (settings.home / "demo.zim").is_file()
