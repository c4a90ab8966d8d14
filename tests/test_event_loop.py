"""No question, page or message holds the event loop: what serves others in between goes on."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from asyncio.events import Handle
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest
from click.testing import Result
from langgraph.runtime import Runtime

from agent.chat.follow_ups import TrainedStandAlone
from agent.chat.understanding import understand
from agent.language.reflector import LanguageReflector
from agent.language.replies import JudgedNeed, Reflection
from agent.library import Library
from agent.nodes import Step, reflect, verify_citations, write_answer
from agent.state import State
from heliograph import Heliograph
from heliograph.types import Draft, Evidence, EvidenceId, Hit, Need, Observation, Scored
from indexers.models.follow_ups import follow_up_reader
from indexers.parser import parse_page
from memory.conversations import Turn
from tests.fakes import make_page, make_services, paragraph
from tests.fakes_language import ScriptedLLM
from tests.servers.openai_server import openai_server
from tests.servers.scholar import scholar

ROOT = Path(__file__).resolve().parent.parent
SECONDS = 300
"""For a reply: the server shares the processor with what else runs."""
LONGEST = 0.5
"""Seconds of the processor that one step of the loop may take; of its thread's own, whatever else the machine does."""
SUPERLATIVES = f"Which has the {'largest smallest highest ' * 170}"[:3_980] + " diameter?"
ROWS = "".join(f"<tr><td>Moon {row}</td><td>{row * 7}</td><td>Town {row % 50}, Land</td></tr>" for row in range(300))
PAGE = (
    "<html><head><title>Long</title></head><body><h1>Long</h1><p>Long is a page of moons. It was written in 1980.</p>"
    f"<p>{'St. ' * 60_000}</p><p>{'Moon A is larger than moon B. ' * 1_000}</p>"
    f"<table><caption>Moons</caption><tr><th>Name</th><th>Diameter (km)</th><th>Place</th></tr>{ROWS}</table>"
    f"<table><tr><th>Name</th><th>Said</th></tr><tr><td>Io</td><td>{'in 1980 7 km and ' * 3_000}</td></tr></table>"
    "</body></html>"
)

WATCHED = """
import asyncio, atexit, json, sys, time
from asyncio.events import Handle

sys.modules["uvloop"] = None  # its steps cannot be measured
run, held, sought = Handle._run, 0.0, []


def measured(handle):
    global held
    began = time.thread_time()
    run(handle)
    held = max(held, time.thread_time() - began)


class Finder:
    def find_spec(self, name, path=None, target=None):
        if asyncio._get_running_loop() is not None:
            sought.append(name)


Handle._run = measured
sys.meta_path.insert(0, Finder())
atexit.register(lambda: print(json.dumps({"held": held, "imported": [n for n in sought if n in sys.modules]})))
from app import main

main()
"""
"""`heliograph` in a process that prints at its end the longest step of its event loop and what it imported."""
OURS = {"agent", "heliograph", "indexers", "memory", "prompts", "tools", "web"}
HEAVY = {
    *("chromadb", "langchain_core", "langchain_openai", "langgraph", "libzim", "llama_index", "lxml", "numpy"),
    *("onnxruntime", "openai", "opentelemetry", "tiktoken", "tokenizers"),
}
"""Libraries that take from 20 ms to a second to import; what they import of themselves on use is theirs to know."""

Held = dict[str, float]
"""The longest time of the processor that a step of the loop took, by what it ran."""


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Held:
    """Measure every step of the loop."""
    run = Handle._run
    found: Held = defaultdict(float)

    def measured(handle: Handle) -> None:
        began = time.thread_time()
        run(handle)
        spent = time.thread_time() - began
        if spent >= LONGEST:
            found[repr(handle)] = spent

    monkeypatch.setattr(Handle, "_run", measured)
    return found


