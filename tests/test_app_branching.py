"""`heliograph replay RUN --from NODE --with KEY=VALUE`: the beginning is the record's, the rest is done anew."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import Result

from memory.trace import events_before, load_trace, read_manifest
from memory.trace.events import to_line
from tests.servers.openai_calls import Call, Say
from tests.servers.openai_server import openai_server
from tests.servers.scholar import scholar

Cli = Callable[..., Result]
QUESTION = "Who designed the lighthouse on the largest of the Varn Islands?"


def runs(home: Path) -> list[str]:
    return sorted(each.name for each in (home / "runs").iterdir())


@pytest.fixture
def asked(cli: Cli, archive: Path, home: Path) -> str:
    """Ask one question without a model; return the name of the run."""
    result = cli("ask", "--source", f"zim:{archive}", "--rounds", 2, "--json", QUESTION)
    assert result.exit_code == 0, result.stderr
    return str(json.loads(result.stdout)["run"])


def test_what_came_before_is_the_records_byte_for_byte_and_the_new_run_replays(
    cli: Cli, home: Path, asked: str
) -> None:
    before = {path: path.read_bytes() for path in (home / "runs" / asked).rglob("*") if path.is_file()}
    result = cli("replay", asked, "--from", "rerank_evidence", "--with", "evidence_k=1", "--json")
    assert result.exit_code in (0, 3), result.stderr
    answer = json.loads(result.stdout)
    (new,) = set(runs(home)) - {asked}
    assert answer["run"] == new
    assert len(answer["evidence"]) < 20
    events = load_trace(home / "runs" / asked)
    beginning = events_before(events, "rerank_evidence", 1)
    assert 20 < len(beginning) < len(events)
    written = (home / "runs" / new / "trace.jsonl").read_bytes()
    assert written.startswith(b"".join(to_line(replace(event, run=new)) for event in beginning))
    assert {path: path.read_bytes() for path in before} == before
    replayed = cli("replay", new)
    assert (replayed.exit_code, replayed.stdout.endswith("trace events are byte-identical\n")) == (0, True)
    (branch,) = read_manifest(home / "runs" / new).branches
    assert (branch.run, branch.node, branch.time, branch.changed) == (asked, "rerank_evidence", 1, {"evidence_k": "1"})
    assert f"from {asked} at rerank_evidence" in cli("trace", "list").stdout
    assert cli("trace", "diff", asked, new).exit_code == 1


def test_with_nothing_changed_the_same_comes_out(cli: Cli, home: Path, asked: str) -> None:
    result = cli("replay", asked, "--from", "reflect", "--json")
    assert result.exit_code == 0, result.stderr
    compared = cli("trace", "diff", asked, json.loads(result.stdout)["run"])
    assert (compared.exit_code, compared.stdout.splitlines()[-1]) == (0, "both found, judged and said the same")


def terse(call: Call) -> Say:
    """Answer as the scholar does, but with one claim of many."""
    said = scholar(call)
    if "claims" not in (call.schema or {}).get("properties", {}):
        return said
    written = json.loads(said.text)
    return Say(json.dumps({**written, "claims": written["claims"][-1:]}))


def test_another_model_is_asked_from_its_step_on_and_not_before(cli: Cli, archive: Path, home: Path) -> None:
    with openai_server(scholar) as first, openai_server(terse, model="other") as second:
        llm = {"HELIOGRAPH_LLM__BASE_URL": first.url, "HELIOGRAPH_LLM__MODEL": first.model}
        asked = cli("ask", "--source", f"zim:{archive}", "--rounds", 2, "--json", QUESTION, **llm)
        old = json.loads(asked.stdout)["run"]
        calls = len(first.calls) + len(first.proofs)
        changes = ("--with", "llm.model=other", "--with", f"llm.base_url={second.url}")
        result = cli("replay", old, "--from", "write_answer", *changes, "--json", **llm)
        assert result.exit_code == 0, result.stderr
        assert len(first.calls) + len(first.proofs) == calls
        assert {call.body["model"] for call in second.calls} == {"other"}
        assert "claims" in second.calls[0].schema["properties"]
        new = json.loads(result.stdout)["run"]
        again = cli("replay", new, "--from", "verify_citations", "--with", "citations=flag", "--json", **llm)
        assert again.exit_code == 0, again.stderr
        assert len(first.calls) + len(first.proofs) == calls
        last = json.loads(again.stdout)["run"]
        earlier = cli("replay", last, "--from", "reflect@2", "--json", **llm)
        assert earlier.exit_code == 0, earlier.stderr
    places = [(each.run, each.place, dict(each.changed)) for each in read_manifest(home / "runs" / last).branches]
    model = {"llm.model": "other", "llm.base_url": second.url}
    assert places == [(old, "write_answer", model), (new, "verify_citations", {"citations": "flag"})]
    (joined,) = read_manifest(home / "runs" / json.loads(earlier.stdout)["run"]).branches
    assert (joined.place, dict(joined.changed)) == ("reflect@2", {**model, "citations": "flag"})
    for run in runs(home):
        assert cli("replay", run).exit_code == 0
    differs = json.loads(cli("trace", "diff", old, new, "--json").stdout)
    assert differs["settings"]["llm.model"] == [first.model, "other"]
    assert differs["parts"]["step"] == "write_answer"
    assert differs["query"] is None
    assert differs["documents"] == {"lost": [], "gained": []}
    assert all(claim["second"] is None for claim in differs["claims"])
    assert differs["claims"]


def test_a_new_run_that_was_cut_short_is_finished(cli: Cli, home: Path, asked: str) -> None:
    result = cli("replay", asked, "--from", "reflect", "--with", "rounds=1", "--json")
    new = home / "runs" / json.loads(result.stdout)["run"]
    whole = (new / "trace.jsonl").read_bytes()
    beginning = len(events_before(load_trace(home / "runs" / asked), "reflect", 1))
    (new / "trace.jsonl").write_bytes(b"".join(whole.splitlines(keepends=True)[: beginning + 1]))
    (new / "answer.json").unlink()
    (new / "checkpoints.sqlite").unlink()
    resumed = json.loads(cli("resume", new.name, "--json").stdout)
    assert {**resumed, "seconds": 0} == {**json.loads(result.stdout), "seconds": 0}
    assert cli("replay", new.name).exit_code == 0


def test_a_beginning_that_the_record_does_not_fit_is_refused_and_nothing_is_left(
    cli: Cli, home: Path, asked: str
) -> None:
    trace = home / "runs" / asked / "trace.jsonl"
    lines = [json.loads(line) for line in trace.read_bytes().splitlines()]
    step = next(line for line in lines if line["name"] == "rerank_documents")
    step["output"]["hits"] = step["output"]["hits"][:1]
    dense = {"ensure_ascii": False, "separators": (",", ":")}
    trace.write_text("".join(json.dumps(line, **dense) + "\n" for line in lines))
    result = cli("replay", asked, "--from", "reflect")
    assert result.exit_code == 6
    assert "rerank_documents" in result.stderr
    assert "came to something else than in the record" in result.stderr
    assert runs(home) == [asked]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--from", "reflexion"), "no step is named 'reflexion'; there are plan, rewrite_query, search_documents"),
        (("--from", "expand_nodes"), "the run never came to 'expand_nodes'; the steps that it ended are recall"),
        (("--from", "write_answer@2"), "the run came to write_answer once; name it write_answer@1"),
        (("--from", "reflect", "--with", "round=1"), "no setting is named 'round'; there are sources, rounds, graph"),
        (("--from", "reflect", "--with", "llm=x"), "no setting is named 'llm'; there are sources"),
        (("--from", "reflect", "--with", "rounds"), "--with 'rounds' is no KEY=VALUE"),
        (("--from", "reflect", "--with", "rounds=1", "--with", "rounds=2"), "--with sets 'rounds' twice"),
        (("--from", "reflect", "--with", "rounds=4"), "setting 'rounds': Input should be less than or equal to 3"),
        (("--from", "reflect", "--with", "llm.model=m"), "llm.base_url is not set"),
        (("--from", "reflect", "--with", "llm.api_key=k"), "a run keeps no keys; set it in the environment"),
        (("--from", "reflect", "--with", "home=x"), "'home' cannot be changed here"),
        (("--with", "rounds=1"), "need --from"),
    ],
)
def test_what_cannot_be_is_refused_with_the_names_that_there_are(
    cli: Cli, home: Path, asked: str, options: tuple[str, ...], said: str
) -> None:
    result = cli("replay", asked, *options)
    assert result.exit_code == 2
    assert said in result.stderr
    assert runs(home) == [asked]
