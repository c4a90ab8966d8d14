"""`heliograph mcp` as a server: who may ask, what is refused, and how it ends."""

import signal
import socket
import subprocess
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import httpx
import httpx2
import pytest
from click.testing import Result
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from tests.web.mcp_servers import QUESTION, TOOLS, command, environment, serving
from web.bodies import MOST_BYTES

KEY = "a key of sixteen"


async def test_http_wants_the_key_and_refuses_other_hosts_and_origins(archive: Path) -> None:
    shown = {"Authorization": f"Bearer {KEY}"}
    ping = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
    accept = {"Accept": "application/json, text/event-stream"}
    async with serving(archive, KEY) as address, httpx.AsyncClient(headers=accept) as plain:
        for headers, status in (
            ({}, 401),
            ({"Authorization": "Bearer another"}, 401),
            ({"Authorization": KEY}, 401),
            (shown | {"Host": "evil.example"}, 421),
            (shown | {"Origin": "https://evil.example"}, 403),
            (shown | {"Origin": "null"}, 403),
        ):
            assert (await plain.post(address, json=ping, headers=headers)).status_code == status, headers
        health = await plain.get(address.replace("/mcp", "/health"))
        assert (health.status_code, health.json()["status"]) == (200, "ok")
        async with (
            httpx2.AsyncClient(headers=shown) as keyed,
            Client(streamable_http_client(address, http_client=keyed)) as client,
        ):
            assert [tool.name for tool in (await client.list_tools()).tools] == TOOLS


def test_a_host_beyond_this_machine_needs_a_key(cli: Callable[..., Result], archive: Path) -> None:
    for host in ("0.0.0.0", "192.0.2.7", "::"):
        refused = cli("mcp", "--http", "--host", host, "--source", f"zim:{archive}")
        assert refused.exit_code == 2
        assert "no key is set; set HELIOGRAPH_SERVE_KEY" in refused.stderr


def test_a_port_that_is_taken_and_a_source_that_is_missing_are_named(cli: Callable[..., Result], archive: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        refused = cli("mcp", "--http", "--port", port, "--source", f"zim:{archive}")
    assert (refused.exit_code, f"cannot listen on 127.0.0.1:{port}" in refused.stderr) == (2, True)
    missing = cli("mcp", "--source", "zim:nowhere.zim")
    assert missing.exit_code == 5
    assert "nowhere.zim" in missing.stderr


def test_a_client_that_hangs_up_ends_the_server_and_frees_the_home(archive: Path, home: Path) -> None:
    for _ in range(2):
        ended = subprocess.run(
            command(archive), env=environment(home), stdin=subprocess.DEVNULL, capture_output=True, check=False
        )
        assert (ended.returncode, ended.stdout) == (0, b""), ended.stderr.decode()


@pytest.mark.parametrize("transport", ["stdio", "http"])
def test_ctrl_c_ends_the_server_in_one_line(archive: Path, home: Path, transport: str) -> None:
    over_http = ["--http", "--port", "0"] if transport == "http" else []
    with subprocess.Popen(
        [*command(archive), *over_http],
        env=environment(home),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as server:
        assert server.stderr is not None and server.stdout is not None
        said = [server.stderr.readline(), server.stderr.readline()]
        if transport == "http":
            address = said[1].removeprefix("heliograph: MCP on ").strip()
            while httpx.get(address.replace("/mcp", "/health")).status_code != 200:
                pass
        server.send_signal(signal.SIGINT)
        assert server.wait(60) == 130
        last = server.stderr.read()
        assert "interrupted" in last and "Traceback" not in last
        assert server.stdout.read() == ""


def test_no_run_keeps_the_key_of_the_server(cli: Callable[..., Result], archive: Path, home: Path) -> None:
    assert cli("ask", "--source", f"zim:{archive}", QUESTION, HELIOGRAPH_SERVE_KEY=KEY).exit_code == 0
    kept = b"".join(path.read_bytes() for path in (home / "runs").rglob("*") if path.is_file())
    assert KEY.encode() not in kept and b"serve_key" not in kept
    assert KEY not in cli("config", "show", HELIOGRAPH_SERVE_KEY=KEY).stdout


async def test_more_than_a_request_may_hold_is_refused_over_http(archive: Path) -> None:
    async def chunks() -> AsyncIterator[bytes]:
        for _ in range(MOST_BYTES // 100_000 + 1):
            yield b"x" * 100_000

    kind = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    async with serving(archive) as address, httpx.AsyncClient() as client:
        told = await client.post(address, content=b"x" * (MOST_BYTES + 1), headers=kind)
        untold = await client.post(address, content=chunks(), headers=kind)
    assert [(reply.status_code, reply.json()["error"]["code"]) for reply in (told, untold)] == [(413, "too_large")] * 2
