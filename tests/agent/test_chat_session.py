"""The parts of a chat beside its questions: sessions, commands, the runner, lines."""

import asyncio
import io
import signal
import sys
import threading
import time
from pathlib import Path

import pytest

from agent.chat.commands import COMMANDS, obeyed
from agent.chat.fitting import fitted
from agent.chat.lines import HISTORY, MOST_LINES, PipedLines, TypedLines, open_lines
from agent.chat.running import Interrupted, Runner
from agent.chat.session import MOST_EARLIER, Session
from heliograph.errors import StoreDamaged, UnknownName
from heliograph.types import ANSWER_SCHEMA, Answer, Citation, EvidenceId, Usage
from memory.episodes import EpisodeStore, Which
from tests.episodes import episode


def answer(run: str, *cited: str) -> Answer:
    citations = tuple(
        Citation(place, EvidenceId(piece), "text", "Holm Light", "", "1", "u", "q", "CC0", "us")
        for place, piece in enumerate(cited, start=1)
    )
    empty: tuple[()] = ()
    return Answer(
        ANSWER_SCHEMA, run, "q", "a [1]", not cited, "extractive", "sufficient", citations,
        empty, empty, empty, empty, empty, empty, Usage(), 1.0,
    )  # fmt: skip


@pytest.fixture
def session(tmp_path: Path) -> Session:
    return Session(tmp_path)


def test_earlier_evidence_is_that_of_the_last_turns_each_once_and_bounded(session: Session) -> None:
    for number in range(9):
        session.answered("q", "q", answer(f"r{number}", *(f"w:T@1#s0/p{number * 2 + each}" for each in range(1, 4))))
    assert len(session.earlier) == len(set(session.earlier)) == 19
    assert session.earlier[0] == "w:T@1#s0/p17"
    for number in range(9):
        session.answered("q", "q", answer(f"s{number}", f"w:U@1#s0/p{number}"))
    assert len(session.earlier) == MOST_EARLIER
    assert session.earlier[0] == "w:U@1#s0/p8"


def test_a_conversation_is_kept_from_its_first_answer_on_and_taken_up_again(session: Session, tmp_path: Path) -> None:
    assert session.store.all() == ()
    session.answered("who?", "who lit it?", answer("r1", "w:T@1#s0/p1"))
    again = Session(tmp_path)
    assert again.go_on("last").title == "who?"
    assert (again.turns, again.run, again.earlier) == (session.turns, "r1", ("w:T@1#s0/p1",))
    again.begin_anew()
    assert (again.turns, again.earlier) == ((), ())
    again.answered("and?", "and?", answer("r2"))
    assert [each.title for each in session.store.all()] == ["who?", "and?"]


def test_forgetting_the_conversation_of_now_begins_another(session: Session) -> None:
    session.answered("who?", "who?", answer("r1"))
    assert session.forget("last").title == "who?"
    assert (session.conversation, session.turns, session.store.all()) == (None, (), ())


@pytest.mark.parametrize("line", ["/evidence 1", "/sources", "/trace", "/queries"])
def test_commands_before_the_first_answer_say_so(session: Session, line: str) -> None:
    with pytest.raises(UnknownName, match="nothing was answered in this conversation yet"):
        obeyed(line, session, coloured=False)


@pytest.mark.parametrize(
    "line", ["/evidence", "/evidence 0", "/evidence 2", "/evidence x", "/evidence -1", "/evidence ²"]
)
def test_a_number_that_was_not_cited_is_refused(session: Session, line: str) -> None:
    session.answered("q", "q", answer("r1", "w:T@1#s0/p1"))
    with pytest.raises(UnknownName, match=r"no cited piece has the number|say which piece"):
        obeyed(line, session, coloured=False)


def test_a_run_that_was_removed_is_said(session: Session) -> None:
    session.answered("q", "q", answer("r1", "w:T@1#s0/p1"))
    for line in ("/sources", "/trace", "/queries"):
        with pytest.raises(UnknownName, match="no run is named 'r1'"):
            obeyed(line, session, coloured=False)


@pytest.mark.parametrize("written", ["{}", "nothing", '{"sources": 1, "citations": [], "rounds": []}'])
def test_a_damaged_record_is_said(session: Session, tmp_path: Path, written: str) -> None:
    session.answered("q", "q", answer("r1", "w:T@1#s0/p1"))
    (tmp_path / "runs" / "r1").mkdir(parents=True)
    (tmp_path / "runs" / "r1" / "answer.json").write_text(written)
    with pytest.raises(StoreDamaged, match="replay r1 makes it again"):
        obeyed("/sources", session, coloured=False)


def test_an_unknown_command_lists_those_there_are_and_is_shown_without_its_controls(session: Session) -> None:
    with pytest.raises(UnknownName) as caught:
        obeyed("/fly\x1b[31m", session, coloured=False)
    assert str(caught.value) == f"there is no command '/fly\\x1b[31m'; there are {', '.join([*COMMANDS, '/quit'])}"
    assert obeyed("/HELP", session, coloured=False).count("\n") == len(COMMANDS)


