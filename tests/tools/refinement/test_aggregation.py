"""Rows that code selects of restored tables, and what it leaves alone."""

from heliograph.types import Edge
from tests.tools.refinement.varn import CANDIDATES, FERRIES, LIGHTS, QUESTION, VARN, make_table, row_of
from tools.refinement.aggregation import CodeRows, edges_of, rows_by_code
from tools.refinement.tables import restored


def test_tables_are_restored_in_the_order_of_their_best_edges_and_no_more_than_asked_for() -> None:
    assert restored(CANDIDATES.edges, VARN, 5) == (LIGHTS, FERRIES)
    assert restored(CANDIDATES.edges[3:], VARN, 5) == (FERRIES,)
    assert restored(reversed(CANDIDATES.edges), VARN, 1) == (LIGHTS,)
    assert restored((), VARN, 5) == ()


def test_a_count_selects_the_rows_that_it_counts() -> None:
    found = rows_by_code("How many of the lighthouses of Varn are taller than 35 m?", (LIGHTS,))
    assert found.rows == ((row_of(2), row_of(3)),)
    assert found.computed is not None
    assert found.computed.computation.value == "2"


def test_a_sum_over_more_rows_than_a_model_may_name_selects_none() -> None:
    rows = [(f"Light {number}", "-", str(number)) for number in range(20)]
    many = make_table("many", "Lighthouses of Varn", ("Lighthouse", "Keeper", "Height (m)"), rows)
    found = rows_by_code("What is the total height of all the lighthouses of Varn?", (many,))
    assert found.computed is not None
    assert found.rows == ((),)


def test_a_table_too_long_to_be_computed_on_is_named() -> None:
    rows = [(f"Light {number}", "-", str(number)) for number in range(2_001)]
    long = make_table("long", "Lighthouses of Varn", ("Lighthouse", "Keeper", "Height (m)"), rows)
    found = rows_by_code(QUESTION, (long, LIGHTS))
    assert found.rows == ((), (row_of(3),))
    assert found.notes == (f"{long.id} is too long to be computed on",)


def test_where_no_row_is_selected_nothing_is_computed() -> None:
    assert rows_by_code("Who painted the lamps?", (LIGHTS, FERRIES)) == CodeRows(((), ()))


def test_a_row_has_an_edge_a_passage_or_one_by_itself() -> None:
    assert edges_of((row_of(4), row_of(1)), VARN) == (
        Edge(row_of(4), None),
        *(Edge(row_of(1), passage) for passage in VARN.linked(row_of(1))),
    )
