"""Plans are compared with readings by hand; the base that stands in for MAG has what every reading asks for."""

from pathlib import Path

import pytest

from bench.mag_plans import (
    AUTHOR,
    BY_AUTHOR,
    CITES,
    FIELD,
    OF_FIELD,
    PAPER,
    SHAPES,
    SHARED_AUTHOR,
    Chosen,
    Comparison,
    Hops,
    Reading,
    Required,
    StandIn,
    compare,
)
from heliograph.types import EntityRecord, TripleRecord
from indexers.skb.entity_texts import folded
from tests.tools.skb.sky import Records, built
from tools.skb.planning.linking import EntityMention, link_entities

ADA, DROPS = "Ada Brandt", "Slow drops on a warm plate: a study"


def read(shape: str, *names: tuple[str, str], way: str = "", optional: tuple[str, ...] = ()) -> Reading:
    query = f"Papers of {' and '.join(name for _, name in names)} on evaporation rates"
    return Reading("1", query, shape, names, way, unsure=False, optional=optional)


def chosen(type: str, name: str, hops: Hops, *, whole: bool = True) -> Chosen:
    return Chosen(Required(type, folded(name), hops), EntityMention(0, 1, name, (0,), whole))


BY_ADA, BY_DROPS = read("AP", (AUTHOR, ADA)), read("PAPFP", (PAPER, DROPS))


@pytest.mark.parametrize(
    ("reading", "plan", "is_linked", "expected"),
    [
        (BY_ADA, [chosen(AUTHOR, ADA, BY_AUTHOR)], True, Comparison(True, True, True, ())),
        (BY_ADA, [], True, Comparison(False, False, False, ("author passed over",))),
        (BY_ADA, [], False, Comparison(False, False, False, ("author not linked",))),
        (BY_ADA, [chosen(FIELD, ADA, OF_FIELD)], True,
         Comparison(False, False, False, ("author taken for another type",))),
        (
            BY_ADA,
            [chosen(AUTHOR, ADA, BY_AUTHOR), chosen(FIELD, "Rates", OF_FIELD, whole=False)],
            True,
            Comparison(False, False, False, ("extra field_of_study, by a part of a name",)),
        ),
        (
            BY_ADA,
            [chosen(AUTHOR, ADA, BY_AUTHOR), chosen(FIELD, "Rates", OF_FIELD)],
            True,
            Comparison(False, False, True, ("extra field_of_study, by a whole name",)),
        ),
        (BY_DROPS, [chosen(PAPER, DROPS, SHARED_AUTHOR)], True,
         Comparison(True, False, False, ("one relation of two",))),
        (BY_DROPS, [chosen(PAPER, DROPS, ((CITES, "in"),))], True,
         Comparison(True, False, False, ("paper by another relation", "paper by another relation"))),
        (read("PP", (PAPER, DROPS), way="out"), [chosen(PAPER, DROPS, ((CITES, "in"),))], True,
         Comparison(True, False, False, ("cites the other way",))),
        (read("PP", (PAPER, DROPS), way="any"), [chosen(PAPER, DROPS, ((CITES, "in"),))], True,
         Comparison(True, True, True, ())),
        (
            read("AP", (AUTHOR, ADA), optional=("evaporation",)),
            [chosen(AUTHOR, ADA, BY_AUTHOR), chosen(FIELD, "evaporation", OF_FIELD)],
            True,
            Comparison(True, True, True, ()),
        ),
    ],
)  # fmt: skip
def test_a_plan_is_compared_with_a_reading(
    reading: Reading, plan: list[Chosen], is_linked: bool, expected: Comparison
) -> None:
    linked = [(type, folded(name)) for type, name in reading.names] if is_linked else []
    assert compare(reading, plan, linked) == expected


def test_the_stand_in_has_papers_for_every_reading(tmp_path: Path) -> None:
    names = {"author": ADA, "institution": "Holm College", "field_of_study": "Vapour pressure", "paper": DROPS}
    readings = [
        read(shape, *dict.fromkeys((type, names[type]) for type, _ in parts)) for shape, parts in SHAPES.items()
    ]
    made = StandIn(readings)
    records = [EntityRecord(each["id"], each["type"], each["name"], each["text"]) for each in made.entities]
    triples = [TripleRecord(*each) for each in made.triples]
    base = built(Records(records, triples, candidate_types=(PAPER,)), tmp_path / "mag.skb")
    ids = {entity.id: entity.number for entity, _ in base.documents()}
    for number, reading in enumerate(readings):
        linked = [each for mention in link_entities(base, reading.query) for each in mention.entities]
        for type, name, hops in reading.required:
            (start,) = (each for each, _ in base.documents() if (each.type, folded(each.name)) == (type, name))
            assert start.number in linked
            reached = {start.number}
            for relation, direction in hops:
                way = "both" if direction == "any" else direction
                reached = set(base.graph.neighbours(sorted(reached), relation, way).tolist())
            assert ids[f"answer {number} 0"] in reached
