"""Entities for people to write about are drawn by chance that can be repeated."""

import pytest

from eval.stark.people.sampling import sample_entities
from heliograph.errors import UsageError
from indexers.skb.knowledge_base import BuiltKnowledgeBase


async def test_a_seed_draws_the_same_and_more_only_add(moons: BuiltKnowledgeBase) -> None:
    every = await sample_entities(moons, 9, seed=3)
    assert sorted(every) == [0, 1, 2]  # nothing is said of the nameless one, and people may not answer
    assert await sample_entities(moons, 2, seed=3) == every[:2]
    assert len({await sample_entities(moons, 9, seed=seed) for seed in range(30)}) > 3


async def test_types_take_turns(all_may_answer: BuiltKnowledgeBase) -> None:
    for types in ((), ("moon", "person", "moon")):
        found = await all_may_answer.entities(await sample_entities(all_may_answer, 9, types=types))
        assert [each.type for each in found] == ["moon", "person", "moon", "person", "moon"]
        assert len({each.id for each in found}) == 5


@pytest.mark.parametrize(("type", "said"), [("person", "no person may answer"), ("comet", "no type 'comet'")])
async def test_types_that_cannot_answer_are_refused(moons: BuiltKnowledgeBase, type: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        await sample_entities(moons, 1, types=(type,))


async def test_a_base_that_says_nothing_is_refused(base: BuiltKnowledgeBase) -> None:
    with pytest.raises(UsageError, match="says nothing of any entity that may answer"):
        await sample_entities(base, 1)
