"""A quote that points back gets the sentence before it; one that goes on gets the sentence after."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.extractive.context import LONGEST, continues, points_back, with_context
from agent.extractive.units import Unit, units_of
from heliograph.types import EvidenceId, Place, TextEvidence
from tests.fakes import key_of


def units(*sentences: str, kind: str = "paragraph") -> tuple[Unit, ...]:
    text = (" " if kind == "paragraph" else "\n").join(sentences)
    piece = TextEvidence(EvidenceId("p"), Place(key_of("A"), "A", "s0"), kind, text)
    return units_of(piece)


def quoted(found: tuple[Unit, ...], place: int) -> str:
    return with_context(found[place]).quote


def test_a_sentence_that_points_back_is_quoted_with_the_one_before() -> None:
    found = units("Holm Light stands on Lille Varn.", "It was lit in 1889.", "Ferries pass by.")
    assert quoted(found, 1) == "Holm Light stands on Lille Varn. It was lit in 1889."


def test_a_sentence_that_stands_by_itself_is_quoted_alone() -> None:
    found = units("Holm Light stands on Lille Varn.", "Ferries pass by.", "Oil was dear.")
    assert quoted(found, 1) == "Ferries pass by."


def test_items_of_a_list_have_no_context() -> None:
    assert quoted(units("oil", "it is lit", "it burns", kind="list"), 1) == "it is lit"


@pytest.mark.parametrize(
    ("sentence", "back"),
    [
        ("It was lit.", True),
        ("In 1889 they left.", True),
        ("Holm Light was lit.", False),
        ("The lamp of Holm Light burned oil until it broke.", False),
    ],
)
def test_a_sentence_points_back_by_a_word_near_its_beginning(sentence: str, back: bool) -> None:
    assert points_back(sentence) == back


@pytest.mark.parametrize(
    ("sentence", "goes_on"),
    [
        ("It was lit.", True),
        ("At its foot they live.", True),
        ("Most of them were lit.", False),
        ("Holm is lit.", False),
    ],
)
def test_a_sentence_goes_on_about_the_same_by_a_pronoun_for_it(sentence: str, goes_on: bool) -> None:
    assert continues(sentence) == goes_on


said = st.lists(st.sampled_from(["It is lit.", "Ferries pass by.", "They left early."]), min_size=1, max_size=8)


@given(said, st.data())
def test_context_adds_sentences_around_a_quote_and_never_takes_any_away(
    sentences: list[str], data: st.DataObject
) -> None:
    found = units(*sentences)
    place = data.draw(st.integers(0, len(found) - 1))
    run = with_context(found[place])
    assert found[place] in run.units
    numbers = [unit.number for unit in run.units]
    assert numbers == list(range(numbers[0], numbers[-1] + 1))
    assert len(numbers) <= LONGEST
