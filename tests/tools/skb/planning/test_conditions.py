"""What may be required of answers: paths that the schema has, in words, and attributes as a table."""

import asyncio

import pytest

from heliograph.errors import Undecided
from heliograph.types import Entity, Hop
from indexers.skb.knowledge_base import BuiltKnowledgeBase
from tools.arithmetic.plans import LIMIT, CandidateCondition, rows_meeting
from tools.skb.planning import conditions
from tools.skb.planning.conditions import (
    TypeSchema,
    attribute_sheet,
    column_name,
    figure_ranges,
    path_conditions,
    path_name,
    rows_certain_to_meet,
    spelled_path,
)
from tools.skb.planning.linking import EntityMention

DISCOVERED, ORBITS = Hop("discovered", "out", "moon"), Hop("orbits", "in", "moon")
WRITES = Hop("author___writes___paper", "out", "paper")


def test_a_path_is_told_from_the_answer_on() -> None:
    assert spelled_path([ORBITS], "planet") == "moon orbits planet"
    to_person = [ORBITS, Hop("discovered", "in", "person")]
    assert spelled_path(to_person, "planet") == "person discovered moon, moon orbits planet"


def test_a_relation_to_the_answers_is_named_with_what_it_comes_from() -> None:
    assert path_name([ORBITS], "planet") == "orbits"
    assert path_name([DISCOVERED], "person") == "person discovered"


@pytest.mark.parametrize(
    ("hops", "mentioned", "path", "column"),
    [
        ([WRITES], "author", "author writes paper", "author writes"),
        (
            [Hop("author___affiliated_with___institution", "in", "author"), WRITES],
            "institution",
            "author writes paper, author affiliated with institution",
            "author writes, affiliated with institution",
        ),
        ([Hop("paper___cites___paper", "in", "paper")], "paper", "paper cites paper", "cites paper"),
        ([Hop("classes", "in", "spell")], "class", "spell classes", "classes"),
        ([Hop("classes", "out", "class")], "spell", "spell classes", "spell classes"),
        ([Hop("damage.damage_type", "in", "spell")], "damage type", "spell damage damage type", "damage damage type"),
        ([Hop("python version", "in", "pep")], "python version", "pep python version", "python version"),
        ([Hop("cites", "in", "paper")], "paper", "paper cites paper", "cites"),
    ],
)
def test_a_path_says_no_type_again_that_a_relation_says(
    hops: list[Hop], mentioned: str, path: str, column: str
) -> None:
    assert (spelled_path(hops, mentioned), path_name(hops, mentioned)) == (path, column)


@pytest.mark.parametrize(
    ("attribute", "column"),
    [("mass_kg", "mass (kg)"), ("speed.walk", "speed walk"), ("year", "year"), ("km", "km")],
)
def test_an_attribute_is_written_as_people_write_a_column(attribute: str, column: str) -> None:
    assert column_name(attribute) == column


def test_of_thousands_of_relations_the_frequent_and_the_said_ones_are_followed(moons: BuiltKnowledgeBase) -> None:
    kinds = [("moon", f"relation {number}", "planet") for number in range(3_000)]
    schema = TypeSchema(moons.graph, [*kinds, ("moon", "shepherds", "planet")])
    plain = list(schema.ways("moon", "planet", frozenset()))
    assert len([way for way in plain if len(way) == 1]) == conditions.MOST_KINDS
    said = schema.ways("moon", "planet", frozenset(("shepherd",)))
    assert (Hop("shepherds", "in", "moon"),) in set(said)


def test_only_ways_that_a_mention_has_the_first_hop_of_are_tried(moons: BuiltKnowledgeBase) -> None:
    schema = TypeSchema(
        moons.graph, [(each.source, each.relation, each.target) for each in asyncio.run(moons.schema())]
    )
    every = list(schema.ways("moon", "planet", frozenset()))
    first = frozenset((ORBITS,))
    kept = list(schema.ways("moon", "planet", frozenset(), first))
    assert (ORBITS,) in kept and len(kept) < len(every)
    assert kept == [way for way in every if way[0] in first]


def test_a_rare_relation_of_a_mention_is_followed_though_thousands_are_more_frequent(moons: BuiltKnowledgeBase) -> None:
    kinds = [("moon", f"relation {number}", "planet") for number in range(3_000)]
    schema = TypeSchema(moons.graph, [*kinds, ("moon", "shepherds", "planet")])
    rare = Hop("shepherds", "in", "moon")
    assert next(schema.ways("moon", "planet", frozenset(), frozenset((rare,)))) == (rare,)


