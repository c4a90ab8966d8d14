"""The client of langchain-openai: the only file that loads it, a second's work, so it is imported by the first call."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import urlsplit

import openai
from httpx2 import AsyncByteStream
from langchain_core.messages import AIMessage
from langchain_openai import ChatOpenAI

from agent.llm.counting import count_prompt, count_tokens
from agent.llm.refusals import Refused, error_of
from agent.llm.thinking import without_thinking
from agent.llm.wording import Constraint, messages_of, options_of
from heliograph.config import Endpoint
from heliograph.errors import ModelError, ModelOverloaded, NoCompletion
from heliograph.kept_settings import SHORTEST_SECRET
from heliograph.reply_bytes import ENCODING, ReplyBytes
from heliograph.types import ChatRequest, FinishReason, Reply, TokenChance
from memory.trace.redaction import Redaction
from tools.politeness import retry_after

if TYPE_CHECKING:
    from httpx2 import Request, Response

SEED = 20241
NO_KEY = "none"
MOST_BYTES = 4_000_000
"""Of a reply: 1,024 tokens have some kilobytes, and what a model thought aloud may have some hundred."""
UNREADABLE = (LookupError, TypeError, ValueError, AttributeError, RecursionError)
"""What langchain raises on a body that is no chat completion, or is one too deep to be read."""

_ACCOUNT_HEADERS = ("OpenAI-Organization", "OpenAI-Project")
_FINISHES: dict[object, FinishReason] = {"stop": "stop", "length": "length"}


@dataclass(frozen=True, slots=True)
class Busy:
    """A server that may answer later: after `wait` seconds, where it says so."""

    error: ModelError
    cause: openai.APIError
    wait: float | None


class Connection:
    """A client of one server: no proxy to this machine, no redirects, no retries, no account but the key given.

    Its key and `secrets` are masked in what comes back, before anything is recorded: a replay then reads the same.
    """

    def __init__(self, endpoint: Endpoint, secrets: Sequence[str] = ()) -> None:
        self._endpoint = endpoint
        known = (*secrets, endpoint.api_key.get_secret_value())
        self._redaction = Redaction([each for each in known if len(each) >= SHORTEST_SECRET])
        self._http = openai.DefaultAsyncHttpxClient(
            trust_env=not _is_loopback(endpoint.base_url),
            follow_redirects=False,
            timeout=endpoint.seconds,
            headers={"Accept-Encoding": ENCODING},
            event_hooks={"request": [_drop_account], "response": [self._limit]},
        )
        self._chat = ChatOpenAI(
            model=endpoint.model,
            base_url=endpoint.base_url,
            api_key=self._key,
            http_async_client=self._http,
            http_socket_options=(),
            openai_proxy=None,
            temperature=0,
            seed=SEED,
            max_retries=0,
            timeout=endpoint.seconds,
            use_responses_api=False,
            disable_streaming=True,
            cache=False,
        )

    async def send(self, request: ChatRequest, constraint: Constraint) -> Reply | Busy:
        """Send one request once; every error of the libraries becomes one of ours here.

        Raises:
            ModelError: as `ChatServer.chat`.
        """
        try:
            message = await self._chat.ainvoke(messages_of(request.prompt), **options_of(request, constraint))
            return _reply(message, request, self._redaction)
        except openai.APIError as err:
            if isinstance(err.__cause__, ModelError):  # what `_limit` met
                raise err.__cause__ from None
            error = error_of(_refused(err, self._redaction), self._endpoint)
            if isinstance(error, ModelOverloaded) or _is_stale(err):
                return Busy(error, err, _wait_of(err))
            raise error from err
        except UNREADABLE as err:
            words = f"{type(err).__name__}: {self._redaction.text(str(err))[:200]}"
            raise NoCompletion(
                f"{self._endpoint.base_url} sent no chat completion ({words}); is base_url an OpenAI-compatible API?"
            ) from err

    async def _limit(self, response: "Response") -> None:
        """Let a reply be no longer than `MOST_BYTES`, unpacked, whoever reads it."""
        who = f"{self._endpoint.model} at {self._endpoint.base_url}"
        unpacking = ReplyBytes(who, response.headers.pop("Content-Encoding", ""), MOST_BYTES)
        response.stream = _Limited(cast(AsyncByteStream, response.stream), unpacking)

    async def close(self) -> None:
        """Close every connection."""
        await self._http.aclose()

    async def _key(self) -> str:
        """Give the key when it is needed, so that no representation of the client holds it."""
        return self._endpoint.api_key.get_secret_value() or NO_KEY


class _Limited(AsyncByteStream):
    """The body of a reply as it is unpacked."""

    def __init__(self, stream: AsyncByteStream, unpacking: ReplyBytes) -> None:
        self._stream = stream
        self._unpacking = unpacking

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for chunk in self._stream:
            yield self._unpacking.unpacked(chunk)

    async def aclose(self) -> None:
        """Close the connection, or give it back."""
        await self._stream.aclose()


def _is_loopback(base_url: str) -> bool:
    host = urlsplit(base_url).hostname or ""
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


async def _drop_account(request: "Request") -> None:
    """Send no organisation or project that OPENAI_… variables name: the server may be anybody's."""
    for name in _ACCOUNT_HEADERS:
        request.headers.pop(name, None)


