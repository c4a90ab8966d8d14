"""From what a model wrote to a value of the type asked for, rung by rung; nothing is made up on the way.

A reply that is cut off stays cut off: closing its brackets would turn half a list of claims into the whole.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, Generic, TypeVar

from pydantic import TypeAdapter, ValidationError

from agent.llm.thinking import without_thinking

T = TypeVar("T")

LONGEST = 65_536
"""How many characters of a reply are looked at: more than any that was asked for has."""

_FENCE = "```"
_BEGINNING = re.compile(r"\{(?=\s*[\"'}])")
_BRACKET = re.compile(r'"(?:\\.|[^"\\])*(?:"|\Z)|[{}]', re.DOTALL)
"""Strings and brackets. A string that never ends takes the rest: searched for again behind each of its escaped quotes,
the end would cost the square of its length."""
_ODD = re.compile(
    r'"(?:\\.|[^"\\])*(?:"|\Z)|(?P<single>\'(?:\\.|[^\'\\])*(?:\'|\Z))|(?P<comma>,(?=\s*[}\]]))|(?P<word>\b(?:True|False|None)\b)',
    re.DOTALL,
)
_SPELT = {"True": "true", "False": "false", "None": "null"}
_DECODER = json.JSONDecoder(strict=False)


@dataclass(frozen=True, slots=True)
class Read(Generic[T]):
    """What a reply says."""

    value: T


@dataclass(frozen=True, slots=True)
class Misread:
    """Why a reply says nothing of the type asked for, in words that the model may be shown."""

    reason: str


@cache
def adapter_of(kind: Any) -> TypeAdapter[Any]:
    """Return pydantic's reader of a type."""
    return TypeAdapter(kind)


def read_reply(text: str, kind: type[T]) -> Read[T] | Misread:
    """Read the first value that fits: the whole text, then without thoughts, code fences, prose and small slips."""
    misread: Misread | None = None
    hint: Any = kind
    for value in json_values(text):
        try:
            return Read(adapter_of(hint).validate_python(value))
        except ValidationError as err:
            misread = misread or Misread(_complaints(err))
        except UnicodeError:
            misread = misread or Misread("a text in it is not valid Unicode")
    return misread or Misread("there is no complete JSON object in it")


def json_values(text: str) -> Iterator[Any]:
    """Yield the JSON of a text in the order in which it is believed."""
    text = text[:LONGEST]
    yield from _decoded(text)
    said = without_thinking(text)
    if said != text:
        yield from _decoded(said)
    for fenced in said.split(_FENCE)[1::2]:
        yield from _objects(fenced)
    yield from _objects(said)


def _objects(text: str) -> Iterator[Any]:
    """Yield the outermost objects that can be decoded, with repairs where they must be.

    What stands inside an object that is broken or cut off is a part of it, never the reply.
    """
    place: int | None = 0
    while place is not None and (found := _BEGINNING.search(text, place)):
        place = _end(text, found.start())
        if place is not None:
            yield from _decoded(text[found.start() : place], repaired=True)


def _end(text: str, start: int) -> int | None:
    """Return where the object that begins at `start` ends; brackets inside strings do not count."""
    depth = 0
    for found in _BRACKET.finditer(text, start):
        depth += {"{": 1, "}": -1}.get(found.group(), 0)
        if depth == 0:
            return found.end()
    return None


def _decoded(text: str, *, repaired: bool = False) -> Iterator[Any]:
    for written in (text, _ODD.sub(_mended, text)) if repaired else (text,):
        try:
            yield _DECODER.decode(written)
        except (ValueError, RecursionError):
            continue
        return


def _mended(found: re.Match[str]) -> str:
    """Turn single quotes, Python's constants and commas before a closing bracket into JSON."""
    match found.lastgroup:
        case "single" if found.group().endswith("'") and len(found.group()) > 1:
            inner = re.sub(r"\\.|\"", _requoted, found.group()[1:-1], flags=re.DOTALL)
            return f'"{inner}"'
        case "comma":
            return ""
        case "word":
            return _SPELT[found.group()]
        case _:
            return found.group()


def _requoted(found: re.Match[str]) -> str:
    return {'"': '\\"', "\\'": "'"}.get(found.group(), found.group())


def _complaints(err: ValidationError) -> str:
    told = err.errors(include_url=False, include_context=False, include_input=False)
    named = (f"{'.'.join(map(str, each['loc'])) or 'the reply'}: {each['msg']}" for each in told[:3])
    return "; ".join(named)
