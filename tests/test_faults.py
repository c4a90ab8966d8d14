"""Whatever a model server or a live wiki does, a run ends within its deadlines, with an answer or a named error."""

import asyncio
import gzip
import hashlib
import json
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from tests.servers.duckduckgo import DuckDuckGoServer, raw
from tests.servers.fault_proxy import FaultProxy
from tests.servers.faults import Answer as Reply
from tests.servers.faults import Cut, html_for_json, server_error, too_many_requests, unavailable
from tests.servers.faults import Hang as SilentWiki
from tests.servers.openai_calls import Call, Hang, Raw, Say, Status
from tests.servers.openai_calls import Cut as CutReply
from tests.servers.openai_server import openai_server, unused_address
from tests.servers.scholar import scholar
from tools.zim import build_snapshot

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
        (Raw('{"choices": ' + "[" * 100_000), "NoCompletion"),
        (Raw(gzip.compress(b" " * 50_000_000), "gzip"), "ReplyTooLong"),
        ('{"queries": ' + "[" * 50_000, "ModelMalformed"),
        ('{"queries": ' + "[" * 20_000 + "]" * 20_000 + "}", "ModelMalformed"),
        ("half a character: \ud83d", "ModelMalformed"),
        ('{"queries": "\\ud83d", "sufficient": "\\ud83d", "claims": "\\ud83d"}', "ModelMalformed"),
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
        patient = {"HELIOGRAPH_MAX_CALLS": "4", "HELIOGRAPH_LLM__SECONDS": str(MUCH_PATIENCE)}
        result = asked(cli, archive, server.url, **patient)  # a call that is given up is none of the four
        assert len(server.calls) + len(server.proofs) <= 4
    assert "ModelBudgetSpent" in {failure["kind"] for failure in json.loads(result.stdout)["model_failures"]}


def test_a_run_with_a_model_is_replayed_without_it(cli: Cli, archive: Path) -> None:
    with openai_server(scholar) as server:
        result = asked(cli, archive, server.url)
        assert json.loads(result.stdout)["mode"] == "llm"
    replayed = cli("replay", "last")
    assert replayed.exit_code == 0, replayed.stderr
    assert "byte-identical" in replayed.stdout


def live(cli: Cli, url: str, *more: object, question: str = QUESTION, **environment: str) -> Result:
    """Ask a live wiki, with little patience."""
    variables = {"HELIOGRAPH_SOURCE_SECONDS": str(PATIENCE), "HELIOGRAPH_CONTACT": "tests@example.org", **environment}
    arguments = ("--source", "wikipedia", "--wiki", f"{url}/w/", "--rounds", "1", "--json", *more, question)
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


@pytest.mark.parametrize(
    "page",
    ["<div>" * 100_000, "<table><tr><td>" * 50_000 + "x", '<div class="result"><h2><a href="//\ud83d">\ud83d</a>'],
)
def test_results_of_duckduckgo_that_cannot_be_read_are_named_and_the_archive_serves(
    cli: Cli, archive: Path, page: str
) -> None:
    with DuckDuckGoServer({}) as server:
        server.script(*[raw(f"<html><body>{page}")] * 50)
        variables = {"HELIOGRAPH_CONTACT": "tests@example.org", "HELIOGRAPH_DUCKDUCKGO_URL": server.url}
        sources = ("--source", f"zim:{archive}", "--source", "duckduckgo", "--wiki", "http://127.0.0.1:9/w/")
        result = cli("ask", *sources, "--rounds", "1", QUESTION, **variables)
    assert result.exit_code == 0, result.stderr
    assert "1871" in result.stdout and "source duckduckgo failed: duckduckgo: a page that is neither" in result.stdout


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


def said_by_a_wiki(title: str = "Io", info: str = "", text: str = "Io is a moon.") -> bytes:
    """Return what a wiki may say to any request: hits, a page, a licence, or an error where there is `info`."""
    page = {"title": title, "revid": 7, "text": f"<p>{text}</p>"}
    site = {"general": {"sitename": "W"}, "rightsinfo": {"url": "u", "text": "CC"}}
    reply = {"query": {"search": [{"title": title}], **site}, "parse": page}
    return json.dumps({"error": {"code": "odd", "info": info}} if info else reply).encode()


DEEP = b"[" * 100_000
UNREADABLE_WIKIS = {
    "deep JSON": (DEEP, "cannot be read: it nests too deeply"),
    "deep JSON inside": (b'{"query": {"search": ' + DEEP + b"]" * len(DEEP) + b"}}", "nests too deeply"),
    "half a character in a title": (said_by_a_wiki("Io \ud83d"), "answers with what is not a search"),
    "codes of a terminal in an error": (said_by_a_wiki(info="no\x1b]0;owned\x07\x1b[31m \ud83d"), "the error odd: no"),
}


@pytest.mark.parametrize("name", UNREADABLE_WIKIS)
async def test_a_wiki_that_cannot_be_read_is_named_and_the_archive_beside_it_serves(
    cli: Cli, archive: Path, name: str
) -> None:
    body, words = UNREADABLE_WIKIS[name]
    async with FaultProxy("http://127.0.0.1:9", forever(Reply(200, body, "application/json"))) as url:
        arguments = ("--source", f"zim:{archive}", "--source", "wikipedia", "--wiki", f"{url}/w/", "--rounds", "1")
        variables = {"HELIOGRAPH_CONTACT": "tests@example.org"}
        result = await asyncio.to_thread(cli, "ask", *arguments, QUESTION, **variables)
    assert result.exit_code == 0, result.stderr
    assert "1871" in result.stdout
    (named,) = (line for line in result.stdout.splitlines() if line.startswith("source wikipedia failed: "))
    assert words in named
    assert "\x1b" not in result.stdout + result.stderr


