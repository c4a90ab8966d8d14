"""Values to JSON: dataclasses keep their names, large payloads become blobs, secrets a mask."""

import base64
import json
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any, TypeAlias

import numpy as np

from heliograph.types.later import is_left_out
from memory.trace.redaction import MASK, Redaction

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"

BLOB_FROM = 2048
"""Strings of more characters, and bytes of more, are stored as blobs."""
FOLD_FROM = 32768
"""An input or output whose JSON is longer than this becomes one blob."""


_PLAIN = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


def dump(value: Json) -> bytes:
    """Write JSON on one line, the same bytes for the same value."""
    return _PLAIN.encode(value).encode("utf-8", "surrogatepass")


def listed(value: Json) -> list[Json]:
    """Return a value that is a list; of every other nothing."""
    return value if isinstance(value, list) else []


def parse(data: bytes) -> Json:
    """Read what `dump` wrote; raises ValueError."""
    value: Json = json.loads(data.decode("utf-8", "surrogatepass"))
    return value


@cache
def _shape(kind: Any) -> tuple[tuple[str, ...], bool]:
    """Return the field names of a dataclass, and whether it is one of Heliograph's own nouns.

    The nouns hold no secrets: their `key` is a page's and their `tokens` are counted.
    """
    return tuple(field.name for field in fields(kind)), kind.__module__.startswith("heliograph.types")


class Encoder:
    """Turn nouns and plain values into JSON that `Decoder` turns back exactly.

    `put` takes payloads larger than `blob_from` and returns their address.
    """

    def __init__(self, put: Callable[[bytes], str], redaction: Redaction, blob_from: int = BLOB_FROM) -> None:
        self._put = put
        self._redaction = redaction
        self._blob_from = blob_from

    def fold(self, value: object) -> Json:
        """Encode one input or output of a span; a whole one that is too long becomes a blob."""
        encoded = self.encode(value)
        if isinstance(encoded, str | int | float) or encoded is None:
            return encoded
        data = dump(encoded)
        if len(data) <= FOLD_FROM:
            return encoded
        return {"$blob": self._put(data), "bytes": len(data), "as": "json"}

    def encode(self, value: object) -> Json:
        """Encode one value.

        Raises:
            TypeError: the value is neither plain, nor a dataclass, nor a numeric array.
        """
        if value is None or isinstance(value, bool | int | float):
            return value
        if isinstance(value, str):
            return self._text(value)
        return self._composite(value)

    def _composite(self, value: object) -> Json:
        if isinstance(value, tuple | list):
            return [self.encode(item) for item in value]
        if is_dataclass(value) and not isinstance(value, type):
            return self._dataclass(value)
        if isinstance(value, Mapping):
            return self._mapping(value)
        if isinstance(value, bytes):
            return self._bytes(value)
        if isinstance(value, np.ndarray) and value.dtype.kind in "biuf":
            return {"$array": value.dtype.str, "shape": list(value.shape), "data": self._bytes(value.tobytes())}
        raise TypeError(f"cannot record a {type(value).__name__}: give plain values, dataclasses or numeric arrays")

    def _text(self, value: str) -> Json:
        value = self._redaction.text(value)
        if len(value) <= self._blob_from:
            return value
        data = value.encode("utf-8", "surrogatepass")
        return {"$blob": self._put(data), "bytes": len(data), "as": "text"}

    def _bytes(self, value: bytes) -> Json:
        if len(value) <= self._blob_from:
            return {"$bytes": base64.b64encode(value).decode("ascii")}
        return {"$blob": self._put(value), "bytes": len(value), "as": "bytes"}

    def _dataclass(self, value: Any) -> Json:
        kind: Any = type(value)
        names, trusted = _shape(kind)
        encoded: dict[str, Json] = {"$type": kind.__name__}
        for name in names:
            item = getattr(value, name)
            if is_left_out(kind, name, item):
                continue
            encoded[name] = MASK if not trusted and self._redaction.hides(name, item) else self.encode(item)
        return encoded

    def _mapping(self, value: Mapping[object, object]) -> Json:
        encoded: dict[str, Json] = {}
        for name, item in value.items():
            if not isinstance(name, str):
                raise TypeError(f"cannot record a mapping with the key {name!r}: keys are strings")
            kept = f"${name}" if name.startswith("$") else name
            encoded[self._redaction.text(kept)] = MASK if self._redaction.hides(name, item) else self.encode(item)
        return encoded
