"""Embeddings from a server on loopback, and what it may do wrong."""

import gzip
import json
import threading
import tracemalloc
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import numpy as np
import pytest

from heliograph.errors import (
    ContextOverflow,
    ModelMalformed,
    ModelOverloaded,
    ModelTimeout,
    ModelUnreachable,
    ReplyTooLong,
    UsageError,
)
from indexers.models.endpoint import MOST_BYTES, EndpointEmbedder

Reply = Callable[[list[str]], tuple[int, Any]]


def lengths(texts: list[str]) -> tuple[int, Any]:
    """Answer with vectors that tell texts apart, last first: order is by index and not by place."""
    rows = [{"index": place, "embedding": [len(text) + 1, 3.0, 0.5]} for place, text in enumerate(texts)]
    return 200, {"object": "list", "data": rows[::-1], "model": "m"}


class Server:
    def __init__(self) -> None:
        self.reply: Reply = lengths
        self.asked: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.http.server_port}/v1"

    http: ThreadingHTTPServer


@pytest.fixture
def server() -> Iterator[Server]:
    made = Server()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            made.asked.append({"path": self.path, **body})
            made.headers.append(dict(self.headers))
            status, reply = made.reply(body["input"])
            content = reply if isinstance(reply, bytes) else json.dumps(reply).encode()
            self.send_response(status)
            if content.startswith(b"\x1f\x8b"):
                self.send_header("Content-Encoding", "gzip")
            if status == 307:
                self.send_header("Location", "http://127.0.0.1:1/elsewhere")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            pass

    made.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=made.http.serve_forever)
    thread.start()
    yield made
    made.http.shutdown()
    made.http.server_close()
    thread.join()


@pytest.fixture
def embedder(server: Server) -> Iterator[EndpointEmbedder]:
    made = EndpointEmbedder(server.url + "/", "gte", "secret", batch=2, at_once=3)
    yield made
    made.close()


async def test_texts_go_in_batches_and_unit_vectors_come_back_in_order(server, embedder):
    texts = ["a", "bb", "ccc", "\ud800", ""]
    vectors = await embedder.embed(texts)
    expected = np.asarray([[len(text) + 1, 3.0, 0.5] for text in texts])
    expected /= np.linalg.norm(expected, axis=1, keepdims=True)
    assert (vectors.dtype, embedder.dimensions) == (np.float32, 3)
    assert np.allclose(vectors, expected, atol=1e-6)
    assert sorted(len(asked["input"]) for asked in server.asked) == [1, 2, 2]
    assert {(asked["path"], asked["model"]) for asked in server.asked} == {("/v1/embeddings", "gte")}
    assert {headers["Authorization"] for headers in server.headers} == {"Bearer secret"}
    assert embedder.name == f"gte at {server.url}"


async def test_dimensions_are_asked_of_the_server_once(server, embedder):
    assert (embedder.dimensions, embedder.dimensions, len(server.asked)) == (3, 3, 1)
    assert (await embedder.embed([])).shape == (0, 3)
    assert len(server.asked) == 1


def rows(*vectors: list[float], start: int = 0) -> Any:
    return {"data": [{"index": place, "embedding": row} for place, row in enumerate(vectors, start)]}


@pytest.mark.parametrize(
    ("status", "reply", "error", "said"),
    [
        (429, {"error": "slow down"}, ModelOverloaded, "429"),
        (503, b"busy", ModelOverloaded, "busy"),
        (401, {"error": "bad key"}, ModelUnreachable, "bad key.*the key"),
        (404, b"no such model", ModelUnreachable, r"embed\.model"),
        (307, b"", ModelUnreachable, "307"),
        (400, {"message": "maximum context length is 512 tokens"}, ContextOverflow, "longer context"),
        (413, {"error": "Input validation error: inputs must have less than 512 tokens"}, ContextOverflow, "too long"),
        (400, {"error": "unknown field"}, ModelMalformed, "is it an embedding model"),
        (200, b"<html>", ModelMalformed, "right address"),
        (200, {"data": [{"index": 0}]}, ModelMalformed, "right address"),
        (200, rows(), ModelMalformed, "0 vectors"),
        (200, rows([1.0], [1.0]), ModelMalformed, "2 vectors"),
        (200, rows([1.0], start=1), ModelMalformed, "1 vectors"),
        (200, rows([]), ModelMalformed, "1 vectors"),
        (200, rows([0.0, 0.0]), ModelMalformed, "without a direction"),
        (200, b'{"data": [{"index": 0, "embedding": [1e999]}]}', ModelMalformed, "without a direction|right address"),
    ],
)
async def test_what_a_server_does_wrong_is_named_and_the_key_is_not(server, embedder, status, reply, error, said):
    server.reply = lambda _: (status, reply)
    with pytest.raises(error, match=said) as raised:
        await embedder.embed(["a"])
    assert "secret" not in str(raised.value)


async def test_vectors_of_two_lengths_are_of_two_models(server, embedder):
    server.reply = lambda texts: (200, rows(*[[1.0] * len(texts[0])] * len(texts)))
    with pytest.raises(ModelMalformed, match="is it one model"):
        await embedder.embed(["a", "a", "bb"])
    server.reply = lambda texts: (200, rows(*[[1.0, 2.0]] * len(texts)))
    await embedder.embed(["a"])
    server.reply = lambda texts: (200, rows(*[[1.0]] * len(texts)))
    with pytest.raises(ModelMalformed, match="is it one model"):
        await embedder.embed(["a"])


async def test_a_server_that_is_silent_or_down_is_told_apart(server):
    silent = EndpointEmbedder(server.url, "gte", seconds=0.2)
    release = threading.Event()

    def wait(texts: list[str]) -> tuple[int, Any]:
        release.wait(5)
        return lengths(texts)

    server.reply = wait
    with pytest.raises(ModelTimeout, match=r"within 0\.2 s"):
        await silent.embed(["a"])
    release.set()
    silent.close()
    down = EndpointEmbedder("http://127.0.0.1:9/v1", "gte")
    with pytest.raises(ModelUnreachable, match=r"is it running\? See embed\.base_url"):
        await down.embed(["a"])
    down.close()


def test_a_server_needs_the_name_of_its_model():
    with pytest.raises(UsageError, match=r"set embed\.model"):
        EndpointEmbedder("http://127.0.0.1:9/v1", "")


async def test_vectors_may_come_packed(server, embedder):
    server.reply = lambda texts: (200, gzip.compress(json.dumps(lengths(texts)[1]).encode()))
    assert (await embedder.embed(["a"])).shape == (1, 3)


async def test_a_reply_without_end_is_left_before_it_fills_the_memory(server, embedder):
    bomb = gzip.compress(b" " * 300_000_000, compresslevel=1)
    server.reply = lambda _: (200, bomb)
    tracemalloc.start()
    try:
        with pytest.raises(ReplyTooLong, match=r"gte at .* sent more than 64,000,000 bytes for one reply"):
            await embedder.embed(["a"])
        assert tracemalloc.get_traced_memory()[1] < 3 * MOST_BYTES
    finally:
        tracemalloc.stop()


async def test_an_error_that_repeats_the_key_is_told_without_it(server, embedder):
    server.reply = lambda _: (401, b"wrong key: secret")
    with pytest.raises(ModelUnreachable, match=r"answers 401 \(wrong key: \*\*\*\)"):
        await embedder.embed(["a"])
