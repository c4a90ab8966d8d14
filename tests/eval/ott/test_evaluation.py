"""`heliograph eval ott` and `heliograph eval compare`, from the command to the figures."""

import json
import lzma
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import Result

from eval.ott.evaluation import Evaluation, evaluate
from eval.ott.models import Models
from eval.ott.recipe import Recipe
from eval.ott.results import read_results
from heliograph.config import Settings
from indexers.models.reader import SHIPPED_READER
from tests.eval.ott.lights import BY_WHOM, LIGHTS, WHEN, write_folder, write_questions
from tests.eval.ott.words import WordEncoder

ROOT = Path(__file__).parents[3]
QUESTIONS = (
    replace(BY_WHOM, question="By whom is the tower of Skerry Head?"),
    replace(WHEN, question="When was the house of Holm Light lit?"),
)
Cli = Callable[..., Result]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    (tmp_path / "data").mkdir()
    return write_folder(tmp_path / "data")


@pytest.fixture
def questions(tmp_path: Path) -> Path:
    return write_questions(tmp_path / "questions.jsonl", QUESTIONS)


def ott(cli: Cli, data: Path, questions: Path, *arguments: object) -> Result:
    return cli("eval", "ott", "--data", data, "--questions", questions, "--scope", "mini", *arguments)


def complaint(result: Result) -> str:
    assert result.stdout == ""
    return result.stderr.splitlines()[-1].removeprefix("heliograph: ")


@pytest.mark.parametrize(
    "method", [("bm25",), ("bm25", "--units", "star"), ("bm25", "--units", "node"), ("late-fusion",), ("dense",)]
)
def test_every_competitor_prints_measures_and_seconds_for_a_machine(
    cli: Cli, data: Path, questions: Path, method: tuple[str, ...]
) -> None:
    result = ott(cli, data, questions, "--json", "--method", *method)
    found = json.loads(result.stdout)
    assert (result.exit_code, set(found)) == (0, {"metrics", "seconds", "outside_scope"})
    assert all(0 <= value <= 1 for value in found["metrics"].values())
    assert found["metrics"]["AR@50"] == 1.0


def test_a_reader_adds_em_and_f1_as_fractions_and_keeps_results_of_its_own(
    cli: Cli, data: Path, questions: Path, home: Path
) -> None:
    plain = json.loads(ott(cli, data, questions, "--json", "--method", "bm25").stdout)
    result = ott(cli, data, questions, "--json", "--method", "bm25", "--reader", "extractive", "--read", 3)
    found = json.loads(result.stdout)
    assert found["metrics"] == {**plain["metrics"], "EM": 0.5, "F1": pytest.approx(5 / 6)}
    assert set(found["seconds"]) == {*plain["seconds"], "read", "read_cpu"}
    assert len(list((home / "eval" / "ott").glob("*.jsonl"))) == 2


@pytest.mark.skipif(not SHIPPED_READER.is_dir(), reason="no reader ships yet")
@pytest.mark.parametrize("units", ["edge", "star", "node"])
def test_the_trained_reader_answers_from_units_of_every_kind(
    cli: Cli, data: Path, questions: Path, tmp_path: Path, units: str
) -> None:
    out = tmp_path / "run.jsonl"
    given = ("--method", "bm25", "--units", units, "--reader", "trained", "--read", 2, "--out", out, "--json")
    found = json.loads(ott(cli, data, questions, *given).stdout)
    assert set(found["seconds"]) == {"retrieve", "read", "read_cpu"}
    assert {"EM", "F1"} < set(found["metrics"])
    assert all(each.answer for each in read_results(out))


def test_a_run_is_kept_under_home_and_not_done_twice(cli: Cli, data: Path, questions: Path, home: Path) -> None:
    first = ott(cli, data, questions, "--method", "bm25", "--first", 1)
    (path,) = (home / "eval" / "ott").glob("*.jsonl")
    assert len(read_results(path)) == 1
    again = ott(cli, data, questions, "--method", "bm25")
    assert "1 of 2 questions have their results already" in again.stderr
    assert {result.id for result in read_results(path)} == {"by", "when"}
    assert ott(cli, data, questions, "--method", "bm25").stdout == again.stdout
    assert first.stdout.splitlines()[0] == "1 questions"
    ott(cli, data, questions, "--method", "bm25", "--units", "star")
    assert len(list((home / "eval" / "ott").glob("*.jsonl"))) == 2


