"""What a chat server is asked, and what it may be told to answer; tests/servers/openai_server.py has the server."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from agent.llm.probe import PROBE


@dataclass(frozen=True)
class Say:
    """A reply, said `after` so many seconds."""

    text: str
    finish: str = "stop"
    first: Mapping[str, float] = field(default_factory=dict)
    usage: bool = True
    after: float = 0.0


@dataclass(frozen=True)
class Status:
    """An HTTP error."""

    status: int
    message: str = "no"
    retry_after: str = ""
    raw: str = ""


@dataclass(frozen=True)
class Hang:
    """No reply until the caller hangs up."""


@dataclass(frozen=True)
class Cut:
    """Half of a body."""


@dataclass(frozen=True)
class Raw:
    """A body as it stands, packed as `encoding` says."""

    body: str | bytes
    encoding: str = ""


Outcome: TypeAlias = str | Say | Status | Hang | Cut | Raw


@dataclass(frozen=True)
class Call:
    """One chat call."""

    body: Mapping[str, Any]
    headers: Mapping[str, str]

    @property
    def system(self) -> str:
        return str(self.body["messages"][0]["content"])

    @property
    def user(self) -> str:
        said = self.body["messages"][-1]["content"]
        return said if isinstance(said, str) else "".join(part.get("text", "") for part in said)

    @property
    def pictures(self) -> tuple[str, ...]:
        said = self.body["messages"][-1]["content"]
        return tuple(part["image_url"]["url"] for part in said if "image_url" in part) if isinstance(said, list) else ()

    @property
    def constraint(self) -> str:
        names = {"response_format": "json_schema", "structured_outputs": "structured_outputs", "grammar": "grammar"}
        return next((name for field, name in names.items() if field in self.body), "none")

    @property
    def schema(self) -> Mapping[str, Any] | None:
        """The schema asked for, of choices in OpenAI's way, too."""
        if self.constraint == "json_schema":
            return self.body["response_format"]["json_schema"]["schema"]
        return self.body.get("structured_outputs", {}).get("json")

    @property
    def choices(self) -> tuple[str, ...]:
        """The choices asked for by vLLM's or llama.cpp's way, or by a schema of one field with an enumeration."""
        if "grammar" in self.body:
            return tuple(json.loads(quoted) for quoted in re.findall(r'"(?:\\.|[^"\\])*"', self.body["grammar"]))
        enumerated = (self.schema or {}).get("properties", {}).get("choice", {}).get("enum", ())
        return tuple(self.body.get("structured_outputs", {}).get("choice", enumerated))

    @property
    def max_tokens(self) -> int:
        return int(self.body.get("max_completion_tokens") or self.body.get("max_tokens") or 10**6)

    @property
    def proof(self) -> bool:
        return self.system == PROBE.system


def instance_of(schema: Any, root: Any = None) -> Any:
    """Return the least value that fits a schema of the kinds that pydantic writes."""
    root = root or schema
    if "$ref" in schema:
        return instance_of(root["$defs"][schema["$ref"].rsplit("/", 1)[-1]], root)
    for name in ("anyOf", "oneOf", "allOf"):
        if name in schema:
            return instance_of(schema[name][0], root)
    if "const" in schema or "enum" in schema:
        return schema["const"] if "const" in schema else schema["enum"][0]
    plain = {
        "array": [instance_of(schema["items"], root) for _ in range(schema.get("minItems", 0))],
        "string": "x" * max(1, schema.get("minLength", 1)),
        "integer": schema.get("minimum", 0),
        "number": schema.get("minimum", 0),
        "boolean": False,
        "object": {name: instance_of(each, root) for name, each in schema.get("properties", {}).items()},
    }
    return plain.get(schema.get("type"))
