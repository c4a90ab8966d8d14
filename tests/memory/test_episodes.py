"""The file of past questions."""

import json
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from heliograph.errors import StoreDamaged, StoreError, StoreLocked, UnknownName
from memory.episodes import FILE, Embedded, EpisodeStore, Which, episode_json
from tests.episodes import episode


@pytest.fixture
def store(tmp_path: Path) -> EpisodeStore:
    return EpisodeStore(tmp_path / "home", wait_seconds=0.1)


def test_an_episode_comes_back_as_it_was_kept(store: EpisodeStore) -> None:
    first, second = episode("a", asked=1.0, conversation="c", user="u"), episode("b", "Où? 灯台", asked=2.0)
    store.keep(second)
    store.keep(first)
    assert store.matching(Which()) == (first, second)


def test_a_home_that_remembers_nothing_says_so_and_makes_no_file(store: EpisodeStore, tmp_path: Path) -> None:
    assert (store.matching(Which()), store.forget(Which())) == ((), 0)
    with pytest.raises(UnknownName, match="no question is remembered; heliograph ask remembers"):
        store.find("last")
    assert not (tmp_path / "home").exists()


def test_a_run_is_kept_once_and_keeps_its_thumb(store: EpisodeStore) -> None:
    store.keep(episode("a", "first?"))
    assert store.rate("a", "down") == episode("a", "first?", rating="down")
    store.keep(episode("a", "second?"))
    assert store.matching(Which()) == (episode("a", "second?", rating="down"),)
    assert store.rate("last", None).rating is None
    assert store.matching(Which()) == (episode("a", "second?"),)


@pytest.mark.parametrize(
    ("which", "meant"),
    [
        (Which(), "abc"),
        (Which(run="b"), "b"),
        (Which(user="ann"), "ab"),
        (Which(conversation="c1"), "a"),
        (Which(user="ann", conversation="c2"), "b"),
        (Which(user="bob", conversation="c2"), ""),
        (Which(since=2.0), "bc"),
        (Which(before=2.0), "a"),
        (Which(text="WHO"), "ab"),
        (Which(text="holm light"), "abc"),
        (Which(text="straße"), "c"),
        (Which(text="%"), ""),
    ],
)
def test_what_is_meant_is_what_every_part_fits_and_only_that_is_forgotten(
    store: EpisodeStore, which: Which, meant: str
) -> None:
    kept = {
        "a": episode("a", "who?", 1.0, user="ann", conversation="c1"),
        "b": episode("b", "Who?", 2.0, user="ann", conversation="c2"),
        "c": episode("c", "Welche STRASSE?", 3.0, user="bob"),
    }
    for each in kept.values():
        store.keep(each)
    assert "".join(each.run for each in store.matching(which)) == meant
    assert store.forget(which) == len(meant)
    assert "".join(each.run for each in store.matching(Which())) == "".join(run for run in kept if run not in meant)


def test_a_run_is_found_by_the_beginning_of_its_name(store: EpisodeStore) -> None:
    for run, asked in (("2026a", 2.0), ("2026b", 1.0)):
        store.keep(episode(run, asked=asked))
    assert (store.find("2026a").run, store.find("last").run) == ("2026a", "2026a")
    with pytest.raises(UnknownName, match="2 remembered runs begin with '2026'; heliograph memory show"):
        store.find("2026")
    with pytest.raises(UnknownName, match="no run is remembered by the name 'x'"):
        store.rate("x", "up")
    store.keep(episode("2026c", asked=0.0, user="ann"))
    assert (store.find("last", "ann").run, store.rate("2026", "up", "ann").run) == ("2026c", "2026c")
    with pytest.raises(UnknownName, match="no run is remembered by the name '2026a'"):
        store.rate("2026a", "up", "ann")


def test_vectors_are_of_one_model_and_go_when_the_question_is_kept_anew(store: EpisodeStore) -> None:
    store.keep(episode("a"))
    vector = np.array([0.6, 0.8], dtype=np.float32)
    store.embed("m1", [("a", vector)])
    (known,) = store.embedded(Which(), "m1")
    assert (known.run, known.question, known.asked) == ("a", "Who lit Holm Light?", 1000.0)
    assert known.vector is not None
    assert known.vector.tolist() == vector.tolist()
    unknown = (Embedded("a", "Who lit Holm Light?", 1000.0, None),)
    assert store.embedded(Which(), "m2") == unknown
    store.keep(episode("a"))
    assert store.embedded(Which(), "m1") == unknown


