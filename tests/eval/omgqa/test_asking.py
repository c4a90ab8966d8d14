"""Every system is asked every question once, whatever stops it on the way."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.omgqa.asking import Unasked, ask_systems, drawn
from eval.omgqa.folder import EvaluationFolder, opened, read_systems_of
from eval.omgqa.records import OmgQuestion
from eval.omgqa.run_log import asked, open_runs, read_runs, run_line
from eval.omgqa.runs import omg_run
from eval.omgqa.systems import System
from heliograph.errors import ModelUnreachable, StoreFull, StoreLocked, UsageError
from tests.eval.omgqa.answering import FIRST, PAGE, SECOND, FakeHeliograph, a_question, a_system, an_answer

QUESTIONS = tuple(map(a_question, ("a", "b", "c")))
SYSTEMS = (a_system("one"), a_system("two"))
DOWN = ModelUnreachable("the server is down; start it")


async def run(
    folder: Path,
    heliograph: FakeHeliograph,
    systems: Sequence[System] = SYSTEMS,
    questions: Sequence[OmgQuestion] = QUESTIONS,
    at_once: int = 2,
) -> tuple[tuple[Unasked, ...], list[str]]:
    said = list[str]()
    place = EvaluationFolder(folder)
    with opened(place, questions, systems), open_runs(place.runs) as log:
        return await ask_systems(systems, questions, 0, heliograph.build, log, said.append, at_once), said


def test_what_is_judged_is_taken_from_the_answer() -> None:
    taken = omg_run(an_answer("What is a?"), "one", "a", 3)
    assert (taken.system, taken.question, taken.seed, taken.run) == ("one", "a", 3, "r1")
    assert taken.documents == (PAGE,)
    assert taken.retrieved == (SECOND, FIRST)
    assert taken.rounds == ((FIRST,), (SECOND, FIRST))
    assert taken.cited == taken.claims[0].cited == (FIRST, SECOND)


def test_a_round_has_found_what_a_later_one_scored_higher() -> None:
    answer = an_answer("What is a?")
    first, second = answer.rounds
    raised = replace(answer, rounds=(replace(first, evidence=(FIRST, SECOND)), second))
    assert omg_run(raised, "one", "a", 3).rounds == ((SECOND, FIRST), (SECOND, FIRST))


async def test_all_are_asked_and_kept(tmp_path: Path) -> None:
    heliograph = FakeHeliograph()
    unasked, said = await run(tmp_path, heliograph)
    assert unasked == ()
    assert said[:2] == [f"system {number} of 2: {each.name}" for number, each in enumerate(SYSTEMS, start=1)]
    assert len(heliograph.asked) == 6
    assert heliograph.at_once == 2
    assert {asked(each) for each in read_runs(tmp_path / "runs.jsonl")} == {
        (system.name, question.id, 0) for system in SYSTEMS for question in QUESTIONS
    }


async def test_nothing_is_asked_twice_and_a_torn_line_is_asked_again(tmp_path: Path) -> None:
    await run(tmp_path, FakeHeliograph())
    path = tmp_path / "runs.jsonl"
    path.write_bytes(path.read_bytes()[:-20])
    again = FakeHeliograph()
    unasked, said = await run(tmp_path, again)
    assert unasked == ()
    assert len(again.asked) == 1
    assert "5 of 6 answers are there already" in said
    assert len(read_runs(path)) == 6


async def test_a_system_that_stops_does_not_stop_the_next(tmp_path: Path) -> None:
    heliograph = FakeHeliograph({"What is b?": DOWN})
    unasked, said = await run(tmp_path, heliograph, at_once=1)
    assert [(each.system, each.error, each.questions) for each in unasked] == [
        (system.name, DOWN, 2) for system in SYSTEMS
    ]
    assert [each.question for each in read_runs(tmp_path / "runs.jsonl")] == ["a", "a"]
    assert any("2 questions were not answered: the server is down" in line for line in said)


async def test_a_system_that_cannot_be_built_does_not_stop_the_next(tmp_path: Path) -> None:
    refused = a_system("refused", refused=UsageError("no such archive"))
    unasked, _ = await run(tmp_path, FakeHeliograph(), (refused, SYSTEMS[0]))
    assert [each.system for each in unasked] == [refused.name]
    assert len(read_runs(tmp_path / "runs.jsonl")) == 3


async def test_a_full_store_stops_all_and_keeps_what_was_answered(tmp_path: Path) -> None:
    heliograph = FakeHeliograph({"What is b?": StoreFull("no space left")})
    with pytest.raises(StoreFull):
        await run(tmp_path, heliograph, at_once=1)
    assert [each.question for each in read_runs(tmp_path / "runs.jsonl")] == ["a"]
    assert heliograph.open == 0


async def test_other_questions_or_settings_want_another_folder(tmp_path: Path) -> None:
    await run(tmp_path, FakeHeliograph())
    with pytest.raises(UsageError, match="answers to other questions; name another folder"):
        await run(tmp_path, FakeHeliograph(), questions=QUESTIONS[1:])
    with pytest.raises(UsageError, match="with other settings; name another folder"):
        await run(tmp_path, FakeHeliograph(), (a_system("one", rounds=2),))
    unasked, _ = await run(tmp_path, FakeHeliograph(), (a_system("three"),))
    assert unasked == ()
    assert len(read_runs(tmp_path / "runs.jsonl")) == 9
    assert list(read_systems_of(EvaluationFolder(tmp_path)).values()) == [*SYSTEMS, a_system("three")]


async def test_two_processes_do_not_write_one_folder(tmp_path: Path) -> None:
    held = opened(EvaluationFolder(tmp_path), QUESTIONS, ())
    with held, pytest.raises(StoreLocked, match="name another folder with --out"):
        await run(tmp_path, FakeHeliograph())


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("{}", r"runs\.jsonl:1: system: Field required"),
        (run_line(omg_run(an_answer("a"), "one", "a", 0)) * 2, "two answers of one system to one question and seed"),
    ],
)
def test_what_is_no_answer_is_named(tmp_path: Path, line: str, complaint: str) -> None:
    path = tmp_path / "runs.jsonl"
    path.write_text(line, encoding="utf8")
    with pytest.raises(UsageError, match=complaint):
        read_runs(path)


@given(st.integers(0, 12), st.integers(0, 12), st.integers())
def test_as_many_are_drawn_as_the_limit_allows_in_their_order(count: int, limit: int, seed: int) -> None:
    questions = [a_question(str(number)) for number in range(count)]
    chosen = drawn(questions, limit, seed)
    assert len(chosen) == min(count, limit)
    assert list(chosen) == sorted(chosen, key=questions.index)
    assert chosen == drawn(questions, limit, seed)
