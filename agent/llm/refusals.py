"""What a server's refusal means, in Heliograph's errors."""

import re
from dataclasses import dataclass

from heliograph.config import Endpoint
from heliograph.errors import (
    ContextOverflow,
    ModelError,
    ModelOverloaded,
    ModelTimeout,
    ModelUnreachable,
    NoCompletion,
)

_TOO_LONG = re.compile(
    r"context[ _](?:length|size|window)|maximum model length|exceed_context|prompt is too long|max_model_len",
    re.IGNORECASE,
)
_SHOWN = 200


@dataclass(frozen=True, slots=True)
class Refused:
    """A call that brought no completion: the status if a server answered, and its words or the connection's."""

    status: int | None
    words: str
    timed_out: bool = False
    unreadable: bool = False


def error_of(refused: Refused, endpoint: Endpoint) -> ModelError:
    """Name the cause and the next step, without the key, which some servers repeat."""
    who = f"{endpoint.model} at {endpoint.base_url}"
    words = _shown(refused.words, endpoint.api_key.get_secret_value())
    match refused.status:
        case None if refused.timed_out:
            return ModelTimeout(f"{who} gave no reply in {endpoint.seconds:g} s; raise `seconds` of its settings")
        case None if refused.unreadable:
            return NoCompletion(f"{who} sent no chat completion: {words}")
        case None:
            return ModelUnreachable(f"{who} cannot be reached: {words}; is the server running, is base_url right?")
        case int() if refused.status == 413 or (refused.status >= 400 and _TOO_LONG.search(refused.words)):
            return ContextOverflow(
                f"{who} says that the prompt is too long: {words}; set context_tokens to the context it runs with"
            )
        case int() if refused.status in (408, 429) or refused.status >= 500:
            return ModelOverloaded(f"{who} has too much to do ({refused.status}): {words}; ask again later")
        case _:
            return ModelUnreachable(f"{who} refuses ({refused.status}): {words}; {_step(refused.status)}")


def _step(status: int) -> str:
    match status:
        case 401 | 403:
            return "check api_key"
        case 404 | 405:
            return "check model, and base_url, which mostly ends in /v1"
        case _ if 300 <= status < 400:
            return "it redirects elsewhere: set base_url to where the API is"
        case _:
            return "it does not take this request: check model and `structured` of its settings"


def _shown(words: str, key: str) -> str:
    words = words.replace(key, "***") if key else words
    line = " ".join("".join(sign if sign.isprintable() else " " for sign in words).split())
    return line if len(line) <= _SHOWN else f"{line[:_SHOWN]}…"
