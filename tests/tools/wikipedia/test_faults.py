"""What goes wrong between a real MediaWiki and us, and how long it may take."""

import asyncio
import gzip
import shutil
import socket
import ssl
import subprocess
import time
import tracemalloc
from collections.abc import Sequence
from contextlib import suppress
from datetime import timedelta
from pathlib import Path

import pytest

from heliograph.errors import PageUnavailable, RateLimited, SearchUnavailable, SourceBlocked
from heliograph.types import Query
from tests.servers.fault_proxy import FaultProxy
from tests.servers.faults import (
    Answer,
    Cut,
    Drip,
    Fault,
    Forward,
    Hang,
    empty,
    html_for_json,
    redirect,
    server_error,
    too_many_requests,
    unavailable,
)
from tests.tools.wikipedia.conftest import CONTACT, OpenWiki
from tools.wikipedia import Wikipedia

pytestmark = pytest.mark.mediawiki
CLOCK = Query("clock")
LAG = Forward({"X-Replication-Lag": "7"})


@pytest.mark.parametrize(
    ("faults", "seconds", "requests"),
    [
        ([too_many_requests(retry_after=1)], 1.0, 2),
        ([too_many_requests(retry_after=timedelta(seconds=2))], 0.9, 2),
        ([unavailable(retry_after=1)], 1.0, 2),
        ([too_many_requests()], 1.0, 2),
        ([unavailable(), unavailable()], 3.0, 3),
        ([server_error()], 1.0, 2),
        ([Cut(), Cut(0.9)], 3.0, 3),
        ([LAG], 5.0, 2),
    ],
)
async def test_a_wait_that_fits_is_waited_and_the_answer_is_whole(
    mediawiki_cirrus: str, wiki_at: OpenWiki, faults: Sequence[Fault], seconds: float, requests: int
) -> None:
    proxy = FaultProxy(mediawiki_cirrus, faults)
    async with proxy as url:
        began = time.monotonic()
        found = await wiki_at(url).search(CLOCK, 5)
    assert found.hits and seconds <= time.monotonic() - began < seconds + 4
    assert len(proxy.requests) == requests


@pytest.mark.parametrize(
    ("fault", "error", "said"),
    [
        (too_many_requests(retry_after=60), RateLimited, "asks to wait 60 s"),
        (too_many_requests(retry_after=timedelta(seconds=90)), RateLimited, "asks to wait (89|90) s"),
        (unavailable(retry_after=3600), RateLimited, "asks to wait 3600 s"),
        (LAG, RateLimited, r"asks to wait 5\.0 s"),
        (too_many_requests(), RateLimited, "is busy \\(status 429\\)"),
        (unavailable(), RateLimited, "is busy \\(status 503\\)"),
        (html_for_json(), SearchUnavailable, "a page of HTML where its API should answer"),
        (empty(), SearchUnavailable, "no JSON where its API should answer"),
        (Answer(200, b"[]", "application/json"), SearchUnavailable, "what is not a search"),
        (Answer(200, b'{"query": {"search": 3}}', "application/json"), SearchUnavailable, "what is not a search"),
        (Answer(403, b"blocked"), SourceBlocked, "refuses us \\(status 403\\)"),
        (Answer(404, b"none"), SearchUnavailable, "no API where it should"),
        (redirect("http://192.0.2.1/"), SearchUnavailable, "no API where it should"),
        (Hang(), SearchUnavailable, r"did not answer within 0\.9 s"),
        (Drip(1, 0.2), SearchUnavailable, r"did not answer within 0\.9 s"),
        (Cut(0.1), SearchUnavailable, "broke off"),
        (server_error(), SearchUnavailable, "fails inside \\(status 500\\)"),
        (Answer(200, b"\x1f\x8b no gzip", headers={"Content-Encoding": "gzip"}), SearchUnavailable, "cannot be und"),
    ],
)
async def test_what_cannot_be_had_in_time_is_said_in_time(
    mediawiki_cirrus: str, wiki_at: OpenWiki, fault: Fault, error: type[SearchUnavailable], said: str
) -> None:
    async with FaultProxy(mediawiki_cirrus, [fault] * 9) as url:
        began = time.monotonic()
        with pytest.raises(error, match=said) as caught:
            await wiki_at(url, seconds=0.9).search(CLOCK, 5)
        assert time.monotonic() - began < 4
    assert not isinstance(caught.value, PageUnavailable)


def drip_headers(listener: socket.socket) -> None:
    """Answer one request with a header every tenth of a second, until the client has had enough."""
    connection, _ = listener.accept()
    with connection, suppress(OSError):
        connection.recv(65_536)
        connection.sendall(b"HTTP/1.1 200 OK\r\n")
        for _ in range(100):
            connection.sendall(b"X-Slow: yes\r\n")
            time.sleep(0.1)


async def test_headers_that_drip_end_at_the_deadline(wiki_at: OpenWiki) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        dripping = asyncio.create_task(asyncio.to_thread(drip_headers, listener))
        await silent_for_half_a_second(wiki_at("http://{}:{}".format(*listener.getsockname()), seconds=0.5))
        await dripping


