"""Halves of questions and samples of them: what anybody draws again, whatever the order of a file."""

from hypothesis import given
from hypothesis import strategies as st

from eval.drawing import Draw

IDS = st.lists(st.text(), unique=True)


def drawn(ids: list[str], draw: Draw) -> tuple[str, ...]:
    return draw.of(ids, lambda id: id)


@given(IDS)
def test_halves_are_all_questions_share_none_and_differ_by_one_at_most(ids: list[str]) -> None:
    report, development = drawn(ids, Draw("report")), drawn(ids, Draw("development"))
    assert sorted(report + development) == sorted(ids)
    assert len(report) - len(development) in (0, 1)
    assert report + development == drawn(ids, Draw())


@given(IDS.flatmap(lambda ids: st.tuples(st.just(ids), st.permutations(ids))), st.integers(0, 9))
def test_the_order_of_a_file_draws_nothing(orders: tuple[list[str], list[str]], first: int) -> None:
    ids, other = orders
    draw = Draw("development", first)
    assert drawn(ids, draw) == drawn(other, draw) == drawn(ids, Draw("development"))[:first]
