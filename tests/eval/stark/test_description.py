"""What a set of queries is like, by hand; and the published sets, where they are at hand."""

import os
from pathlib import Path

import pytest

from eval.stark.description import TOKENS, QueryStatistics, describe_queries, entropy, proportions
from eval.stark.queries import Composition, StarkQuery, read_queries
from indexers.skb.knowledge_base import BuiltKnowledgeBase

QUERIES = (
    StarkQuery("1", "Which moon?", ("phobos", "phobos"), "train"),
    StarkQuery("2", "which  MOON?", tuple(map(str, range(25))), "test"),
    StarkQuery("3", "Which moon has lakes?", ("titan", "mars"), "test-0.1"),
)


async def test_queries_are_described_together_and_by_split() -> None:
    every, train, test, part = await describe_queries(QUERIES)
    assert every == QueryStatistics(
        split="all",
        queries=3,
        several=2,
        answers=28 / 3,
        many=1 / 3,
        best_recall=pytest.approx(2.8 / 3),
        repeated=1,
        duplicates=1,
        words=8 / 3,
        entropy=None,
        type_token_ratio=None,
        word_counts={2: 2, 4: 1},
        answer_counts={1: 1, 2: 1, 25: 1},
    )
    assert (train.split, train.queries, train.duplicates, train.repeated) == ("train", 1, 0, 1)
    assert (test.split, test.queries, part.split, part.queries) == ("test", 2, "test-0.1", 1)


async def test_answers_are_looked_up_among_the_candidates_of_a_base(base: BuiltKnowledgeBase) -> None:
    every, train, test, part = await describe_queries(QUERIES, base)
    assert [(each.outside, each.unanswerable) for each in (every, train, test, part)] == [
        (26, 1),
        (0, 0),
        (26, 1),
        (1, 0),
    ]


async def test_variety_is_that_of_a_fixed_number_of_words() -> None:
    twice = [StarkQuery(str(number), "Moon moon planet PLANET!", (), "test") for number in range(TOKENS)]
    (every, _) = await describe_queries(twice)
    assert (every.entropy, every.type_token_ratio) == (1.0, 2 / TOKENS)
    (fewer, _) = await describe_queries(twice[: TOKENS // 4 - 1])
    assert (fewer.entropy, fewer.type_token_ratio) == (None, None)


async def test_nothing_is_said_of_no_queries() -> None:
    assert await describe_queries(()) == ()


async def test_queries_of_people_stand_beside_the_synthesized_ones() -> None:
    human = StarkQuery("4", "dark moon", ("rhea",), "human")
    found = await describe_queries((*QUERIES, human))
    assert [(each.split, each.queries) for each in found] == [
        ("all", 4),
        ("synthesized", 3),
        ("train", 1),
        ("test", 2),
        ("test-0.1", 1),
        ("human", 1),
    ]
    assert proportions(found) == {"train": 1 / 3, "test": 2 / 3}
    assert proportions(found[-1:]) == {}


async def test_relational_and_textual_words_are_averaged_over_queries_that_tell_them() -> None:
    told = (Composition(3, 1), Composition(2, 0), Composition(0, 0), None)
    queries = [StarkQuery(str(number), "Which?", (), "", composition=each) for number, each in enumerate(told)]
    (every,) = await describe_queries(queries)
    assert (every.composed, every.relational) == (2, (0.75 + 1) / 2)


def test_entropy_by_hand() -> None:
    assert entropy(["a"]) == 0.0
    assert entropy(["a", "b", "c", "d"]) == 2.0
    assert entropy(["a", "a", "b", "c"]) == 1.5


PUBLISHED = {
    "amazon": {"train": (5910, 25.3), "val": (1548, 5.2), "test": (1642, 5.4), "human": (81, 19.5)},
    "mag": {"train": (7993, 2.7), "val": (2665, 2.8), "test": (2665, 2.8), "human": (84, 3.3)},
    "primekg": {"train": (6162, 2.6), "val": (2241, 2.5), "test": (2801, 2.5), "human": (109, 2.6)},
}
SEVERAL = {"amazon": 7082, "mag": 6872, "primekg": 4188}
"""Of the synthesized queries, as Table 3 has them."""
MANY = {"amazon": (46.0, 0.0, 0.0, 34.6), "mag": (0.0, 0.0, 0.0, 3.6), "primekg": (0.0, 0.0, 0.0, 0.9)}


@pytest.mark.skipif("STARK_QUERIES" not in os.environ, reason="STARK_QUERIES names no folder of STaRK's queries")
@pytest.mark.parametrize("name", PUBLISHED)
async def test_the_published_sets_are_what_they_are_known_to_be(name: str) -> None:
    path = Path(os.environ["STARK_QUERIES"]) / f"{name}.jsonl.xz"
    every, synthesized, *splits = await describe_queries(read_queries(path))
    assert synthesized.several == SEVERAL[name]
    assert {each.split: (each.queries, round(each.answers, 1)) for each in splits} == PUBLISHED[name]
    assert tuple(round(100 * each.many, 1) for each in splits) == MANY[name]
    assert (every.repeated, every.duplicates) == (36 if name == "primekg" else 0, 0)
