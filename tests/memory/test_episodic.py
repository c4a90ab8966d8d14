"""What a round asked is not asked again, whatever the dress of its words; past questions are heard where they may."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar, Literal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from heliograph.protocols import Vectors
from heliograph.types import HeldPage, MemoryScope, Query, RoundRecord, Verdict
from memory.episodes import EpisodeStore, Which
from memory.episodic import PastQuestions, Recall, unasked
from tests.episodes import episode
from tests.fakes import FakeClock


def a_round(*queries: str) -> RoundRecord:
    return RoundRecord(1, queries, (), (), Verdict(sufficient=False))


def test_what_was_asked_and_what_stands_twice_is_left_out() -> None:
    queries = map(Query, ("planet RED", '"Red planet"', "Deimos", "deimos ", "Phobos", " ", '""'))
    assert unasked(queries, [a_round("moons of Mars", "red planet")]) == (Query("Deimos"), Query("Phobos"))


@given(st.lists(st.text("ab cä'\"-", max_size=12), max_size=6))
def test_any_asked_query_is_asked_in_any_dress(texts: list[str]) -> None:
    turned = [Query(" ".join(reversed(f" {text.upper()} ".split()))) for text in texts]
    assert unasked(turned, [a_round(*texts)]) == ()


@given(st.lists(st.text("abc ", max_size=9).map(Query), max_size=8))
def test_without_a_past_every_query_with_words_is_new_once(queries: list[Query]) -> None:
    new = unasked(queries, ())
    assert {query.words for query in new} == {query.words for query in queries if query.words}
    assert len({query.words for query in new}) == len(new)


class Words:
    """An embedder that remembers what it was asked to embed."""

    name = "words"
    dimensions = 3
    vectors: ClassVar[dict[str, list[float]]] = {
        "near": [1.0, 0.0, 0.0],
        "nearer": [0.8, 0.6, 0.0],
        "far": [0.0, 0.0, 1.0],
    }

    def __init__(self, name: str = "words") -> None:
        self.name = name
        self.asked: list[tuple[str, ...]] = []

    async def embed(self, texts: Sequence[str]) -> Vectors:
        self.asked.append(tuple(texts))
        return np.array([self.vectors[text.split()[-1]] for text in texts], dtype=np.float32)


def memory(
    store: EpisodeStore,
    embedder: Words,
    *,
    user: str = "local",
    conversation: str = "",
    reach: Literal["conversation", "user"] = "user",
    now: float = 1000.0,
) -> PastQuestions:
    recall = Recall(MemoryScope(user, conversation), reach, days=10)
    return PastQuestions(store, embedder, recall, FakeClock(now), lambda: "m", lambda: frozenset({"varn"}))


@pytest.fixture
def store(tmp_path: Path) -> EpisodeStore:
    return EpisodeStore(tmp_path)


async def test_questions_like_the_present_one_are_listened_to_the_likest_first(store: EpisodeStore) -> None:
    for run, question in (("1", "is it far"), ("2", "is it nearer"), ("3", "is it near")):
        store.keep(episode(run, question))
    told = await memory(store, Words()).recollect("was it near")
    assert [(each.run, each.similarity) for each in told.like] == [("3", 1.0), ("2", 0.8)]
    assert [hit.title for hit in told.pages] == ["Holm Light"]


async def test_a_question_asked_often_crowds_out_neither_others_nor_its_own_full_answer(store: EpisodeStore) -> None:
    store.keep(episode("full", "is it near"))
    for number in range(9):
        store.keep(episode(f"short {number}", "is it  near", 1001.0 + number, complete=False))
    store.keep(episode("other", "is it nearer", 1.0))
    told = await memory(store, Words(), now=2000.0).recollect("is it near")
    assert (told.repeats, {each.run for each in told.like} >= {"full", "other"}) == (True, True)


async def test_a_question_is_embedded_once_by_a_model(store: EpisodeStore) -> None:
    store.keep(episode("1", "is it near"))
    one, other = Words(), Words("other")
    for embedder in (one, one, other, other):
        assert (await memory(store, embedder).recollect("was it near")).like
    assert one.asked == [("was it near",), ("is it near",), ("was it near",)]
    assert other.asked == one.asked


async def test_a_vector_of_another_length_is_made_anew(store: EpisodeStore) -> None:
    store.keep(episode("1", "is it near"))
    store.embed("words", [("1", np.ones(7, dtype=np.float32))])
    assert [each.similarity for each in (await memory(store, Words()).recollect("was it near")).like] == [1.0]


async def test_what_is_too_old_is_forgotten_when_it_is_read_of_this_user_alone(store: EpisodeStore) -> None:
    day = 86_400.0
    store.keep(episode("old", "is it near", 0.0))
    store.keep(episode("hers", "is it near", 0.0, user="ann"))
    store.keep(episode("new", "is it near", day))
    told = await memory(store, Words(), now=10 * day + 1).recollect("was it near")
    assert [each.run for each in told.like] == ["new"]
    assert [each.run for each in store.matching(Which())] == ["hers", "new"]


async def test_nobody_hears_of_questions_of_another_user_or_conversation(store: EpisodeStore) -> None:
    store.keep(episode("ann", "is it near", user="ann", conversation="a"))
    store.keep(episode("bob", "is it near", user="bob", conversation="a"))

    async def heard(**scope: Any) -> list[str]:
        return [each.run for each in (await memory(store, Words(), **scope).recollect("was it near")).like]

    assert await heard(user="ann") == ["ann"]
    assert await heard(user="ann", conversation="b") == ["ann"]
    assert await heard(user="bob", conversation="a", reach="conversation") == ["bob"]
    assert await heard(user="bob", conversation="b", reach="conversation") == []
    assert await heard(user="bob", reach="conversation") == []
    assert await heard(user="eve") == []


async def test_what_is_kept_is_of_this_user_conversation_and_manner_and_plain(store: EpisodeStore) -> None:
    torn = episode("1", "is it\x1b[31m near", manner="", pages=(HeldPage("varn", "<b>", 1, 1),))
    await memory(store, Words(), user="ann", conversation="c").keep(torn)
    assert store.matching(Which()) == (
        episode("1", "is it near", user="ann", conversation="c", manner="m", pages=(), complete=False),
    )