async def test_half_a_character_in_the_text_of_a_page_costs_nothing_but_itself(cli: Cli, home: Path) -> None:
    body = said_by_a_wiki(text="Io \ud83d is a moon of Jupiter.")
    async with FaultProxy("http://127.0.0.1:9", forever(Reply(200, body, "application/json"))) as url:
        result = await asyncio.to_thread(
            live, cli, url, question="Is Io a moon of Jupiter?", HELIOGRAPH_SOURCE_SECONDS="20"
        )
    assert result.exit_code == 0, result.stderr
    assert "is a moon of Jupiter" in json.loads(result.stdout)["answer"]
    assert (await asyncio.to_thread(cli, "replay", "last")).exit_code == 0


def test_half_a_character_in_the_title_of_an_archive_is_named_and_the_other_archive_serves(
    cli: Cli, archive: Path, tmp_path: Path
) -> None:
    (tmp_path / "Skerry_€.md").write_text("# Skerry €\n\nSkerry Head Light was first lit in 1066.", encoding="utf8")
    broken = tmp_path / "broken.zim"
    build_snapshot([tmp_path], broken)
    content = broken.read_bytes()[:-16].replace("€".encode(), b"\xed\xa0\xbd")
    broken.write_bytes(content + hashlib.md5(content, usedforsecurity=False).digest())
    result = cli("ask", "--source", f"zim:{broken}", "--source", f"zim:{archive}", "--rounds", "1", QUESTION)
    assert result.exit_code == 0, result.stderr
    assert "1871" in result.stdout and "source zim:broken failed: " in result.stdout


def as_json(secret: str) -> str:
    return json.dumps(secret)[1:-1]


def escaped(secret: str) -> str:
    """Spell a secret as a reader of JSON takes it in, and as nobody who looks for its characters finds it."""
    return "".join(f"\\u{ord(each):04x}" for each in secret)


def thought(secret: str) -> str:
    """Interrupt a secret by a thought, which is dropped from every reply."""
    return f"{secret[:5]}<think>Is it one?</think>{secret[5:]}"


Spell = Callable[[str], str]


def repeating(*secrets: str, spell: Spell = as_json) -> Callable[[Call], Say]:
    """Return a model that repeats the key that it is shown, and what else it knows, wherever it may write."""

    def reply(call: Call) -> Say:
        said = f"{call.headers['authorization']} {' '.join(secrets)}"
        written = json.loads(scholar(call).text) if call.schema else None
        match written:
            case {"form": _}:
                written |= {"title": said, "needs": [said], "queries": [f"lighthouse {said}", "Skerry Head Light"]}
            case {"new_needs": _}:
                written |= {"new_needs": [said], "queries": [said], "feedback": said}
            case {"verdicts": verdicts}:
                written = {"verdicts": [{**verdict, "reason": said} for verdict in verdicts]}
            case {"claims": [first, *_]}:
                told = {"text": f"{first['text']} {said}", "citations": first["citations"]}
                written |= {"claims": [first, told]}
            case None:
                return Say(call.choices[0], first={call.choices[0]: 0.6, said: 0.4})
        text = json.dumps(written)
        for secret in (call.headers["authorization"].removeprefix("Bearer "), *secrets):
            text = text.replace(as_json(secret), spell(secret))
        return Say(text)

    return reply


@pytest.mark.parametrize(
    ("key", "spell"),
    [
        ("sk-very-secret-7193", as_json),
        ('with"quote\\and-backslash', as_json),
        ('with"quote\\and-backslash', escaped),
        ("sk-very-secret-7193", thought),
    ],
)
def test_a_key_that_a_model_repeats_is_written_nowhere(
    cli: Cli, archive: Path, home: Path, key: str, spell: Spell
) -> None:
    token = "serve-key-of-this-house-55"
    chosen = {
        "HELIOGRAPH_LLM__API_KEY": key,
        "HELIOGRAPH_LLM__SECONDS": str(MUCH_PATIENCE),
        "HELIOGRAPH_SERVE_KEY": token,
        "HELIOGRAPH_CITATIONS": "flag",
    }
    with openai_server(repeating(token, spell=spell)) as server:
        results = [asked(cli, archive, server.url, **chosen)]
    assert results[0].exit_code == 0, results[0].stderr
    record = json.loads(results[0].stdout)
    assert record["mode"] == "llm" and "Bearer *** ***" in record["answer"]
    results += [cli("replay", "last"), cli("trace", "show", "last", "--messages"), cli("memory", "show")]
    assert [result.exit_code for result in results] == [0] * len(results)
    printed = "".join(result.stdout + result.stderr for result in results).encode()
    kept = {str(path.relative_to(home)): path.read_bytes() for path in home.rglob("*") if path.is_file()}
    run = f"runs/{record['run']}"
    assert {f"{run}/answer.json", f"{run}/checkpoints.sqlite", f"{run}/trace.jsonl", "episodes.sqlite"} <= kept.keys()
    for secret in (key, as_json(key), token, spell(key), spell(token)):
        found = [name for name, content in {**kept, "(printed)": printed}.items() if secret.encode() in content]
        assert (secret, found) == (secret, [])
