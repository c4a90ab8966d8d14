"""Settings of a recorded run with some of them changed, each by its dotted name and a text as on a command line."""

import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from copy import deepcopy
from types import MappingProxyType
from typing import Any

from pydantic import BaseModel, ValidationError

from heliograph.config import Settings, refuse_unusable
from heliograph.errors import UnknownName, UsageError
from heliograph.kept_settings import recorded_settings, snapshot

KEPT = MappingProxyType(
    {
        "home": "the record stands there; set HELIOGRAPH_HOME",
        "api_key": "a run keeps no keys; set it in the environment, as HELIOGRAPH_LLM__API_KEY",
        "chroma_url": "it changes nothing of a run; set it in the environment",
        "chroma_token": "a run keeps no keys; set it in the environment",
        "otlp_endpoint": "it changes nothing of a run; set it in the environment",
    }
)
"""Settings that cannot be changed, by the last part of their name, and what to do instead."""


def changed_settings(recorded: Mapping[str, object], changes: Mapping[str, str]) -> dict[str, Any]:
    """Return the settings of a manifest with `changes`, as JSON values without keys.

    Raises:
        UnknownName: no setting has that name; the message lists those there are.
        UsageError: a value that the setting cannot have, or a setting that cannot be changed.
    """
    values = snapshot(recorded_settings(recorded))
    for name, said in changes.items():
        _refuse_unchangeable(name)
        values = _with(values, name, said)
    refuse_unusable(recorded_settings(values))
    return values


def names() -> tuple[str, ...]:
    """Return the dotted names of all settings that can be changed."""
    found = _names(Settings)
    return tuple(name for name in found if name.rpartition(".")[2] not in KEPT)


def _names(model: type[BaseModel], before: str = "") -> Iterator[str]:
    for name, field in model.model_fields.items():
        kind = field.annotation
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            yield from _names(kind, f"{before}{name}.")
        else:
            yield f"{before}{name}"


def _refuse_unchangeable(name: str) -> None:
    last = name.rpartition(".")[2]
    if name in _names(Settings) and last in KEPT:
        raise UsageError(f"setting {name!r} cannot be changed here: {KEPT[last]}")
    if name not in names():
        raise UnknownName(f"no setting is named {name!r}; there are {', '.join(names())}")


def _with(values: Mapping[str, Any], name: str, said: str) -> dict[str, Any]:
    """Return the settings with one changed: its value is the text, what it says as JSON, or a list of it."""
    problem = ""
    for value in _readings(said):
        tried = deepcopy(dict(values))
        *within, last = name.split(".")
        place = tried
        for part in within:
            place = place[part]
        place[last] = value
        try:
            return snapshot(recorded_settings(tried))
        except UsageError as err:
            problem = problem or _reason(err)
    raise UsageError(f"setting {name!r}: {problem}, got {said!r}")


def _readings(said: str) -> Iterator[Any]:
    yield said
    if said.casefold() in ("none", "null"):
        yield None
    with suppress(ValueError):
        yield json.loads(said)
    yield [said]


def _reason(err: UsageError) -> str:
    cause = err.__cause__
    return str(cause.errors()[0]["msg"]) if isinstance(cause, ValidationError) else str(err)
