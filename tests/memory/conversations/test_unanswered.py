"""Questions without an answer: kept in their conversation, told how they ended, gone when they are answered."""

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from heliograph.errors import QuestionGone, StoreDamaged, StoreError, UnknownName
from memory.conversations import FILE, Conversation, ConversationStore, Turn, Unanswered


def turn(typed: str = "Who lit it?") -> Turn:
    return Turn(1, typed, typed, "run", "Ada Brandt. [1]", False)


@pytest.fixture
def store(tmp_path: Path) -> ConversationStore:
    return ConversationStore(tmp_path, "ann", wait_seconds=0.1)


def test_a_question_is_told_from_its_asking_to_its_failure(store: ConversationStore) -> None:
    assert store.ask("c", "first", "What is Orvo?", started=1.0) == Unanswered("first", "What is Orvo?")
    answered = store.append("c", turn("What is Orvo?"), "first")
    assert store.ask("c", "job", "and its width?") == Unanswered("job", "and its width?", 1)
    store.begun("job", "How wide is Orvo?", "run-2")
    store.ended("job", "failed", "no archive", "search_unavailable")
    failed = Unanswered(
        "job", "and its width?", 1, "How wide is Orvo?", "run-2", "failed", "no archive", "search_unavailable"
    )
    assert store.asked("c") == (answered, failed)
    assert store.find("c") == Conversation("c", 1.0, "What is Orvo?", 2)
    late = store.append("c", turn("and its width?"), "job")
    assert store.asked("c") == (answered, late)


def test_a_question_that_is_asked_again_takes_the_place_of_one_that_is_there(store: ConversationStore) -> None:
    store.ask("c", "first", "What is Orvo?", started=1.0)
    again = store.ask("c", "second", "What is Orvo?", instead="first")
    store.ask("d", "other", "What is Tor?", started=2.0)
    for gone in ("first", "other"):
        with pytest.raises(QuestionGone, match="is no longer there"):
            store.ask("c", "third", "What is Orvo?", instead=gone)
    with pytest.raises(QuestionGone, match="is no longer there"):
        store.ask("e", "third", "What is Orvo?", started=3.0, instead="first")
    assert (store.asked("c"), [each.id for each in store.all()]) == ((again,), ["c", "d"])


def test_what_was_asked_side_by_side_stays_in_order_when_the_first_is_answered(store: ConversationStore) -> None:
    store.ask("c", "first", "What is Orvo?", started=1.0)
    later = store.ask("c", "second", "What is Tor?")
    answered = store.append("c", turn("What is Orvo?"), "first")
    assert store.asked("c") == (answered, replace(later, behind=1))


def test_a_late_answer_to_what_another_was_asked_instead_of_is_not_kept(store: ConversationStore) -> None:
    store.ask("c", "first", "What is Orvo?", started=1.0)
    again = store.ask("c", "second", "What is Orvo?", instead="first")
    with pytest.raises(QuestionGone, match="another was asked instead"):
        store.append("c", turn("What is Orvo?"), "first")
    assert store.asked("c") == (again,)


def test_asking_in_a_conversation_uses_it(store: ConversationStore) -> None:
    store.ask("c", "first", "What is Orvo?", started=1.0)
    store.ask("d", "other", "What is Tor?", started=2.0)
    store.ask("c", "second", "And its width?")
    assert store.find("last").id == "c"


def test_nobody_touches_the_questions_of_another(store: ConversationStore, tmp_path: Path) -> None:
    theirs = ConversationStore(tmp_path, "bob")
    kept = store.ask("c", "job", "What is Orvo?", started=1.0)
    theirs.begun("job", "Mine?", "theirs")
    theirs.ended("job", "failed", "Mine.", "usage")
    for instead in ("", "job"):
        with pytest.raises(UnknownName, match="is not kept any more"):
            theirs.ask("c", "other", "Mine?", instead=instead)
    assert (store.asked("c"), theirs.asked("c")) == ((kept,), ())


