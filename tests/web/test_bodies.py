"""No more of a body is read than a request may hold, whether its length is told or not."""

import json
from collections.abc import AsyncGenerator, Iterator, Sequence
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from starlette.requests import Request
from starlette.responses import PlainTextResponse, StreamingResponse
from starlette.types import Message, Receive, Scope, Send

from heliograph.types import EvidenceId
from heliograph.types.streaming import StreamEvent
from tests.web.researchers import answer_to, office, served, told
from web.bodies import MOST_BYTES, Bounded

CHUNK = b"x" * 100_000


async def one_fact(question: str, earlier: Sequence[EvidenceId]) -> AsyncGenerator[StreamEvent, None]:
    async for event in told(answer_to(question, "Orvo is a moon.")):
        yield event


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[HTTPConnection]:
    parts, _ = office(tmp_path, one_fact)
    with served(parts) as address:
        opened = HTTPConnection(urlsplit(address).netloc, timeout=30)
        yield opened
        opened.close()


def begin(connection: HTTPConnection, name: str, value: str) -> None:
    connection.putrequest("POST", "/v1/chat/completions")
    connection.putheader("Content-Type", "application/json")
    connection.putheader(name, value)
    connection.endheaders()


def refusal(reply: HTTPResponse) -> tuple[int, str, str | None]:
    error = json.load(reply)["error"]
    assert "4,000,000 bytes" in error["message"]
    return reply.status, error["code"], reply.getheader("X-Content-Type-Options")


def test_a_length_beyond_the_bound_is_refused_before_any_of_it_is_sent(connection: HTTPConnection) -> None:
    begin(connection, "Content-Length", str(MOST_BYTES + 1))
    assert refusal(connection.getresponse()) == (413, "too_large", "nosniff")


def test_chunks_are_counted_and_refused_while_the_body_has_no_end(connection: HTTPConnection) -> None:
    begin(connection, "Transfer-Encoding", "chunked")
    for _ in range(MOST_BYTES // len(CHUNK) + 1):
        connection.send(b"%x\r\n%b\r\n" % (len(CHUNK), CHUNK))
    assert refusal(connection.getresponse()) == (413, "too_large", "nosniff")


def test_a_body_in_chunks_that_is_small_enough_is_read(connection: HTTPConnection) -> None:
    begin(connection, "Transfer-Encoding", "chunked")
    body = json.dumps({"model": "heliograph", "messages": [{"role": "user", "content": "What is Orvo?"}]}).encode()
    for part in (body[:20], body[20:]):
        connection.send(b"%x\r\n%b\r\n" % (len(part), part))
    connection.send(b"0\r\n\r\n")
    assert connection.getresponse().status == 200


async def answered(app: Bounded, *parts: bytes) -> list[Message]:
    """Return what an application sends for a body in parts."""
    bodies = iter(parts)
    sent: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.request", "body": next(bodies), "more_body": True}

    async def send(message: Message) -> None:
        sent.append(message)

    await app({"type": "http", "method": "POST", "path": "/", "headers": []}, receive, send)
    return sent


async def test_exactly_the_bound_is_read_and_one_byte_more_is_not() -> None:
    read: list[int] = []

    async def count(scope: Scope, receive: Receive, send: Send) -> None:
        while (message := await receive())["type"] == "http.request":
            read.append(len(message["body"]))
            if sum(read) == MOST_BYTES and len(read) == 2:
                await PlainTextResponse("all")(scope, receive, send)
                return

    whole = await answered(Bounded(count), b"x", b"x" * (MOST_BYTES - 1))
    assert (whole[0]["status"], read) == (200, [1, MOST_BYTES - 1])
    read.clear()
    more = await answered(Bounded(count), b"x", b"x" * MOST_BYTES, b"never")
    assert (more[0]["status"], read) == (413, [1])


async def test_an_application_that_gives_up_over_a_body_is_spoken_for() -> None:
    async def read(scope: Scope, receive: Receive, send: Send) -> None:
        await Request(scope, receive).body()

    sent = await answered(Bounded(read), b"x" * (MOST_BYTES + 1))
    assert [message["type"] for message in sent] == ["http.response.start", "http.response.body"]
    assert sent[0]["status"] == 413


async def test_an_answer_that_has_begun_is_not_begun_again() -> None:
    async def echo(scope: Scope, receive: Receive, send: Send) -> None:
        async def said() -> AsyncGenerator[bytes, None]:
            yield b"begun"
            await receive()

        await StreamingResponse(said()).stream_response(send)

    sent = await answered(Bounded(echo), b"x" * (MOST_BYTES + 1))
    assert [message["type"] for message in sent].count("http.response.start") == 1
    assert sent[0]["status"] == 200
