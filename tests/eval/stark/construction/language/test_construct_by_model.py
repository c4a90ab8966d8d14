"""`heliograph eval stark construct --by model`: servers per step, replies that are kept, and what is refused."""

import json
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import pytest
from click.testing import Result

from eval.stark.queries import read_queries
from indexers.skb.knowledge_base import BuiltKnowledgeBase
from tests.eval.stark.construction.language.models import obliging
from tests.servers.openai_calls import Call, Say
from tests.servers.openai_server import openai_server, unused_address
from tests.test_app_processes import environment

Cli = Callable[..., Result]
INTERRUPTED_AT = 4
"""The call at which the process is interrupted."""
pytest.importorskip("bm25s")
STEPS = {
    "You read one entry": "extract_properties",
    "You write the query": "write_query",
    "You rewrite a query": "rephrase_query",
    "You check whether": "check_properties",
}


def said(call: Call) -> str:
    """Reply as the rule of the other tests does."""
    return json.dumps(obliging(next(name for start, name in STEPS.items() if call.system.startswith(start)), call.user))


@pytest.fixture
def command(lights: BuiltKnowledgeBase, tmp_path: Path) -> tuple[object, ...]:
    made = ("eval", "stark", "construct", lights.folder, tmp_path / "q.jsonl", "--by", "model", "--count", 4)
    return (*made, "--candidates", 6, "--easiest", 1)


def use(monkeypatch: pytest.MonkeyPatch, address: str, name: str = "LLM") -> None:
    monkeypatch.setenv(f"HELIOGRAPH_{name}__BASE_URL", address)
    monkeypatch.setenv(f"HELIOGRAPH_{name}__MODEL", f"{name.lower()}-model")


