"""Packed texts are those that went in."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.ott.texts import Texts


@given(st.lists(st.text(st.characters())))
def test_what_is_packed_comes_out_by_its_position(texts: list[str]) -> None:
    packed = Texts.pack(texts)
    assert [packed[position] for position in range(len(packed))] == texts
    for outside in (-1, len(texts)):
        with pytest.raises(IndexError):
            packed[outside]
