"""What a query asks for is found in its words, and speaks for types of answers."""

import asyncio
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as some

from indexers.skb.knowledge_base import BuiltKnowledgeBase
from tools.skb.planning.answer_types import LONGEST_PHRASE, asked_phrases
from tools.skb.systems import SystemModels, plan_retriever


@pytest.mark.parametrize(
    ("query", "phrase"),
    [
        ("Which cameras flew on spacecraft that an Atlas V launched?", "cameras flew"),
        ("On which rocket did the mission leave?", "rocket"),
        ("Who discovered the moons of Mars?", "person"),
        ("Rejected model with three people at the top: who proposed it?", "person"),
        ("humanoids who hit more easily", "humanoids"),
        ("classes which could start with a crowbar", "classes"),
        ("Someone found a moon of Haumea. Which dwarf planet?", "dwarf planet"),
        ("what inborn gifts do they share", "inborn gifts"),
        ("which?", "which?"),
    ],
)
def test_what_is_asked_for_stands_behind_a_question_word_or_first(query: str, phrase: str) -> None:
    assert asked_phrases(query)[-1] == phrase


@given(some.text(max_size=60) | some.lists(some.sampled_from(["who", "which", "moon", "of", ",", "?"])).map(" ".join))
def test_any_query_asks_for_something_word_by_word(query: str) -> None:
    phrases = asked_phrases(query)
    assert 1 <= len(phrases) <= LONGEST_PHRASE
    assert all(longer.startswith(shorter) for shorter, longer in pairwise(phrases))


@pytest.mark.parametrize(
    ("query", "type"),
    [
        ("Who discovered the moons that the Viking orbiters later flew close to?", "person"),
        ("Which spacecraft launched on a Titan IIIE?", "mission"),
        ("Which moons of Saturn have lakes?", "moon"),
    ],
)
def test_the_type_that_is_asked_for_is_tried_first(moons: BuiltKnowledgeBase, query: str, type: str) -> None:
    planned = asyncio.run(plan_retriever(moons, SystemModels()).plan(query))
    shares = dict.fromkeys((each.type for each in planned.plans), 0.0)
    for plan, share in zip(planned.plans, planned.probabilities, strict=True):
        shares[plan.type] += share
    assert max(shares, key=lambda each: shares[each]) == type
