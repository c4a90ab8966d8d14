"""The command of people, from its options to what it prints and keeps."""

import asyncio
import json
import os
import pty
import subprocess
import sys
import termios
import time
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from eval.cli.labelling import label_command
from eval.omgqa.dataset import judgement_line, question_line, read_judgements
from eval.omgqa.folder import EvaluationFolder
from eval.omgqa.judging.alignment import TASKS
from eval.omgqa.judging.cases import Case, Shown, Task, Word
from eval.omgqa.judging.laid_out import KEYS
from eval.omgqa.judging.words import Said, judge_all, open_words, read_words
from eval.omgqa.labelling import cases_of, open_labelling
from eval.omgqa.records import AUTHORS, Judgement, OmgQuestion
from eval.omgqa.run_log import run_line
from eval.omgqa.runs import CitedClaim, OmgRun
from eval.omgqa.shelf import write_shown
from heliograph.errors import UsageError
from heliograph.types import EvidenceId, PageKey, Usage
from tests.eval.omgqa.judging.judges import WrittenJudge

ROOT = Path(__file__).resolve().parents[3]
WORD = Word(True)
UNITS = (EvidenceId("w:Io@7#s0/p1"), EvidenceId("w:Io@7#s0/t1"))
POOL = (Judgement("q1", UNITS[0], True, AUTHORS), Judgement("q1", UNITS[1], False, AUTHORS))


