"""The command line on a real archive, model and store: answers, records, traces and replays."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from agent.extractive.table_values import TOLD
from indexers.lock import HOLDER_NAME, LOCK_NAME
from memory.housekeeping import PARTS
from tests.servers.openai_server import openai_server
from tests.servers.scholar import scholar

QUESTION = "Who designed Skerry Head Light?"
EVENT = ["run", "span", "parent", "kind", "name", "start", "end", "input", "output", "error", "attributes"]

Cli = Callable[..., Result]


@pytest.fixture(scope="module")
def asked(cli: Cli, archive: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Result]:
    """Ask one question with --json; return the home folder of the run and what it printed."""
    home = tmp_path_factory.mktemp("asked") / "home"
    return home, cli("ask", "--source", f"zim:{archive}", "--json", QUESTION, HELIOGRAPH_HOME=str(home))


def test_an_answer_for_a_person_has_text_references_checks_and_rounds(cli: Cli, archive: Path) -> None:
    result = cli("ask", "--source", f"zim:{archive}", QUESTION)
    assert result.exit_code == 0
    rounds, answer, references, footer = result.stdout.split("\n\n")
    assert rounds.splitlines()[0] == "round 1"
    assert answer == "Ada Brandt designed Skerry Head Light. [1] It was designed by Ada Brandt. [1]"
    assert references.splitlines()[-2].startswith("[1] Skerry Head Light (varn:Skerry%20Head%20Light@")
    assert references.splitlines()[-1] == '    "It was designed by Ada Brandt."'
    assert footer.splitlines()[0] == "2 claims: 2 quoted (in the words of its source)"
    assert footer.splitlines()[1].startswith("1 round, stopped: sufficient; ")
    assert result.stderr.splitlines()[0] == "heliograph: starting"
    assert "heliograph" not in result.stdout.replace("heliograph.answer", "")


def test_the_record_has_exactly_the_documented_fields(asked: tuple[Path, Result]) -> None:
    record = json.loads(asked[1].stdout)
    assert asked[1].stdout.count("\n") == 1
    assert list(record) == [
        "schema",
        "run",
        "question",
        "answer",
        "abstained",
        "mode",
        "stop_reason",
        "citations",
        "claims",
        "rounds",
        "evidence",
        "sources",
        "notes",
        "model_failures",
        "usage",
        "seconds",
        "form",
        "needs",
        "blocks",
        "not_found",
        "not_said",
        "confidence",
    ]
    assert (record["schema"], record["question"], record["mode"]) == ("heliograph.answer/2", QUESTION, "extractive")
    assert set(record["citations"][0]) == {
        "marker",
        "evidence",
        "modality",
        "title",
        "section",
        "revision",
        "url",
        "quote",
        "licence",
        "attribution",
        "computation",
    }
    assert list(record["claims"][0]) == ["text", "citations", "verdict"]
    assert list(record["claims"][0]["citations"][0]) == ["marker", "verdict"]
    assert list(record["rounds"][0]) == ["number", "queries", "documents", "evidence", "verdict"]
    assert set(record["rounds"][0]["verdict"]) >= {"sufficient", "missing", "leads", "feedback"}
    assert list(record["evidence"][0]) == ["id", "modality", "score", "round", "via"]
    assert record["sources"] == [{"name": "zim:varn", "status": "ok", "detail": ""}]
    assert set(record["usage"]) == {
        "llm_calls",
        "prompt_tokens",
        "cached_tokens",
        "completion_tokens",
        "http_requests",
        "embedded",
        "pages_read",
        "vectors",
    }
    assert record["usage"]["pages_read"] == len(record["rounds"][0]["documents"])


def test_every_marker_in_the_answer_is_a_citation_and_the_other_way_round(asked: tuple[Path, Result]) -> None:
    record = json.loads(asked[1].stdout)
    markers = [citation["marker"] for citation in record["citations"]]
    assert markers == list(range(1, len(markers) + 1))
    assert all(f"[{marker}]" in record["answer"] for marker in markers)
    assert {cited["marker"] for claim in record["claims"] for cited in claim["citations"]} == set(markers)


def test_the_record_says_that_no_model_spoke(asked: tuple[Path, Result]) -> None:
    notes = json.loads(asked[1].stdout)["notes"]
    assert [note.partition(":")[0] for note in notes] == ["no language model is set", "no image model is set"]


def test_an_answer_without_a_model_tells_its_confidence_and_one_of_a_model_none(
    cli: Cli, archive: Path, asked: tuple[Path, Result]
) -> None:
    def confidence(question: str, **environment: str) -> float | None:
        record = json.loads(cli("ask", "--source", f"zim:{archive}", "--json", question, **environment).stdout)
        told: float | None = record["confidence"]
        return told

    assert TOLD <= json.loads(asked[1].stdout)["confidence"] <= 1
    withheld = confidence("Who painted the ceiling of the Sistine Chapel?")
    assert withheld is not None and withheld < TOLD
    with openai_server(scholar) as model:
        named = {"HELIOGRAPH_LLM__BASE_URL": model.url, "HELIOGRAPH_LLM__MODEL": model.model}
        assert confidence(QUESTION, **named) is None


def test_late_interaction_raises_evidence_unless_the_settings_leave_it_out(
    asked: tuple[Path, Result], cli: Cli, archive: Path, home: Path
) -> None:
    plainly = cli("ask", "--source", f"zim:{archive}", "--json", QUESTION, HELIOGRAPH_EVIDENCE_RERANKER="embedding")
    raised, plain = (json.loads(result.stdout) for result in (asked[1], plainly))
    compared = '"name":"similar"'
    assert compared in (asked[0] / "runs" / raised["run"] / "trace.jsonl").read_text()
    assert compared not in (home / "runs" / plain["run"] / "trace.jsonl").read_text()
    before = {piece["id"]: piece["score"] for piece in plain["evidence"]}
    assert {piece["id"] for piece in raised["evidence"]} == set(before)
    risen = [piece["score"] - before[piece["id"]] for piece in raised["evidence"]]
    assert min(risen) >= 0
    assert max(risen) > 0.1


def test_jsonl_streams_the_trace_and_ends_with_the_record(cli: Cli, archive: Path, home: Path) -> None:
    result = cli("ask", "--source", f"zim:{archive}", "--jsonl", QUESTION)
    *events, record = result.stdout.splitlines()
    run = home / "runs" / json.loads(record)["run"]
    assert (run / "answer.json").read_text() == f"{record}\n"
    assert (run / "trace.jsonl").read_text() == "".join(f"{event}\n" for event in events)
    assert all(list(json.loads(event)) == EVENT for event in events)
    assert json.loads(events[-1])["name"] == "ask"


def test_the_trace_is_copied_where_it_is_asked_for(cli: Cli, archive: Path, home: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.jsonl"
    result = cli("ask", "--source", f"zim:{archive}", "--trace", copy, "--json", QUESTION)
    run = home / "runs" / json.loads(result.stdout)["run"]
    assert copy.read_bytes() == (run / "trace.jsonl").read_bytes()


def test_a_trace_that_cannot_be_copied_is_said_and_where_the_answer_is(
    cli: Cli, archive: Path, home: Path, tmp_path: Path
) -> None:
    result = cli("ask", "--source", f"zim:{archive}", "--trace", tmp_path / "no" / "such.jsonl", QUESTION)
    assert result.exit_code == 6
    assert f"cannot write the trace to {tmp_path / 'no' / 'such.jsonl'}" in result.stderr
    (run,) = (path for path in (home / "runs").iterdir() if path.is_dir())
    assert f"see the answer with heliograph resume {run.name}" in result.stderr


def test_a_question_that_the_archive_cannot_answer_abstains_with_3(cli: Cli, archive: Path) -> None:
    result = cli("ask", "--source", f"zim:{archive}", "--json", "How many violins did Stradivari sell in Cremona?")
    record = json.loads(result.stdout)
    assert (result.exit_code, record["abstained"], record["citations"], record["claims"]) == (3, True, [], [])
    assert record["answer"].startswith("I found no answer: ")
    assert record["stop_reason"] in {"nothing_found", "no_new_evidence", "repeated_query", "rounds_exhausted"}


def test_a_question_asked_again_reads_and_embeds_nothing(cli: Cli, archive: Path) -> None:
    asked = ("ask", "--source", f"zim:{archive}", "--memory", "off", "--json", QUESTION)
    first, again = (json.loads(cli(*asked).stdout) for _ in range(2))
    assert first["usage"]["embedded"] > 0
    assert first["usage"]["pages_read"] > 0
    assert (again["usage"]["embedded"], again["usage"]["pages_read"]) == (0, 0)
    needed = first["usage"]["vectors"]["needed"]
    assert needed >= first["usage"]["embedded"]
    assert [each["usage"]["vectors"] for each in (first, again)] == [
        {"needed": needed, "asked": needed},
        {"needed": needed, "asked": 0},
    ]
    changing = {"run", "usage", "seconds"}
    assert {k: v for k, v in first.items() if k not in changing} == {
        k: v for k, v in again.items() if k not in changing
    }


@pytest.mark.parametrize(
    ("arguments", "cited"),
    [
        (["--indexing", "text-only"], "text"),
        (["--indexing", "textual-visual"], "text"),
        (["--text-retriever", "sparse"], "text"),
    ],
)
def test_other_indexes_answer_too(cli: Cli, archive: Path, arguments: list[str], cited: str) -> None:
    result = cli("ask", "--source", f"zim:{archive}", "--json", *arguments, QUESTION)
    record = json.loads(result.stdout)
    assert "Ada Brandt" in record["answer"]
    assert {citation["modality"] for citation in record["citations"]} == {cited}


def test_a_row_and_a_picture_are_cited_as_such(cli: Cli, archive: Path) -> None:
    row = json.loads(cli("ask", "--source", f"zim:{archive}", "--json", "How many inhabitants has Lille Varn?").stdout)
    assert "210" in row["answer"]
    assert "table" in {citation["modality"] for citation in row["citations"]}
    picture = "From where is the tower of Skerry Head Light seen in the picture?"
    shown = json.loads(cli("ask", "--source", f"zim:{archive}", "--json", picture).stdout)
    assert "ferry" in shown["answer"]
    assert "image" in {citation["modality"] for citation in shown["citations"]}


def test_arithmetic_is_cited_as_a_computation(cli: Cli, archive: Path) -> None:
    question = "What is the total area of the Varn Islands?"
    record = json.loads(cli("ask", "--source", f"zim:{archive}", "--json", question).stdout)
    assert "61 km²" in record["answer"]
    computation = record["citations"][0]["computation"]
    assert (computation["operation"], computation["column"]) == ("sum", "Area (km²)")
    assert len(computation["rows"]) == 3


def test_a_run_is_listed_shown_and_replayed(asked: tuple[Path, Result], cli: Cli) -> None:
    home, printed = asked
    run = json.loads(printed.stdout)["run"]
    environment = {"HELIOGRAPH_HOME": str(home)}
    assert run in cli("trace", "list", **environment).stdout
    shown = cli("trace", "show", "last", "--depth", "2", **environment).stdout
    assert all(step in shown for step in ("rewrite_query", "index_evidence", "verify_citations"))
    lines = cli("trace", "show", run, "--json", **environment).stdout.splitlines()
    spans = [json.loads(line)["span"] for line in lines if line]
    assert spans == sorted(spans)
    assert sorted(filter(None, lines)) == sorted((home / "runs" / run / "trace.jsonl").read_text().splitlines())
    replayed = cli("replay", run, **environment)
    assert replayed.stdout == f"{run}: answer record and {len(spans)} trace events are byte-identical\n"
    assert replayed.exit_code == 0


def test_cited_evidence_is_shown_by_its_id(asked: tuple[Path, Result], cli: Cli) -> None:
    citation = json.loads(asked[1].stdout)["citations"][-1]
    result = cli("show", citation["evidence"], HELIOGRAPH_HOME=str(asked[0]))
    assert result.exit_code == 0
    assert result.stdout.startswith(f"{citation['evidence']}\n{citation['url']}\nfetched ")
    assert citation["quote"] in result.stdout


def test_what_is_purged_is_made_again(cli: Cli, archive: Path, home: Path) -> None:
    first = json.loads(cli("ask", "--source", f"zim:{archive}", "--json", QUESTION).stdout)
    sizes = cli("store", "size").stdout.splitlines()
    parts = ["indexes", "pages", "runs", "eval", "memory", "chats", "sessions", "demo", "models"]
    assert [line.split()[0] for line in sizes] == [*parts, "all"]
    listed = {name for names in PARTS.values() for name in names}
    assert {path.name for path in home.iterdir()} <= {*listed, LOCK_NAME, HOLDER_NAME}
    purged = cli("store", "purge", "--indexes", "--pages", "--runs")
    assert purged.stdout.startswith("removed indexes, pages, runs: ")
    left = {line.split()[0]: line.split()[1] for line in cli("store", "size").stdout.splitlines()}
    assert [part for part, size in left.items() if size != "0"] == ["memory", "all"]
    again = json.loads(cli("ask", "--source", f"zim:{archive}", "--json", QUESTION).stdout)
    assert again["answer"] == first["answer"]
    assert again["usage"] == first["usage"]


async def test_python_gets_the_same_answer(asked: tuple[Path, Result], archive: Path) -> None:
    from heliograph import Heliograph

    home, printed = asked
    heliograph = Heliograph(sources=[f"zim:{archive}"], home=home)
    try:
        answer = await heliograph.ask(QUESTION)
        later = await heliograph.ask(QUESTION)
    finally:
        heliograph.close()
    assert answer.answer == later.answer == json.loads(printed.stdout)["answer"]