def test_a_question_that_cannot_be_kept_leaves_no_conversation(store: ConversationStore, tmp_path: Path) -> None:
    store.ask("c", "job", "What is Orvo?", started=1.0)
    with pytest.raises(StoreError):
        store.ask("d", "job", "The name is taken.", started=2.0)
    assert [each.id for each in store.all()] == ["c"]


def test_a_damaged_question_is_named(store: ConversationStore, tmp_path: Path) -> None:
    store.ask("c", "job", "What is Orvo?", started=1.0)
    with closing(sqlite3.connect(tmp_path / FILE)) as file, file:
        file.execute("UPDATE unanswered SET ending = 'vanished'")
    with pytest.raises(StoreDamaged, match=r"holds a question that is none .*; remove conversations\.sqlite"):
        store.asked("c")


def test_what_is_no_text_is_kept_as_far_as_it_is(store: ConversationStore) -> None:
    store.ask("c", "job", "torn \udcff", started=1.0)
    store.begun("job", "torn \ud83d", "run")
    store.ended("job", "failed", "/home/\udcff is gone", "store")
    assert store.asked("c") == (Unanswered("job", "torn ?", 0, "torn ?", "run", "failed", "/home/? is gone", "store"),)


class Asking(RuleBasedStateMachine):
    """Two conversations in which questions are asked, fail, are answered and deleted, beside a plain account of it.

    They are drawn in the order of their beginning: sorted by their random ids, the same draw would mean another one.
    """

    def __init__(self) -> None:
        super().__init__()
        self.folder = TemporaryDirectory()
        self.store = ConversationStore(Path(self.folder.name), "ann")
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
        name = data.draw(st.sampled_from(list(self.told)))
        turns, without = self.told[name]
        self.asked += 1
        without[f"q{self.asked}"] = self.store.ask(name, f"q{self.asked}", typed)
        assert without[f"q{self.asked}"] == Unanswered(f"q{self.asked}", typed, len(turns))

    @precondition(lambda self: any(without for _, without in self.told.values()))
    @rule(data=st.data(), answered=st.booleans())
    def end(self, data: st.DataObject, answered: bool) -> None:
        name = data.draw(st.sampled_from([key for key, (_, without) in self.told.items() if without]))
        turns, without = self.told[name]
        question = data.draw(st.sampled_from(sorted(without)))
        if answered:
            typed = without[question].typed
            self.store.append(name, turn(typed), question)
            turns.append(typed)
            later = list(without)[list(without).index(question) + 1 :]
            without.update({each: replace(without[each], behind=len(turns)) for each in later})
            del without[question]
        else:
            self.store.ended(question, "stopped")
            kept = without[question]
            without[question] = replace(kept, ending="stopped")

    @precondition(lambda self: self.told)
    @rule(data=st.data())
    def delete(self, data: st.DataObject) -> None:
        name = data.draw(st.sampled_from(list(self.told)))
        self.store.delete(name)
        del self.told[name]
        assert self.store.asked(name) == ()

    @invariant()
    def both_tell_the_same(self) -> None:
        counted = {each.id: each.questions for each in self.store.all()}
        assert counted == {name: len(turns) + len(without) for name, (turns, without) in self.told.items()}
        for name, (turns, without) in self.told.items():
            asked = self.store.asked(name)
            assert [each.typed for each in asked if isinstance(each, Turn)] == turns
            assert [each for each in asked if isinstance(each, Unanswered)] == sorted(
                without.values(), key=lambda each: each.behind
            )
            for place, each in enumerate(asked):
                before = sum(isinstance(other, Turn) for other in asked[:place])
                assert before == (each.number - 1 if isinstance(each, Turn) else each.behind)


TestAsking = Asking.TestCase
TestAsking.settings = settings(max_examples=25, stateful_step_count=12, deadline=None)
