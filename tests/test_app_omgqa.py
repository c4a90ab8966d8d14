"""`heliograph eval omgqa`: systems are asked, resumed, judged and reported from the command line."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from app import main
from eval.omgqa.dataset import judgement_line, read_judgements
from eval.omgqa.evaluating import read_results
from eval.omgqa.folder import EvaluationFolder
from eval.omgqa.judged import units
from eval.omgqa.records import AUTHORS, Judgement
from eval.omgqa.run_log import read_runs

Cli = Callable[..., Result]
QUESTIONS = (
    {"id": "v1", "question": "When was Skerry Head Light first lit?", "answers": ["1871"]},
    {"id": "v2", "question": "When did the ropewalk of Torvik close?", "answers": ["1931"]},
)


@pytest.fixture
def questions(tmp_path: Path) -> Path:
    path = tmp_path / "questions.jsonl"
    made_up = {"evidence": None, "modalities": ["text"], "source": "test"}
    path.write_text("".join(json.dumps(each | made_up) + "\n" for each in QUESTIONS), encoding="utf8")
    return path


@pytest.fixture
def grid(tmp_path: Path, archive: Path) -> Path:
    path = tmp_path / "grid.toml"
    path.write_text(
        f'[settings]\nsources = ["zim:{archive}"]\n[[grid]]\nindexing = "text-only"\n'
        'strategy = ["single-round", "multi-round"]\n[[grid]]\nllm = "far"\n[llms.far]\nmodel = "far"\n',
        encoding="utf8",
    )
    return path


def test_systems_that_lack_nothing_are_asked_once(cli: Cli, grid: Path, questions: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    asked = cli("eval", "omgqa", "run", grid, "--questions", questions, "--out", out)
    assert asked.exit_code == 0, asked.stderr
    assert "Z MS te-minilm far MR is left out: it lacks [llms.far] base_url" in asked.stderr
    assert f"the answers are in {out}" in asked.stdout
    runs = read_runs(out / "runs.jsonl")
    assert {(run.system, run.question) for run in runs} == {
        (f"Z TO te-minilm none {strategy}", question["id"]) for strategy in ("SR", "MR") for question in QUESTIONS
    }
    assert all("1871" in run.answer for run in runs if run.question == "v1")
    again = cli("eval", "omgqa", "run", grid, "--questions", questions, "--out", out)
    assert "4 of 4 answers are there already" in again.stderr
    assert read_runs(out / "runs.jsonl") == runs


def test_what_systems_lack_is_listed(cli: Cli, grid: Path) -> None:
    listed = cli("eval", "omgqa", "run", grid, "--list")
    assert listed.stdout.splitlines() == [
        "Z TO te-minilm none SR",
        "Z TO te-minilm none MR",
        "Z MS te-minilm far MR",
        "    lacks [llms.far] base_url: no server is named for it",
    ]
    assert len(cli("eval", "omgqa", "run", "paper", "--list", "--system", "D TO h-sfr llama-3-8b SR").stdout) < 300


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ((), "no questions are named; add --questions FILE, or --list"),
        (("--list", "--system", "X"), "there is no system 'X'; --list names them"),
        (("--questions", "{tmp}/none.jsonl"), "no file {tmp}/none.jsonl"),
        (("--questions", "{tmp}/questions.jsonl", "--system", "Z MS te-minilm far MR"), "none of the systems can run"),
    ],
)
def test_what_cannot_be_asked_is_refused(
    cli: Cli, grid: Path, questions: Path, tmp_path: Path, options: tuple[str, ...], complaint: str
) -> None:
    assert questions.exists()
    refused = cli("eval", "omgqa", "run", grid, *(option.format(tmp=tmp_path) for option in options))
    assert refused.exit_code == 2
    assert complaint.format(tmp=tmp_path) in refused.stderr
    assert "Traceback" not in refused.stderr


@pytest.fixture
def folder(cli: Cli, grid: Path, questions: Path, tmp_path: Path) -> Path:
    out = tmp_path / "out"
    asked = cli("eval", "omgqa", "run", grid, "--questions", questions, "--out", out)
    assert asked.exit_code == 0, asked.stderr
    return out


def test_what_was_found_is_judged_once_and_reported(cli: Cli, folder: Path, tmp_path: Path) -> None:
    judged = cli("eval", "omgqa", "judge", folder)
    assert judged.exit_code == 0, judged.stderr
    assert "words of extractive:" in judged.stderr
    kept = [(folder / name).read_bytes() for name in ("pool.jsonl", "words.jsonl", "evidence.jsonl", "documents.jsonl")]
    again = cli("eval", "omgqa", "judge", folder)
    assert "words of extractive:" not in again.stderr
    assert kept == [
        (folder / name).read_bytes() for name in ("pool.jsonl", "words.jsonl", "evidence.jsonl", "documents.jsonl")
    ]
    told = cli("eval", "omgqa", "report", folder)
    assert told.exit_code == 0, told.stderr
    assert "Systems by the average of the ten (Table 9)" in told.stdout
    figures = json.loads(cli("eval", "omgqa", "report", folder, "--format", "json").stdout)
    assert len(figures["systems"]) == 3
    page = tmp_path / "report.html"
    assert cli("eval", "omgqa", "report", folder, "--format", "html", "--out", page).exit_code == 0
    assert "Skerry Head Light" in page.read_text(encoding="utf8")


def test_a_question_that_was_not_asked_counts_nowhere(cli: Cli, folder: Path, tmp_path: Path) -> None:
    assert cli("eval", "omgqa", "judge", folder).exit_code == 0
    whole = json.loads(cli("eval", "omgqa", "report", folder, "--format", "json").stdout)
    with (folder / "questions.jsonl").open("a") as file:
        more = {"id": "v9", "question": "How old is the lamp?", "answers": ["9"], "evidence": None}
        file.write(json.dumps(more | {"modalities": ["image"], "source": "test"}) + "\n")
    pool = [json.loads(line) for line in (folder / "pool.jsonl").read_text().splitlines()]
    with (folder / "pool.jsonl").open("a") as file:
        file.write(json.dumps(pool[0] | {"question": "v9", "judge": "authors", "prompt": ""}) + "\n")
    record = json.loads(cli("eval", "omgqa", "report", folder, "--format", "json").stdout)
    assert record == whole | {"unasked": ["v9"]}
    page = tmp_path / "report.html"
    assert cli("eval", "omgqa", "report", folder, "--format", "html", "--out", page).exit_code == 0
    assert "1 more questions were not asked" in page.read_text(encoding="utf8")


def test_labels_of_authors_come_before_the_judge_s(cli: Cli, folder: Path, tmp_path: Path) -> None:
    run = next(run for run in read_runs(folder / "runs.jsonl") if run.question == "v1")
    labels = tmp_path / "labels.jsonl"
    labels.write_text(
        "".join(
            judgement_line(Judgement("v1", unit, place == 0, AUTHORS))
            for place, unit in enumerate(units(run.retrieved, "leaf"))
        ),
        encoding="utf8",
    )
    assert cli("eval", "omgqa", "judge", folder, "--labels", labels).exit_code == 0
    judgements = read_judgements(folder / "pool.jsonl", ["v1", "v2"])
    assert {(each.question, each.judge) for each in judgements} == {("v1", AUTHORS), ("v2", "extractive")}
    results = read_results(EvaluationFolder(folder), "extractive")
    assert {len(each.judged.labels.relevant) for each in results.runs if each.run.question == "v1"} == {1}


def test_a_judge_s_last_word_stands_in_the_pool(cli: Cli, folder: Path) -> None:
    cli("eval", "omgqa", "judge", folder)
    pool = folder / "pool.jsonl"
    judgements = read_judgements(pool, ["v1", "v2"])
    before = (replace(each, relevant=not each.relevant, prompt="another") for each in judgements)
    pool.write_text("".join(map(judgement_line, before)), encoding="utf8")
    assert cli("eval", "omgqa", "judge", folder).exit_code == 0
    assert read_judgements(pool, ["v1", "v2"]) == judgements


def label(folder: Path, keys: str, *options: object) -> Result:
    """Press keys as anna."""
    given = [str(each) for each in ("eval", "omgqa", "label", folder, "--judge", "anna", *options)]
    return CliRunner().invoke(main, given, input=keys, prog_name="heliograph")


def test_the_words_of_one_judge_alone_are_measured_by(cli: Cli, folder: Path) -> None:
    """A person who has decided a part is compared with the judge, and not measured by before all is decided."""
    cli("eval", "omgqa", "judge", folder)
    before = cli("eval", "omgqa", "report", folder, "--format", "json").stdout
    for task in ("correct_use", "completeness", "support"):
        assert "1 labelled by anna, 0 left" in label(folder, "n", "--task", task, "--first", 1).stderr
    after = json.loads(cli("eval", "omgqa", "report", folder, "--format", "json").stdout)
    assert after["systems"] == json.loads(before)["systems"]
    rows = [row["cells"] for row in after["tables"]["agreement"]["rows"]]
    assert [(row["task"], row["first"], row["second"], row["cases"]) for row in rows] == [
        (task, "anna", "extractive", 1) for task in ("correct use", "completeness", "support")
    ]
    refused = cli("eval", "omgqa", "report", folder, "--judge", "anna")
    assert refused.exit_code == 2
    assert f"'anna' has not decided all that a report of {folder} rests on; undecided are: relevancy" in refused.stderr
    assert "or report by --judge extractive, who has" in refused.stderr
    for task in ("relevancy", "correct_use", "completeness", "support"):
        assert ", 0 left" in label(folder, "n" * 200, "--task", task).stderr
    figures = json.loads(cli("eval", "omgqa", "report", folder, "--judge", "anna", "--format", "json").stdout)
    assert {question["relevant"] for question in figures["questions"].values()} == {0}


def test_a_model_does_not_judge_under_the_name_of_a_person(cli: Cli, folder: Path) -> None:
    cli("eval", "omgqa", "judge", folder)
    label(folder, "n", "--task", "support", "--first", 1)
    words = folder / "words.jsonl"
    words.write_text(words.read_text(encoding="utf8").replace('"judge": "anna"', '"judge": "extractive"'))
    refused = cli("eval", "omgqa", "judge", folder)
    assert refused.exit_code == 2
    assert "has words of a person named 'extractive'; rename that judge" in refused.stderr


def test_two_systems_are_compared(cli: Cli, folder: Path) -> None:
    cli("eval", "omgqa", "judge", folder)
    first, second = (f"Z TO te-minilm none {strategy}" for strategy in ("MR", "SR"))
    compared = cli("eval", "omgqa", "compare", folder, first, second)
    assert compared.exit_code == 0, compared.stderr
    assert "F1-ER" in compared.stdout


@pytest.mark.parametrize(
    ("command", "complaint"),
    [
        (("report", "{folder}"), "words.jsonl"),
        (("judge", "{folder}", "--judge", "llm"), "no judge is set; set HELIOGRAPH_JUDGE__BASE_URL"),
        (("judge", "{folder}", "--labels", "{folder}/none.jsonl"), "no file"),
        (("judge", "{folder}", "--gold", "{folder}/questions.jsonl"), "name where these are with --source"),
        (("judge", "{folder}/words.run"), "is no folder of an evaluation; heliograph eval omgqa run makes one"),
        (("report", "{folder}/none"), "is no folder of an evaluation"),
        (("compare", "{folder}/none", "a", "b"), "is no folder of an evaluation"),
    ],
)
def test_what_cannot_be_judged_or_reported_is_refused(
    cli: Cli, folder: Path, command: tuple[str, ...], complaint: str
) -> None:
    refused = cli("eval", "omgqa", *(part.format(folder=folder) for part in command))
    assert (refused.exit_code, "Traceback" in refused.stderr) == (2, False)
    assert complaint in refused.stderr