async def test_a_proxy_that_drips_is_cut_off_too(wiki_at: OpenWiki, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        for name in ("no_proxy", "NO_PROXY"):
            monkeypatch.delenv(name, raising=False)
        monkeypatch.setenv("http_proxy", "http://{}:{}".format(*listener.getsockname()))
        dripping = asyncio.create_task(asyncio.to_thread(drip_headers, listener))
        await silent_for_half_a_second(wiki_at("http://127.0.0.1:1", seconds=0.5))
        await dripping


@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl makes the certificate")
async def test_under_tls_a_drip_ends_at_the_deadline_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    certificate, key = tmp_path / "certificate.pem", tmp_path / "key.pem"
    subject = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"]
    kind = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"]
    made = [*kind, *subject, "-keyout", str(key), "-out", str(certificate)]
    subprocess.run(["openssl", *made], check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", str(certificate))
    with context.wrap_socket(socket.create_server(("127.0.0.1", 0)), server_side=True) as listener:
        dripping = asyncio.create_task(asyncio.to_thread(drip_headers, listener))
        host = "{}:{}".format(*listener.getsockname())
        await silent_for_half_a_second(Wikipedia(f"https://{host}/w/", CONTACT, seconds=0.5))
        await dripping


async def silent_for_half_a_second(wiki: Wikipedia) -> None:
    began = time.monotonic()
    with pytest.raises(SearchUnavailable, match=r"did not answer within 0\.5 s"):
        await wiki.search(CLOCK, 5)
    assert time.monotonic() - began < 5


async def test_a_wiki_that_is_down_is_said_to_be(wiki_at: OpenWiki) -> None:
    with pytest.raises(SearchUnavailable, match="cannot be reached"):
        await wiki_at("http://127.0.0.1:1").search(CLOCK, 5)


async def test_after_three_silences_the_wiki_is_left_alone_and_then_probed(
    mediawiki_cirrus: str, wiki_at: OpenWiki
) -> None:
    proxy = FaultProxy(mediawiki_cirrus, [Hang()] * 3)
    async with proxy as url:
        wiki = wiki_at(url, seconds=1.5, pause=0.5)
        for said in ("did not answer", "did not answer", "did not answer", "failed 3 times in a row", "in a row"):
            with pytest.raises(SearchUnavailable, match=said):
                await wiki.search(CLOCK, 5)
        assert len(proxy.requests) == 3
        await asyncio.sleep(0.5)
        assert (await wiki.search(CLOCK, 5)).hits
        assert (await wiki.search(CLOCK, 5)).hits


async def test_requests_to_one_wiki_go_one_after_the_other(mediawiki_cirrus: str, wiki_at: OpenWiki) -> None:
    proxy = FaultProxy(mediawiki_cirrus, delay=0.05)
    async with proxy as url:
        wiki = wiki_at(url)
        titles = ("Tarnwick", "Ostrey", "Marrowdale", "Nowhere")
        await asyncio.gather(
            *(wiki.search(Query(text), 5) for text in ("clock", "river", "lake")),
            *(wiki.fetch(title) for title in titles),
            return_exceptions=True,
        )
    assert (len(proxy.requests), proxy.most_at_once) == (8, 1)


async def test_a_wiki_of_ones_own_may_be_asked_side_by_side(mediawiki_cirrus: str, wiki_at: OpenWiki) -> None:
    proxy = FaultProxy(mediawiki_cirrus, delay=0.1)
    async with proxy as url:
        wiki = wiki_at(url, at_once=3)
        await asyncio.gather(*(wiki.search(Query(f"clock {number}"), 5) for number in range(9)))
    assert proxy.most_at_once == 3


async def test_while_a_host_asks_to_wait_nobody_asks_it(mediawiki_cirrus: str, wiki_at: OpenWiki) -> None:
    proxy = FaultProxy(mediawiki_cirrus, [too_many_requests(retry_after=1)])
    async with proxy as url:
        wiki = wiki_at(url, at_once=3)
        await wiki.search(CLOCK, 5)
        first, *others = [seen.started for seen in proxy.requests]
        assert min(others) - first >= 1


async def test_who_gives_up_does_not_wait_and_the_next_gets_its_turn(mediawiki_cirrus: str, wiki_at: OpenWiki) -> None:
    proxy = FaultProxy(mediawiki_cirrus, [Hang()])
    async with proxy as url:
        wiki = wiki_at(url)
        began = time.monotonic()
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(wiki.search(CLOCK, 5), 0.2)
        assert (await wiki.search(CLOCK, 5)).hits
        assert time.monotonic() - began < 10
    assert [type(seen.fault) for seen in proxy.requests] == [Hang, Forward]


async def test_neither_cookies_nor_passwords_are_sent(
    mediawiki_cirrus: str, wiki_at: OpenWiki, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "netrc").write_text("machine 127.0.0.1 login keeper password secret\n", encoding="utf8")
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    crumb = Answer(200, b'{"query": {"search": []}}', "application/json", {"Set-Cookie": "crumb=1; Path=/"})
    proxy = FaultProxy(mediawiki_cirrus, [crumb])
    async with proxy as url:
        wiki = wiki_at(url)
        await wiki.search(CLOCK, 5)
        await wiki.search(CLOCK, 5)
    assert len(proxy.requests) == 2
    assert not {"cookie", "authorization"} & {name for seen in proxy.requests for name in seen.headers}


async def test_a_small_body_that_unpacks_to_a_huge_one_is_not_unpacked(
    mediawiki_cirrus: str, wiki_at: OpenWiki
) -> None:
    bomb = gzip.compress(bytes(300_000_000), 9)
    assert len(bomb) < 300_000
    tracemalloc.start()
    async with FaultProxy(mediawiki_cirrus, [Answer(200, bomb, headers={"Content-Encoding": "gzip"})]) as url:
        with pytest.raises(PageUnavailable, match="more than 64,000,000 bytes"):
            await wiki_at(url).fetch("Tarnwick")
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 150_000_000


async def test_a_page_that_never_ends_is_not_read_to_its_end(mediawiki_cirrus: str, wiki_at: OpenWiki) -> None:
    endless = Answer(200, b"{" + b" " * 65_000_000, "application/json")
    async with FaultProxy(mediawiki_cirrus, [endless]) as url:
        with pytest.raises(PageUnavailable, match="more than 64,000,000 bytes"):
            await wiki_at(url).fetch("Tarnwick")
