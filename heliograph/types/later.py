"""Fields that records of earlier versions lack: where they have their default, they are left out of records."""

from collections.abc import Mapping
from dataclasses import fields
from functools import cache
from types import MappingProxyType
from typing import Any

LATER: Mapping[str, bool] = MappingProxyType({"later": True})
"""The metadata of such a field: what was recorded before it came reads, replays and is written as it was."""


@cache
def later_fields(kind: Any) -> Mapping[str, object]:
    """Return the fields of a dataclass that a record may leave out, each with the default for which it does."""
    return MappingProxyType({field.name: field.default for field in fields(kind) if field.metadata.get("later")})


def is_left_out(kind: Any, name: str, value: object) -> bool:
    """Tell whether a record leaves a field out: it is a later one, and says nothing but its default."""
    later = later_fields(kind)
    return name in later and value == later[name]
