"""Stand between a client and a server of this machine, and go wrong as networks and servers do.

Within a test:

    proxy = FaultProxy("http://127.0.0.1:8765", [too_many_requests(retry_after=2), Cut(), Hang()])
    async with proxy as url:
        ...  # the first three requests to `url` meet those faults, each later one is forwarded
    assert proxy.most_at_once == 1 and "gzip" in proxy.requests[0].headers["accept-encoding"]

The Host header is forwarded as the client sent it, so that a server that builds URLs from it builds URLs of the proxy.
An answer is read whole before any of it is passed on, and each connection carries one request.

By hand, with a line for each request: python -m tests.servers.fault_proxy --help
"""

import argparse
import asyncio
import itertools
import re
import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from http import HTTPStatus
from http.client import HTTPConnection
from urllib.parse import parse_qs, urlsplit

from tests.servers.faults import NAMED, Answer, Cut, Drip, Fault, Forward, Hang, random_faults

HEAD_LIMIT = 64 * 1024
"""Bytes of a request's line and headers."""
UPSTREAM_TIMEOUT = 60
"""Seconds."""
HOP_BY_HOP = frozenset({"connection", "keep-alive", "transfer-encoding", "content-length"})


@dataclass(slots=True)
class Seen:
    """A request as it came, and when; header names are in lower case, times are those of `time.monotonic`."""

    method: str
    target: str
    headers: dict[str, str]
    body: bytes
    fault: Fault
    started: float
    ended: float | None = None
    """None while it is being answered."""

    @property
    def path(self) -> str:
        """The target without its query."""
        return urlsplit(self.target).path

    @property
    def query(self) -> dict[str, str]:
        """The first value of each parameter of the target."""
        return {name: values[0] for name, values in parse_qs(urlsplit(self.target).query).items()}


@dataclass(frozen=True, slots=True)
class _Response:
    status: int
    reason: str
    headers: tuple[tuple[str, str], ...]
    body: bytes


