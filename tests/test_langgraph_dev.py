"""`langgraph dev` serves the graph that langgraph.json names, and answers from the demo archive."""

import json
import os
import shutil
import signal
import socket
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from memory.trace import find_run, read_answer

pytestmark = [
    pytest.mark.langgraph_dev,
    pytest.mark.skipif("LANGGRAPH_ENVIRONMENT" not in os.environ, reason="LANGGRAPH_ENVIRONMENT names no environment"),
]
ROOT = Path(__file__).resolve().parent.parent
QUESTION = "Who designed the lighthouse on the largest of the Varn Islands?"
STARTING = 120.0


@pytest.fixture(scope="module")
def served(archive: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """Serve with an archive in the demo's place; give the address and the home folder."""
    home = tmp_path_factory.mktemp("home")
    shutil.copy(archive, home / "demo.zim")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [str(Path(os.environ["LANGGRAPH_ENVIRONMENT"]) / "bin" / "langgraph"), "dev"]
    flags = ["--host", "127.0.0.1", "--port", str(port), "--no-browser", "--no-reload"]
    settings = {"HELIOGRAPH_HOME": str(home), "LANGSMITH_TRACING": "false", "LANGGRAPH_CLI_NO_ANALYTICS": "1"}
    log = tmp_path_factory.mktemp("log") / "log"
    with log.open("wb") as out:
        process = subprocess.Popen(
            [*command, *flags], env={**os.environ, **settings}, stdout=out, stderr=out, cwd=ROOT, start_new_session=True
        )
        try:
            url = f"http://127.0.0.1:{port}"
            _await(url, process, log)
            yield url, home
        finally:
            os.killpg(process.pid, signal.SIGTERM)
            process.wait(30)
    shutil.rmtree(ROOT / ".langgraph_api", ignore_errors=True)


def _await(url: str, process: "subprocess.Popen[bytes]", log: Path) -> None:
    until = time.monotonic() + STARTING
    while time.monotonic() < until:
        assert process.poll() is None, log.read_text()
        try:
            urllib.request.urlopen(f"{url}/ok", timeout=5).close()
            return
        except OSError:
            time.sleep(0.5)
    raise AssertionError(log.read_text())


def post(url: str, body: dict[str, Any]) -> str:
    request = urllib.request.Request(url, json.dumps(body).encode(), {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=120) as response:
        return str(response.read().decode())


def test_a_question_is_answered_by_the_demo_archive(served: tuple[str, Path]) -> None:
    url, home = served
    asked = {"assistant_id": "heliograph", "input": {"question": QUESTION}}
    state = json.loads(post(f"{url}/runs/wait", asked))
    assert "Ada Brandt" in state["answer"]
    assert json.dumps(state["record"], ensure_ascii=False) == read_answer(find_run(home, "last"))


def test_steps_are_streamed_and_settings_may_be_chosen(served: tuple[str, Path]) -> None:
    url, _ = served
    asked = {"assistant_id": "heliograph", "input": {"question": QUESTION}, "context": {"rounds": 1}}
    streamed = post(f"{url}/runs/stream", {**asked, "stream_mode": ["custom", "values"]})
    steps = [json.loads(line[6:]) for line in streamed.splitlines() if line.startswith("data: ") and '"step"' in line]
    names = [each["step"]["name"] for each in steps]
    assert names.count("rewrite_query") == 1
    assert names[-1] == "ask"
    assert "round 1: reflecting" in streamed


def test_an_error_names_its_cause(served: tuple[str, Path]) -> None:
    url, _ = served
    asked = {"assistant_id": "heliograph", "input": {"question": QUESTION}, "context": {"preset": "nosuch"}}
    said = post(f"{url}/runs/wait", asked)
    assert "unknown preset 'nosuch'; known are demo, fast, full, live" in said


def test_the_schemas_say_what_goes_in_and_comes_out(served: tuple[str, Path]) -> None:
    url, _ = served
    (assistant,) = json.loads(post(f"{url}/assistants/search", {"graph_id": "heliograph"}))
    with urllib.request.urlopen(f"{url}/assistants/{assistant['assistant_id']}/schemas", timeout=30) as response:
        schemas = json.load(response)
    assert list(schemas["input_schema"]["properties"]) == ["question"]
    assert list(schemas["output_schema"]["properties"]) == ["answer", "record"]