def test_of_very_many_ways_those_are_kept_that_the_query_says(
    moons: BuiltKnowledgeBase, monkeypatch: pytest.MonkeyPatch
) -> None:
    schema = TypeSchema(
        moons.graph, [(each.source, each.relation, each.target) for each in asyncio.run(moons.schema())]
    )
    (saturn,) = asyncio.run(moons.named("Saturn"))
    mention = EntityMention(12, 18, "Saturn", (saturn.number,), whole=True)
    query, names = "What orbits Saturn?", {saturn.number: "Saturn"}
    assert len(path_conditions(schema, names, query, [mention], "moon")) > 1
    monkeypatch.setattr(conditions, "MOST_WAYS", 0)
    kept = path_conditions(schema, names, query, [mention], "moon")
    assert {len(each.requirement.hops) for each in kept} == {1} and kept[0].requirement.hops == (ORBITS,)


def test_the_share_of_a_sample_is_that_of_all(moons: BuiltKnowledgeBase, monkeypatch: pytest.MonkeyPatch) -> None:
    kinds = [(each.source, each.relation, each.target) for each in asyncio.run(moons.schema())]
    hops = (Hop("discovered", "out", "moon"),)
    whole = TypeSchema(moons.graph, kinds).share("person", hops)
    monkeypatch.setattr(conditions, "MOST_FOLLOWED", 10)
    assert 0 < whole == TypeSchema(moons.graph, kinds).share("person", hops)


def test_attributes_are_read_with_their_units_and_as_yes_or_no() -> None:
    entities = [Entity(number, f"e{number}", "moon", f"Moon {number}") for number in range(2)]
    sheet = attribute_sheet("moon", entities, [{"diameter_km": 3474.0, "icy": "true"}, {"diameter_km": 5150.0}])
    assert sheet is not None
    diameter, icy = sheet.columns[len(conditions.ROW_NAMES) :]
    assert (diameter.name, diameter.kind) == ("diameter (km)", "number")
    assert [value.low for value in diameter.values if value] == [3_474_000, 5_150_000]
    assert sheet.cell(0, icy.index) == "yes" and sheet.cell(1, icy.index) == ""
    assert attribute_sheet("moon", entities, [{}, {}]) is None


def condition(column: int, value: str, at: int, said: str = LIMIT) -> CandidateCondition:
    return CandidateCondition(column, value, (at,), said)


def test_an_entity_whose_figure_cannot_be_read_meets_no_comparison_and_spoils_none() -> None:
    entities = [Entity(number, f"e{number}", "moon", f"Moon {number}") for number in range(4)]
    widths = ("12", "1,2,3 or 4", "30", "7")
    sheet = attribute_sheet("moon", entities, [{"width": each} for each in widths])
    assert sheet is not None
    width = condition(len(conditions.ROW_NAMES), "10", 0)
    with pytest.raises(Undecided):
        rows_meeting(width, "above", sheet)
    assert rows_certain_to_meet(width, "above", sheet) == {sheet.id(0), sheet.id(2)}


def test_between_sets_both_bounds_of_one_attribute_in_one_unit() -> None:
    query = "moons between 10 and 20 km across"
    first, second = query.index("10"), query.index("20")
    groups = [(condition(2, "10", first), condition(3, "10", first)), (condition(2, "20 km", second),)]
    ((only,),) = figure_ranges(query, groups)
    assert (only.low, only.high) == (condition(2, "10 km", first), condition(2, "20 km", second))
    third = condition(2, "1685", query.index("across"))
    assert len(list(figure_ranges(f"{query} and after 1685", [*groups, (third,)]))) == 1
    other = query.replace("between", "of some")
    assert list(figure_ranges(other, groups)) == []


def test_no_entity_is_taken_for_a_row_of_totals() -> None:
    entities = [
        Entity(number, f"p{number}", "package", name) for number, name in enumerate(("All", "Total: War", "zlib"))
    ]
    sheet = attribute_sheet("package", entities, [{"arch": "all", "size_kg": 2.0}, {"arch": "all"}, {"arch": "amd64"}])
    assert sheet is not None and sheet.rows == (0, 1, 2)
