"""Words of shards joined are the words of all texts at once."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexers.edges.postings import Postings
from indexers.offline.postings import ARRAYS, join_postings, map_postings, write_postings

WORDS = ("moon", "moons", "ring", "jupiter", "saturn", "the", "1610", "x", "größe")
texts = st.lists(st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join), max_size=5)


@given(st.lists(texts, max_size=4), st.lists(st.text(max_size=40), max_size=3))
def test_joined_postings_are_those_of_all_texts(
    tmp_path_factory: pytest.TempPathFactory, parts: list[list[str]], odd: list[str]
) -> None:
    folder = tmp_path_factory.mktemp("words")
    parts = [*parts, odd]
    for number, part in enumerate(parts):
        write_postings(folder / str(number), Postings.build(part))
    join_postings(folder / "all", [folder / str(number) for number in range(len(parts))])
    kept, wanted = map_postings(folder / "all"), Postings.build([text for part in parts for text in part])
    assert dict(kept.numbers) == dict(wanted.numbers)
    for name in ARRAYS:
        np.testing.assert_array_equal(getattr(kept, name), getattr(wanted, name))
        assert getattr(kept, name).dtype == getattr(wanted, name).dtype


def test_words_of_nothing_are_none(tmp_path: Path) -> None:
    join_postings(tmp_path / "all", [])
    kept = map_postings(tmp_path / "all")
    assert (len(kept), dict(kept.numbers), kept.counted("moon").shape) == (0, {}, (0,))