def test_questions_whose_gold_table_is_not_searched_are_counted(
    cli: Cli, data: Path, tmp_path: Path, questions: Path
) -> None:
    inside = json.loads(ott(cli, data, questions, "--json", "--method", "bm25").stdout)
    assert inside["outside_scope"] == 0
    strays = write_questions(tmp_path / "strays.jsonl", (*QUESTIONS, replace(WHEN, id="boat", gold_table="Boats_0")))
    found = json.loads(ott(cli, data, strays, "--json", "--method", "bm25").stdout)
    assert (found["outside_scope"], found["metrics"]["gold_table@50"]) == (1, pytest.approx(2 / 3))
    assert ott(cli, data, strays, "--method", "bm25").stdout.splitlines()[:2] == [
        "3 questions",
        "1 of them with a gold table outside the scope: theirs is never found",
    ]


def test_results_of_other_options_are_never_gone_on_with(cli: Cli, data: Path, questions: Path, tmp_path: Path) -> None:
    out = tmp_path / "run.jsonl"
    assert ott(cli, data, questions, "--method", "bm25", "--out", out).exit_code == 0
    result = ott(cli, data, questions, "--method", "bm25", "--units", "node", "--out", out)
    assert result.exit_code == 2
    assert complaint(result) == f"{out} has results of other options, questions or models; name another file with --out"


async def test_helios_is_evaluated_with_the_models_that_it_is_given(
    data: Path, questions: Path, tmp_path: Path
) -> None:
    evaluation = Evaluation(data, questions, out=tmp_path / "run.jsonl", whole=True)
    recipe, said = Recipe(scope="mini", tier="full"), list[str]()
    settings = Settings(home=tmp_path / "home")
    found = await evaluate(evaluation, recipe, settings, said.append, Models(WordEncoder()))
    assert (found.questions, found.results, found.incomplete) == (2, tmp_path / "run.jsonl", 0)
    assert found.summary.metrics["AR@50"] == 1.0
    assert set(found.summary.seconds) == {"retrieve", "expand", "refine"}
    assert any(line.startswith("encoding all of them: 8 nodes, about ") for line in said)
    made_by = json.loads((tmp_path / "run.run" / "made_by.json").read_text())
    assert (made_by["tier"], made_by["models"]) == ("full", ["words"])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--method", "dense", "--units", "edge"], "--method dense ranks node; give --units node"),
        (["--method", "bm25", "--k1", "9"], "--k1 is of --method helios; leave it away with --method bm25"),
        (["--beam-width", "3"], "--beam-width is of --tier full; add --tier full"),
        (["--method", "bm25", "--linker", "helios"], "--linker is of --track unlinked; add --track unlinked"),
        (["--method", "bm25", "--encode-all"], "--encode-all is of --method helios; leave it away with --method bm25"),
        (["--units", "star", "--k1", "9", "--k2", "3"], "--k1, --k2 is of --units edge; leave it away with --units"),
        (["--without", "expansion"], "--without expansion is of --tier full; add --tier full, or leave it away"),
        (["--without", "reranker", "--reranker", "fused"], "--reranker is of the reranker that --without"),
        (
            ["--tier", "full", "--without", "expansion", "--beam-width", "10"],
            "--beam-width is of the expansion that --without expansion leaves out; leave one of them away",
        ),
        (
            ["--tier", "full", "--without", "refinement", "--refine", "promote"],
            "--refine is of the refinement that --without refinement leaves out; leave one of them away",
        ),
        (["--tier", "full", "--llm"], "no language model is set; set HELIOGRAPH_LLM__BASE_URL"),
        (["--reader", "llm"], "no language model is set; set HELIOGRAPH_LLM__BASE_URL"),
        (["--read", "9"], "--read is of a reader; add --reader extractive, llm or trained"),
        (["--reader", "extractive", "--read", "51"], "--read 51 is more than the 50 units of a ranking"),
        (["--method", "bm25", "--scope", "small"], "{data}/questions/corpus_subsets.json has no list of table ids"),
        (["--method", "bm25", "--data", "nowhere"], "no file nowhere/questions/corpus_subsets.json; name the folder"),
        (["--method", "bm25", "--questions", "nowhere.jsonl"], "no file nowhere.jsonl; name the file"),
        (["--method", "bm25", "--out", "{data}/tables.jsonl.xz"], "{data}/tables.jsonl.xz has results of other"),
    ],
)
def test_options_and_files_that_cannot_be_used_are_2(
    cli: Cli, data: Path, questions: Path, arguments: list[str], message: str
) -> None:
    result = ott(cli, data, questions, *(each.format(data=data) for each in arguments))
    assert (result.exit_code, complaint(result)[: len(message.format(data=data))]) == (2, message.format(data=data))


