"""An OpenAI-compatible chat server on loopback, in a thread of its own, that says what a test tells it to.

    with openai_server("Hello.") as server:                       # every call gets this text
    with openai_server(["first", Say("second"), Status(500)]) as server:   # one after the other; the last repeats
    with openai_server(lambda call: reply_for(call.user)) as server:       # by what was asked

    Endpoint(base_url=server.url, model=server.model)
    server.calls         every chat call in order, as `Call`: system, user, schema, choices, body, headers …
    server.disconnects   how many callers hung up before their reply was ready
    server.busiest       the most calls that were in work at one time

What a call gets is a text or one of
    Say(text, finish="stop", first={"yes": 0.9}, usage=True)     a reply; `first` are the chances of its first token
    Status(429, "slow down", retry_after="1")                     an error in OpenAI's form, or Status(…, raw="<html>")
    Hang()                                                        nothing, until the caller hangs up
    Cut()                                                         half of a body, then the end of the connection
    Raw("{not json")                                              a body as it stands, with status 200
A text is cut by `max_tokens` (finish "length"), a token being a word with the blank before it, or a blank.

How it treats constraints is `keeps`: any of "json_schema", "structured_outputs", "grammar" (default: all). Where the
call is under one that it keeps and the text does not fit, it replies with `instance_of(schema)` or the first choice, as
a grammar would force a model to; else the text goes out as it is (so does vLLM with an option it does not know).
Proofs at the start of a run (agent/llm/probe.py) are answered by the server itself, honestly by `keeps`, and do not
take from a list of replies; they are in `server.proofs`, not in `server.calls`.

All keywords are the fields of `Manners`. A server that is down is `unused_address()`.
"""

import asyncio
import json
import math
import random
import re
import socket
import threading
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeAlias

import jsonschema

from tests.servers.openai_calls import Call, Cut, Hang, Outcome, Raw, Say, Status, instance_of

Replies: TypeAlias = Outcome | Sequence[Outcome] | Callable[[Call], Outcome]


@dataclass(frozen=True)
class Manners:
    """How a server treats every call.

    Constraints of `keeps` are kept, those of `refuses` get 400, others are ignored, as vLLM does with what it does not
    know. Callers with another `key` get 401, with another `model` 404, prompts of more words than `context` 400 in the
    wording of `dialect` ("vllm" or "llama.cpp"). `delay` is in seconds; `malformed` the share of replies, drawn by
    `seed`, that are broken off in the middle of their JSON; `thinks` is put before each reply; `at_start` is what
    proofs get where a kept constraint does not say otherwise.
    """

    keeps: Collection[str] = ("json_schema", "structured_outputs", "grammar")
    refuses: Collection[str] = ()
    key: str = ""
    model: str = "test-model"
    context: int = 10**9
    dialect: str = "vllm"
    delay: float = 0.0
    malformed: float = 0.0
    seed: int = 0
    thinks: str = ""
    at_start: Outcome = "Hello!"


@dataclass(frozen=True)
class Answer:
    """Bytes to write, and whether the connection goes on after them."""

    data: bytes
    whole: bool = True


