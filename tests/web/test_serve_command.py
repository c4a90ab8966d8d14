"""`heliograph serve` as a process: it says where it is, refuses what is unsafe, and ends when it is told to."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from click.testing import Result

from tests.servers.openai_server import Hang, openai_server

ROOT = Path(__file__).resolve().parents[2]
SECONDS = 300
"""For a reply or an end: the server shares the processor with what else runs."""
Cli = Callable[..., Result]


@contextmanager
def serving(archive: Path, home: Path, *options: str, **variables: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Start a server and yield it with the address that it says."""
    command = (sys.executable, "-m", "app", "serve", "--source", f"zim:{archive}", "--port", "0", *options)
    environment = {**os.environ, "HELIOGRAPH_HOME": str(home), "PYTHONPATH": str(ROOT), **variables}
    with subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        try:
            said = next(line for line in process.stderr if "http" in line)
            found = re.search(r"http://\S+", said)
            assert found is not None
            yield process, found[0]
        finally:
            process.kill()


def test_it_answers_by_presets_until_it_is_interrupted(archive: Path, tmp_path: Path) -> None:
    with serving(archive, tmp_path / "home") as (process, address):
        models = [model["id"] for model in httpx.get(f"{address}v1/models", timeout=SECONDS).json()["data"]]
        assert models == ["heliograph", "heliograph-fast", "heliograph-full"]
        body = {
            "model": "heliograph-fast",
            "messages": [{"role": "user", "content": "Who designed Skerry Head Light?"}],
        }
        reply = httpx.post(f"{address}v1/chat/completions", json=body, timeout=SECONDS).json()
        assert "Ada Brandt" in reply["choices"][0]["message"]["content"]
        assert reply["heliograph"]["rounds"][-1]["number"] == 1
        process.send_signal(signal.SIGINT)
        assert process.wait(SECONDS) == 130


@pytest.mark.parametrize("stream", [False, True])
def test_who_waits_is_told_when_the_server_is_ended(archive: Path, tmp_path: Path, stream: bool) -> None:
    body = {"messages": [{"role": "user", "content": "Who designed Skerry Head Light?"}], "stream": stream}
    with openai_server(Hang()) as silent:
        model = {"HELIOGRAPH_LLM__BASE_URL": silent.url, "HELIOGRAPH_LLM__MODEL": silent.model}
        with serving(archive, tmp_path / "home", **model) as (process, address), ThreadPoolExecutor(3) as threads:
            url = f"{address}v1/chat/completions"
            question = body | {"model": "heliograph"}
            asked = [threads.submit(httpx.post, url, json=question, timeout=SECONDS) for _ in range(3)]
            while httpx.get(f"{address}health", timeout=SECONDS).json()["at_work"] < 3:
                time.sleep(0.05)
            process.terminate()
            replies = [each.result() for each in asked]
            process.wait(SECONDS)
            assert process.stderr is not None and "Traceback" not in process.stderr.read()
    for reply in replies:
        assert reply.status_code == (200 if stream else 503)
        assert '"code": "stopped"' in reply.text or '"code":"stopped"' in reply.text


def test_a_file_of_sessions_that_cannot_be_read_is_named_at_the_start(cli: Cli, archive: Path, tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "sessions.sqlite").write_bytes(b"no database at all" * 300)
    refused = cli("serve", "--source", f"zim:{archive}", "--port", "0", HELIOGRAPH_HOME=str(tmp_path / "home"))
    assert refused.exit_code == 6
    assert "sessions.sqlite cannot be read" in refused.stderr and "remove it" in refused.stderr


def test_what_asks_for_a_web_socket_is_answered_over_http(archive: Path, tmp_path: Path) -> None:
    upgrade = {"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": "a"}
    with serving(archive, tmp_path / "home") as (_, address):
        assert httpx.get(f"{address}v1/models", headers=upgrade, timeout=SECONDS).status_code == 200


def test_a_second_server_on_one_home_is_refused(cli: Cli, archive: Path, tmp_path: Path) -> None:
    with serving(archive, tmp_path / "home") as (process, _):
        refused = cli("serve", "--source", f"zim:{archive}", "--port", "0", HELIOGRAPH_HOME=str(tmp_path / "home"))
        assert refused.exit_code == 6
        assert f"is being written by process {process.pid}" in refused.stderr


@pytest.mark.parametrize("host", ["0.0.0.0", "::"])
def test_an_address_that_others_reach_needs_a_key(cli: Cli, archive: Path, host: str) -> None:
    refused = cli("serve", "--source", f"zim:{archive}", "--host", host, "--port", "0")
    assert refused.exit_code == 2
    assert "no key is set; set HELIOGRAPH_SERVE_KEY" in refused.stderr


def test_an_address_that_is_taken_is_named(cli: Cli, archive: Path, tmp_path: Path) -> None:
    with serving(archive, tmp_path / "home") as (_, address):
        port = address.rsplit(":", 1)[1].strip("/")
        refused = cli("serve", "--source", f"zim:{archive}", "--port", port)
    assert refused.exit_code == 2
    assert f"cannot listen on 127.0.0.1:{port}" in refused.stderr


def test_without_a_source_there_is_nobody_to_answer(cli: Cli) -> None:
    refused = cli("serve", "--port", "0")
    assert refused.exit_code == 2
    assert "no source: name one with --source" in refused.stderr
