"""Words that survive a kill, are asked for once, and are kept when the judge or the disk fails."""

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eval.omgqa.judging.cases import Case, Shown, Word
from eval.omgqa.judging.growing import folder_of
from eval.omgqa.judging.words import Asked, Said, judge_all, open_words, read_words, told_last, word_line
from heliograph.errors import ModelUnreachable, StoreLocked, UsageError
from heliograph.types import EvidenceId
from tests.eval.omgqa.judging.judges import WrittenJudge

CASES = tuple(Case("relevancy", f"{said} {number}") for number, said in enumerate(("yes", "no", "yes", "no", "yes")))
ROOT = Path(__file__).resolve().parents[4]


def judged(path: Path, judge: WrittenJudge, *cases: Case, at_once: int = 1) -> None:
    with open_words(path) as log:
        asyncio.run(judge_all(cases, judge, log, at_once, lambda _: None))


def test_words_are_kept_and_nobody_is_asked_twice(tmp_path: Path) -> None:
    path, judge = tmp_path / "new" / "words.jsonl", WrittenJudge()
    judged(path, judge, *CASES, *CASES[:2])
    assert judge.asked == list(CASES)
    again = WrittenJudge()
    judged(path, again, *CASES)
    assert again.asked == []
    assert {asked.case: said.word.yes for asked, said in read_words(path).items()} == {
        case.digest: "yes" in case.question for case in CASES
    }


def test_another_judge_another_prompt_and_another_text_are_asked_anew(tmp_path: Path) -> None:
    path = tmp_path / "words.jsonl"
    judged(path, WrittenJudge(), CASES[0])
    for judge in (WrittenJudge(name="other"), WrittenJudge(told="p2")):
        judged(path, judge, CASES[0])
        assert judge.asked == [CASES[0]]
    changed = Case("relevancy", "yes 0", evidence=(Shown(EvidenceId("w:A@1#s0/p1"), "text", ("A",), "words"),))
    last = WrittenJudge()
    judged(path, last, CASES[0], changed)
    assert last.asked == [changed]


@settings(max_examples=20, deadline=None)
@given(st.lists(st.sampled_from(CASES), max_size=8), st.integers(1, 4))
def test_judging_twice_asks_nothing_whatever_runs_side_by_side(
    tmp_path_factory: pytest.TempPathFactory, cases: list[Case], at_once: int
) -> None:
    path, judge = tmp_path_factory.mktemp("words") / "words.jsonl", WrittenJudge()

    async def both() -> None:
        with open_words(path) as log:
            calls = (judge_all(cases, judge, log, at_once, lambda _: None) for _ in range(2))
            await asyncio.gather(*calls)
            await judge_all(cases, judge, log, at_once, lambda _: None)

    asyncio.run(both())
    assert len(judge.asked) == len(set(cases)) == len(read_words(path))


WORDS = st.builds(
    Said,
    st.sampled_from(["relevancy", "correct_use", "completeness", "support"]),
    st.builds(Word, st.booleans(), st.none() | st.floats(0, 1)),
)
NAMES = st.builds(Asked, st.from_regex("[0-9a-f]{64}", fullmatch=True), st.text(min_size=1), st.text())


@given(st.dictionaries(NAMES, WORDS, max_size=5))
def test_any_words_read_back(tmp_path_factory: pytest.TempPathFactory, said: dict[Asked, Said]) -> None:
    path = tmp_path_factory.mktemp("words") / "words.jsonl"
    path.write_text("".join(word_line(*each) for each in said.items()), encoding="utf8")
    assert read_words(path) == said


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 150))
def test_a_line_that_a_kill_cut_short_is_asked_again_unless_its_end_alone_is_missing(
    tmp_path_factory: pytest.TempPathFactory, cut: int
) -> None:
    path = tmp_path_factory.mktemp("words") / "words.jsonl"
    judged(path, WrittenJudge(), *CASES[:3])
    path.write_bytes(path.read_bytes()[:-cut])
    judge = WrittenJudge()
    judged(path, judge, *CASES[:3])
    assert judge.asked == ([] if cut == 1 else [CASES[2]])
    assert len(read_words(path)) == 3


KILLED = """
import asyncio, os, signal, sys
from pathlib import Path
from eval.omgqa.judging.cases import Case, Word
from eval.omgqa.judging.words import judge_all, open_words

class Killed:
    name = "written"
    asked = 0
    def prompt(self, task):
        return f"p1-{task}"
    async def judge(self, case):
        self.asked += 1
        if self.asked == 3:
            os.kill(os.getpid(), signal.SIGKILL)
        return Word(True)

with open_words(Path(sys.argv[1])) as log:
    cases = [Case("relevancy", f"{said} {number}") for number, said in enumerate(("yes", "no", "yes", "no", "yes"))]
    asyncio.run(judge_all(cases, Killed(), log, 1, print))
"""


def test_a_killed_process_leaves_all_words_before_it(tmp_path: Path) -> None:
    path = tmp_path / "words.jsonl"
    ended = subprocess.run([sys.executable, "-c", KILLED, str(path)], cwd=ROOT, check=False)
    assert ended.returncode == -signal.SIGKILL
    judge = WrittenJudge()
    judged(path, judge, *CASES)
    assert judge.asked == list(CASES[2:])