RUN = OmgRun(
    system="ours",
    question="q1",
    seed=0,
    run="r1",
    answer="It is hot. [1] It spits. [2]",
    abstained=False,
    documents=(PageKey("w:Io@7"),),
    retrieved=UNITS,
    rounds=(UNITS,),
    claims=(CitedClaim("It is hot.", UNITS[:1], "supported"), CitedClaim("It spits.", UNITS[1:], "supported")),
    usage=Usage(),
    seconds=1.0,
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    files = EvaluationFolder(tmp_path)
    files.runs.write_text(run_line(RUN))
    question = OmgQuestion("q1", "What of Io?", ("hot",), UNITS[:1], ("text",), "demo")
    files.questions.write_text(question_line(question))
    files.pool.write_text("".join(map(judgement_line, POOL)))
    text = Shown(UNITS[0], "text", ("Io", "Heat"), "Io is hot.")
    table = Shown(UNITS[1], "table", ("Io",), "Plumes // Plume | Height // Pele | 300")
    write_shown(files.evidence, (text, table))
    return tmp_path


def run(command: Any, *args: object, **more: Any) -> Result:
    return CliRunner().invoke(command, [str(arg) for arg in args], catch_exceptions=False, **more)


def test_a_person_labels_by_keys_and_goes_on_later(folder: Path) -> None:
    first = run(label_command, folder, "--judge", "anna", input="y")
    assert first.exit_code == 0
    assert first.stderr == "relevancy: 1 labelled by anna, 1 left\n"
    assert "Question: What of Io?" in first.stdout
    second = run(label_command, folder, "--judge", "anna", input="n\n")
    assert second.stderr == "relevancy: 1 labelled by anna, 0 left\n"
    shown = first.stdout + second.stdout
    assert "text: Io > Heat\n\n  Io is hot.\n" in shown
    assert "table: Io\n\n  Plumes\n  Plume | Height\n  Pele | 300\n" in shown
    words = [each for each in read_judgements(folder / "pool.jsonl", ["q1"]) if each.judge == "anna"]
    assert sorted(each.evidence for each in words) == sorted(UNITS)
    assert [each.relevant for each in words] == [True, False]


def test_nobody_at_the_keys_ends_it(folder: Path) -> None:
    assert run(label_command, folder, "--judge", "anna", input="").stderr == "relevancy: 0 labelled by anna, 2 left\n"


def test_agreement_is_printed_task_by_task(folder: Path) -> None:
    run(label_command, folder, "--judge", "anna", input="yy")
    case = Case("completeness", "What of Io?", "It is hot.")
    with open_words(folder / "words.jsonl") as log:
        for judge in (WrittenJudge(name="anna"), WrittenJudge(name=AUTHORS)):
            log.keep(case, judge, WORD)
    told = run(label_command, folder, "--judge", "anna", "--against", AUTHORS)
    assert [line for line in told.stdout.splitlines() if not line.startswith(" ")] == [
        "relevancy: 2 cases, agreement 50.0%, kappa 0.000",
        "completeness: 1 case, agreement 100.0%, kappa undefined, as both only ever say one word",
    ]
    record = json.loads(run(label_command, folder, "--judge", "anna", "--against", AUTHORS, "--json").stdout)
    assert record["relevancy"] == {
        "cases": 2,
        "agreement": 0.5,
        "kappa": 0.0,
        "both_yes": 1,
        "only_first": 1,
        "only_second": 0,
        "both_no": 0,
    }


def test_a_judge_without_a_word_is_named(folder: Path) -> None:
    with pytest.raises(UsageError, match="bert has no word in this folder; name one of its judges: authors"):
        run(label_command, folder, "--judge", "bert", "--against", AUTHORS)


@pytest.mark.parametrize(
    ("task", "cases", "shown"),
    [
        ("correct_use", 1, "Answer: It is hot. [1] It spits. [2]\n\n[1] text: Io > Heat\n"),
        ("completeness", 1, "Answer: It is hot. [1] It spits. [2]\n\nDoes every sentence"),
        ("support", 2, "Claim: It spits.\n\ntable: Io\n\n  Plumes\n"),
    ],
)
def test_a_person_decides_what_judges_decide_of_answers(folder: Path, task: Task, cases: int, shown: str) -> None:
    name = task.replace("_", " ")
    first = run(label_command, folder, "--judge", "anna", "--task", task, input="n")
    assert first.stderr == f"{name}: 1 labelled by anna, {cases - 1} left\n"
    second = run(label_command, folder, "--judge", "anna", "--task", task, input="y\nu\nn\n")
    assert second.stderr == f"{name}: {cases - 1} labelled by anna, 0 left\n"
    assert shown in first.stdout + second.stdout
    kept = read_words(folder / "words.jsonl")
    assert {(each.judge, each.prompt) for each in kept} == {("anna", "")}
    assert list(kept.values()) == [Said(task, Word(False))] * cases
    with open_words(folder / "words.jsonl") as log:
        asyncio.run(judge_all(cases_of(EvaluationFolder(folder), task), WrittenJudge(name="code"), log, 1, str))
    told = run(label_command, folder, "--judge", "anna", "--against", "code")
    assert told.stdout.startswith(f"{name}: {cases} case")


def test_a_word_is_in_the_file_before_the_next_case_is_shown(folder: Path) -> None:
    words = folder / "words.jsonl"
    seen: list[int] = []

    def ask(_: str) -> str:
        seen.append(len(words.read_bytes().splitlines()))
        return "y" if len(seen) < 3 else "q"

    with ExitStack() as stack:
        open_labelling(EvaluationFolder(folder), "anna", "support", stack).run(ask)
    assert seen == [0, 1, 2]


def test_one_task_is_compared_where_it_is_named(folder: Path) -> None:
    for task in ("relevancy", "support"):
        run(label_command, folder, "--judge", "anna", "--task", task, input="yy")
        run(label_command, folder, "--judge", "bert", "--task", task, input="yn")
    both = json.loads(run(label_command, folder, "--judge", "anna", "--against", "bert", "--json").stdout)
    assert list(both) == ["relevancy", "support"]
    told = run(label_command, folder, "--judge", "anna", "--against", "bert", "--task", "support")
    assert told.stdout.splitlines()[0] == "support: 2 cases, agreement 50.0%, kappa 0.000"
    with pytest.raises(UsageError, match="anna has no word on completeness"):
        run(label_command, folder, "--judge", "anna", "--against", "bert", "--task", "completeness")


@pytest.mark.parametrize("judge", ["code", "gpt", AUTHORS, "extractive", "llm"])
@pytest.mark.parametrize("task", TASKS)
def test_nobody_labels_under_the_name_of_a_machine_or_of_the_authors(folder: Path, task: str, judge: str) -> None:
    with (folder / "pool.jsonl").open("a") as pool:
        pool.write(judgement_line(Judgement("q1", UNITS[0], True, "code", "hash")))
    with open_words(folder / "words.jsonl") as log:
        log.keep(Case("support", "What of Io?", "It is hot."), WrittenJudge(name="gpt"), WORD)
    before = (folder / "pool.jsonl").read_bytes(), (folder / "words.jsonl").read_bytes()
    with pytest.raises(UsageError, match=f"the words of '{judge}' are not a person's; label under another --judge"):
        run(label_command, folder, "--judge", judge, "--task", task, input="y")
    assert before == ((folder / "pool.jsonl").read_bytes(), (folder / "words.jsonl").read_bytes())


@pytest.mark.parametrize("judge", ["", " ", "an\x1b[2Jna"])
def test_a_name_can_be_printed(folder: Path, judge: str) -> None:
    with pytest.raises(UsageError, match="is no name; name who labels with --judge"):
        run(label_command, folder, "--judge", judge, input="y")


@pytest.mark.parametrize("task", TASKS)
def test_what_a_folder_lacks_is_told_with_the_command_that_makes_it(folder: Path, task: str) -> None:
    def refused() -> str:
        with pytest.raises(UsageError) as told:
            run(label_command, folder, "--judge", "anna", "--task", task, input="y")
        return str(told.value)

    (folder / "evidence.jsonl").unlink()
    assert refused() == f"{folder} has nothing to show yet; heliograph eval omgqa judge {folder} comes first"
    (folder / "runs.jsonl").unlink()
    assert refused() == f"{folder} has no answers; heliograph eval omgqa run asks its systems"
    (folder / "questions.jsonl").unlink()
    assert refused() == f"{folder} is no folder of an evaluation; heliograph eval omgqa run makes one"


@pytest.mark.parametrize("task", ["correct_use", "completeness", "support"])
def test_answers_that_cite_nothing_are_no_cases(folder: Path, task: str) -> None:
    (folder / "runs.jsonl").write_text(run_line(replace(RUN, claims=())))
    with pytest.raises(UsageError, match=rf"has no case of {task.replace('_', ' ')}: none of its answers cites any"):
        run(label_command, folder, "--judge", "anna", "--task", task, input="y")


def test_options_that_do_nothing_are_refused(folder: Path) -> None:
    assert "'use' is not one of" in run(label_command, folder, "--judge", "anna", "--task", "use").stderr
    with pytest.raises(UsageError, match="--against compares all cases that both decided; leave --first out"):
        run(label_command, folder, "--judge", "anna", "--against", "bert", "--first", 1)
    with pytest.raises(UsageError, match="--json prints an agreement; name the other judge with --against"):
        run(label_command, folder, "--judge", "anna", "--json")


LABEL = "import sys; from eval.cli.labelling import label_command; label_command(sys.argv[1:])"


def test_an_input_that_was_never_open_ends_it(folder: Path) -> None:
    def close_the_input() -> None:
        os.close(0)

    ended = subprocess.run(
        [sys.executable, "-c", LABEL, str(folder), "--judge", "anna", "--task", "support"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
        preexec_fn=close_the_input,
    )
    assert ended.stderr == "support: 0 labelled by anna, 2 left\n"


def press(terminal: int, key: bytes) -> None:
    """Press a key once somebody waits for it: what was typed before is thrown away."""
    while termios.tcgetattr(terminal)[3] & termios.ICANON:
        time.sleep(0.01)
    os.write(terminal, key)


def test_a_terminal_gives_single_keys(folder: Path) -> None:
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-c", LABEL, str(folder), "--judge", "anna", "--task", "support"],
        cwd=ROOT,
        stdin=theirs,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as labelling:
        assert labelling.stdout is not None
        shown: list[str] = []
        for key in (b"y", b"u", b"y", b"n", b"q"):
            shown.append(next(line for line in labelling.stdout if line.endswith("q quit\n")))
            press(ours, key)
        told = labelling.communicate(timeout=60)[1]
    os.close(ours)
    os.close(theirs)
    assert shown == [f"{KEYS}\n"] * 4 + ["u undo   q quit\n"]
    assert told == "support: 2 labelled by anna, 0 left\n"
    assert sorted(said.word.yes for said in read_words(folder / "words.jsonl").values()) == [False, True]
