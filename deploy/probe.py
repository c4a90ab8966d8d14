"""Ask one OpenAI-compatible server what it honours, and print a Markdown table of what came back.

A field that a server does not know is mostly ignored with status 200, so each check asks for something that the model
would not write of itself. Usage: python3 deploy/probe.py URL MODEL, where URL ends before /v1.
"""

from __future__ import annotations

import argparse
import http.client
import json
import re
import threading
import time
import urllib.parse
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

PROMPT = "Write one short sentence about the sea."
SCHEMA = {
    "type": "object",
    "properties": {"zq7": {"enum": ["kx41", "vb09"]}, "n": {"type": "integer", "minimum": 1700, "maximum": 1799}},
    "required": ["zq7", "n"],
    "additionalProperties": False,
}
CHOICES = ["yes", "no"]
QUESTION = "Is Paris the capital of Italy? Answer yes or no."
CAPITAL: dict[str, Any] = {
    "messages": [{"role": "user", "content": QUESTION}],
    "logprobs": True,
    "top_logprobs": 5,
    "max_tokens": 10,
}
# The keywords that pydantic writes for models with references, optional fields, bounds and patterns.
CLAIM = {
    "type": "object",
    "properties": {
        "mark": {"type": "string", "pattern": "^zq[0-9]{2}$"},
        "note": {"anyOf": [{"type": "string", "minLength": 2, "maxLength": 5}, {"type": "null"}]},
        "share": {"type": "number", "minimum": 0, "maximum": 1},
    },
    "required": ["mark", "note", "share"],
}
WIDE = {
    "$defs": {"Claim": CLAIM},
    "type": "object",
    "properties": {"claims": {"type": "array", "items": {"$ref": "#/$defs/Claim"}, "minItems": 2, "maxItems": 2}},
    "required": ["claims"],
}
PREFIX_HITS = re.compile(r"^(vllm:prefix_cache_(?:hits|queries)_total)\S* (\S+)", re.MULTILINE)
# About 900 tokens that no cache has seen: the time of the run is in front.
LONG = " ".join(f"In {year} the harbour of Tarn counted {year % 97} ships." for year in range(1800, 1850))


@dataclass(frozen=True, slots=True)
class Reply:
    """One answer: its status, its JSON (or {"text": …}), and the seconds it took."""

    status: int
    body: dict[str, Any]
    seconds: float

    def said(self) -> str:
        """Return what a reader of the table needs: text, reason for the end, or the error's own words."""
        if self.status != 200:
            error = self.body.get("error", self.body)
            words = error.get("message", error) if isinstance(error, dict) else error
            return f"{self.status}: {str(words)[:200]}"
        choice = self.body["choices"][0]
        return f"200, {choice['finish_reason']}: {choice['message']['content']!r}"


@dataclass(slots=True)
class Stream:
    """One streamed answer; `seconds[i]` is when the i-th piece of text came."""

    seconds: list[float] = field(default_factory=list)
    usage: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Server:
    """A server's address and the model to ask it for."""

    host: str
    model: str

    def post(self, path: str, **body: Any) -> Reply:
        """Send `body` and read the whole answer."""
        started = time.monotonic()
        connection = self.send(path, body)
        response = connection.getresponse()
        text = response.read().decode()
        connection.close()
        try:
            parsed = json.loads(text)
        except ValueError:
            parsed = {"text": text[:200]}
        return Reply(response.status, parsed, time.monotonic() - started)

    def send(self, path: str, body: dict[str, Any]) -> http.client.HTTPConnection:
        """Send `body` with the model's name and wait for nothing."""
        connection = http.client.HTTPConnection(self.host, timeout=600)
        text = json.dumps({"model": self.model} | body)
        connection.request("POST", path, text, {"Content-Type": "application/json"})
        return connection

    def get(self, path: str) -> tuple[int, str]:
        """Return status and text."""
        connection = http.client.HTTPConnection(self.host, timeout=60)
        connection.request("GET", path)
        response = connection.getresponse()
        text = response.read().decode()
        connection.close()
        return response.status, text

    def chat(self, content: str = PROMPT, max_tokens: int = 60, **fields: Any) -> Reply:
        """Ask one greedy question."""
        messages = [{"role": "user", "content": content}]
        body = {"messages": messages, "max_tokens": max_tokens, "temperature": 0} | fields
        return self.post("/v1/chat/completions", **body)

    def stream(self, content: str, max_tokens: int) -> Iterator[tuple[float, dict[str, Any]]]:
        """Yield each streamed event with the seconds since the question."""
        started = time.monotonic()
        body = {
            "messages": [{"role": "user", "content": content}],
            "max_tokens": max_tokens,
            "temperature": 0,
            "stream": True,
            "stream_options": {"include_usage": True},
        }
        connection = self.send("/v1/chat/completions", body)
        try:
            for line in connection.getresponse():
                data = line.decode().removeprefix("data:").strip()
                if data and data != "[DONE]" and data.startswith("{"):
                    yield time.monotonic() - started, json.loads(data)
        finally:
            connection.close()


