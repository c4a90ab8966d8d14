"""A model server is asked once, within its deadline, and every way in which it can fail has a name."""

import asyncio
import gzip
import json
import logging
import tracemalloc
from collections.abc import Mapping
from dataclasses import replace
from email.utils import formatdate
from time import monotonic, time
from typing import Any

import pytest

from agent.llm import ChatServer
from agent.llm.connection import MOST_BYTES
from heliograph.config import Endpoint
from heliograph.errors import (
    ContextOverflow,
    ModelError,
    ModelOverloaded,
    ModelTimeout,
    ModelUnreachable,
    NoCompletion,
    ReplyTooLong,
    UsageError,
)
from heliograph.types import ChatRequest, Prompt, Reply
from tests.servers.openai_server import Cut, Hang, Outcome, Raw, Say, Status, openai_server, unused_address

BOMB = gzip.compress(b" " * 200_000_000, compresslevel=1)
PROMPT = Prompt("greeting", "You greet.", ("Who?", "Ada."))
ASKED = ChatRequest(PROMPT, max_tokens=20)
KEY = "sk-very-secret-7193"
SCHEMA: Mapping[str, object] = {
    "type": "object",
    "properties": {"name": {"enum": ["Ada"]}},
    "required": ["name"],
    "additionalProperties": False,
}


def endpoint(url: str, **changes: Any) -> Endpoint:
    """Return the settings of a server of these tests."""
    return Endpoint(**{"base_url": url, "model": "test-model", "seconds": 5.0, **changes})


async def fails(outcome: Outcome, seconds: float = 5.0, **manners: Any) -> ModelError:
    """Return the error of one call that gets this outcome."""
    with openai_server(outcome, **manners) as told:
        server = ChatServer(endpoint(told.url, seconds=seconds, api_key=KEY))
        try:
            with pytest.raises(ModelError) as caught:
                await server.chat(ASKED)
        finally:
            await server.close()
    return caught.value


async def says(outcome: Outcome, request: ChatRequest = ASKED, **manners: Any) -> Reply:
    """Return the reply of one call that gets this outcome."""
    with openai_server(outcome, **manners) as told:
        server = ChatServer(endpoint(told.url))
        try:
            return await server.chat(request)
        finally:
            await server.close()


async def test_a_reply_has_its_text_its_end_and_its_tokens() -> None:
    assert await says("Hello Ada.") == Reply(
        "Hello Ada.", "stop", prompt_tokens=4, completion_tokens=2, cached_tokens=2
    )


async def test_a_reply_that_is_cut_off_says_so() -> None:
    reply = await says("word " * 40)
    assert (reply.finish, reply.completion_tokens) == ("length", 20)


async def test_endless_white_space_ends_at_the_limit_under_a_schema_too() -> None:
    with openai_server(Say("{" + "\n" * 500), keeps=()) as told:
        server = ChatServer(endpoint(told.url), "json_schema")
        reply = await server.chat(ChatRequest(PROMPT, 20, schema=SCHEMA))
        await server.close()
    assert (reply.finish, reply.text.strip()) == ("length", "{")


async def test_a_server_that_counts_nothing_is_counted_high() -> None:
    reply = await says(Say("Hello Ada.", usage=False))
    assert reply.prompt_tokens >= 10
    assert reply.completion_tokens >= 3


