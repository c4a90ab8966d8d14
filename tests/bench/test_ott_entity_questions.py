"""Questions of a table whose answers are entities of a base become queries; others are counted by what they lack."""

from collections import Counter

import pytest

from bench.ott_entity_questions import EntityNames, Links, entity_queries, half_of
from eval.ott.questions import AnswerNode, OttQuestion
from heliograph.types import EntityRecord
from tests.tools.skb.sky import Records, built

PAGES = (
    EntityRecord("Holm Light", "Light", "Holm Light", ""),
    EntityRecord("Skerry Head (light)", "Light", "Skerry Head", ""),
    EntityRecord("Skerry Head (cape)", "Cape", "Skerry Head", ""),
    EntityRecord("Ada Brandt", "Builder", "Ada Brandt", ""),
    EntityRecord("Gull", "Bird", "Gull", ""),
    EntityRecord("Gull (boat)", "Boat", "Gull", ""),
    EntityRecord("Tern (boat)", "Boat", "Tern", ""),
    EntityRecord("Tern (brig)", "Boat", "Tern", ""),
    EntityRecord("13 (film)", "Film", "13", ""),
)
LINKS: Links = [[(0, "Holm Light")], [(0, "Skerry Head (light)"), (1, "Nowhere")]]


@pytest.fixture(scope="module")
def names(tmp_path_factory: pytest.TempPathFactory) -> EntityNames:
    return EntityNames(built(Records(PAGES, ()), tmp_path_factory.mktemp("skb") / "lights.skb"))


@pytest.mark.parametrize(
    ("answer", "nodes", "kind", "ids", "type"),
    [
        ("the Holm", (AnswerNode("The Holm", 0, 0, None),), "cell", ("Holm Light",), "Light"),
        ("Skerry Head", (), "table", ("Skerry Head (light)",), "Light"),
        ("ADA BRANDT", (AnswerNode("Holm Light", 0, 0, "/wiki/Holm_Light"),), "name", ("Ada Brandt",), "Builder"),
        ("Gull", (), "name", ("Gull",), "Bird"),
        ("1871", (AnswerNode("1871", 1, 1, None),), "no entity", (), ""),
        ("Tern", (), "ambiguous", (), ""),
        ("13", (), "figure", (), ""),
    ],
)
def test_an_answer_is_what_its_cell_links_or_whose_name_it_is(
    names: EntityNames, answer: str, nodes: tuple[AnswerNode, ...], kind: str, ids: tuple[str, ...], type: str
) -> None:
    counts = Counter[str]()
    asked = OttQuestion("q", "Which one?", (answer,), "Lights", nodes)
    found = list(entity_queries([asked], {"Lights": LINKS}, names, counts))
    assert counts == {kind: 1}
    assert [(each.answers, each.answer_type, each.kind) for each in found] == ([(ids, type, kind)] if ids else [])


def test_both_halves_have_tables_and_each_table_one_half() -> None:
    halves = [half_of(f"Lights_{number}") for number in range(100)]
    assert halves == [half_of(f"Lights_{number}") for number in range(100)]
    assert 30 < halves.count("development") < 70 and set(halves) == {"development", "held_out"}
