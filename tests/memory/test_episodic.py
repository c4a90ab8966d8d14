"""What a round asked is not asked again, whatever the order and the dress of its words."""

from hypothesis import given
from hypothesis import strategies as st

from heliograph.types import Query, RoundRecord, Verdict
from memory.episodic import unasked


def a_round(*queries: str) -> RoundRecord:
    return RoundRecord(1, queries, (), (), Verdict(sufficient=False))


def test_what_was_asked_and_what_stands_twice_is_left_out() -> None:
    queries = map(Query, ("planet RED", '"Red planet"', "Deimos", "deimos ", "Phobos", " ", '""'))
    assert unasked(queries, [a_round("moons of Mars", "red planet")]) == (Query("Deimos"), Query("Phobos"))


@given(st.lists(st.text("ab cä'\"-", max_size=12), max_size=6))
def test_any_asked_query_is_asked_in_any_dress(texts: list[str]) -> None:
    turned = [Query(" ".join(reversed(f" {text.upper()} ".split()))) for text in texts]
    assert unasked(turned, [a_round(*texts)]) == ()


@given(st.lists(st.text("abc ", max_size=9).map(Query), max_size=8))
def test_without_a_past_every_query_with_words_is_new_once(queries: list[Query]) -> None:
    new = unasked(queries, ())
    assert {query.words for query in new} == {query.words for query in queries if query.words}
    assert len({query.words for query in new}) == len(new)