def test_of_each_user_the_oldest_beyond_the_most_are_forgotten(tmp_path: Path) -> None:
    store = EpisodeStore(tmp_path, most=2)
    store.keep(episode("other", asked=0.0, user="ann"))
    for asked in (3.0, 1.0, 2.0):
        store.keep(episode(f"r{asked:.0f}", asked=asked))
    assert [each.run for each in store.matching(Which())] == ["other", "r2", "r3"]


def test_only_the_owner_may_read_it(store: EpisodeStore, tmp_path: Path) -> None:
    store.keep(episode())
    assert (tmp_path / "home" / FILE).stat().st_mode & 0o777 == 0o600


def test_another_process_that_writes_locks(store: EpisodeStore, tmp_path: Path) -> None:
    store.keep(episode())
    with closing(sqlite3.connect(tmp_path / "home" / FILE, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(StoreLocked, match="is being written by another process; try again"):
            store.matching(Which())


def test_many_writers_lose_nothing(tmp_path: Path) -> None:
    def write(writer: int) -> None:
        for number in range(10):
            EpisodeStore(tmp_path).keep(episode(f"{writer}-{number}"))

    with ThreadPoolExecutor(6) as writers:
        list(writers.map(write, range(6)))
    assert len(EpisodeStore(tmp_path).matching(Which())) == 60


@pytest.mark.parametrize("damage", ["record = '{}'", "record = x'00'", "rating = x'00'"])
def test_a_damaged_episode_says_what_to_do(store: EpisodeStore, tmp_path: Path, damage: str) -> None:
    store.keep(episode())
    spoil(tmp_path / "home" / FILE, damage)
    with pytest.raises(StoreDamaged, match=r"remove episodes\.sqlite and past questions are forgotten"):
        store.matching(Which())


@pytest.mark.parametrize("damage", ["vector = x'001122'", "question = x'00'", "asked = 'x'"])
def test_a_damaged_question_says_what_to_do(store: EpisodeStore, tmp_path: Path, damage: str) -> None:
    store.keep(episode())
    store.embed("m", [("run-1", np.ones(2, dtype=np.float32))])
    spoil(tmp_path / "home" / FILE, damage)
    with pytest.raises(StoreDamaged, match=r"remove episodes\.sqlite and past questions are forgotten"):
        store.embedded(Which(), "m")


def spoil(path: Path, damage: str) -> None:
    with closing(sqlite3.connect(path)) as file, file:
        file.execute(f"UPDATE episodes SET {damage}")


def test_a_damaged_file_says_what_to_do(store: EpisodeStore, tmp_path: Path) -> None:
    store.keep(episode())
    (tmp_path / "home" / FILE).write_bytes(b"no database at all, but long enough to be looked at " * 40)
    for use in (lambda: store.matching(Which()), lambda: store.keep(episode())):
        with pytest.raises(StoreDamaged, match=r"remove episodes\.sqlite"):
            use()


def test_a_home_that_may_not_be_written_to_is_named(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("a file")
    with pytest.raises(StoreError, match="home"):
        EpisodeStore(tmp_path / "home").keep(episode())


def test_an_episode_is_exported_by_the_names_of_its_fields() -> None:
    assert json.loads(episode_json(episode(rating="up"))) == {
        "run": "run-1",
        "question": "Who lit Holm Light?",
        "asked": 1000.0,
        "stop_reason": "sufficient",
        "abstained": False,
        "sufficient": [False, True],
        "verdicts": ["supported", "computed"],
        "queries": [
            {"text": "holm light", "found": 3, "held": 1},
            {"text": "lit holm", "found": 0, "held": 0},
        ],
        "pages": [{"wiki": "varn", "title": "Holm Light", "final": 4, "cited": 1}],
        "complete": True,
        "user": "local",
        "conversation": "",
        "manner": "m",
        "rating": "up",
    }


def test_a_run_is_found_and_rated_beside_a_record_that_cannot_be_read(store: EpisodeStore, tmp_path: Path) -> None:
    store.keep(episode("a-1", asked=1.0))
    store.keep(episode("b-1", asked=2.0))
    with closing(sqlite3.connect(tmp_path / "home" / FILE)) as file, file:
        file.execute("UPDATE episodes SET record = '{' WHERE run = 'b-1'")
    assert store.rate("a", "up") == episode("a-1", asked=1.0, rating="up")
    with pytest.raises(StoreDamaged, match="holds an episode that is none"):
        store.find("last")
