"""A real Arize Phoenix, started from its package, takes a run with its prompts, documents and errors."""

import json
import os
import socket
import subprocess
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from memory.trace import load_trace
from memory.trace.openinference import span_id, trace_id
from tests.servers.openai_server import openai_server
from tests.servers.scholar import scholar

pytestmark = [
    pytest.mark.phoenix,
    pytest.mark.skipif("PHOENIX_ENVIRONMENT" not in os.environ, reason="PHOENIX_ENVIRONMENT names no environment"),
]
QUESTION = "Who designed the lighthouse on the largest of the Varn Islands?"
STARTING = 120.0


def get(url: str) -> Any:
    with urllib.request.urlopen(url, timeout=30) as response:
        return json.load(response)


def two_free_ports() -> tuple[int, int]:
    """Return two ports that differ: one that is closed again may be given a second time."""
    with socket.create_server(("127.0.0.1", 0)) as one, socket.create_server(("127.0.0.1", 0)) as other:
        return int(one.getsockname()[1]), int(other.getsockname()[1])


@pytest.fixture(scope="module")
def phoenix(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Start Phoenix on loopback, its files in a temporary folder; give its address."""
    folder = tmp_path_factory.mktemp("phoenix")
    port, grpc = two_free_ports()
    settings = {
        "PHOENIX_HOST": "127.0.0.1",
        "PHOENIX_PORT": str(port),
        "PHOENIX_GRPC_PORT": str(grpc),
        "PHOENIX_WORKING_DIR": str(folder),
        "PHOENIX_ALLOW_EXTERNAL_RESOURCES": "false",
        "PHOENIX_TELEMETRY_ENABLED": "false",
    }
    command = [str(Path(os.environ["PHOENIX_ENVIRONMENT"]) / "bin" / "phoenix"), "serve"]
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(command, env={**os.environ, **settings}, stdout=log, stderr=log, cwd=folder)
        try:
            url = f"http://127.0.0.1:{port}"
            _await(url, process, folder / "log")
            yield url
        finally:
            process.terminate()
            process.wait(30)


def _await(url: str, process: "subprocess.Popen[bytes]", log: Path) -> None:
    until = time.monotonic() + STARTING
    while time.monotonic() < until:
        assert process.poll() is None, log.read_text()
        try:
            urllib.request.urlopen(f"{url}/healthz", timeout=5).close()
            return
        except OSError:
            time.sleep(0.5)
    raise AssertionError(log.read_text())


def spans(phoenix: str, run: str, count: int) -> list[dict[str, Any]]:
    """Return the spans of a run as Phoenix has them, when it has as many."""
    url, found = f"{phoenix}/v1/projects/heliograph/spans?limit=1000", []
    trace = f"{trace_id(run):032x}"
    until = time.monotonic() + 30
    while time.monotonic() < until and len(found) < count:
        found = [span for span in get(url)["data"] if span["context"]["trace_id"] == trace]
        time.sleep(0.2)
    assert len(found) == count
    return found


def test_phoenix_shows_a_run_and_its_branch_apart(
    cli: Callable[..., Result], archive: Path, home: Path, phoenix: str
) -> None:
    with openai_server(scholar) as model:
        llm = {"HELIOGRAPH_LLM__BASE_URL": model.url, "HELIOGRAPH_LLM__MODEL": model.model}
        collector = {"OTEL_EXPORTER_OTLP_ENDPOINT": phoenix}
        command = ("ask", "--source", f"zim:{archive}", "--rounds", 1, "--json", QUESTION)
        asked = cli(*command, **llm, **collector)
        assert "traces are not exported" not in asked.stderr
        run = json.loads(asked.stdout)["run"]
        branched = cli("replay", run, "--from", "write_answer", "--json", **llm, **collector)
    events = [event for event in load_trace(home / "runs" / run) if event.name != "clock"]
    found = {span["context"]["span_id"]: span for span in spans(phoenix, run, len(events))}
    for event in events:
        span = found[f"{span_id(run, event.span):016x}"]
        assert (span["name"], span["span_kind"]) == (event.name, event.kind)
        assert span["parent_id"] == (f"{span_id(run, event.parent):016x}" if event.parent else None)
        assert span["status_code"] == ("ERROR" if event.error else "OK")
    writing = next(span for span in found.values() if _said(span, "llm.input_messages.0") and _asks(span, "write"))
    assert QUESTION in json.dumps(writing["attributes"])
    assert writing["attributes"]["llm.token_count.prompt"] > 100
    assert any("retrieval.documents" in json.dumps(span["attributes"]) for span in found.values())
    new = json.loads(branched.stdout)["run"]
    again = [event for event in load_trace(home / "runs" / new) if event.name != "clock"]
    others = spans(phoenix, new, len(again))
    assert not {span["context"]["span_id"] for span in others} & set(found)
    resent = cli("trace", "export", run, "--otlp", **collector)
    assert resent.stdout == f"{len(events)} spans sent to {phoenix}/v1/traces\n"
    assert len(spans(phoenix, run, len(events))) == len(events)


def _said(span: dict[str, Any], name: str) -> bool:
    return any(each.startswith(name) for each in span["attributes"])


def _asks(span: dict[str, Any], prompt: str) -> bool:
    return prompt in json.dumps(span["attributes"].get("input.value", ""))
