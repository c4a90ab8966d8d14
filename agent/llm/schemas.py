"""JSON schemas of replies, as servers in strict mode take them, and how a prompt shows one where none does."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any, TypeAlias

from agent.llm.ladder import adapter_of
from heliograph.types import Prompt

Schema: TypeAlias = Mapping[str, object]

_IDLE = ("title", "default")
_NAMED = ("properties", "$defs")
_VALUES = ("enum", "const", "examples")


@cache
def schema_of(reply: Any) -> Schema:
    """Return the schema of a reply; every field is required, so that none is forgotten, and none can be added."""
    strict = _strict(adapter_of(reply).json_schema())
    assert isinstance(strict, dict)
    return strict


def with_schema_shown(prompt: Prompt, schema: Schema) -> Prompt:
    """Return the prompt with the schema after its instructions, where it changes least."""
    shown = json.dumps(schema, ensure_ascii=False, separators=(",", ":"))
    told = f"Reply with one JSON object and nothing else. It conforms to this JSON schema:\n{shown}"
    return replace(prompt, system=f"{prompt.system}\n\n{told}")


def with_shape_shown(prompt: Prompt, schema: Schema) -> Prompt:
    """Return the prompt with the bare shape of a reply after its instructions, in a quarter of the tokens."""
    shape = _shape(schema, schema)
    told = f"Reply with one JSON object and nothing else. It has all fields of this shape:\n{shape}"
    return replace(prompt, system=f"{prompt.system}\n\n{told}")


def _shape(schema: Any, whole: Any) -> str:
    """Return what a schema allows without its limits, which are kept where a reply is read (prompts/replies.py)."""
    match schema:
        case {"$ref": name}:
            return _shape(whole["$defs"][name.rpartition("/")[2]], whole)
        case {"anyOf": choices}:
            return " | ".join(_shape(each, whole) for each in choices)
        case {"enum": _} | {"const": _}:
            return "|".join(map(json.dumps, schema.get("enum") or [schema["const"]]))
        case {"properties": properties}:
            return "{" + ", ".join(f"{name}: {_shape(each, whole)}" for name, each in properties.items()) + "}"
        case {"items": items}:
            return f"[{_shape(items, whole)}]"
        case _:
            return str(schema["type"])


def with_choices_shown(prompt: Prompt, choices: Sequence[str]) -> Prompt:
    """Return the prompt with the choices after its instructions."""
    return replace(prompt, system=f"{prompt.system}\n\nReply with one of these and nothing else: {', '.join(choices)}")


def _strict(schema: Any) -> Any:
    match schema:
        case dict():
            kept = {name: _part(name, value) for name, value in schema.items() if name not in _IDLE}
            return kept | _closed(kept)
        case list():
            return [_strict(item) for item in schema]
        case _:
            return schema


def _part(name: str, value: Any) -> Any:
    if name in _NAMED and isinstance(value, dict):
        return {each: _strict(schema) for each, schema in value.items()}
    return value if name in _VALUES else _strict(value)


def _closed(schema: dict[str, Any]) -> dict[str, Any]:
    properties = schema.get("properties")
    if schema.get("type") != "object" or not isinstance(properties, dict):
        return {}
    return {"required": list(properties), "additionalProperties": False}
