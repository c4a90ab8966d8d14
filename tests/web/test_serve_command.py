"""`heliograph serve` as a process: it says where it is, refuses what is unsafe, and ends when it is told to."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from click.testing import Result

ROOT = Path(__file__).resolve().parents[2]
Cli = Callable[..., Result]


@contextmanager
def serving(archive: Path, home: Path, *options: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Start a server and yield it with the address that it says."""
    command = (sys.executable, "-m", "app", "serve", "--source", f"zim:{archive}", "--port", "0", *options)
    environment = {**os.environ, "HELIOGRAPH_HOME": str(home), "PYTHONPATH": str(ROOT)}
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
        models = [model["id"] for model in httpx.get(f"{address}v1/models").json()["data"]]
        assert models == ["heliograph", "heliograph-fast", "heliograph-full"]
        body = {
            "model": "heliograph-fast",
            "messages": [{"role": "user", "content": "Who designed Skerry Head Light?"}],
        }
        reply = httpx.post(f"{address}v1/chat/completions", json=body, timeout=120).json()
        assert "Ada Brandt" in reply["choices"][0]["message"]["content"]
        assert reply["heliograph"]["rounds"][-1]["number"] == 1
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 130


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
