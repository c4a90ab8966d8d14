"""Rows that code selects of restored tables, and what it leaves alone."""

from heliograph.types import Edge
from tests.tools.refinement.varn import CANDIDATES, FERRIES, LIGHTS, QUESTION, READER, VARN, make_table, row_of
from tests.tools.slots import Plan, SaidSlots
from tools.arithmetic import TableReader
from tools.refinement.aggregation import CodeRows, edges_of, rows_by_code
from tools.refinement.tables import restored


def test_tables_are_restored_in_the_order_of_their_best_edges_and_no_more_than_asked_for() -> None:
    assert restored(CANDIDATES.edges, VARN, 5) == (LIGHTS, FERRIES)
    assert restored(CANDIDATES.edges[3:], VARN, 5) == (FERRIES,)
    assert restored(reversed(CANDIDATES.edges), VARN, 1) == (LIGHTS,)
    assert restored((), VARN, 5) == ()


def reader(**plans: Plan) -> TableReader:
    """Return code that reads questions by their names."""
    return TableReader(SaidSlots(plans))


async def test_a_count_selects_the_rows_that_it_counts() -> None:
    taller = "how many are taller than 35 m"
    asked = TableReader(SaidSlots({taller: Plan("count", where={"Height (m) 35 m": "above"})}))
    found = await rows_by_code(taller, (LIGHTS,), asked)
    assert found.rows == ((row_of(2), row_of(3)),)
    assert found.computed is not None
    assert found.computed.computation.value == "2"


async def test_a_sum_over_more_rows_than_a_model_may_name_selects_none() -> None:
    rows = [(f"Light {number}", "-", str(number)) for number in range(20)]
    many = make_table("many", "Lighthouses of Varn", ("Lighthouse", "Keeper", "Height (m)"), rows)
    found = await rows_by_code("q", (many,), reader(q=Plan("sum", "Height (m)")))
    assert found.computed is not None
    assert found.rows == ((),)


async def test_a_table_too_long_to_be_computed_on_is_named() -> None:
    rows = [(f"Light {number}", "-", str(number)) for number in range(7_000)]
    long = make_table("long", "Lighthouses of Varn", ("Lighthouse", "Keeper", "Height (m)"), rows)
    found = await rows_by_code(QUESTION, (long, LIGHTS), READER)
    assert found.rows == ((), (row_of(3),))
    assert found.notes == (f"{long.id} was not computed on: together the tables are too long, or too many",)


async def test_where_no_rows_are_compared_none_is_selected() -> None:
    asked = reader(q=Plan("find", "Keeper", where={"Lighthouse Holm Light": "is"}))
    assert await rows_by_code("q", (LIGHTS, FERRIES), asked) == CodeRows(((), ()))


def test_a_row_has_an_edge_a_passage_or_one_by_itself() -> None:
    assert edges_of((row_of(4), row_of(1)), VARN) == (
        Edge(row_of(4), None),
        *(Edge(row_of(1), passage) for passage in VARN.linked(row_of(1))),
    )
