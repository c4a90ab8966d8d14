"""Fields that records of earlier versions lack: None where nothing is known, and then left out of records."""

from collections.abc import Mapping
from dataclasses import fields
from functools import cache
from types import MappingProxyType
from typing import Any

LATER: Mapping[str, bool] = MappingProxyType({"later": True})
"""The metadata of such a field: what was recorded before it came reads, replays and is written as it was."""


@cache
def later_fields(kind: Any) -> frozenset[str]:
    """Name the fields of a dataclass that a record may leave out."""
    return frozenset(field.name for field in fields(kind) if field.metadata.get("later"))
