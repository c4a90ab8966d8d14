import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from heliograph.errors import StoreDamaged, StoreError, StoreLocked, UnknownName
from heliograph.types import EvidenceId
from memory.conversations import FILE, TITLE_CHARACTERS, Conversation, ConversationStore, Turn

CITED = (EvidenceId("varn:Holm%20Light@1#s0/p1"), EvidenceId("varn:Varn%20Islands@1#s1/t1/r2"))


def turn(asked: str = "Who lit Holm Light?", *, number: int = 1, abstained: bool = False) -> Turn:
    return Turn(number, "and who lit it?", asked, "run-1", "Ada Brandt lit it. [1]", abstained, CITED)


@pytest.fixture
def store(tmp_path: Path) -> ConversationStore:
    return ConversationStore(tmp_path / "home", wait_seconds=0.1)


def test_a_conversation_comes_back_as_it_was_kept(store: ConversationStore) -> None:
    begun = store.begin("Who lit it?", 1_700_000_000.0)
    assert begun == Conversation(begun.id, 1_700_000_000.0, "Who lit it?", 0)
    first = store.append(begun.id, turn())
    second = store.append(begun.id, turn("When? 灯台", abstained=True))
    assert (first, second) == (turn(), turn("When? 灯台", number=2, abstained=True))
    assert store.turns(begun.id) == (first, second)
    assert store.all() == (Conversation(begun.id, 1_700_000_000.0, "Who lit it?", 2),)


def test_a_home_without_conversations_has_none(store: ConversationStore) -> None:
    assert (store.all(), store.turns("20260101T000000000-abcdef")) == ((), ())
    for name in ("last", "2026"):
        with pytest.raises(UnknownName, match="no conversation is kept; heliograph chat begins one"):
            store.find(name)


def test_the_last_is_the_one_that_was_gone_on_with_last(store: ConversationStore) -> None:
    old, new = store.begin("old", 1.0), store.begin("new", 2.0)
    assert store.find("last").id == new.id
    store.append(old.id, turn())
    assert store.find("last").id == old.id
    assert [each.title for each in store.all()] == ["new", "old"]


def test_a_conversation_is_found_by_the_beginning_of_its_id(store: ConversationStore) -> None:
    first, second = store.begin("first", 1.0), store.begin("second", 100_000.0)
    assert store.find(second.id[:9]).id == second.id
    assert store.find(first.id).id == first.id
    with pytest.raises(UnknownName, match="2 conversations begin with '19700'"):
        store.find("19700")
    with pytest.raises(UnknownName, match=rf"no conversation is named 'x'; .* last is {second.id}"):
        store.find("x")


def test_a_deleted_conversation_is_gone_with_its_turns_and_no_other(store: ConversationStore) -> None:
    gone, kept = store.begin("gone", 1.0), store.begin("kept", 2.0)
    for each in (gone, kept):
        store.append(each.id, turn())
    store.delete(gone.id)
    assert ([each.id for each in store.all()], store.turns(gone.id)) == ([kept.id], ())
    assert len(store.turns(kept.id)) == 1
    with pytest.raises(UnknownName, match="is not kept any more; /new begins another"):
        store.append(gone.id, turn())


def test_a_long_title_is_cut(store: ConversationStore) -> None:
    title = store.begin("why " * 100, 1.0).title
    assert (len(title) <= TITLE_CHARACTERS, title.endswith("…")) == (True, True)


def test_what_is_no_text_is_kept_as_far_as_it_is(store: ConversationStore) -> None:
    begun = store.begin("x", 1.0)
    kept = store.append(begun.id, Turn(1, "a", "a", "r", "torn \udcff here", False))
    assert store.turns(begun.id) == (kept,)
    assert kept.answer == "torn ? here"


def test_only_the_owner_may_read_conversations(store: ConversationStore, tmp_path: Path) -> None:
    store.begin("x", 1.0)
    assert (tmp_path / "home" / FILE).stat().st_mode & 0o777 == 0o600


def test_another_process_that_writes_locks(store: ConversationStore, tmp_path: Path) -> None:
    store.begin("x", 1.0)
    with closing(sqlite3.connect(tmp_path / "home" / FILE, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(StoreLocked, match="is being written by another process; try again"):
            store.all()


def test_a_damaged_file_says_what_to_do(store: ConversationStore, tmp_path: Path) -> None:
    store.begin("x", 1.0)
    (tmp_path / "home" / FILE).write_bytes(b"no database at all, but long enough to be looked at " * 40)
    with pytest.raises(StoreDamaged, match=r"remove conversations\.sqlite"):
        store.all()


@pytest.mark.parametrize(("column", "value"), [("cited", "'[1'"), ("cited", "'5'"), ("asked", "x'00ff'")])
def test_a_damaged_turn_is_named(store: ConversationStore, tmp_path: Path, column: str, value: str) -> None:
    begun = store.begin("x", 1.0)
    store.append(begun.id, turn())
    with closing(sqlite3.connect(tmp_path / "home" / FILE)) as file, file:
        file.execute(f"UPDATE turns SET {column} = {value}")
    with pytest.raises(StoreDamaged, match=r"are none|that is none"):
        store.turns(begun.id)


def test_a_home_that_is_a_file_is_a_store_error(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("no folder")
    with pytest.raises(StoreError, match="check its permissions or set HELIOGRAPH_HOME"):
        ConversationStore(tmp_path / "home").begin("x", 1.0)


def test_a_failed_turn_leaves_nothing_behind(store: ConversationStore, tmp_path: Path) -> None:
    begun = store.begin("x", 1.0)
    store.append(begun.id, turn())
    with closing(sqlite3.connect(tmp_path / "home" / FILE)) as file, file:
        file.execute("CREATE TRIGGER full BEFORE INSERT ON turns BEGIN SELECT RAISE(ABORT, 'no'); END")
    with pytest.raises(StoreDamaged):
        store.append(begun.id, turn())
    assert len(store.turns(begun.id)) == 1