class OpenAIServer:
    """The server behind `openai_server`; read the module's text."""

    def __init__(self, replies: "Replies", manners: Manners) -> None:
        self.calls: list[Call] = []
        self.proofs: list[Call] = []
        self.disconnects = 0
        self.busiest = 0
        self.port = 0
        self.model = manners.model
        self._manners = manners
        self._replies = replies
        self._chance = random.Random(manners.seed)
        self._busy = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer the requests of one connection, one after the other."""
        try:
            while (request := await _request(reader)) is not None:
                path, headers, data = request
                if not await self._respond(path, headers, data, reader, writer):
                    break
        except ConnectionError:
            self.disconnects += 1
        except asyncio.CancelledError:
            return
        finally:
            writer.close()

    async def _respond(
        self, path: str, headers: Mapping[str, str], data: bytes, reader: asyncio.StreamReader, writer: Any
    ) -> bool:
        """Answer one request and say whether the connection goes on; a caller that hangs up ends the work."""
        self._busy += 1
        self.busiest = max(self.busiest, self._busy)
        hang_up = asyncio.create_task(reader.read(1))
        work = asyncio.create_task(self._answer(path, headers, data))
        try:
            await asyncio.wait({hang_up, work}, return_when=asyncio.FIRST_COMPLETED)
            left = not work.done()
        finally:
            self._busy -= 1
            for task in (hang_up, work):
                task.cancel()
            await asyncio.gather(hang_up, work, return_exceptions=True)
        if left:
            self.disconnects += 1
            return False
        answer = work.result()
        writer.write(answer.data)
        await writer.drain()
        return answer.whole

    async def _answer(self, path: str, headers: Mapping[str, str], data: bytes) -> "Answer":
        if path != "/v1/chat/completions":
            return _refusal(Status(404, f"no route {path}"))
        call = Call(json.loads(data), headers)
        (self.proofs if call.proof else self.calls).append(call)
        outcome = self._refused(call) or self._scripted(call)
        await asyncio.sleep(self._manners.delay)
        match outcome:
            case Hang():
                await asyncio.Event().wait()
                return Answer(b"", whole=False)
            case Cut():
                return Answer(_response(200, self._completion(call, Say("cut " * 50))).data[:250], whole=False)
            case Raw(body, encoding):
                return _response(200, body, packed=encoding)
            case Status():
                return _refusal(outcome)
            case _:
                say = Say(outcome) if isinstance(outcome, str) else outcome
                await asyncio.sleep(say.after)
                return _response(200, self._completion(call, say))

    def _refused(self, call: Call) -> Status | None:
        if self._manners.key and call.headers.get("authorization") != f"Bearer {self._manners.key}":
            shown = call.headers.get("authorization", "").removeprefix("Bearer ")
            return Status(401, f"Incorrect API key provided: {shown}.")
        if call.body["model"] != self.model:
            return Status(404, f"The model `{call.body['model']}` does not exist.")
        if call.constraint in self._manners.refuses:
            return Status(400, f"Unrecognized request argument supplied: {call.constraint}")
        words = len(call.system.split()) + len(call.user.split())
        if words <= self._manners.context:
            return None
        if self._manners.dialect == "llama.cpp":
            return Status(400, "the request exceeds the available context size, try increasing it")
        return Status(
            400,
            f"This model's maximum context length is {self._manners.context} tokens. However, you requested {words} "
            "tokens. Please reduce the length of the messages.",
        )

    def _scripted(self, call: Call) -> Outcome:
        if call.proof:
            return self._manners.at_start
        if callable(self._replies):
            return self._replies(call)
        if isinstance(self._replies, str | Say | Status | Hang | Cut | Raw):
            return self._replies
        return self._replies[min(len(self.calls), len(self._replies)) - 1]

    def _completion(self, call: Call, say: Say) -> str:
        text = self._forced(call, say.text)
        if not call.proof:
            text = self._broken(f"{self._manners.thinks}{text}")
        tokens = re.findall(r"\s?\S+|\s", text)
        cut = len(tokens) > call.max_tokens
        text = "".join(tokens[: call.max_tokens]) if cut else text
        choice: dict[str, Any] = {
            "index": 0,
            "finish_reason": "length" if cut else say.finish,
            "message": {"role": "assistant", "content": text},
        }
        if call.body.get("logprobs") and say.first:
            top = [{"token": token, "logprob": math.log(chance), "bytes": None} for token, chance in say.first.items()]
            choice["logprobs"] = {"content": [{**top[0], "top_logprobs": top[: call.body["top_logprobs"]]}]}
        prompt = len(call.system.split()) + len(call.user.split())
        spent = min(len(tokens), call.max_tokens)
        usage = {"prompt_tokens": prompt, "completion_tokens": spent, "total_tokens": prompt + spent}
        usage |= {"prompt_tokens_details": {"cached_tokens": len(call.system.split())}}
        return json.dumps(
            {"id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": self.model, "choices": [choice]}
            | ({"usage": usage} if say.usage else {})
        )

    def _forced(self, call: Call, text: str) -> str:
        """Return what a grammar would let through."""
        if call.constraint not in self._manners.keeps:
            return text
        if call.schema is not None:
            return text if _fits(text, call.schema) else json.dumps(instance_of(call.schema))
        return text if text in call.choices or not call.choices else call.choices[0]

    def _broken(self, text: str) -> str:
        return text[: len(text) // 2] + "\u007f{" if self._chance.random() < self._manners.malformed else text


@contextmanager
def openai_server(replies: Replies, **keywords: Any) -> Iterator[OpenAIServer]:
    """Serve until the block ends; keywords are the fields of `Manners`."""
    server = OpenAIServer(replies, Manners(**keywords))
    started = threading.Event()
    ended = asyncio.Event()
    loop = asyncio.new_event_loop()

    async def run() -> None:
        listening = await asyncio.start_server(server.serve, "127.0.0.1", 0)
        server.port = listening.sockets[0].getsockname()[1]
        started.set()
        await ended.wait()
        listening.close()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)

    thread = threading.Thread(target=lambda: (loop.run_until_complete(run()), loop.close()), daemon=True)
    thread.start()
    started.wait()
    try:
        yield server
    finally:
        loop.call_soon_threadsafe(ended.set)
        thread.join(5)


def unused_address() -> str:
    """Return the base URL of a port of this machine at which nothing listens."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{free.getsockname()[1]}/v1"


async def _request(reader: asyncio.StreamReader) -> tuple[str, Mapping[str, str], bytes] | None:
    """Read one request; None when the caller has hung up."""
    try:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin1")
        line, *rest = head.strip().split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (each.partition(":") for each in rest)}
        return line.split()[1], headers, await reader.readexactly(int(headers.get("content-length", 0)))
    except asyncio.IncompleteReadError:
        return None


def _refusal(refused: Status) -> Answer:
    body = json.dumps({"error": {"message": refused.message, "type": "error", "code": refused.status}})
    return _response(refused.status, refused.raw or body, refused.retry_after)


def _response(status: int, body: str | bytes, retry_after: str = "", packed: str = "") -> Answer:
    data = body.encode() if isinstance(body, str) else body
    after = f"Retry-After: {retry_after}\r\n" if retry_after else ""
    after += f"Content-Encoding: {packed}\r\n" if packed else ""
    head = f"HTTP/1.1 {status} X\r\nContent-Type: application/json\r\n{after}Content-Length: {len(data)}\r\n\r\n"
    return Answer(head.encode() + data)


def _fits(text: str, schema: Mapping[str, Any]) -> bool:
    try:
        jsonschema.validate(json.loads(text), schema)
    except (ValueError, jsonschema.ValidationError):
        return False
    return True
