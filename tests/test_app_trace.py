"""`heliograph trace`: list, show, diff and export on real runs."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from memory.trace import load_trace
from tests.servers.collector import collector
from tests.servers.openai_calls import Call, Say, Status
from tests.servers.openai_server import openai_server, unused_address
from tests.servers.scholar import scholar

Cli = Callable[..., Result]
QUESTION = "Who designed the lighthouse on the largest of the Varn Islands?"
OTHER = "When was the wooden house of Holm Light first lit?"


@pytest.fixture(scope="module")
def runs(cli: Cli, archive: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str, str]:
    """Ask two questions, one of a model that is busy at its third call; return the home folder and both runs."""
    home = tmp_path_factory.mktemp("traced")
    calls: list[Call] = []

    def busy(call: Call) -> Say | Status:
        calls.append(call)
        return Status(429, "slow down", retry_after="0.05") if len(calls) == 3 else scholar(call)

    with openai_server(busy) as model:
        llm = {"HELIOGRAPH_LLM__BASE_URL": model.url, "HELIOGRAPH_LLM__MODEL": model.model}
        asked = cli(
            "ask", "--source", f"zim:{archive}", "--rounds", 1, "--json", QUESTION, HELIOGRAPH_HOME=str(home), **llm
        )
    plain = cli("ask", "--source", f"zim:{archive}", "--rounds", 1, "--json", OTHER, HELIOGRAPH_HOME=str(home))
    assert (asked.exit_code, plain.exit_code) == (0, 0), asked.stderr + plain.stderr
    return home, json.loads(asked.stdout)["run"], json.loads(plain.stdout)["run"]


@pytest.fixture
def trace(cli: Cli, runs: tuple[Path, str, str], monkeypatch: pytest.MonkeyPatch) -> Cli:
    monkeypatch.setenv("HELIOGRAPH_HOME", str(runs[0]))
    return lambda *args, **environment: cli("trace", *args, **environment)


def test_runs_are_listed_by_outcome_question_and_time(trace: Cli, runs: tuple[Path, str, str]) -> None:
    def listed(*options: str) -> list[str]:
        result = trace("list", "--json", *options)
        assert result.exit_code == 0, result.stderr
        return [json.loads(line)["run"] for line in result.stdout.splitlines()]

    both = [*runs[1:]]
    assert listed() == listed("--since", "1h") == listed("--outcome", "answered", "--outcome", "failed") == both
    assert listed("--question", "HOLM") == [runs[2]]
    assert listed("--outcome", "unfinished") == []
    assert listed("--since", "2100-01-01") == []
    assert trace("list", "--since", "yesterday").exit_code == 2
    assert trace("list", "--question", "holm").stdout.startswith(runs[2])


def test_the_tree_shows_tokens_tries_and_on_demand_prompt_and_reply(trace: Cli, runs: tuple[Path, str, str]) -> None:
    plain = trace("show", runs[1])
    assert "chat for answer, write_answer, to test-model" in plain.stdout
    assert "tried 2 times: ModelOverloaded" in plain.stdout
    assert " tokens" in plain.stdout
    assert f"Question: {QUESTION}" not in plain.stdout
    assert "model calls" in plain.stderr
    told = trace("show", runs[1], "--messages", "--name", "chat")
    assert f"Question: {QUESTION}" in told.stdout
    assert "reply:" in told.stdout
    assert "read_page" not in told.stdout


def test_filters_hold_for_the_tree_and_for_the_lines(trace: Cli, runs: tuple[Path, str, str]) -> None:
    def names(*options: object) -> list[str]:
        lines = trace("show", runs[1], "--json", *options).stdout.splitlines()
        return [json.loads(line)["name"] for line in lines if line]

    everything = load_trace(runs[0] / "runs" / runs[1])
    assert sorted(names()) == sorted(event.name for event in everything)
    assert set(names("--kind", "llm")) == {"chat"}
    assert set(names("--kind", "TOOL", "--name", "page")) == {"read_page"}
    assert len(names("--slower", 0.01)) == sum(event.seconds > 0.01 for event in everything)
    assert names("--failed") == []
    assert trace("show", runs[1], "--failed").stdout == "\n"
    refused = trace("show", runs[1], "--kind", "robot")
    assert (refused.exit_code, "known are CHAIN, AGENT, LLM" in refused.stderr) == (2, True)


def test_one_span_is_shown_in_full(trace: Cli, runs: tuple[Path, str, str]) -> None:
    events = load_trace(runs[0] / "runs" / runs[1])
    span = next(event.span for event in events if event.name == "retrieve")
    assert span in trace("show", runs[1], "--spans").stdout
    assert "document 1:" in trace("show", runs[1], "--span", span[:10]).stdout
    (found, *_) = json.loads(trace("show", runs[1], "--span", span, "--json").stdout)["documents"]
    assert found["id"].startswith("varn:")
    assert found["content"]
    assert trace("show", runs[1], "--span", "xyz").exit_code == 2


def test_a_diff_says_where_two_runs_part_and_ends_with_its_own_code(trace: Cli, runs: tuple[Path, str, str]) -> None:
    same = trace("diff", runs[1], runs[1])
    assert (same.exit_code, same.stdout.splitlines()[-1]) == (0, "both found, judged and said the same")
    parted = trace("diff", runs[1], runs[2])
    assert parted.exit_code == 1
    for said in ("questions", "setting llm.model", "first different query: round 1, query 1", "claims", "answers"):
        assert said in parted.stdout
    told = json.loads(trace("diff", runs[1], runs[2], "--json").stdout)
    assert (told["same"], told["questions"]) == (False, [QUESTION, OTHER])
    assert trace("diff", runs[1], "nosuch").exit_code == 2


def test_an_export_is_one_file_that_is_not_replaced_unasked(
    trace: Cli, runs: tuple[Path, str, str], tmp_path: Path
) -> None:
    out = tmp_path / "run.html"
    assert trace("export", runs[1], "--out", out).exit_code == 0
    page = out.read_text()
    assert QUESTION in page
    assert str(runs[0]) not in page
    assert trace("export", runs[1], "--out", out).exit_code == 2
    assert trace("export", runs[1], "--out", out, "--force", "--most", 200).exit_code == 0
    assert len(out.read_text()) < len(page)
    assert trace("export", runs[1]).exit_code == 2


def test_a_recorded_run_is_sent_to_a_collector(trace: Cli, runs: tuple[Path, str, str]) -> None:
    events = [event for event in load_trace(runs[0] / "runs" / runs[1]) if event.name != "clock"]
    with collector() as told:
        sent = trace("export", runs[1], "--otlp", OTEL_EXPORTER_OTLP_ENDPOINT=told.url)
        assert sent.stdout == f"{len(events)} spans sent to {told.url}/v1/traces\n"
        assert len(told.spans) == len(events)
    nobody = trace("export", runs[1], "--otlp", OTEL_EXPORTER_OTLP_ENDPOINT=unused_address())
    assert (nobody.exit_code, "took 0 of" in nobody.stderr) == (6, True)
    assert "no collector is set" in trace("export", runs[1], "--otlp").stderr


def test_a_run_is_exported_as_it_goes_and_a_dead_collector_changes_nothing(cli: Cli, archive: Path, home: Path) -> None:
    command = ("ask", "--source", f"zim:{archive}", "--rounds", 1, "--memory", "off", "--json", OTHER)
    with collector() as told:
        asked = cli(*command, OTEL_EXPORTER_OTLP_ENDPOINT=told.url)
        run = json.loads(asked.stdout)["run"]
        assert len(told.spans) == sum(event.name != "clock" for event in load_trace(home / "runs" / run))
        seen = told.requests
        assert cli("replay", run, OTEL_EXPORTER_OTLP_ENDPOINT=told.url).exit_code == 0
        assert told.requests == seen
    dead = cli(*command, OTEL_EXPORTER_OTLP_ENDPOINT=unused_address())
    own = {"run", "seconds", "usage"}
    kept = [
        {name: value for name, value in json.loads(each.stdout).items() if name not in own} for each in (asked, dead)
    ]
    assert kept[0] == kept[1]
    assert cli("replay", "last").exit_code == 0


def test_a_found_file_may_not_send_runs_elsewhere(
    cli: Cli, archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "heliograph.toml").write_text("otlp_endpoint = 'http://127.0.0.1:1'\n")
    result = cli("ask", "--source", f"zim:{archive}", OTHER)
    assert (result.exit_code, "would send your questions and pages to http://127.0.0.1:1" in result.stderr) == (2, True)
