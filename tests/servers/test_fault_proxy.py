"""Each fault, as a client meets it, and what the proxy remembers."""

import asyncio
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from http.client import HTTPConnection, IncompleteRead
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from urllib.parse import urlsplit

import pytest

from tests.servers.fault_proxy import FaultProxy, Seen
from tests.servers.faults import (
    Cut,
    Drip,
    Forward,
    Hang,
    empty,
    html_for_json,
    random_faults,
    redirect,
    server_error,
    too_many_requests,
    unavailable,
)


class Echo(BaseHTTPRequestHandler):
    """Answers with what it was sent."""

    def do_GET(self) -> None:
        """Say the method, the target, two headers and the body."""
        body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
        told = "\n".join(
            [self.command, self.path, self.headers["Host"], self.headers.get("X-Replication-Lag", ""), body]
        )
        self.send_response(201)
        self.send_header("X-Upstream", "yes")
        self.end_headers()
        self.wfile.write(told.encode())

    do_POST = do_GET  # noqa: N815

    def log_message(self, *args: object) -> None:
        """Say nothing."""


@pytest.fixture
def upstream() -> Iterator[str]:
    """Serve echoes on loopback."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Echo) as server:
        thread = Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


@dataclass(frozen=True)
class Got:
    """What a client got."""

    status: int
    headers: dict[str, str]
    body: bytes


async def fetch(url: str, target: str = "/", method: str = "GET", body: bytes = b"", timeout: float = 5.0) -> Got:
    """Ask without keeping the loop."""

    def ask() -> Got:
        connection = HTTPConnection(urlsplit(url).netloc, timeout=timeout)
        try:
            connection.request(method, target, body or None)
            response = connection.getresponse()
            return Got(response.status, {name.lower(): value for name, value in response.getheaders()}, response.read())
        finally:
            connection.close()

    return await asyncio.to_thread(ask)


async def test_a_request_without_a_fault_is_forwarded_whole(upstream):
    proxy = FaultProxy(upstream)
    async with proxy as url:
        got = await fetch(url, "/a%20b?c=d&c=e", "POST", b"told")

    host = urlsplit(url).netloc
    assert (got.status, got.headers["x-upstream"]) == (201, "yes")
    assert got.body.decode() == f"POST\n/a%20b?c=d&c=e\n{host}\n\ntold"
    [seen] = proxy.requests
    assert (seen.method, seen.path, seen.query, seen.body) == ("POST", "/a%20b", {"c": "d"}, b"told")
    assert seen.headers["host"] == host
    assert seen.started <= seen.ended


async def test_faults_are_met_in_order_and_then_no_more(upstream):
    async with FaultProxy(upstream, [server_error(), html_for_json(), empty(), redirect("http://192.0.2.1/x")]) as url:
        got = [await fetch(url) for _ in range(5)]

    assert [each.status for each in got] == [500, 200, 200, 302, 201]
    assert got[1].headers["content-type"] == "text/html; charset=utf-8"
    assert got[2].body == b""
    assert got[3].headers["location"] == "http://192.0.2.1/x"


async def test_retry_after_is_seconds_or_a_date_or_missing(upstream):
    waits = [None, 7, timedelta(seconds=90)]
    async with FaultProxy(upstream, [*map(too_many_requests, waits), unavailable(3)]) as url:
        nothing, seconds, date, down = [await fetch(url) for _ in range(4)]

    assert [nothing.status, down.status] == [429, 503]
    assert "retry-after" not in nothing.headers
    assert (seconds.headers["retry-after"], down.headers["retry-after"]) == ("7", "3")
    ahead = parsedate_to_datetime(date.headers["retry-after"]) - datetime.now(UTC)
    assert timedelta(seconds=80) < ahead < timedelta(seconds=91)


async def test_only_requests_that_match_meet_faults(upstream):
    async with FaultProxy(upstream, [server_error()], only="action=parse") as url:
        got = [await fetch(url, target) for target in ("/?action=query", "/?action=parse", "/?action=parse")]
    assert [each.status for each in got] == [201, 500, 201]


async def test_a_cut_answer_is_shorter_than_it_promised(upstream):
    async with FaultProxy(upstream, [Cut(0.5)]) as url:
        with pytest.raises(IncompleteRead) as cut:
            await fetch(url, "/" + "x" * 1000)
    assert len(cut.value.partial) == pytest.approx(500, abs=50)
    assert len(cut.value.partial) + cut.value.expected > 1000


async def test_a_hanging_request_ends_when_the_client_gives_up(upstream):
    proxy = FaultProxy(upstream, [Hang()])
    async with proxy as url:
        with pytest.raises(TimeoutError):
            await fetch(url, timeout=0.2)
        [seen] = proxy.requests
        async with asyncio.timeout(5):
            while seen.ended is None:
                await asyncio.sleep(0.01)
        assert seen.ended - seen.started > 0.1


async def test_leaving_the_proxy_drops_what_still_hangs(upstream):
    proxy = FaultProxy(upstream, [Hang()])
    async with proxy as url:
        waiting = asyncio.create_task(fetch(url))
        while not proxy.requests:
            await asyncio.sleep(0.01)
    with pytest.raises(ConnectionError):
        await waiting


async def test_a_dripping_answer_is_whole_but_late(upstream):
    async with FaultProxy(upstream, [Drip(pieces_of=10, pause=0.02)]) as url:
        began = time.monotonic()
        got = await fetch(url, "/" + "x" * 90)
    assert got.body.count(b"x") == 90
    assert time.monotonic() - began > 0.2


async def test_every_answer_may_be_late_by_so_much(upstream):
    proxy = FaultProxy(upstream, delay=0.5)
    async with proxy as url:
        await asyncio.gather(fetch(url, "/a"), fetch(url, "/b"))
    assert proxy.most_at_once == 2
    assert all(seen.ended - seen.started >= 0.5 for seen in proxy.requests)


async def test_requests_one_after_the_other_are_never_at_once(upstream):
    proxy = FaultProxy(upstream)
    async with proxy as url:
        for _ in range(3):
            await fetch(url)
    assert proxy.most_at_once == 1


async def test_headers_are_added_on_the_way_to_the_server(upstream):
    async with FaultProxy(upstream, [Forward({"X-Replication-Lag": "7"})]) as url:
        assert (await fetch(url)).body.decode().split("\n")[3] == "7"


async def test_a_server_that_is_not_there_closes_the_connection():
    async with FaultProxy("http://127.0.0.1:1") as url:
        with pytest.raises(ConnectionError):
            await fetch(url)


def test_a_seed_draws_the_same_faults_again():
    def drawn(seed: int) -> list[object]:
        faults = random_faults(seed, 0.5, [Hang(), Cut()])
        return [next(faults) for _ in range(200)]

    assert drawn(1) == drawn(1)
    assert drawn(1) != drawn(2)
    assert 70 < sum(fault != Forward() for fault in drawn(1)) < 130


def test_a_request_under_way_counts_until_it_ends():
    def seen(started: float, ended: float | None) -> Seen:
        return Seen("GET", "/", {}, b"", Forward(), started, ended)

    proxy = FaultProxy("http://127.0.0.1:1")
    proxy.requests += [seen(0, 1), seen(1, 2), seen(1.5, None), seen(5, 6)]
    assert proxy.most_at_once == 2