@pytest.mark.parametrize(
    "arguments",
    [
        ["--tier", "huge"],
        ["--scope", "all"],
        ["--first", "0"],
        ["--k1", "-1"],
        ["--retriever", ""],
        ["--reranker", " "],
        ["--out", "x" * 300],
    ],
)
def test_values_that_no_option_has_are_2(cli: Cli, data: Path, questions: Path, arguments: list[str]) -> None:
    result = ott(cli, data, questions, *arguments)
    assert (result.exit_code, "Invalid value" in result.stderr) == (2, True)


def test_no_questions_and_damaged_files_are_2(cli: Cli, data: Path, questions: Path) -> None:
    (data / "none.jsonl").write_text("")
    result = ott(cli, data, data / "none.jsonl", "--method", "bm25")
    assert (result.exit_code, complaint(result)) == (
        2,
        f"{data}/none.jsonl has no questions; name a file with one JSON object a line",
    )
    (data / "tables.jsonl.xz").write_bytes(lzma.compress(json.dumps(LIGHTS).encode())[:-9])
    assert ott(cli, data, questions, "--method", "bm25").exit_code == 2


def test_a_missing_model_is_4_and_a_damaged_store_6(
    cli: Cli, data: Path, questions: Path, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    missing = ott(cli, data, questions, "--retriever", tmp_path / "none")
    assert (missing.exit_code, complaint(missing)) == (4, f"no folder {tmp_path / 'none'}; correct --retriever")
    monkeypatch.setenv("HELIOGRAPH_READER", str(tmp_path / "none"))
    unread = ott(cli, data, questions, "--method", "bm25", "--reader", "trained")
    said = f"no reader in {tmp_path / 'none'}; make one: heliograph train reader, and "
    assert (unread.exit_code, complaint(unread)[: len(said)]) == (4, said)
    assert complaint(unread).endswith("; correct HELIOGRAPH_READER, or give another --reader")
    assert "reading the corpus" not in unread.stderr
    unexpanding = ott(cli, data, questions, "--tier", "full", "--expansion-retrievers", tmp_path / "none")
    said = f"no folder {tmp_path / 'none' / 'passages'}; correct --expansion-retrievers"
    assert (unexpanding.exit_code, complaint(unexpanding)[: len(said)]) == (4, said)
    assert "reading the corpus" not in unexpanding.stderr
    (home / "eval" / "ott").mkdir(parents=True)
    (home / "eval" / "ott" / "embeddings.sqlite").write_text("no database at all, but some words")
    damaged = ott(cli, data, questions, "--method", "dense")
    assert (damaged.exit_code, "embeddings.sqlite" in complaint(damaged)) == (6, True)


def test_ctrl_c_says_how_to_go_on(data: Path, tmp_path: Path) -> None:
    many = [replace(BY_WHOM, id=f"q{number}", question="Which tower? " * 99) for number in range(20_000)]
    path = write_questions(tmp_path / "many.jsonl", many)
    out = tmp_path / "run.jsonl"
    command = [sys.executable, "-m", "app", "eval", "ott", "--data", data, "--questions", path, "--scope", "mini"]
    given = [*map(str, command), "--method", "late-fusion", "--out", str(out)]
    with subprocess.Popen(given, cwd=ROOT, stderr=subprocess.PIPE, env={**os.environ}) as process:
        while process.poll() is None and (not out.exists() or not out.stat().st_size):
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        _, stderr = process.communicate(timeout=60)
    assert process.returncode == 130
    assert b"interrupted; give the same command again" in stderr.splitlines()[-1]
    assert 0 < len(out.read_bytes().splitlines()) < 20_000


def test_two_runs_are_compared(cli: Cli, data: Path, questions: Path, tmp_path: Path) -> None:
    runs = [tmp_path / "edges.jsonl", tmp_path / "nodes.jsonl"]
    ott(cli, data, questions, "--method", "bm25", "--out", runs[0])
    ott(cli, data, questions, "--method", "bm25", "--units", "node", "--first", 1, "--out", runs[1])
    result = cli("eval", "compare", *runs, "--questions", questions)
    assert (result.exit_code, result.stdout.splitlines()[0]) == (0, "2 questions")
    assert result.stderr == f"{runs[1]} has no result for 1 of 2 questions; they count 0\n"
    found = json.loads(cli("eval", "compare", *runs, "--questions", questions, "--json").stdout)
    assert set(found["AR@2"]) == {"metric", "mean", "low", "high"}
    idle = cli("eval", "compare", *runs, "--questions", questions, "--json", "--worst", 3)
    assert (idle.exit_code, complaint(idle)[:42]) == (2, "--worst and --metric list questions, which")
    unknown = cli("eval", "compare", *runs, "--questions", questions, "--metric", "AR@3")
    assert (unknown.exit_code, complaint(unknown)[:20]) == (2, 'no measure "AR@3"; t')