class FaultProxy:
    """Forward requests to `upstream` (scheme, host and port), but for those that meet a fault.

    The first request meets the first fault, and so on; when they run out, requests are forwarded. Requests whose target
    does not match the regular expression `only` take no fault. Each answer comes `delay` seconds late.
    """

    def __init__(
        self, upstream: str, faults: Iterable[Fault] = (), *, delay: float = 0.0, only: str = "", port: int = 0
    ) -> None:
        """Keep what to do; nothing listens before the proxy is entered."""
        self.requests: list[Seen] = []
        self._upstream = urlsplit(upstream).netloc
        self._faults = itertools.chain(faults, itertools.repeat(Forward()))
        self._delay = delay
        self._only = re.compile(only)
        self._port = port
        self._answering: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> str:
        """Listen on loopback and give the URL, which has no slash at its end."""
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", self._port, limit=HEAD_LIMIT)
        return "http://127.0.0.1:{1}".format(*self._server.sockets[0].getsockname())

    async def __aexit__(self, *_: object) -> None:
        """Stop listening and drop the requests that still hang."""
        self._server.close()
        for task in self._answering:
            task.cancel()
        await asyncio.gather(*self._answering, return_exceptions=True)
        await self._server.wait_closed()

    @property
    def most_at_once(self) -> int:
        """How many requests were under way at the same moment, at most."""
        edges = [(seen.started, 1) for seen in self.requests]
        edges += [(seen.ended, -1) for seen in self.requests if seen.ended is not None]
        return max(itertools.accumulate(step for _, step in sorted(edges)), default=0)

    def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(self._connection(reader, writer))
        self._answering.add(task)
        task.add_done_callback(self._answering.discard)

    async def _connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        seen = None
        try:
            seen = await self._read(reader)
            self.requests.append(seen)
            await asyncio.sleep(self._delay)
            await self._answer(seen, reader, writer)
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        except asyncio.CancelledError:
            writer.transport.abort()
            raise
        finally:
            if seen is not None:
                seen.ended = time.monotonic()
            writer.close()
            with suppress(ConnectionError):
                await writer.wait_closed()

    async def _read(self, reader: asyncio.StreamReader) -> Seen:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        started = time.monotonic()
        line, *lines = head.rstrip("\r\n").split("\r\n")
        method, target, _ = line.split(" ", 2)
        headers = {name.strip().lower(): value.strip() for name, _, value in (each.partition(":") for each in lines)}
        body = await reader.readexactly(int(headers.get("content-length", 0)))
        fault = next(self._faults) if self._only.search(target) else Forward()
        return Seen(method, target, headers, body, fault, started)

    async def _answer(self, seen: Seen, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        match seen.fault:
            case Hang():
                await reader.read()
            case Answer() as answer:
                await _send(writer, _head(_response(answer)) + answer.body)
            case Forward(headers):
                response = await self._forwarded(seen, headers)
                await _send(writer, _head(response) + response.body)
            case Cut(share):
                response = await self._forwarded(seen)
                await _send(writer, _head(response) + response.body[: int(len(response.body) * share)])
            case Drip(pieces_of, pause):
                response = await self._forwarded(seen)
                await _send(writer, _head(response))
                for start in range(0, len(response.body), pieces_of):
                    await asyncio.sleep(pause)
                    await _send(writer, response.body[start : start + pieces_of])

    async def _forwarded(self, seen: Seen, added: Mapping[str, str] | None = None) -> _Response:
        return await asyncio.to_thread(_ask, self._upstream, seen, added or {})


def _ask(upstream: str, seen: Seen, added: Mapping[str, str]) -> _Response:
    """Ask the server; http.client waits, hence a thread."""
    connection = HTTPConnection(upstream, timeout=UPSTREAM_TIMEOUT)
    try:
        connection.putrequest(seen.method, seen.target, skip_host=True, skip_accept_encoding=True)
        for name, value in {**seen.headers, "connection": "close", **added}.items():
            connection.putheader(name, value)
        connection.endheaders(seen.body)
        response = connection.getresponse()
        return _Response(response.status, response.reason, tuple(response.getheaders()), response.read())
    finally:
        connection.close()


def _response(answer: Answer) -> _Response:
    now = datetime.now(UTC)
    headers = {"Date": format_datetime(now, usegmt=True), "Content-Type": answer.content_type, **answer.headers}
    match answer.retry_after:
        case timedelta() as wait:
            headers["Retry-After"] = format_datetime(now + wait, usegmt=True)
        case int(seconds):
            headers["Retry-After"] = str(seconds)
    return _Response(answer.status, HTTPStatus(answer.status).phrase, tuple(headers.items()), answer.body)


def _head(response: _Response) -> bytes:
    lines = [f"HTTP/1.1 {response.status} {response.reason}"]
    lines += [f"{name}: {value}" for name, value in response.headers if name.lower() not in HOP_BY_HOP]
    lines += [f"Content-Length: {len(response.body)}", "Connection: close", "", ""]
    return "\r\n".join(lines).encode("latin-1")


async def _send(writer: asyncio.StreamWriter, data: bytes) -> None:
    writer.write(data)
    await writer.drain()


async def _run(args: argparse.Namespace) -> None:
    faults: Iterable[Fault] = [NAMED[name] for name in args.fault]
    if args.share:
        faults = random_faults(args.seed, args.share, list(faults) or list(NAMED.values()))
    proxy = FaultProxy(args.upstream, faults, delay=args.delay, only=args.only, port=args.port)
    async with proxy as url:
        print(f"{url} stands before {args.upstream}", flush=True)
        for number in itertools.count():
            while len(proxy.requests) <= number:
                await asyncio.sleep(0.05)
            seen = proxy.requests[number]
            print(f"{seen.method} {seen.target}  {seen.fault}", flush=True)


def main() -> None:
    """Run the proxy until it is interrupted."""
    ask = argparse.ArgumentParser(description="A reverse proxy on loopback that goes wrong on purpose.")
    ask.add_argument("upstream", help="such as http://127.0.0.1:8765")
    told = "what the next request meets, in order; afterwards all are forwarded"
    ask.add_argument("--fault", action="append", default=[], choices=NAMED, help=told)
    ask.add_argument("--share", type=float, default=0.0, help="draw from the faults for this share of requests instead")
    ask.add_argument("--seed", type=int, default=7)
    ask.add_argument("--delay", type=float, default=0.0, help="seconds before each answer")
    ask.add_argument("--only", default="", help="regular expression of the targets that may meet a fault")
    ask.add_argument("--port", type=int, default=0)
    with suppress(KeyboardInterrupt):
        asyncio.run(_run(ask.parse_args()))


if __name__ == "__main__":
    main()
