"""Nouns are frozen, slotted, with tuples inside, and each is named where it can be imported from."""

import dataclasses
import inspect
import typing

import pytest

from heliograph import types
from heliograph.types import (
    Cell,
    EvidenceId,
    ImageEvidence,
    PageKey,
    Place,
    TableEvidence,
    TableSegment,
    TextEvidence,
    modality_of,
)

NOUNS = [each for each in vars(types).values() if inspect.isclass(each) and dataclasses.is_dataclass(each)]
PLACE = Place(PageKey("w:A@1"), "A", "s0")


def test_every_noun_is_exported() -> None:
    assert {noun.__name__ for noun in NOUNS} <= set(types.__all__)
    assert all(hasattr(types, name) for name in types.__all__)


@pytest.mark.parametrize("noun", NOUNS, ids=lambda noun: noun.__name__)
def test_a_noun_is_frozen_slotted_and_holds_no_list(noun: type) -> None:
    assert noun.__dataclass_params__.frozen
    assert "__slots__" in vars(noun)
    for hint in typing.get_type_hints(noun).values():
        assert typing.get_origin(hint) not in (list, dict, set)


@pytest.mark.parametrize(
    ("piece", "modality"),
    [
        (TextEvidence(EvidenceId("p"), PLACE, "paragraph", "x"), "text"),
        (TextEvidence(EvidenceId("l"), PLACE, "list", "x"), "text"),
        (TableEvidence(EvidenceId("t"), PLACE, "table", "", (), ()), "table"),
        (TableSegment(EvidenceId("r"), PLACE, EvidenceId("t"), 1, "", ("a",), (Cell("b"),)), "table"),
        (ImageEvidence(EvidenceId("i"), PLACE, "a.png", "", ""), "image"),
    ],
)
def test_every_piece_has_a_modality(piece: types.Evidence, modality: str) -> None:
    assert modality_of(piece) == modality
    assert modality in types.MODALITIES