def schema(shape: dict[str, Any], strict: bool = True) -> dict[str, Any]:
    """Return the `response_format` that asks for `shape`."""
    return {"type": "json_schema", "json_schema": {"name": "probe", "strict": strict, "schema": shape}}


def logprobs(server: Server, **fields: Any) -> str:
    """Return the answer's tokens, each with its log-probability and its rivals'."""
    reply = server.chat(**CAPITAL, **fields)
    if reply.status != 200:
        return reply.said()
    tokens = reply.body["choices"][0]["logprobs"]["content"]
    return f"{reply.said()}; " + "; ".join(
        f"{token['token']!r} {token['logprob']:.2f} of "
        + ", ".join(f"{rival['token']!r} {rival['logprob']:.2f}" for rival in token["top_logprobs"][:3])
        for token in tokens
    )


def counts(server: Server) -> str:
    """Ask each way of counting tokens that the two servers have."""
    messages = [{"role": "user", "content": "Hello world"}]
    asked = {
        "/tokenize prompt": server.post("/tokenize", prompt="Hello world"),
        "/tokenize content": server.post("/tokenize", content="Hello world"),
        "/tokenize messages": server.post("/tokenize", messages=messages),
        "/v1/messages/count_tokens": server.post("/v1/messages/count_tokens", messages=messages),
    }
    return "; ".join(f"{way} {reply.status} {str(reply.body)[:90]}" for way, reply in asked.items())


def read(events: Iterator[tuple[float, dict[str, Any]]]) -> Stream:
    """Read a stream to its end."""
    seen = Stream()
    for seconds, event in events:
        seen.usage = event.get("usage") or seen.usage
        if event.get("choices") and event["choices"][0]["delta"].get("content"):
            seen.seconds.append(seconds)
    return seen


def speed(server: Server) -> str:
    """Time a long new prompt, then the same prompt with another end: what the prefix cache saves."""
    text = f"Log of {time.time()}. {LONG}"
    told = []
    for name, end in (("new prompt", "How many ships in 1803?"), ("same prefix", "How many ships in 1811?")):
        seen = read(server.stream(f"{text} {end} Then tell a long story of this harbour.", 48))
        usage = seen.usage or {}
        rate = (len(seen.seconds) - 1) / (seen.seconds[-1] - seen.seconds[0])
        details = usage.get("prompt_tokens_details") or {}
        told.append(
            f"{name}: {usage.get('prompt_tokens')} tokens in, {details.get('cached_tokens')} cached,"
            f" first token {seen.seconds[0]:.2f} s, {rate:.1f} tokens/s out"
        )
    hits = dict(PREFIX_HITS.findall(server.get("/metrics")[1]))
    return "; ".join(told) + (f"; {hits}" if hits else "")


def leave(server: Server, content: str, stream: bool) -> str:
    """Hang up on a long answer; the wait for the next one-token answer shows whether the server still works on it."""
    idle = min(server.chat("Hi", 1).seconds for _ in range(2))
    messages = [{"role": "user", "content": content}]
    connection = server.send("/v1/chat/completions", {"messages": messages, "max_tokens": 500, "stream": stream})
    time.sleep(4)
    connection.close()
    return f"one token in {idle:.1f} s before, {server.chat('Hi', 1).seconds:.1f} s after"


def together(server: Server, requests: int = 4) -> str:
    """Ask several at once: queued or batched?"""
    replies: list[Reply] = []

    def ask(number: int) -> None:
        replies.append(server.chat(f"Count from {number} upwards in words.", 24))

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(requests)]
    started = time.monotonic()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    seconds = time.monotonic() - started
    tokens = sum(reply.body["usage"]["completion_tokens"] for reply in replies)
    ends = ", ".join(f"{reply.seconds:.1f}" for reply in replies)
    return f"{requests} requests: {tokens} tokens in {seconds:.1f} s ({tokens / seconds:.1f}/s), done after {ends} s"


