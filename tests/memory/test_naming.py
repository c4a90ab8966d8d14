"""Names of what is kept, as people shorten them."""

import pytest

from heliograph.errors import UnknownName
from memory.naming import named


def meant(name: str, kept: list[str]) -> str:
    return named(name, kept, str.lower, several="runs begin with", none="no run is named", next_step="look again")


@pytest.mark.parametrize(
    ("name", "kept", "found"),
    [
        ("last", ["A1", "B2"], "B2"),
        ("last", ["Last", "B2"], "B2"),
        ("a1", ["A1", "A12"], "A1"),
        ("b", ["A1", "B2"], "B2"),
    ],
)
def test_a_name_is_whole_or_begins_one_thing_or_means_the_last(name: str, kept: list[str], found: str) -> None:
    assert meant(name, kept) == found


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("a", "2 runs begin with 'a'; look again"),
        ("x", "no run is named 'x'; look again"),
        ("", "no run is named ''; look again"),
    ],
)
def test_what_is_no_name_is_told_with_the_next_step(name: str, told: str) -> None:
    with pytest.raises(UnknownName) as caught:
        meant(name, ["A1", "A2"])
    assert str(caught.value) == told
