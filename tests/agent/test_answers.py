"""A unit holds a quantity where it has a figure in the right unit, and a number where it has the counted thing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.extractive.answers import DOUBTFUL, LIKELY, SURE, holds
from agent.extractive.asked import asked_of
from agent.extractive.units import Unit, units_of
from heliograph.types import Cell, EvidenceId, Place, TableSegment, TextEvidence
from tests.fakes import key_of

PLACE = Place(key_of("Holm Light"), "Holm Light", "s0")


def sentence_unit(sentence: str) -> Unit:
    (unit,) = units_of(TextEvidence(EvidenceId("p"), PLACE, "list", sentence))
    return unit


def row_unit(**cells: str) -> Unit:
    header = tuple(name.replace("_", " ") for name in cells)
    row = TableSegment(EvidenceId("r"), PLACE, EvidenceId("t"), 1, "", header, tuple(map(Cell, cells.values())))
    (unit,) = units_of(row)
    return unit


def held(question: str, sentence: str) -> float:
    return holds(asked_of(question), question, sentence_unit(sentence))


def held_by_row(question: str, **cells: str) -> float:
    return holds(asked_of(question), question, row_unit(**cells))


@pytest.mark.parametrize(
    ("question", "sentence", "expected"),
    [
        ("How deep is the well?", "The well is 12 m deep.", SURE),
        ("How deep is the well?", "The well, which is deep, was dug in 1889.", 0.0),
        ("How deep is the well?", "The deep well holds 12 kg.", 0.0),
        ("How heavy is the bell?", "The bell of 1889 has 310 kg.", SURE),
        ("How heavy is the bell?", "The bell is from 1889.", 0.0),
        ("How cold is it?", "It falls to −20 °C.", SURE),
        ("How cold is it?", "It stands at 20 degrees to the wall.", 0.0),
        ("How wide is the door?", "The door is half a metre wide.", 0.0),
        ("How wide is the door?", "The door is one metre wide.", SURE),
        ("How many bells are there?", "It has three old bells.", SURE),
        ("How many bells are there?", "It has 3 keepers.", DOUBTFUL),
        ("How many bells are there?", "It has bells of 3 kg.", 0.0),
        ("How many bells did Ferry 3 have?", "Ferry 3 had bells.", 0.0),
        ("How many bells are there?", "The Varn 3 has bells.", 0.0),
        ("By how much did it sink?", "It sank by 12%.", LIKELY),
        ("What is it made of?", "It is granite.", SURE),
        ("What price did it fetch?", "It cost $12 million.", SURE),
        ("What price did it fetch?", "It cost 3,000 euros.", SURE),
        ("How cold is it?", "It is 38 kelvin.", SURE),
        ("How many degrees Celsius is it?", "It is 20 °C.", SURE),
        ("How tall is the tower?", "The tall tower was finished in 1889 in Paris.", 0.0),
        ("How many bells are there?", "Of the tower's 14 bells two are big.", SURE),
        ("How many bells are there?", "Of Varn's 14 bells two are big.", SURE),
        ("How many bells are there?", "It has seventeen bells.", SURE),
        ("How many bells are there?", "There are 1500 bells.", SURE),
        ("How many miles per hour does it make?", "It makes 30 miles per hour.", SURE),
    ],
)
def test_a_sentence_holds_what_is_of_the_kind_asked_for(question: str, sentence: str, expected: float) -> None:
    assert held(question, sentence) == expected


def test_a_cell_has_the_unit_of_its_column_or_of_the_name_of_its_row() -> None:
    assert held_by_row("How deep is it?", Well="Nord", Depth_="x", **{"Depth (m)": "12"}) == SURE
    assert held_by_row("How deep is it?", Well="Nord", **{"Load (kg)": "12"}) == 0.0
    assert held_by_row("How heavy is it?", Property="Mass (kg)", Value="310") == SURE
    assert held_by_row("How cold is it?", Place="Nord", **{"Temperature (°C)": "12"}) == SURE
    assert held_by_row("How many bells did it have in 1977?", Tower="Nord", Bells="7") == SURE


@given(st.text(max_size=80), st.text(min_size=1, max_size=120))
def test_how_well_a_unit_holds_an_answer_is_a_share(question: str, text: str) -> None:
    for unit in units_of(TextEvidence(EvidenceId("p"), PLACE, "paragraph", text)):
        assert 0 <= holds(asked_of(question), question, unit) <= 1