CHECKS: dict[str, Callable[[Server], str]] = {
    "/health": lambda s: str(s.get("/health"))[:100],
    "one token": lambda s: s.chat(max_tokens=1).said(),
    "chat": lambda s: s.chat().said(),
    "json_schema, strict": lambda s: s.chat(response_format=schema(SCHEMA)).said(),
    "json_schema, not strict": lambda s: s.chat(response_format=schema(SCHEMA, strict=False)).said(),
    "json_schema, cut at 3 tokens": lambda s: s.chat(max_tokens=3, response_format=schema(SCHEMA)).said(),
    "json_schema, no such type": lambda s: s.chat(response_format=schema({"type": "nonsense"})).said(),
    "json_schema, wide": lambda s: s.chat(max_tokens=120, response_format=schema(WIDE)).said(),
    "json_schema, number over its maximum": lambda s: s.chat(
        "Write the number 75.5.", response_format=schema({"type": "number", "minimum": 0, "maximum": 1})
    ).said(),
    "json_object": lambda s: s.chat(response_format={"type": "json_object"}).said(),
    "structured_outputs json": lambda s: s.chat(structured_outputs={"json": SCHEMA}).said(),
    "structured_outputs choice": lambda s: s.chat(structured_outputs={"choice": ["kx41", "vb09"]}).said(),
    "structured_outputs regex": lambda s: s.chat(structured_outputs={"regex": "zq[0-9]{3}-[a-c]{2}"}).said(),
    "structured_outputs grammar": lambda s: s.chat(structured_outputs={"grammar": 'root ::= "kx41" | "vb09"'}).said(),
    "grammar": lambda s: s.chat(grammar='root ::= "kx41" | "vb09"').said(),
    "guided_json": lambda s: s.chat(guided_json=SCHEMA).said(),
    "guided_choice": lambda s: s.chat(guided_choice=["kx41", "vb09"]).said(),
    "unknown field": lambda s: s.chat(no_such_field=1).said(),
    "logprobs, free": logprobs,
    "logprobs, structured_outputs choice": lambda s: logprobs(s, structured_outputs={"choice": CHOICES}),
    "logprobs, json_schema enum": lambda s: logprobs(s, response_format=schema({"enum": CHOICES})),
    "logprobs, grammar": lambda s: logprobs(s, grammar='root ::= "yes" | "no"'),
    "top_logprobs 20": lambda s: s.chat("Hi", 1, logprobs=True, top_logprobs=20).said(),
    "top_logprobs 21": lambda s: s.chat("Hi", 1, logprobs=True, top_logprobs=21).said(),
    "counting tokens": counts,
    "prompt over the context": lambda s: s.chat("word " * 9000, 10).said(),
    "prompt and max_tokens over the context": lambda s: s.chat(f"{LONG} {PROMPT}", 8000).said(),
    "max_tokens over the context": lambda s: s.chat(max_tokens=9000).said(),
    "stream_options.include_usage": lambda s: str(read(s.stream(PROMPT, 8)).usage),
    "client leaves a streamed answer": lambda s: leave(s, "Tell a very long story.", stream=True),
    "client leaves a plain answer": lambda s: leave(s, "Tell a very long story.", stream=False),
    "client leaves while 3,500 tokens are read": lambda s: leave(s, f"{time.time()} {LONG * 4}", stream=True),
    "speed": speed,
    "at once": together,
    "unknown model": lambda s: Server(s.host, "nope").chat(max_tokens=3).said(),
    "image by address": lambda s: s.chat(
        messages=[{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "http://127.0.0.1:9/x"}}]}]
    ).said(),
    "/v1/embeddings": lambda s: str(s.post("/v1/embeddings", input="x").status),
    "/v1/rerank": lambda s: str(s.post("/v1/rerank", query="x", documents=["a"]).status),
}


def main() -> int:
    """Run the checks whose names hold --only, one after the other."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("url", help="for example http://127.0.0.1:8000")
    parser.add_argument("model", help="model name that the server lists at /v1/models")
    parser.add_argument("--only", default="", help="part of a check's name")
    arguments = parser.parse_args()
    server = Server(urllib.parse.urlsplit(arguments.url).netloc, arguments.model)
    print("| check | what came back |\n|---|---|")
    for name, check in CHECKS.items():
        if arguments.only in name:
            print(f"| {name} | {check(server)} |".replace("\n", "\\n"), flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