@pytest.mark.parametrize(
    ("outcome", "kind", "words"),
    [
        (Status(401, "no"), ModelUnreachable, "check api_key"),
        (Status(403, "no"), ModelUnreachable, "check api_key"),
        (Status(404, "no"), ModelUnreachable, "check model, and base_url"),
        (Status(400, "unknown field"), ModelUnreachable, "unknown field"),
        (Status(422, raw="<html>no</html>"), ModelUnreachable, "<html>no</html>"),
        (Status(307, raw="{}"), ModelUnreachable, "redirects elsewhere"),
        (Status(413, "big"), ContextOverflow, "context_tokens"),
        (Status(500, "Context size has been exceeded."), ContextOverflow, "context_tokens"),
        (Raw("{not json"), NoCompletion, "no chat completion"),
        (Raw("<html>"), NoCompletion, "no chat completion"),
        (Raw("[]"), NoCompletion, "no chat completion"),
        (Raw("{}"), NoCompletion, "no chat completion"),
        (Raw('{"choices": []}'), NoCompletion, "no chat completion"),
        (Raw('{"choices": null}'), NoCompletion, "no chat completion"),
        (Raw('{"choices": [{}]}'), NoCompletion, "no chat completion"),
        (Raw('{"choices": [7]}'), NoCompletion, "no chat completion"),
        (Raw('{"error": {"message": "odd"}}'), NoCompletion, "odd"),
        (Raw('{"choices": ' + "[" * 100_000), NoCompletion, "RecursionError"),
        (Cut(), ModelUnreachable, "cannot be reached"),
    ],
)
async def test_a_failure_has_a_name_and_a_next_step(outcome: Outcome, kind: type[ModelError], words: str) -> None:
    error = await fails(outcome)
    assert type(error) is kind
    assert words in str(error)
    assert error.__cause__ is not None


