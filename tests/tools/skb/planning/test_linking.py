"""Words of a query are linked to the entities that they name, whole or in part."""

from collections.abc import Callable
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as some

from indexers.skb.knowledge_base import BuiltKnowledgeBase
from tools.skb.planning.linking import link_entities


def linked(base: BuiltKnowledgeBase, query: str) -> dict[str, bool]:
    return {each.text: each.whole for each in link_entities(base, query)}


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("Which moons of Saturn did Cassini find?", {"Saturn": True, "Cassini": True}),
        ("moons that voyager 2 flew past", {"voyager 2": True}),
        ("What did the Viking orbiters photograph?", {"Viking": False}),
        ("Which moons are there?", {}),
        ("launched on a Titan IIIE", {"Titan IIIE": True}),
        ("", {}),
    ],
)
def test_names_are_found_whole_or_in_part(moons: BuiltKnowledgeBase, query: str, found: dict[str, bool]) -> None:
    assert linked(moons, query).items() >= found.items()
    assert not found or set(linked(moons, query)) >= set(found)


def test_types_and_relations_are_no_names(moons: BuiltKnowledgeBase) -> None:
    assert linked(moons, "Which moon orbits a planet?") == {}


def test_a_longer_name_goes_before_the_shorter_one_in_it(moons: BuiltKnowledgeBase) -> None:
    (only,) = link_entities(moons, "rockets like Saturn V")
    assert only.text == "Saturn V"


def test_a_title_of_many_words_is_one_name(built: Callable[[str, str], BuiltKnowledgeBase]) -> None:
    title = "On the slow drying of drops that rest on a warm and very rough plate, with remarks on salt"
    base = built(f'1,paper,"{title}"\n2,field,salt\n3,person,Ada Brandt\n', "3,wrote,1\n")
    assert [(each.text, each.whole) for each in link_entities(base, f'papers that cite "{title}", on salt')] == [
        (title, True),
        ("salt", True),
    ]


def test_a_name_on_s_is_no_plural_of_another_and_question_words_may_be_names(
    built: Callable[[str, str], BuiltKnowledgeBase],
) -> None:
    base = built(
        "1,person,Jones\n2,person,Joy\n3,band,The Who\n4,city,Paris\n5,town,Pay\n6,party,Berry\n",
        "1,lives in,4\n",
    )

    def meant(query: str) -> set[int]:
        return {number for each in link_entities(base, query) for number in each.entities}

    numbers = {each.name: each.number for each, _ in base.documents()}
    assert meant("songs by Jones") == {numbers["Jones"]}
    assert meant("music of The Who") == {numbers["The Who"]}
    assert meant("trains to Paris") == {numbers["Paris"]}
    assert meant("who sells berries") == {numbers["Berry"]}


@given(
    some.text(max_size=60)
    | some.lists(some.sampled_from(["Titan", "saturn", "Voyager", "1", "the", "«"])).map(" ".join)
)
def test_any_text_is_linked_in_its_order_without_overlap(moons: BuiltKnowledgeBase, query: str) -> None:
    found = link_entities(moons, query)
    assert all(query[each.start : each.end] == each.text for each in found)
    assert all(first.end <= second.start for first, second in pairwise(found))
