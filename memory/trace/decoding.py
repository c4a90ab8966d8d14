"""JSON back to values, led by the type that the caller declares."""

import base64
import binascii
import types
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import is_dataclass
from functools import cache
from typing import Annotated, Any, Literal, NewType, Union, get_args, get_origin, get_type_hints

import numpy as np

from heliograph.types.later import later_fields
from memory.trace.encoding import Json, parse

_PLAIN: dict[object, tuple[type, ...]] = {
    type(None): (type(None),),
    None: (type(None),),
    bool: (bool,),
    int: (int,),
    float: (float, int),
    str: (str,),
}
_SEQUENCES: dict[object, type] = {
    tuple: tuple,
    list: list,
    Sequence: tuple,
    Collection: tuple,
    Iterable: tuple,
}


class Misfit(ValueError):
    """The record does not have the declared type."""


class Decoder:
    """Rebuild values from what `Encoder` wrote; `get` returns the blob under an address.

    Unions of dataclasses are told apart by the recorded name, never by guessing from the fields.
    """

    def __init__(self, get: Callable[[str], bytes]) -> None:
        self._get = get
        self._readers: dict[object, Callable[[Any, Json], Any]] = {
            Any: _as_it_is,
            object: _as_it_is,
            Literal: _one_of,
            Union: self._union,
            types.UnionType: self._union,
            dict: self._mapping,
            Mapping: self._mapping,
            bytes: self._bytes,
            np.ndarray: self._array,
            **dict.fromkeys(_PLAIN, _plain),
            **dict.fromkeys(_SEQUENCES, self._sequence),
        }

    def decode(self, hint: Any, data: Json) -> Any:
        """Rebuild one value of type `hint`.

        Raises:
            Misfit: the record has another shape.
            StoreDamaged: a blob is missing or damaged.
        """
        hint = _resolved(hint)
        origin = get_origin(hint) or hint
        read = self._dataclass if is_dataclass(origin) else self._readers.get(origin)
        if read is None:
            raise TypeError(f"cannot replay a {hint}: declare plain types, dataclasses or arrays")
        return read(hint, self._unfold(data))

    def _unfold(self, data: Json) -> Json:
        if not isinstance(data, dict) or not isinstance(name := data.get("$blob"), str):
            return data
        match data.get("as"):
            case "text":
                return self._get(name).decode("utf-8", "surrogatepass")
            case "json":
                return parse(self._get(name))
            case _:
                return data

    def _union(self, hint: Any, data: Json) -> Any:
        for member in get_args(hint):
            try:
                return self.decode(member, data)
            except Misfit:
                continue
        raise Misfit(f"{str(data)[:80]} fits no member of {hint}")

    def _sequence(self, hint: Any, data: Json) -> Any:
        items = _checked(data, (list,), hint)
        origin = get_origin(hint) or hint
        members = get_args(hint)
        if origin is not tuple or hint is tuple or members[1:] == (...,):
            return _SEQUENCES[origin](self.decode(members[0] if members else Any, item) for item in items)
        if len(members) != len(items):
            raise Misfit(f"{len(items)} items where {hint} was declared")
        return tuple(self.decode(member, item) for member, item in zip(members, items, strict=True))

    def _mapping(self, hint: Any, data: Json) -> dict[str, Any]:
        encoded = _checked(data, (dict,), hint)
        of = (get_args(hint) or (str, Any))[1]
        return {name.removeprefix("$"): self.decode(of, item) for name, item in encoded.items()}

    def _bytes(self, hint: Any, data: Json) -> bytes:
        encoded = _checked(data, (dict,), hint)
        if isinstance(name := encoded.get("$blob"), str):
            return self._get(name)
        try:
            return base64.b64decode(_checked(encoded.get("$bytes"), (str,), bytes), validate=True)
        except binascii.Error as err:
            raise Misfit("bytes that are not base64") from err

    def _array(self, hint: Any, data: Json) -> Any:
        encoded = _checked(data, (dict,), hint)
        raw = self._bytes(bytes, encoded.get("data"))
        try:
            return np.frombuffer(raw, dtype=encoded["$array"]).reshape(encoded["shape"]).copy()
        except (KeyError, TypeError, ValueError) as err:
            raise Misfit("an array whose type, shape and bytes do not agree") from err

    def _dataclass(self, hint: Any, data: Json) -> Any:
        encoded = _checked(data, (dict,), hint)
        kind = get_origin(hint) or hint
        if encoded.get("$type", kind.__name__) != kind.__name__:
            raise Misfit(f"a {encoded['$type']} where a {kind.__name__} was declared")
        hints = _field_hints(hint)
        if (encoded.keys() - {"$type"}) | later_fields(kind).keys() != hints.keys():
            raise Misfit(f"a {kind.__name__} with the fields {sorted(encoded)}")
        return kind(**{name: self.decode(of, encoded[name]) for name, of in hints.items() if name in encoded})


def _resolved(hint: Any) -> Any:
    """Look through NewType, Annotated and named aliases."""
    while True:
        if isinstance(hint, NewType):
            hint = hint.__supertype__
        elif get_origin(hint) is Annotated:
            hint = get_args(hint)[0]
        elif type(hint).__name__ == "TypeAliasType":
            hint = hint.__value__
        else:
            return hint


def _checked(data: Json, kinds: tuple[type, ...], hint: object) -> Any:
    if isinstance(data, kinds):
        return data
    raise Misfit(f"{str(data)[:80]} where {hint} was declared")


def _as_it_is(_hint: Any, data: Json) -> Json:
    return data


def _plain(hint: Any, data: Json) -> Any:
    return _checked(data, _PLAIN[hint], hint)


def _one_of(hint: Any, data: Json) -> Json:
    if data in get_args(hint):
        return data
    raise Misfit(f"{str(data)[:80]} is none of {get_args(hint)}")


@cache
def _field_hints(hint: Any) -> dict[str, Any]:
    """Return the types of a dataclass's fields, its type parameters filled in."""
    kind = get_origin(hint) or hint
    hints = get_type_hints(kind)
    if not get_args(hint):
        return hints
    given = dict(zip(kind.__parameters__, get_args(hint), strict=True))
    return {name: _filled(of, given) for name, of in hints.items()}


def _filled(hint: Any, given: Mapping[Any, Any]) -> Any:
    if hint in given:
        return given[hint]
    free = getattr(hint, "__parameters__", ())
    return hint[tuple(given[parameter] for parameter in free)] if free else hint
