"""A request in the words of the chat API: messages, and what holds the reply to a shape."""

import base64
import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from heliograph.types import ChatRequest, Prompt

Constraint = Literal["json_schema", "structured_outputs", "grammar", "none"]
"""How a server is told the shape of a reply: OpenAI's way, vLLM's, llama.cpp's (for choices only), not at all."""

LIKELIEST = 20
"""How many first tokens are asked for with choices: the most that OpenAI and vLLM give."""
CHOICE_FIELD = "choice"

_CONTROL = re.compile(r"<(?=[|｜][^<>|｜\s]{1,40}[|｜]>|(?:start|end)_of_turn>|/?s>)|\[(?=/?INST\])")
_NAME = re.compile(r"[^A-Za-z0-9_-]")


def messages_of(prompt: Prompt) -> list[dict[str, Any]]:
    """Return a system message and one message of the user; pictures travel as bytes, never as addresses.

    What the user's message quotes cannot end it: tokens by which chat templates are written lose their form.
    """
    text = _tame("\n\n".join(prompt.parts))
    said: str | list[dict[str, Any]] = text
    if prompt.pictures:
        said = [{"type": "text", "text": text}, *map(_picture, prompt.pictures)]
    return [{"role": "system", "content": _plain(prompt.system)}, {"role": "user", "content": said}]


def options_of(request: ChatRequest, constraint: Constraint) -> dict[str, Any]:
    """Return what a call says besides its messages, as `ChatOpenAI` takes it.

    The constraint goes into the body as it stands: langchain would parse a `response_format` and raise on a reply
    that was cut off.

    Raises:
        ValueError: a grammar for a schema, which nothing asks for.
    """
    options: dict[str, Any] = {"max_tokens": request.max_tokens}
    if request.choices:
        options |= {"logprobs": True, "top_logprobs": LIKELIEST}
    shape = _shape(request, constraint)
    return options | ({"extra_body": shape} if shape else {})


def choice_schema(choices: Sequence[str]) -> Mapping[str, object]:
    """Return the schema of an object with one of the choices: OpenAI takes no bare enumeration."""
    return {
        "type": "object",
        "properties": {CHOICE_FIELD: {"type": "string", "enum": list(choices)}},
        "required": [CHOICE_FIELD],
        "additionalProperties": False,
    }


def _shape(request: ChatRequest, constraint: Constraint) -> dict[str, object]:
    match constraint:
        case "none":
            return {}
        case "structured_outputs" if request.choices:
            return {"structured_outputs": {"choice": list(request.choices)}}
        case "grammar" if request.choices:
            quoted = (json.dumps(choice, ensure_ascii=False) for choice in request.choices)
            return {"grammar": f"root ::= {' | '.join(quoted)}"}
    schema = choice_schema(request.choices) if request.choices else request.schema
    if schema is None:
        return {}
    match constraint:
        case "structured_outputs":
            return {"structured_outputs": {"json": schema}}
        case "json_schema":
            named = {"name": _NAME.sub("_", request.prompt.name)[:64] or "reply", "strict": True, "schema": schema}
            return {"response_format": {"type": "json_schema", "json_schema": named}}
        case _:
            raise ValueError("a grammar is for choices: a schema goes as json_schema or structured_outputs")


def _picture(data: bytes) -> dict[str, Any]:
    kind = "image/jpeg" if data.startswith(b"\xff\xd8") else "image/png"
    return {"type": "image_url", "image_url": {"url": f"data:{kind};base64,{base64.b64encode(data).decode('ascii')}"}}


def _tame(text: str) -> str:
    return _CONTROL.sub(lambda found: f"{found.group()} ", _plain(text))


def _plain(text: str) -> str:
    """Replace lone surrogates, which no JSON body can hold."""
    return text.encode("utf8", "replace").decode("utf8")
