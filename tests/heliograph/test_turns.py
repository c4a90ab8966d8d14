"""Turns over lists."""

from hypothesis import given
from hypothesis import strategies as st

from heliograph.turns import by_turns


@given(st.lists(st.lists(st.integers(0, 20)), max_size=5))
def test_turns_take_every_item_once_and_the_first_of_each_list_before_any_third(lists: list[list[int]]) -> None:
    turns = by_turns(lists)
    assert sorted(turns) == sorted({item for each in lists for item in each})
    assert set(turns[: len({each[0] for each in lists if each})]) == {each[0] for each in lists if each}
