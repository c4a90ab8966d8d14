"""Whatever a model server or a live wiki does, a run ends within its deadlines, with an answer or a named error."""

import asyncio
import json
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from tests.servers.duckduckgo import DuckDuckGoServer
from tests.servers.fault_proxy import FaultProxy
from tests.servers.faults import Cut, html_for_json, server_error, too_many_requests, unavailable
from tests.servers.faults import Hang as SilentWiki
from tests.servers.openai_calls import Cut as CutReply
from tests.servers.openai_calls import Hang, Raw, Status
from tests.servers.openai_server import openai_server, unused_address
from tests.servers.scholar import scholar

Cli = Callable[..., Result]
QUESTION = "When was Skerry Head Light first lit?"
PATIENCE, MUCH_PATIENCE = 1.0, 20.0
"""Seconds that a model or a wiki has for one reply: one that keeps silent, and one that is to answer."""
MOST_SECONDS = 40.0
"""A run of one round asks in six places; a role that was silent twice is not asked again."""


def asked(cli: Cli, archive: Path, url: str, model: str = "test-model", **environment: str) -> Result:
    variables = {
        "HELIOGRAPH_LLM__BASE_URL": url,
        "HELIOGRAPH_LLM__MODEL": model,
        "HELIOGRAPH_LLM__SECONDS": str(PATIENCE),
        **environment,
    }
    return cli("ask", "--source", f"zim:{archive}", "--rounds", "1", "--json", QUESTION, **variables)


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        (Hang(), "ModelTimeout"),
        (Status(429, "slow down"), "ModelOverloaded"),
        (Status(429, "slow down", retry_after="3600"), "ModelOverloaded"),
        (Status(500, "it broke"), "ModelOverloaded"),
        (Raw("{not json"), "NoCompletion"),
        (CutReply(), "ModelUnreachable"),
        (" \n" * 4000, "ModelMalformed"),
        ("I would rather talk about the weather.", "ModelMalformed"),
    ],
)
def test_a_model_that_fails_leaves_the_answer_to_the_extractive_default(
    cli: Cli, archive: Path, reply: Any, kind: str
) -> None:
    with openai_server(reply, keeps=()) as server:
        began = time.monotonic()
        patience = PATIENCE if isinstance(reply, Hang) else MUCH_PATIENCE
        chosen = {"HELIOGRAPH_LLM__STRUCTURED": "none", "HELIOGRAPH_LLM__SECONDS": str(patience)}
        result = asked(cli, archive, server.url, **chosen)
    assert time.monotonic() - began < MOST_SECONDS
    assert result.exit_code == 0, result.stderr
    record = json.loads(result.stdout)
    assert "1871" in record["answer"] and not record["abstained"]
    assert {failure["kind"] for failure in record["model_failures"]} == {kind}
    assert {"rewrite", "reflect", "answer"} <= {failure["role"] for failure in record["model_failures"]}
    assert any("the language model failed at answering" in note for note in record["notes"])


def test_a_model_server_that_is_not_there_is_4_and_names_the_next_step(cli: Cli, archive: Path) -> None:
    result = asked(cli, archive, unused_address())
    assert (result.exit_code, result.stdout) == (4, "")
    assert "heliograph: " in result.stderr and "Traceback" not in result.stderr


@pytest.mark.parametrize("manners", [{"key": "secret"}, {"model": "another"}])
def test_a_key_or_a_model_that_the_server_does_not_know_is_4(cli: Cli, archive: Path, manners: dict[str, str]) -> None:
    with openai_server(scholar, **manners) as server:
        result = asked(cli, archive, server.url, "test-model")
    assert (result.exit_code, result.stdout) == (4, "")


def test_three_replies_in_ten_broken_off_still_come_to_an_answer(cli: Cli, archive: Path) -> None:
    with openai_server(scholar, malformed=0.3, seed=5, keeps=()) as server:
        result = asked(cli, archive, server.url)
    assert result.exit_code == 0, result.stderr
    assert json.loads(result.stdout)["mode"] == "llm"


@pytest.mark.parametrize("dialect", ["vllm", "llama.cpp"])
def test_a_prompt_that_the_server_finds_too_long_is_a_counted_failure(cli: Cli, archive: Path, dialect: str) -> None:
    with openai_server(scholar, context=60, dialect=dialect) as server:
        result = asked(cli, archive, server.url)
    record = json.loads(result.stdout)
    assert result.exit_code == 0
    assert "ContextOverflow" in {failure["kind"] for failure in record["model_failures"]}