@pytest.fixture(scope="module")
def long_page(cli: Callable[..., Result], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An archive of one page with all that a page may hold too much of."""
    folder = tmp_path_factory.mktemp("long")
    (folder / "pages").mkdir()
    (folder / "pages" / "Long.html").write_text(PAGE, encoding="utf8")
    built = cli("snapshot", "build", str(folder / "pages"), str(folder / "long.zim"))
    assert built.exit_code == 0, built.stderr
    return folder / "long.zim"


async def test_no_question_and_no_page_holds_the_loop(long_page: Path, archive: Path, held: Held) -> None:
    async with Heliograph(sources=[f"zim:{archive}"], rounds=1) as first:
        await first.ask("When was Holm Light first lit?")  # imports what a process imports once, whatever it is asked
    held.clear()
    async with Heliograph(sources=[f"zim:{long_page}"], rounds=1) as heliograph:
        heliograph.check()  # opens sources and the home folder, before anybody is served
        plain = await heliograph.ask("When was Long written?")
        computed = await heliograph.ask("Which moon has the third largest diameter of the moons of Long?")
        superlatives = await heliograph.ask(f"{SUPERLATIVES} Long"[-4_000:])
    assert held == {}
    assert "It was written in 1980." in plain.answer
    assert "nothing was computed: the question has more than 1,000 characters" in superlatives.notes
    assert computed.rounds


@pytest.mark.parametrize("part", ["St. Io [1] it discovered the Name of ", " ", "Is he it "])
async def test_no_message_holds_the_loop(held: Held, part: str) -> None:
    long = Turn(1, "Who discovered Io?", "Who discovered Io?", "", "a" + part * (198_000 // len(part)), False)
    for question in ("How large is it?", (part * 4_000)[:4_000]):
        await understand(question, [long] * 6, TrainedStandAlone(follow_up_reader("")))
    assert held == {}


@pytest.mark.parametrize("by_model", [False, True])
def test_the_first_question_of_a_server_imports_nothing_in_the_loop(
    archive: Path, tmp_path: Path, by_model: bool
) -> None:
    with openai_server(scholar) as model:
        chosen = {"HELIOGRAPH_LLM__BASE_URL": model.url, "HELIOGRAPH_LLM__MODEL": model.model} if by_model else {}
        environment = {**os.environ, "HELIOGRAPH_HOME": str(tmp_path / "home"), "PYTHONPATH": str(ROOT), **chosen}
        command = (sys.executable, "-c", WATCHED, "serve", "--source", f"zim:{archive}", "--port", "0")
        pipe = subprocess.PIPE
        with subprocess.Popen(command, env=environment, stdout=pipe, stderr=pipe, text=True) as process:
            try:
                assert process.stderr is not None and process.stdout is not None
                address = next(line for line in process.stderr if "http" in line).split()[0]
                asked = {"messages": [{"role": "user", "content": "Who designed Skerry Head Light?"}]}
                for preset in ("heliograph-full", "heliograph"):
                    body = asked | {"model": preset}
                    reply = httpx.post(f"{address}v1/chat/completions", json=body, timeout=SECONDS).json()
                    assert reply["heliograph"]["mode"] == ("llm" if by_model else "extractive")
                process.send_signal(signal.SIGINT)
                told = json.loads(process.stdout.read())
            finally:
                process.kill()
    assert [name for name in told["imported"] if name.split(".")[0] in OURS or name in HEAVY] == []
    assert told["held"] < LONGEST


@pytest.mark.parametrize("step", [reflect, write_answer, verify_citations])
async def test_the_final_evidence_is_chosen_in_a_thread(step: Step) -> None:
    on_loop: list[bool] = []

    class WatchedLibrary(Library):
        def evidence(self, evidence: EvidenceId) -> Evidence:
            on_loop.append(threading.current_thread() is threading.main_thread())
            return super().evidence(evidence)

    library = WatchedLibrary()
    await library.add(make_page("Alpha", "Alpha is first."), Hit("Alpha", 1))
    seen = Observation(paragraph("Alpha", 1), "text", 0.5, 1)
    state = State(
        question="What is Alpha?", round=0, observations=(seen,), draft=Draft(()), stop_reason="sufficient", started=0.0
    )
    services = make_services([], {}, library=library)
    await step(state, Runtime(context=services))
    assert set(on_loop) == {False}


async def test_a_reflection_is_framed_in_a_thread() -> None:
    on_loop: list[bool] = []

    class WatchedLLM(ScriptedLLM):
        def count(self, text: str) -> int:
            on_loop.append(threading.current_thread() is threading.main_thread())
            return super().count(text)

    page = parse_page(make_page("Alpha", "Alpha is first."))
    llm = WatchedLLM([Reflection(needs=[JudgedNeed(need=1, met=True)])])
    await LanguageReflector(llm).reflect((Need("What?"),), (Scored(page.leaves[0], 0.5),), (), (), ())
    assert set(on_loop) == {False}