def test_the_first_failure_stops_once_what_is_out_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "words.jsonl"
    judge = WrittenJudge(broken=CASES[2])
    with pytest.raises(ModelUnreachable, match="nobody is there; start the server"):
        judged(path, judge, *CASES, at_once=3)
    assert (judge.asked, judge.most) == (list(CASES[:3]), 3)
    assert len(read_words(path)) == 2
    mended = WrittenJudge()
    judged(path, mended, *CASES)
    assert mended.asked == list(CASES[2:])


def test_no_more_than_so_many_are_asked_at_once(tmp_path: Path) -> None:
    judge = WrittenJudge()
    judged(tmp_path / "words.jsonl", judge, *CASES, at_once=2)
    assert (judge.most, len(judge.asked)) == (2, 5)


def test_progress_is_told(tmp_path: Path) -> None:
    told: list[str] = []
    with open_words(tmp_path / "words.jsonl") as log:
        asyncio.run(judge_all(CASES, WrittenJudge(), log, 2, told.append))
    assert told[-1].startswith("words of written: 5 of 5")


def test_a_second_process_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "words.jsonl"
    with open_words(path):
        opening = "import sys; from pathlib import Path; from eval.omgqa.judging.words import open_words\n"
        opening += "with open_words(Path(sys.argv[1])): pass"
        ended = subprocess.run(
            [sys.executable, "-c", opening, str(path)], cwd=ROOT, check=False, capture_output=True, text=True
        )
        with pytest.raises(StoreLocked, match=f"process {os.getpid()}; wait until it has ended, or name another file"):
            judged(path, WrittenJudge(), *CASES)
    assert f"StoreLocked: the folder {folder_of(path)}" in ended.stderr
    judged(path, WrittenJudge(), *CASES)


FULL = """
import asyncio, resource, signal, sys
from pathlib import Path
from tests.eval.omgqa.judging.judges import WrittenJudge
from eval.omgqa.judging.cases import Case
from eval.omgqa.judging.words import judge_all, open_words
from heliograph.errors import StoreFull

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
with open_words(Path(sys.argv[1])) as log:
    resource.setrlimit(resource.RLIMIT_FSIZE, (400, 400))
    try:
        asyncio.run(judge_all([Case("relevancy", f"yes {n}") for n in range(5)], WrittenJudge(), log, 1, print))
    except StoreFull as err:
        print(f"full: {err}")
"""


def test_a_full_disk_is_told_and_leaves_whole_lines(tmp_path: Path) -> None:
    path = tmp_path / "words.jsonl"
    ended = subprocess.run(
        [sys.executable, "-c", FULL, str(path)], cwd=ROOT, check=True, capture_output=True, text=True
    )
    assert ended.stdout.splitlines()[-1].startswith(f"full: no space left to write {path}; free some space")
    assert len(read_words(path)) == 2
    assert path.read_bytes().endswith(b"\n")


@pytest.mark.parametrize("content", ["my notes", '{"case": "x"}\n', "[]\n"])
def test_a_file_of_something_else_is_left_as_it_is(tmp_path: Path, content: str) -> None:
    path = tmp_path / "notes.jsonl"
    path.write_text(content)
    with pytest.raises(UsageError, match=r"notes\.jsonl"):
        judged(path, WrittenJudge(), *CASES)
    assert path.read_text() == content


def test_two_words_on_one_case_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "words.jsonl"
    judged(path, WrittenJudge(), CASES[0])
    path.write_bytes(path.read_bytes() * 2)
    with pytest.raises(UsageError, match="has two words of written on case"):
        read_words(path)


def counting(path: Path) -> dict[str, bool]:
    return {case: said.word.yes for case, said in told_last(read_words(path), "written").items()}


def test_words_under_the_last_instructions_count_and_older_ones_never_fill_their_gaps(tmp_path: Path) -> None:
    path, support = tmp_path / "words.jsonl", Case("support", "yes 0", "Io is a moon.")
    judged(path, WrittenJudge(), *CASES, support)
    judged(path, WrittenJudge(name="other"), *CASES)
    judged(path, WrittenJudge(told="p2", sought="none"), *CASES[:2])
    assert counting(path) == {CASES[0].digest: False, CASES[1].digest: False, support.digest: True}


def count_anew(path: Path, judge: WrittenJudge) -> None:
    with open_words(path) as log:
        log.count_anew(judge)
        assert log.said == read_words(path)


def test_instructions_that_come_back_count_again(tmp_path: Path) -> None:
    path = tmp_path / "words.jsonl"
    first, second = WrittenJudge(), WrittenJudge(told="p2", sought="none")
    judged(path, first, *CASES)
    before = counting(path)
    judged(path, second, *CASES[:2])
    changed = path.read_bytes()
    count_anew(path, second)
    assert path.read_bytes() == changed
    count_anew(path, first)
    assert counting(path) == before
    assert sorted(path.read_bytes().splitlines()) == sorted(changed.splitlines())
    count_anew(path, WrittenJudge(told="p3"))  # has no word yet, so that those before it still count
    assert counting(path) == before
