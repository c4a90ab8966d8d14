"""`heliograph memory` on a real archive, model and store: what is remembered, proposed, rated and forgotten."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from app import main
from memory.episodes import FILE, EpisodeStore, Which

QUESTION = "Who designed Skerry Head Light?"
AGAIN = "who designed skerry head light"
RELATED = "Who was it that designed the light of Skerry Head?"

Cli = Callable[..., Result]
Ask = Callable[..., dict[str, Any]]


@pytest.fixture
def ask(cli: Cli, archive: Path) -> Ask:
    def asked(question: str = QUESTION, memory: str = "user") -> dict[str, Any]:
        result = cli("ask", "--source", f"zim:{archive}", "--memory", memory, "--json", question)
        assert result.exit_code == 0, result.output
        record: dict[str, Any] = json.loads(result.stdout)
        return record

    return asked


def lines(result: Result) -> list[str]:
    assert result.exit_code == 0, result.output
    return result.stdout.splitlines()


def test_the_very_question_takes_fewer_queries_and_has_the_same_evidence_and_replays(cli: Cli, ask: Ask) -> None:
    first, second = ask(), ask()
    asked = [
        [query for record in each["rounds"] for query in record["queries"]] for each in (first, second, ask(AGAIN))
    ]
    assert 0 < len(asked[1]) < len(asked[0])
    assert set(asked[1]) <= set(asked[0])
    assert asked[2] == asked[1]
    assert [each["answer"] for each in (first, second)] == [first["answer"]] * 2
    assert [piece["id"] for piece in second["evidence"]] == [piece["id"] for piece in first["evidence"]]
    for record in (first, second):
        assert "are byte-identical" in cli("replay", record["run"]).stdout


def test_a_replay_needs_no_memory(cli: Cli, ask: Ask, home: Path) -> None:
    ask()
    run = ask()["run"]
    (home / FILE).write_bytes(b"torn")
    assert "are byte-identical" in cli("replay", run).stdout
    (home / FILE).unlink()
    assert "are byte-identical" in cli("replay", run).stdout
    assert not (home / FILE).exists()


def test_a_run_of_before_there_was_a_memory_replays_as_it_was(cli: Cli, ask: Ask, home: Path) -> None:
    run = ask(memory="off")["run"]
    ask(memory="user")
    manifest = home / "runs" / run / "run.json"
    told = json.loads(manifest.read_text())
    del told["scope"], told["settings"]["memory"], told["settings"]["memory_days"]
    manifest.write_text(json.dumps(told))
    assert "are byte-identical" in cli("replay", run, HELIOGRAPH_MEMORY="user").stdout


def test_a_thumb_down_has_the_question_looked_for_anew(cli: Cli, ask: Ask) -> None:
    first = ask()
    assert lines(cli("memory", "rate", "last", "down")) == [f"{first['run']}: thumb down"]
    assert ask()["rounds"] == first["rounds"]
    assert lines(cli("memory", "rate", first["run"], "none")) == [f"{first['run']}: no thumb"]
    assert ask()["rounds"] != first["rounds"]


def test_what_is_remembered_is_shown_in_a_line_and_in_full(cli: Cli, ask: Ask) -> None:
    assert lines(cli("memory", "show")) == ["no such question is remembered"]
    run = ask()["run"]
    cli("memory", "rate", run, "up")
    (line,) = lines(cli("memory", "show"))
    assert (line[: len(run)], line[-len(QUESTION) - 2 :]) == (run, f"+ {QUESTION}")
    shown = lines(cli("memory", "show", "last"))
    assert shown[1:6] == [
        f"question      {QUESTION}",
        "of            local",
        "ended         answered, sufficient, after 1 rounds",
        "claims        2 quoted",
        "thumb         up",
    ]
    assert any(each.startswith("page          Skerry Head Light (varn): ") for each in shown)
    assert any(each.startswith("query         ") and "found" in each for each in shown)


def test_it_is_exported_as_json_lines(cli: Cli, ask: Ask, tmp_path: Path) -> None:
    runs = [ask()["run"], ask(RELATED)["run"]]
    exported = [json.loads(line) for line in lines(cli("memory", "export"))]
    assert [each["run"] for each in exported] == runs
    assert [each["question"] for each in exported] == [QUESTION, RELATED]
    out = tmp_path / "memory.jsonl"
    assert lines(cli("memory", "export", "--text", "was it that", "--out", out)) == []
    assert [json.loads(line) for line in out.read_text().splitlines()] == exported[1:]
    refused = cli("memory", "export", "--out", out)
    assert (refused.exit_code, "replace it with --force" in refused.stderr) == (2, True)
    assert lines(cli("memory", "export", "--out", out, "--force")) == []
    assert [json.loads(line) for line in out.read_text().splitlines()] == exported
    failed = cli("memory", "export", "--out", tmp_path / "no" / "folder")
    assert (failed.exit_code, "name another file by --out" in failed.stderr) == (6, True)


def test_questions_are_forgotten_by_run_text_age_or_all(cli: Cli, ask: Ask, home: Path) -> None:
    store = EpisodeStore(home)
    one, other = ask()["run"], ask(RELATED)["run"]

    def left(*arguments: str, **environment: str) -> list[str]:
        assert lines(cli("memory", "forget", *arguments, **environment))[0].endswith("; what their runs recorded stays")
        return [each.run for each in store.matching(Which())]

    for nothing in (("--text", "Titan"), ("--user", "ann"), ("--conversation", "c"), ("--expired",)):
        assert left(*nothing) == [one, other]
    assert left(other, "--text", "Titan") == [one, other]
    assert left(other) == [one]
    assert left("--text", "SKERRY", "--user", "local") == []
    ask()
    assert left("--expired", HELIOGRAPH_MEMORY_DAYS="0.0000001") == []
    ask()
    assert left("--all") == []


@pytest.mark.parametrize(
    "arguments",
    [("forget",), ("forget", "--all", "--text", "x"), ("forget", "2026"), ("rate", "last", "up"), ("show", "x")],
)
def test_what_is_not_meant_is_refused_with_the_next_step(cli: Cli, arguments: tuple[str, ...]) -> None:
    result = cli("memory", *arguments)
    assert result.exit_code == 2
    assert "say which: RUN, --text" in result.stderr or "heliograph ask remembers those" in result.stderr


def test_off_remembers_nothing_and_hears_nothing(ask: Ask, home: Path) -> None:
    plain = ask(memory="off")
    assert not (home / FILE).exists()
    ask()
    assert ask(memory="off")["rounds"] == plain["rounds"]
    assert len(EpisodeStore(home).matching(Which())) == 1


def test_a_damaged_memory_costs_no_answer_and_names_the_cure(cli: Cli, ask: Ask, home: Path) -> None:
    plain = ask()
    (home / FILE).write_bytes(b"no database at all, but long enough to be looked at " * 40)
    record = ask()
    assert record["answer"] == plain["answer"]
    assert record["notes"][-1].startswith("past questions were not consulted: ")
    assert record["notes"][-1].endswith(f"remove {FILE} and past questions are forgotten; their runs stay")
    shown = cli("memory", "show")
    assert (shown.exit_code, FILE in shown.stderr) == (6, True)
    assert "are byte-identical" in cli("replay", record["run"]).stdout


def test_a_chat_remembers_by_conversation_and_forgets_with_it(archive: Path, home: Path) -> None:
    def chat(text: str) -> Result:
        arguments = ["chat", "--source", f"zim:{archive}", "--memory", "conversation"]
        result = CliRunner().invoke(main, arguments, input=text, prog_name="heliograph")
        assert result.exit_code == 0, result.output
        return result

    chat(f"{QUESTION}\nWhen was it first lit?\n")
    chat("Which island has Holm Light?\n")
    store = EpisodeStore(home)
    kept = store.matching(Which())
    assert [each.question for each in kept][:2] == [QUESTION, "When was Skerry Head Light first lit?"]
    assert kept[0].conversation == kept[1].conversation != kept[2].conversation
    assert len(store.matching(Which(conversation=kept[0].conversation))) == 2
    chat(f"/forget {kept[0].conversation}\n")
    assert store.matching(Which()) == kept[2:]


@pytest.mark.parametrize(("flags", "kept"), [((), 0), (("--memory", "user"), 2)])
def test_a_batch_remembers_only_where_it_is_told_to(
    cli: Cli, archive: Path, home: Path, tmp_path: Path, flags: tuple[str, ...], kept: int
) -> None:
    batch = tmp_path / "questions.jsonl"
    batch.write_text(f'{{"id": "1", "question": "{QUESTION}"}}\n{{"id": "2", "question": "{RELATED}"}}\n')
    arguments = ("--source", f"zim:{archive}", "--batch", batch, "--out", tmp_path / "out.jsonl")
    assert cli("ask", *arguments, *flags).exit_code == 0
    assert len(EpisodeStore(home).matching(Which())) == kept
