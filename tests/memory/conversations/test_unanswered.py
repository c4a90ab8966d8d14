"""Questions without an answer: kept in their conversation, told how they ended, gone when they are answered."""

import sqlite3
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from heliograph.errors import StoreDamaged, UnknownName
from memory.conversations import FILE, ConversationStore, Turn, Unanswered, UnansweredQuestions


def turn(typed: str = "Who lit it?") -> Turn:
    return Turn(1, typed, typed, "run", "Ada Brandt. [1]", False)


def test_a_question_is_told_from_its_asking_to_its_failure(tmp_path: Path) -> None:
    store, questions = ConversationStore(tmp_path, "ann"), UnansweredQuestions(tmp_path, "ann")
    name = store.begin("Moons", 1.0).id
    store.append(name, turn())
    assert questions.keep(name, "job", "and its width?") == Unanswered("job", "and its width?", 1)
    questions.begun("job", "How wide is Orvo?", "run-2")
    questions.ended("job", "failed", "no archive", "search_unavailable")
    (kept,) = questions.of(name)
    assert kept == Unanswered(
        "job", "and its width?", 1, "How wide is Orvo?", "run-2", "failed", "no archive", "search_unavailable"
    )
    assert store.find(name).questions == 2
    store.append(name, turn("and its width?"), "job")
    assert (questions.of(name), store.find(name).questions) == ((), 2)


def test_nobody_touches_the_questions_of_another(tmp_path: Path) -> None:
    mine, theirs = UnansweredQuestions(tmp_path, "ann"), UnansweredQuestions(tmp_path, "bob")
    name = ConversationStore(tmp_path, "ann").begin("Moons", 1.0).id
    kept = mine.keep(name, "job", "What is Orvo?")
    theirs.begun("job", "Mine?", "theirs")
    theirs.ended("job", "failed", "Mine.", "usage")
    theirs.forget("job")
    with pytest.raises(UnknownName, match="is not kept any more"):
        theirs.keep(name, "other", "Mine?")
    assert (mine.of(name), theirs.of(name)) == ((kept,), ())


def test_a_damaged_question_is_named(tmp_path: Path) -> None:
    questions = UnansweredQuestions(tmp_path, "")
    name = ConversationStore(tmp_path).begin("x", 1.0).id
    questions.keep(name, "job", "What is Orvo?")
    with closing(sqlite3.connect(tmp_path / FILE)) as file, file:
        file.execute("UPDATE unanswered SET ending = 'vanished'")
    with pytest.raises(StoreDamaged, match=r"holds a question that is none; remove conversations\.sqlite"):
        questions.of(name)


class Asking(RuleBasedStateMachine):
    """Two conversations in which questions are asked, fail, are answered and deleted, beside a plain account of it."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = TemporaryDirectory()
        self.store = ConversationStore(Path(self.folder.name), "ann")
        self.questions = UnansweredQuestions(Path(self.folder.name), "ann")
        self.told: dict[str, tuple[list[str], dict[str, Unanswered]]] = {}
        self.asked = 0

    def teardown(self) -> None:
        self.folder.cleanup()

    @precondition(lambda self: len(self.told) < 2)
    @rule()
    def begin(self) -> None:
        self.told[self.store.begin("a title", 1.0).id] = ([], {})

    @precondition(lambda self: self.told)
    @rule(data=st.data(), typed=st.text(st.characters(codec="utf-8"), min_size=1))
    def ask(self, data: st.DataObject, typed: str) -> None:
        name = data.draw(st.sampled_from(sorted(self.told)))
        turns, without = self.told[name]
        self.asked += 1
        without[f"q{self.asked}"] = self.questions.keep(name, f"q{self.asked}", typed)
        assert without[f"q{self.asked}"] == Unanswered(f"q{self.asked}", typed, len(turns))

    @precondition(lambda self: any(without for _, without in self.told.values()))
    @rule(data=st.data(), answered=st.booleans())
    def end(self, data: st.DataObject, answered: bool) -> None:
        name = data.draw(st.sampled_from(sorted(key for key, (_, without) in self.told.items() if without)))
        turns, without = self.told[name]
        question = data.draw(st.sampled_from(sorted(without)))
        if answered:
            typed = without.pop(question).typed
            self.store.append(name, turn(typed), question)
            turns.append(typed)
        else:
            self.questions.ended(question, "stopped")
            kept = without[question]
            without[question] = Unanswered(kept.name, kept.typed, kept.behind, ending="stopped")

    @precondition(lambda self: self.told)
    @rule(data=st.data())
    def delete(self, data: st.DataObject) -> None:
        name = data.draw(st.sampled_from(sorted(self.told)))
        self.store.delete(name)
        del self.told[name]
        assert self.questions.of(name) == ()

    @invariant()
    def both_tell_the_same(self) -> None:
        counted = {each.id: each.questions for each in self.store.all()}
        assert counted == {name: len(turns) + len(without) for name, (turns, without) in self.told.items()}
        for name, (turns, without) in self.told.items():
            assert [kept.typed for kept in self.store.turns(name)] == turns
            assert self.questions.of(name) == tuple(without.values())


TestAsking = Asking.TestCase
TestAsking.settings = settings(max_examples=25, stateful_step_count=12, deadline=None)
