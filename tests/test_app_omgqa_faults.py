"""`heliograph eval omgqa` over files that are missing, torn or none: a named error, its exit code, and nothing lost."""

import json
import os
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import Result

from eval.omgqa.run_log import read_runs, run_line
from indexers.lock import WriterLock
from tests.eval.omgqa.converting.written import BEAM, MINK, lines
from tests.eval.omgqa.judging.test_expertqa import ANSWERS
from tests.evaluations import Evaluation, contents, refused
from tests.killed import whole_lines

Cli = Callable[..., Result]
Fault = Callable[[Path], object]


def cut_in_the_middle(path: Path) -> None:
    first, *others = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join((first[: len(first) // 2], b"\n", *others)))


def cut_at_the_end(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-20])


def twice(path: Path) -> None:
    content = path.read_bytes()
    path.write_bytes(content + content.splitlines(keepends=True)[-1])


def no_text(path: Path) -> None:
    content = path.read_bytes()
    place = content.index(b'"', len(content) // 2) + 1
    path.write_bytes(content[:place] + b"\xff\xfe" + content[place:])


def a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def a_pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def a_device(path: Path) -> None:
    path.unlink()
    path.symlink_to("/dev/zero")


DAMAGE: tuple[Fault, ...] = (cut_in_the_middle, cut_at_the_end, twice, no_text, a_folder, a_pipe, a_device)
READ = {
    "run": ("questions", "systems", "runs"),
    "judge": ("questions", "runs", "words", "pool"),
    "report": ("questions", "runs", "words", "pool", "systems", "evidence", "documents"),
    "compare": ("runs", "words"),
    "label": ("questions", "runs", "pool", "evidence"),
}
"""The files that a command reads."""
GROWING = {("run", "runs"), ("judge", "words"), ("judge", "pool"), ("label", "pool")}
"""Those that it adds to: a last line that was cut short is dropped there, and the work goes on."""
DAMAGED = [
    (command, name, fault)
    for command, names in READ.items()
    for name in names
    for fault in DAMAGE
    if fault is not cut_at_the_end or (command, name) not in GROWING
]
NOT_OPENED = {
    ("run", "runs", a_folder),
    *((command, "pool", fault) for command in ("judge", "label") for fault in (a_folder, a_pipe, a_device)),
    *(("judge", "words", fault) for fault in (a_folder, a_pipe, a_device)),
}
"""What cannot be opened to be added to is a store that cannot be used; `run` opens a pipe, and refuses to read it."""


@pytest.mark.parametrize(("command", "name", "fault"), DAMAGED)
def test_a_damaged_file_is_named_and_nothing_is_touched(
    cli: Cli, evaluation: Evaluation, command: str, name: str, fault: Fault
) -> None:
    path = evaluation.folder / f"{name}.jsonl"
    fault(path)
    before = contents(evaluation.folder)
    complaint = refused(cli(*evaluation.arguments(command)), 6 if (command, name, fault) in NOT_OPENED else 2)
    assert complaint.startswith("heliograph: ")
    assert str(path) in complaint
    assert contents(evaluation.folder) == before


@pytest.mark.parametrize(("command", "name"), sorted(GROWING))
def test_a_file_that_grows_goes_on_where_its_last_line_was_cut_short(
    cli: Cli, evaluation: Evaluation, command: str, name: str
) -> None:
    path = evaluation.folder / f"{name}.jsonl"
    cut_at_the_end(path)
    kept = whole_lines(path)
    result = cli(*evaluation.arguments(command))
    assert result.exit_code == 0, result.stderr
    assert path.read_bytes().startswith(kept)
    assert whole_lines(path) == path.read_bytes()


@pytest.mark.parametrize(
    ("command", "name", "complaint"),
    [
        ("judge", "questions", "{folder} is no folder of an evaluation; heliograph eval omgqa run makes one"),
        ("judge", "runs", "{folder} has no answers; heliograph eval omgqa run asks its systems"),
        ("report", "runs", "{folder} has no answers; heliograph eval omgqa run asks its systems"),
        ("report", "words", "there are no words {folder}/words.jsonl; heliograph eval omgqa judge comes first"),
        ("report", "pool", "{folder}/pool.jsonl has no judgements; heliograph eval omgqa judge comes first"),
        ("report", "evidence", "no file {folder}/evidence.jsonl; name the file"),
        ("report", "documents", "no file {folder}/documents.jsonl; name the file"),
        ("label", "pool", "there is no pool {folder}/pool.jsonl; judge what was found first"),
        ("label", "evidence", "{folder} has nothing to show yet; heliograph eval omgqa judge {folder} comes first"),
    ],
)
def test_a_file_that_is_missing_is_named_with_the_command_that_makes_it(
    cli: Cli, evaluation: Evaluation, command: str, name: str, complaint: str
) -> None:
    (evaluation.folder / f"{name}.jsonl").unlink()
    before = contents(evaluation.folder)
    said = refused(cli(*evaluation.arguments(command)), 2)
    assert said.startswith(f"heliograph: {complaint.format(folder=evaluation.folder)}")
    assert contents(evaluation.folder) == before


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("runs", "{folder} has no answers; heliograph eval omgqa run asks its systems"),
        ("pool", "{folder}/pool.jsonl has no judgements; heliograph eval omgqa judge comes first"),
        ("evidence", "{folder}/evidence.jsonl has no varn:"),
        ("questions", "{folder}/runs.jsonl has an answer to 'v2', which is none of the questions of the folder"),
        ("systems", "{folder}/systems.jsonl lacks 'Z TO te-minilm none SR', which has answers"),
    ],
)
def test_an_empty_file_is_no_report(cli: Cli, evaluation: Evaluation, name: str, complaint: str) -> None:
    (evaluation.folder / f"{name}.jsonl").write_bytes(b"")
    said = refused(cli(*evaluation.arguments("report")), 2)
    assert said.startswith(f"heliograph: {complaint.format(folder=evaluation.folder)}")


def test_where_nothing_was_found_there_is_nothing_to_judge(cli: Cli, evaluation: Evaluation) -> None:
    path = evaluation.folder / "runs.jsonl"
    path.write_text(run_line(replace(read_runs(path)[0], retrieved=(), rounds=(), claims=())))
    before = contents(evaluation.folder)
    said = refused(cli(*evaluation.arguments("judge")), 2)
    assert said.endswith("has nothing to judge: none of its answers found or cites any evidence")
    assert contents(evaluation.folder) == before


@pytest.mark.parametrize("command", ["run", "judge", "label"])
def test_another_process_that_writes_the_folder_is_named(cli: Cli, evaluation: Evaluation, command: str) -> None:
    with WriterLock(evaluation.folder):
        said = refused(cli(*evaluation.arguments(command)), 6)
    assert said.startswith(f"heliograph: the folder {evaluation.folder} is being written by process {os.getpid()}; ")
    assert said.endswith("name another folder with --out" if command == "run" else "a copy of the folder elsewhere")


GIVEN = {
    "questions.jsonl": "eval omgqa run {grid} --questions {path} --out {out}",
    "grid.toml": "eval omgqa run {path} --list",
    "pool.jsonl": "eval omgqa judge {folder} --labels {path}",
    "gold.jsonl": "eval omgqa judge {folder} --gold {path} --source zim:{archive}",
    "musique.jsonl": "eval omgqa convert musique --questions {path} --out {out}",
    "corpus.jsonl": "eval omgqa convert musique --questions {musique} --corpus {path} --out {out}",
    "hotpot.json": "eval omgqa convert hotpotqa --questions {path} --out {out}",
    "claims.jsonl": "eval omgqa calibrate --claims {path} --words {out}/words.jsonl",
}


@pytest.mark.parametrize(
    "fault", [Path.unlink, *(fault for fault in DAMAGE if fault is not twice)], ids=lambda fault: fault.__name__
)
@pytest.mark.parametrize("name", GIVEN)
def test_a_file_that_is_named_and_cannot_be_used_is_2(
    cli: Cli, evaluation: Evaluation, archive: Path, tmp_path: Path, name: str, fault: Fault
) -> None:
    given, out = tmp_path / "given", tmp_path / "out"
    given.mkdir()
    shutil.copy(evaluation.questions, given / "questions.jsonl")
    shutil.copy(evaluation.grid, given / "grid.toml")
    shutil.copy(evaluation.folder / "pool.jsonl", given / "pool.jsonl")
    lines(given / "gold.jsonl", {"question": "v1", "kind": "text", "title": "Torvik", "text": "Its ropewalk closed."})
    lines(given / "corpus.jsonl", {"title": "Holm", "text": "Holm is an island."})
    lines(given / "hotpot.json", [MINK])
    lines(given / "claims.jsonl", *ANSWERS)
    musique = lines(given / "musique.jsonl", BEAM)
    fault(given / name)
    before = contents(evaluation.folder)
    told = {"grid": evaluation.grid, "path": given / name, "out": out, "folder": evaluation.folder}
    result = cli(*(part.format(**told, archive=archive, musique=musique) for part in GIVEN[name].split()))
    assert str(given / name) in refused(result, 2)
    assert contents(evaluation.folder) == before
    assert not out.exists()


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (('"node": "s0/p1"', '"node": "s9/p99"'), "has no node s9/p99; pool its present state anew"),
        (('"question": "v1"', '"question": "v9"'), "question: there is no question 'v9'; name the file"),
        (('"label": "', '"label": "most '), "label: Input should be 'relevant' or 'irrelevant'"),
    ],
)
def test_labels_of_what_is_not_there_are_refused(
    cli: Cli, evaluation: Evaluation, tmp_path: Path, change: tuple[str, str], complaint: str
) -> None:
    labels = tmp_path / "labels.jsonl"
    pooled = (evaluation.folder / "pool.jsonl").read_text().replace('"extractive"', '"me"')
    labels.write_text(pooled.replace(*change))
    before = contents(evaluation.folder)
    said = refused(cli(*evaluation.arguments("judge"), "--labels", labels), 2)
    assert said.startswith(f"heliograph: {labels}:")
    assert complaint in said
    assert contents(evaluation.folder) == before