@pytest.mark.parametrize(
    "outcome",
    [
        Raw(BOMB, "gzip"),
        Raw(b" " * (MOST_BYTES + 1)),
        Status(500, raw=" " * (MOST_BYTES + 1)),
        Say("word " * (MOST_BYTES // 5)),
    ],
    ids=["packed", "long", "error", "text"],
)
async def test_a_reply_without_end_is_left_before_it_fills_the_memory(outcome: Outcome) -> None:
    tracemalloc.start()
    try:
        with openai_server(outcome) as told:
            server = ChatServer(endpoint(told.url))
            with pytest.raises(ReplyTooLong, match=r"test-model at .* sent more than 4,000,000 bytes for one reply"):
                await server.chat(replace(ASKED, max_tokens=MOST_BYTES))
            await server.close()
        assert tracemalloc.get_traced_memory()[1] < 40 * MOST_BYTES
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    ("outcome", "words"),
    [
        (Raw(b"no gzip at all", "gzip"), "cannot be unpacked"),
        (Raw(BOMB, "gzip, gzip"), "packs its reply as 'gzip, gzip', which was not asked for"),
        (Raw(b"x", "zstd"), "packs its reply as 'zstd', which was not asked for"),
    ],
)
async def test_a_reply_that_cannot_be_unpacked_is_no_completion(outcome: Outcome, words: str) -> None:
    with pytest.raises(NoCompletion, match=words):
        raise await fails(outcome)


async def test_a_reply_may_come_packed() -> None:
    whole = json.dumps({"id": "1", "choices": [{"message": {"role": "assistant", "content": "Hello."}}]})
    reply = await says(Raw(gzip.compress(whole.encode()), "gzip"))
    assert reply.text == "Hello."


@pytest.mark.parametrize("dialect", ["vllm", "llama.cpp"])
async def test_a_prompt_that_is_too_long_for_the_server_is_a_context_overflow(dialect: str) -> None:
    assert type(await fails("x", context=3, dialect=dialect)) is ContextOverflow


async def test_a_server_that_is_down_is_unreachable() -> None:
    server = ChatServer(endpoint(unused_address()))
    with pytest.raises(ModelUnreachable, match="is the server running"):
        await server.chat(ASKED)
    await server.close()


async def test_a_silent_server_is_left_at_the_deadline() -> None:
    begun = monotonic()
    assert type(await fails(Hang(), seconds=0.4)) is ModelTimeout
    assert monotonic() - begun < 3


async def test_a_busy_server_is_asked_again() -> None:
    with openai_server([Status(429, "slow", retry_after="0"), Status(503, "loading", retry_after="0.1"), "ok"]) as told:
        server = ChatServer(endpoint(told.url))
        assert (await server.chat(ASKED)).text == "ok"
        await server.close()
    assert len(told.calls) == 3


async def test_a_server_that_stays_busy_is_asked_three_times() -> None:
    with openai_server(Status(500, "no", retry_after="0")) as told:
        server = ChatServer(endpoint(told.url))
        with pytest.raises(ModelOverloaded, match="500"):
            await server.chat(ASKED)
        await server.close()
    assert len(told.calls) == 3


@pytest.mark.parametrize("after", ["3600", formatdate(time() + 3600, usegmt=True)], ids=["seconds", "date"])
async def test_a_wait_beyond_the_deadline_is_not_waited_for(after: str) -> None:
    begun = monotonic()
    assert type(await fails(Status(429, "later", retry_after=after))) is ModelOverloaded
    assert monotonic() - begun < 3


async def test_a_wait_without_sense_is_replaced_by_ours() -> None:
    with openai_server([Status(429, "later", retry_after="soon"), "ok"]) as told:
        server = ChatServer(endpoint(told.url))
        begun = monotonic()
        assert (await server.chat(ASKED)).text == "ok"
        await server.close()
    assert monotonic() - begun >= 0.5


async def test_a_cancelled_call_hangs_up() -> None:
    with openai_server(Hang()) as told:
        server = ChatServer(endpoint(told.url))
        call = asyncio.create_task(server.chat(ASKED))
        while not told.calls:
            await asyncio.sleep(0.01)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        for _ in range(100):
            if told.disconnects:
                break
            await asyncio.sleep(0.02)
        await server.close()
        assert told.disconnects == 1


async def test_no_more_calls_run_at_once_than_may() -> None:
    with openai_server("x", delay=0.05) as told:
        server = ChatServer(endpoint(told.url, at_once=2))
        await asyncio.gather(*(server.chat(ASKED) for _ in range(6)))
        await server.close()
    assert told.busiest == 2


async def test_waiting_for_a_turn_takes_nothing_off_the_deadline() -> None:
    with openai_server("x", delay=0.3) as told:
        server = ChatServer(endpoint(told.url, at_once=1, seconds=1.1))
        assert len(await asyncio.gather(*(server.chat(ASKED) for _ in range(4)))) == 4
        await server.close()


async def test_a_closed_server_can_be_asked_again() -> None:
    with openai_server("x") as told:
        server = ChatServer(endpoint(told.url))
        for _ in range(2):
            assert (await server.chat(ASKED)).text == "x"
            await server.close()


async def test_proxies_and_accounts_of_the_environment_are_not_for_this_machine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "HTTPS_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-openai")
    monkeypatch.setenv("OPENAI_ORG_ID", "org-1")
    monkeypatch.setenv("OPENAI_PROJECT_ID", "proj-1")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    with openai_server("x") as told:
        server = ChatServer(endpoint(told.url))
        assert (await server.chat(ASKED)).text == "x"
        await server.close()
    headers = told.calls[0].headers
    assert headers["authorization"] == "Bearer none"
    assert not [name for name in headers if name.startswith("openai-")]


async def test_the_key_is_in_no_log_and_no_error(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        error = await fails("x", key="another")
    assert type(error) is ModelUnreachable
    assert "Incorrect API key provided: ***" in str(error)
    assert caplog.records
    assert KEY not in caplog.text
    assert not [record for record in caplog.records if KEY in repr(record.__dict__)]


@pytest.mark.parametrize(
    "url", ["", "localhost:8000/v1", "file:///etc/passwd", "http://u:p@h/v1", "http://h/v1?key=1", "http://h/v1#x"]
)
def test_an_odd_address_is_refused_without_repeating_a_password(url: str) -> None:
    with pytest.raises(UsageError) as caught:
        ChatServer(Endpoint(base_url=url, model="m"))
    assert "u:p" not in str(caught.value)
