"""Lists of unequal length in two arrays."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from indexers.linking.ragged import Ragged, looked_up, sums

LISTS = st.lists(st.lists(st.integers(0, 20), max_size=5), max_size=8)


def unpacked(lists: Ragged) -> list[list[int]]:
    return [lists.row(number).tolist() for number in range(len(lists))]


@given(LISTS)
def test_lists_come_out_as_they_went_in(lists):
    assert unpacked(Ragged.of(lists)) == lists


@given(LISTS, st.data())
def test_taken_rows_are_the_rows_asked_for(lists, data):
    rows = data.draw(st.lists(st.integers(0, len(lists) - 1), max_size=6)) if lists else []
    taken = Ragged.of(lists).take(np.array(rows, dtype=np.int64))
    assert unpacked(taken) == [lists[row] for row in rows]
    assert taken.owners().tolist() == [place for place, row in enumerate(rows) for _ in lists[row]]


@given(LISTS)
def test_inverted_rows_are_the_lists_that_hold_a_value(lists):
    distinct = [list(dict.fromkeys(each)) for each in lists]
    inverted = unpacked(Ragged.of(distinct).inverted(21))
    assert inverted == [[row for row, each in enumerate(distinct) if value in each] for value in range(21)]


@given(st.lists(LISTS, max_size=4))
def test_joined_rows_follow_each_other(parts):
    assert unpacked(Ragged.joined([Ragged.of(part) for part in parts])) == [each for part in parts for each in part]


@given(st.dictionaries(st.integers(-9, 9), st.integers(1, 9)), st.lists(st.integers(-9, 9)))
def test_a_key_is_looked_up_like_in_a_dictionary(table, wanted):
    keys = np.array(sorted(table), dtype=np.int64)
    values = np.array([table[key] for key in sorted(table)], dtype=np.float32)
    found = looked_up(keys, values, np.array(wanted, dtype=np.int64))
    assert found.tolist() == [table.get(key, 0) for key in wanted]


def test_values_are_added_up_by_owner():
    assert sums(np.array([1.0, 2.0, 4.0]), np.array([0, 2, 0]), 4).tolist() == [5.0, 0.0, 2.0, 0.0]