def _refused(err: openai.APIError, redaction: Redaction) -> Refused:
    response = getattr(err, "response", None)
    return Refused(
        status=response.status_code if isinstance(err, openai.APIStatusError) and response is not None else None,
        words=redaction.text(_words(err)),
        timed_out=isinstance(err, openai.APITimeoutError),
        unreadable=isinstance(err, openai.APIResponseValidationError),
    )


def _words(err: openai.APIError) -> str:
    """Return what the server said, else what the connection met."""
    body = err.body
    if isinstance(body, dict):
        return str(body.get("message", body))
    if isinstance(err, openai.APIConnectionError):
        causes = [err.__cause__, getattr(err.__cause__, "__cause__", None)]
        return next((f"{type(cause).__name__}: {cause}" for cause in reversed(causes) if cause), err.message)
    return str(body or err.message)


def _is_stale(err: openai.APIError) -> bool:
    """Say whether the server hung up before it said anything, as it does with a connection that was idle."""
    return isinstance(err, openai.APIConnectionError) and "Server disconnected without" in _words(err)


def _wait_of(err: openai.APIError) -> float | None:
    """Return the seconds that the server asks to wait."""
    return retry_after(err.response.headers.get("retry-after")) if isinstance(err, openai.APIStatusError) else None


def _reply(message: AIMessage, request: ChatRequest, redaction: Redaction) -> Reply:
    said: dict[str, Any] = message.response_metadata
    usage: dict[str, Any] = said.get("token_usage") or {}
    text = _masked(
        message.content if isinstance(message.content, str) else "".join(map(str, message.content)), redaction
    )
    return Reply(
        text=text,
        finish=_FINISHES.get(said.get("finish_reason"), "other"),
        prompt_tokens=_count(usage.get("prompt_tokens"), count_prompt(request.prompt)),
        completion_tokens=_count(usage.get("completion_tokens"), count_tokens(text)),
        cached_tokens=_count((usage.get("prompt_tokens_details") or {}).get("cached_tokens"), 0),
        first=_first((said.get("logprobs") or {}).get("content") or (), redaction) if request.choices else (),
    )


def _masked(said: str, redaction: Redaction) -> str:
    """Mask what a model wrote; a thought in the middle of a key is dropped, as it is by whoever reads the reply."""
    masked = redaction.text(said)
    thoughtless = without_thinking(masked)
    bare = redaction.text(thoughtless)
    return masked if bare == thoughtless else bare


def _count(said: object, otherwise: int) -> int:
    return said if isinstance(said, int) and said >= 0 else otherwise


def _first(places: Any, redaction: Redaction) -> tuple[TokenChance, ...]:
    likeliest = places[0].get("top_logprobs") or () if places else ()
    return tuple(TokenChance(redaction.text(str(each["token"])), float(each["logprob"])) for each in likeliest)