@pytest.mark.parametrize(
    ("text", "columns", "lines"),
    [
        ("one two three four", 20, ["one two three four"]),
        ("  read  Holm Light, Skerry Head", 20, ["  read  Holm Light,", "  Skerry Head"]),
        ("x" * 30 + " y\n\nz", 20, ["x" * 30, "y", "", "z"]),
        ("one two three four", 8, ["one two three four"]),
        ("\x1b[2mone two three four five\x1b[0m", 20, ["\x1b[2mone two three four five\x1b[0m"]),
    ],
)
def test_lines_are_broken_between_words(text: str, columns: int, lines: list[str]) -> None:
    assert fitted(text, columns) == "\n".join(lines)


@pytest.fixture
def runner() -> Runner:
    return Runner()


def test_a_question_returns_and_its_error_too(runner: Runner) -> None:
    async def fails() -> None:
        raise UnknownName("nothing")

    assert runner.run(lambda: asyncio.sleep(0, "done")) == "done"
    with pytest.raises(UnknownName):
        runner.run(fails)
    assert runner.close()


def interrupt_soon(seconds: float = 0.2) -> None:
    threading.Timer(seconds, lambda: signal.raise_signal(signal.SIGINT)).start()


def test_ctrl_c_ends_a_question_that_waits_at_once(runner: Runner) -> None:
    interrupt_soon()
    began = time.monotonic()
    with pytest.raises(Interrupted):
        runner.run(lambda: asyncio.sleep(30))
    assert time.monotonic() - began < 15
    assert runner.run(lambda: asyncio.sleep(0, "next")) == "next"
    assert runner.close()


@pytest.mark.parametrize("blocks", ["thread", "loop"])
def test_ctrl_c_leaves_behind_what_does_not_end_and_the_next_question_waits_for_it(runner: Runner, blocks: str) -> None:
    ended: list[float] = []

    def work() -> None:
        time.sleep(3)
        ended.append(time.monotonic())

    async def question() -> None:
        if blocks == "loop":
            work()
        await asyncio.to_thread(work)

    interrupt_soon()
    with pytest.raises(Interrupted):
        runner.run(question)
    assert not ended
    assert runner.busy
    assert not runner.close()
    assert runner.run(lambda: asyncio.sleep(0, "next")) == "next"
    assert ended[0] <= time.monotonic()
    assert runner.close()


def test_piped_lines_end_with_the_input(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"one\r\n\nt\xffo"), encoding="utf8"))
    lines = open_lines(tmp_path)
    assert isinstance(lines, PipedLines)
    assert [lines.read() for _ in range(4)] == ["one", "", "t\udcffo", None]


def test_the_history_is_its_owners_and_cut_where_it_is_long(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    typed = iter(["Who?\nand why?", "", "/trace", "a\x1bb"])
    monkeypatch.setattr("builtins.input", lambda _prompt: next(typed))
    lines = TypedLines(tmp_path / "home")
    assert [lines.read() for _ in range(4)] == ["Who?\nand why?", "", "/trace", "a\x1bb"]
    history = tmp_path / "home" / HISTORY
    assert history.read_text() == "Who? and why?\n/trace\n"
    assert history.stat().st_mode & 0o777 == 0o600
    history.write_text("".join(f"line {number}\n" for number in range(2 * MOST_LINES + 1)))
    TypedLines(tmp_path / "home")
    assert history.read_text().splitlines()[0] == f"line {MOST_LINES + 1}"
    assert history.stat().st_mode & 0o777 == 0o600


def test_questions_are_of_one_conversation_from_the_first_on_until_another_begins(tmp_path: Path) -> None:
    session = Session(tmp_path)
    before = session.scope
    session.answered("who?", "who?", answer("r1"))
    assert (session.scope, before.conversation) == (before, session.store.find("last").id)
    again = Session(tmp_path)
    assert again.scope != before
    again.go_on("last")
    assert again.scope == before
    again.begin_anew()
    assert again.scope != before
    assert {before.user, again.scope.user} == {"local"}


def test_what_is_remembered_of_a_conversation_is_forgotten_with_it(tmp_path: Path) -> None:
    session, remembered = Session(tmp_path), EpisodeStore(tmp_path)
    session.answered("who?", "who?", answer("r1"))
    remembered.keep(episode("r1", conversation=session.scope.conversation))
    remembered.keep(episode("r2", conversation="another"))
    session.forget("last")
    assert [each.run for each in remembered.matching(Which())] == ["r2"]


def test_the_last_answer_is_rated(session: Session, tmp_path: Path) -> None:
    remembered = EpisodeStore(tmp_path)
    session.answered("who?", "who?", answer("r1"))
    with pytest.raises(UnknownName, match="no question is remembered"):
        obeyed("/rate up", session, False)
    remembered.keep(episode("r1"))
    assert obeyed("/rate up", session, False) == "thumb up for the last answer"
    assert remembered.find("r1").rating == "up"
    assert obeyed("/rate NONE", session, False) == "no thumb for the last answer"
    with pytest.raises(UnknownName, match="a thumb is up, down or none, and not 'good'; /rate up"):
        obeyed("/rate good", session, False)
    assert remembered.find("r1").rating is None
