"""Word pieces, by the real vocabulary."""

from hypothesis import given
from hypothesis import strategies as st

from indexers.models.word_pieces import word_piece_ends

ENDS = word_piece_ends()


def test_a_piece_ends_where_the_text_has_it() -> None:
    assert ENDS("Skerry Head, 1871") == [2, 6, 11, 12, 17]


def test_long_texts_are_not_cut() -> None:
    assert len(ENDS("tower " * 5000)) == 5000


@given(st.text(max_size=60))
def test_ends_are_in_order_and_within_the_text(text: str) -> None:
    ends = ENDS(text)
    assert ends == sorted(ends)
    assert all(0 < end <= len(text) for end in ends)