def test_steps_ask_their_servers_and_the_same_again_asks_nothing(
    cli: Cli, command: tuple[object, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps = ("--extractor", "refine", "--writer", "llm=mine", "--writer", "answer", "--filter", "judge")
    models = {"refine": "refine-model", "llm": "mine", "answer": "answer-model", "judge": "judge-model"}
    models["reflect"] = "reflect-model"
    with ExitStack() as stack:
        servers = {name: stack.enter_context(openai_server(said, model=model)) for name, model in models.items()}
        for name, server in servers.items():
            use(monkeypatch, server.url, name.upper())
        done = cli(*command, *steps, "--filter", "reflect", "--json")
        assert done.exit_code == 0, done.stderr
        asked = {name: {call.system[:11] for call in server.calls} for name, server in servers.items()}
        calls = {name: len(server.calls) for name, server in servers.items()}
        assert cli(*command, *steps, "--filter", "reflect", "--force").exit_code == 0
        assert {name: len(server.calls) for name, server in servers.items()} == calls
    steps_of = {"refine": "You read on", "llm": "You write t", "answer": "You rewrite"}
    assert asked == {
        name: {start} for name, start in {**steps_of, **dict.fromkeys(("judge", "reflect"), "You check w")}.items()
    }
    told = json.loads(done.stdout)
    assert told["drafts"]["queries"] == told["by_rule"]["statistics"]["queries"] == 4
    queries = read_queries(tmp_path / "q.jsonl")
    assert any(each.plan and each.plan.properties for each in queries)
    drafts = [json.loads(line) for line in (tmp_path / "q.jsonl.run" / "drafts.jsonl").read_text().splitlines()]
    assert [each["query"] for each in drafts if each["id"]] == [each.text for each in queries]


def test_a_model_that_never_writes_json_is_none(
    cli: Cli, command: tuple[object, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with openai_server(lambda _call: Say("I would rather not."), keeps=(), model="llm-model") as server:
        use(monkeypatch, server.url)
        done = cli(*command)
    assert done.exit_code == 4
    (said,) = [line for line in done.stderr.splitlines() if line.startswith("heliograph: ")]
    assert said.startswith("heliograph: none of 16 drafts has a usable reply; ") and said.endswith("a JSON schema")
    assert not (tmp_path / "q.jsonl").exists()


def test_a_server_that_is_down_ends_with_exit_code_4_and_the_same_command_goes_on(
    cli: Cli, command: tuple[object, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use(monkeypatch, unused_address())
    assert cli(*command).exit_code == 4
    with openai_server(said, model="llm-model") as server:
        use(monkeypatch, server.url)
        assert cli(*command).exit_code == 0
    assert len(read_queries(tmp_path / "q.jsonl")) == 4


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ((), "no language model is set; set HELIOGRAPH_LLM__BASE_URL"),
        (("--filter", "judge"), "no language model is set"),
        (("--extractor", "gpt"), "the settings have no server 'gpt'; they have llm, rewrite"),
        (("--extractor", "rerank"), "no server is set for 'rerank'; set HELIOGRAPH_RERANK__BASE_URL"),
        (("--by", "rule", "--writer", "llm"), "--writer is for queries by language models; add --by model"),
        (("--writer", "llm="), "'llm=' lacks a model; write SERVER, or SERVER=MODEL as llm=NAME"),
        (("--filter", "=gpt"), "'=gpt' lacks a server; write SERVER, or SERVER=MODEL"),
        (("--writer", "llm") * 3, "give --writer at most 2 times"),
    ],
)
def test_what_cannot_be_is_refused(
    cli: Cli, command: tuple[object, ...], options: tuple[str, ...], complaint: str, tmp_path: Path
) -> None:
    refused = cli(*command, *options)
    assert (refused.exit_code, (tmp_path / "q.jsonl.run").exists()) == (2, False)
    assert complaint in refused.stderr


def test_two_filters_of_one_model_are_refused(
    cli: Cli, command: tuple[object, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    use(monkeypatch, unused_address())
    refused = cli(*command, "--filter", "llm", "--filter", "llm=llm-model")
    assert (refused.exit_code, "two filters are the model 'llm-model'" in refused.stderr) == (2, True)


def test_ctrl_c_keeps_what_was_replied_and_says_how_to_go_on(
    cli: Cli, command: tuple[object, ...], home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    running = list[subprocess.Popen[str]]()

    def interrupting(call: Call) -> str:
        if len(server.calls) == INTERRUPTED_AT:
            running[0].send_signal(signal.SIGINT)
            running[0].wait(timeout=300)
        return said(call)

    with openai_server(interrupting, model="llm-model") as server:
        use(monkeypatch, server.url)
        arguments = [sys.executable, "-m", "app", *map(str, command), "--at-once", "1"]
        with subprocess.Popen(arguments, env=environment(home), stderr=subprocess.PIPE, text=True) as child:
            running.append(child)
            _, told = child.communicate(timeout=300)
        assert child.returncode == 130
        assert told.endswith(
            "\nheliograph: interrupted; give the same command again: what the models replied to is not asked again\n"
        )
        before = [call.user for call in server.calls]
        assert len(before) == INTERRUPTED_AT
        assert cli(*command).exit_code == 0
        again = [call.user for call in server.calls[INTERRUPTED_AT:]]
        assert again and not {*before[:-1]} & {*again}


STOPPED = """
import os, signal
from eval.stark.construction.constructor import _Constructor
from heliograph.starting import main
made = _Constructor._query
async def stopped(self, shape):
    os.kill(os.getpid(), signal.SIGINT)
    return await made(self, shape)
_Constructor._query = stopped
main()
"""


def test_ctrl_c_while_queries_are_made_by_rule_says_that_nothing_is_written(
    lights: BuiltKnowledgeBase, home: Path, tmp_path: Path
) -> None:
    out = tmp_path / "q.jsonl"
    arguments = [sys.executable, "-c", STOPPED, "eval", "stark", "construct", str(lights.folder), str(out)]
    child = subprocess.run(
        arguments, check=False, env=environment(home), stderr=subprocess.PIPE, text=True, timeout=300
    )
    assert (child.returncode, out.exists()) == (130, False)
    last = child.stderr.splitlines()[-1]
    assert last.startswith("heliograph: interrupted; nothing was written; give the same command again")