@pytest.mark.parametrize(
    ("question", "complaint"),
    [("Who built\x00 it?", "control character U+0000"), ("?", "is empty"), ("why " * 1_001, "4,000 are accepted")],
)
def test_a_question_that_no_system_takes_is_refused_before_any_is_asked(
    cli: Cli, evaluation: Evaluation, tmp_path: Path, question: str, complaint: str
) -> None:
    fixed = {"answers": ["x"], "evidence": None, "modalities": [], "source": "test"}
    path = lines(tmp_path / "q.jsonl", {"id": "odd", "question": question, **fixed})
    said = refused(cli("eval", "omgqa", "run", evaluation.grid, "--questions", path, "--out", tmp_path / "out"), 2)
    assert said.startswith(f"heliograph: {path}: question odd: the question ")
    assert complaint in said
    assert not (tmp_path / "out").exists()


def test_a_report_of_leaves_over_words_on_rows_is_refused(cli: Cli, evaluation: Evaluation) -> None:
    pool = evaluation.folder / "pool.jsonl"
    first, *others = pool.read_text().splitlines(keepends=True)
    row = {**json.loads(first), "node": "s1/t1/r1", "document": "varn:Varn%20Islands@1"}
    pool.write_text("".join((first, *others, json.dumps(row) + "\n")))
    said = refused(cli(*evaluation.arguments("report")), 2)
    assert said == f"heliograph: {pool} judges rows, which would all count as not found; give --unit row"