def test_a_budget_of_calls_is_kept(cli: Cli, archive: Path) -> None:
    with openai_server(scholar) as server:
        result = asked(cli, archive, server.url, HELIOGRAPH_MAX_CALLS="4")
        assert len(server.calls) + len(server.proofs) <= 4
    assert "ModelBudgetSpent" in {failure["kind"] for failure in json.loads(result.stdout)["model_failures"]}


def test_a_run_with_a_model_is_replayed_without_it(cli: Cli, archive: Path) -> None:
    with openai_server(scholar) as server:
        result = asked(cli, archive, server.url)
        assert json.loads(result.stdout)["mode"] == "llm"
    replayed = cli("replay", "last")
    assert replayed.exit_code == 0, replayed.stderr
    assert "byte-identical" in replayed.stdout


def live(cli: Cli, url: str, *more: object, **environment: str) -> Result:
    """Ask a live wiki, with little patience."""
    variables = {"HELIOGRAPH_SOURCE_SECONDS": str(PATIENCE), "HELIOGRAPH_CONTACT": "tests@example.org", **environment}
    arguments = ("--source", "wikipedia", "--wiki", f"{url}/w/", "--rounds", "1", "--json", *more, QUESTION)
    return cli("ask", *arguments, **variables)


WIKI_FAULTS = {
    "silent": SilentWiki(),
    "429": too_many_requests(None),
    "429 with a wait": too_many_requests(3600),
    "429 with a date": too_many_requests(timedelta(hours=1)),
    "503": unavailable(3600),
    "500": server_error(),
    "HTML for JSON": html_for_json(),
    "cut": Cut(0.5),
}


def forever(fault: Any) -> Any:
    while True:
        yield fault


@pytest.mark.mediawiki
@pytest.mark.parametrize("name", WIKI_FAULTS)
async def test_a_wiki_that_fails_is_5_and_named_or_the_fallback_serves(
    cli: Cli, archive: Path, mediawiki_cirrus: str, name: str
) -> None:
    async with FaultProxy(mediawiki_cirrus, forever(WIKI_FAULTS[name])) as url:
        began = time.monotonic()
        alone = await asyncio.to_thread(live, cli, url)
        assert time.monotonic() - began < MOST_SECONDS
        instead = await asyncio.to_thread(live, cli, url, HELIOGRAPH_FALLBACK=f"zim:{archive}")
    assert (alone.exit_code, alone.stdout) == (5, "")
    assert "no source could be asked: " in alone.stderr and "Traceback" not in alone.stderr
    assert instead.exit_code == 0, instead.stderr
    record = json.loads(instead.stdout)
    limited = name.startswith(("429", "503"))
    assert "1871" in record["answer"]
    assert [(each["name"], each["status"]) for each in record["sources"]] == [
        ("wikipedia", "rate_limited" if limited else "failed"),
        ("zim:varn", "ok"),
    ]


@pytest.mark.mediawiki
async def test_one_source_that_is_blocked_is_named_and_the_other_serves(cli: Cli, mediawiki_cirrus: str) -> None:
    question = "Which engineer designed the Great Pell Viaduct?"
    host = mediawiki_cirrus.removeprefix("http://")
    server = DuckDuckGoServer({}, wiki=host)
    with server:
        server.script("403")
        arguments = ("--source", "wikipedia", "--source", "duckduckgo", "--wiki", f"{mediawiki_cirrus}/w/")
        variables = {"HELIOGRAPH_CONTACT": "tests@example.org", "HELIOGRAPH_DUCKDUCKGO_URL": server.url}
        result = await asyncio.to_thread(
            cli, "ask", *arguments, "--rounds", "1", "--pages-per-round", "2", "--json", question, **variables
        )
    record = json.loads(result.stdout)
    assert result.exit_code == 0, result.stderr
    assert "Ilse Tarrant" in record["answer"]
    assert {each["name"]: each["status"] for each in record["sources"]} == {"wikipedia": "ok", "duckduckgo": "failed"}
    assert "oldid=" in record["citations"][0]["url"] and record["citations"][0]["attribution"]
    assert record["usage"]["http_requests"] > record["usage"]["pages_read"] > 0


def test_duckduckgo_alone_that_fails_leaves_the_answer_to_the_fallback(cli: Cli, archive: Path) -> None:
    variables = {
        "HELIOGRAPH_CONTACT": "tests@example.org",
        "HELIOGRAPH_DUCKDUCKGO_URL": unused_address(),
        "HELIOGRAPH_FALLBACK": f"zim:{archive}",
    }
    arguments = ("--source", "duckduckgo", "--wiki", "http://127.0.0.1:9/w/", "--rounds", "1")
    result = cli("ask", *arguments, QUESTION, **variables)
    assert result.exit_code == 0, result.stderr
    assert "1871" in result.stdout and "source duckduckgo failed: " in result.stdout
