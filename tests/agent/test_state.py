"""The state grows by appending and takes tuples and lists alike: a checkpoint brings tuples back as lists."""

from hypothesis import given
from hypothesis import strategies as st

from agent.state import append

parts = st.lists(st.integers()) | st.lists(st.integers()).map(tuple)


@given(parts, parts, parts)
def test_appending_joins_keeps_the_order_and_changes_nothing(one: list[int], two: list[int], three: list[int]) -> None:
    before = (list(one), list(two))
    assert append(one, two) == (*one, *two)
    assert append(append(one, two), three) == append(one, append(two, three))
    assert (list(one), list(two)) == before
