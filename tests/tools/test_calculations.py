"""A calculation that is named is carried out by code, and one that cannot be says what there is instead."""

from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.citations.computations import check_computation, describe, row_ranges
from heliograph.errors import (
    CalculationError,
    Undecided,
    UnknownColumn,
    UnknownRow,
    UnknownTable,
    WrongKind,
    WrongOperands,
)
from heliograph.types import Calculation, Computation, Condition, EvidenceId, Join, Relation, TableEvidence
from tests.tools.made_up import table
from tools.arithmetic import Calculated, calculate, calculated_again

ROUTES = table(
    "Walks",
    "Routes",
    "Route | Start | Distance (km) | Climb (m) | Opened | Closed",
    "Badger Way | Nettle | 14 | 520 | 3 May 1972 | 5 May 1972",
    "Crow Loop | Ashby | 8 | 210 | 1 June 1985 | 1 July 1985",
    "Fox Ridge | Nettle | 21 | 1,140 | 9 April 1968 | —",
    "Otter Path | Wick | 8 | — | 2 March 2003 | 1 March 2004",
    "Total | | 51 | | |",
)
VILLAGES = table("Villages", "", "Village | People | Founded", "Nettle | 400 | 1100", "Ashby | 1,250 | 1300")
TABLES = (ROUTES, VILLAGES)
ASK = Calculation("count", ROUTES.id)


def ids(*numbers: int, source: TableEvidence = ROUTES) -> tuple[EvidenceId, ...]:
    return tuple(EvidenceId(f"{source.id}/r{number}") for number in numbers)


def run(operation: str, column: str = "", *rows: str, **more: object) -> Calculated:
    return calculate(replace(ASK, operation=operation, column=column, rows=rows, **more), TABLES)


@pytest.mark.parametrize(
    ("calculation", "value", "rows"),
    [
        (replace(ASK, where=(Condition("Start", "is", "nettle"),)), "2", (1, 3)),
        (replace(ASK, where=(Condition("Distance", "above", "10,000 m"),)), "2", (1, 3)),
        (replace(ASK, where=(Condition("Opened", "at_most", "1972"),)), "2", (1, 3)),
        (replace(ASK, where=(Condition("Distance", "above", "30"),)), "0", ()),
        (replace(ASK, operation="sum", column="Distance (km)"), "51 km", (1, 2, 3, 4)),
        (replace(ASK, operation="mean", column="distance (KM)"), "12.75 km", (1, 2, 3, 4)),
        (replace(ASK, operation="median", column="Dist"), "11 km", (1, 2, 3, 4)),
        (replace(ASK, operation="median", column="Climb"), "520 m", (1, 2, 3)),
        (replace(ASK, operation="max", column="Climb"), "1,140 m", (1, 2, 3)),
        (replace(ASK, operation="min", column="Dist"), "8 km", (1, 2, 3, 4)),
        (replace(ASK, operation="max", column="Opened"), "2 March 2003", (1, 2, 3, 4)),
        (replace(ASK, operation="ordinal", column="Dist", position=2), "14 km", (1, 2, 3, 4)),
        (replace(ASK, operation="rank", column="Dist", rows=("Crow Loop",)), "3", (1, 2, 3, 4)),
        (replace(ASK, operation="rank", column="Dist", rows=("Crow Loop",), descending=False), "1", (1, 2, 3, 4)),
        (replace(ASK, operation="difference", column="Dist", rows=("Crow Loop", "Fox Ridge")), "-13 km", (2, 3)),
        (replace(ASK, operation="difference", column="Opened", rows=("Badger Way", "Crow Loop")), "4,777 days", (1, 2)),
        (replace(ASK, operation="ratio", column="Dist", rows=("Fox Ridge", "Badger Way")), "1.5", (3, 1)),
        (replace(ASK, operation="percentage", column="Dist", rows=("Fox Ridge",)), "41.18%", (1, 2, 3, 4)),
        (replace(ASK, operation="percentage", where=(Condition("Start", "is", "Wick"),)), "25%", (1, 2, 3, 4)),
        (replace(ASK, operation="change", column="Dist", time="Opened"), "-13 km", (3, 4)),
        (
            replace(ASK, operation="date_difference", column="Opened", other="Closed", rows=("Badger Way",)),
            "2 days",
            (1,),
        ),
        (
            replace(ASK, operation="date_difference", column="Closed", rows=("Crow Loop", "Badger Way")),
            "4,805 days",
            (2, 1),
        ),
        (replace(ASK, operation="comparison", column="Dist", rows=("Fox Ridge", "Crow Loop")), "Yes", (3, 2)),
        (
            replace(ASK, operation="comparison", column="Dist", rows=("Fox Ridge",), relation="below", value="20 km"),
            "No",
            (3,),
        ),
        (
            replace(ASK, operation="filter", where=(Condition("Climb", "below", "1 km"),)),
            "Badger Way and Crow Loop",
            (1, 2),
        ),
        (replace(ASK, operation="filter", column="Start", rows=("Crow Loop",)), "Ashby", (2,)),
    ],
)  # fmt: skip
def test_an_operation_gives_the_value_worked_out_by_hand_and_its_rows(
    calculation: Calculation, value: str, rows: tuple[int, ...]
) -> None:
    found = calculate(calculation, TABLES)

    assert (found.value, found.rows) == (value, ids(*rows))
    assert found.description.endswith(f": {value}.")
    assert calculated_again(found.computation, (ROUTES,)) == found


def test_years_and_months_differ_in_years_and_months() -> None:
    villages = replace(ASK, table=VILLAGES.id, operation="date_difference", column="Founded", rows=("Ashby", "Nettle"))
    months = table("Fairs", "", "Fair | Held", "A | May 1990", "B | July 1991")

    assert calculate(villages, TABLES).value == "200 years"
    assert calculate(replace(villages, table=months.id, column="Held", rows=("A", "B")), (months,)).value == "14 months"


def test_the_rows_that_have_the_greatest_value_are_told_ties_together() -> None:
    found = run("min", "Distance (km)")

    assert (found.amount, found.unit, found.winners) == (Decimal(8), "km", ids(2, 4))
    assert "Crow Loop and Otter Path" in found.description


def test_two_tables_are_joined_on_a_column_of_each_and_a_joined_cell_counts_once() -> None:
    join = Join(VILLAGES.id, "start", "village")

    people = run("sum", "People", join=join)
    assert (people.value, people.rows) == (
        "1,650",
        (*ids(1), *ids(1, source=VILLAGES), *ids(2), *ids(2, source=VILLAGES)),
    )
    told = run("join", "People", "Fox Ridge", join=join)
    assert (told.value, told.rows) == ("400", (*ids(3), *ids(1, source=VILLAGES)))
    assert calculated_again(people.computation, TABLES) == people
    assert calculated_again(people.computation, (ROUTES,)) is None


@pytest.mark.parametrize(
    ("calculation", "error", "known"),
    [
        (replace(ASK, table=EvidenceId("x")), UnknownTable, (ROUTES.id, VILLAGES.id)),
        (replace(ASK, operation="sum", column="Depth"), UnknownColumn, ROUTES.header),
        (replace(ASK, operation="sum", column="C"), UnknownColumn, ("Climb (m)", "Closed")),
        (replace(ASK, operation="sum"), WrongOperands, ROUTES.header),
        (replace(ASK, operation="sum", column="Start"), WrongKind, ("Start",)),
        (replace(ASK, rows=("Owl Walk",)), UnknownRow, ("Badger Way", "Crow Loop", "Fox Ridge", "Otter Path")),
        (replace(ASK, rows=("Nettle",)), UnknownRow, ids(1, 3)),
        (replace(ASK, rows=("Total",)), UnknownRow, ("Badger Way", "Crow Loop", "Fox Ridge", "Otter Path")),
        (replace(ASK, where=(Condition("Start", "is", "Netle"),)), UnknownRow, ("Nettle", "Ashby", "Wick")),
        (replace(ASK, where=(Condition("Distance", "above", "10 kg"),)), WrongKind, ("Distance (km)",)),
        (replace(ASK, operation="difference", column="Dist", rows=("Fox Ridge",)), WrongOperands, ids(3)),
        (replace(ASK, operation="ratio", column="Opened", rows=ids(1, 2)), WrongKind, ("Opened",)),
        (replace(ASK, operation="difference", column="Climb", rows=ids(1, 4)), Undecided, ids(4)),
        (replace(ASK, operation="ordinal", column="Dist", position=4), Undecided, ()),
        (replace(ASK, operation="join"), WrongOperands, ()),
        (replace(ASK, table=VILLAGES.id, join=Join(ROUTES.id, "Village", "Start")), UnknownRow, ids(1, 3)),
    ],
)
def test_an_error_names_what_there_is(
    calculation: Calculation, error: type[CalculationError], known: tuple[str, ...]
) -> None:
    with pytest.raises(error) as raised:
        calculate(calculation, TABLES)

    assert raised.value.known == known
    assert all(name in str(raised.value) for name in known)


def test_a_cell_without_a_figure_is_above_none_and_may_be_below_one() -> None:
    sites = table(
        "Camp sites", "", "Site | Fee (€)", "Dune | 24", "Mill | 8", "Quarry | free", "Tarn | 31", "Weir | 12"
    )

    def ask(relation: Relation) -> Calculation:
        return Calculation("count", sites.id, "Site", where=(Condition("Fee (€)", relation, "10"),))

    assert [calculate(ask(relation), [sites]).value for relation in ("above", "at_least")] == ["3", "3"]
    with pytest.raises(Undecided, match="'free'"):
        calculate(ask("below"), [sites])


@pytest.mark.parametrize(
    ("cells", "limit", "under"),
    [(("4:10", "2:45", "11:20"), "4:00", "1"), (("1h 20m", "45m", "25m"), "30m", "1"), (("90 min", "3 h"), "2 h", "1")],
)
def test_a_limit_is_read_as_the_spans_of_its_column_are(cells: tuple[str, ...], limit: str, under: str) -> None:
    pieces = table("Pieces", "", "Piece | Length", *(f"P{number} | {cell}" for number, cell in enumerate(cells)))
    ask = Calculation("count", pieces.id, where=(Condition("Length", "below", limit),))

    assert calculate(ask, (pieces,)).value == under


def test_a_cell_that_cannot_be_read_lets_nothing_be_added_up_without_it_being_left_out() -> None:
    lakes = table("Lakes", "", "Lake | Depth (m)", "A | 40", "B | 10", "C | 90", "D | <5")
    ask = Calculation("sum", lakes.id, "Depth (m)")

    with pytest.raises(Undecided, match="'<5'"):
        calculate(ask, (lakes,))
    assert calculate(replace(ask, rows=("A", "B", "C")), (lakes,)).value == "140 m"


@pytest.mark.parametrize(
    "change",
    [
        {"value": "52 km"},
        {"rows": ids(1, 2)},
        {"column": "Climb (m)"},
        {"operation": "mean"},
        {"table": VILLAGES.id},
        {"calculation": None},
    ],
    ids=str,
)
def test_a_record_is_believed_in_nothing_but_what_it_names(change: dict[str, object]) -> None:
    computation: Computation = replace(run("sum", "Distance (km)").computation, **change)

    assert calculated_again(computation, TABLES) is None


FIGURES = st.lists(st.decimals(-1000, 1000, places=2), min_size=2, max_size=8)


def listed(figures: list[Decimal], order: list[int] | None = None) -> TableEvidence:
    lines = [f"Item {number} | {figure}" for number, figure in enumerate(figures)]
    return table("Things", "", "Thing | Size (m)", *(lines[place] for place in order or range(len(lines))))


@given(FIGURES, st.randoms(use_true_random=False))
def test_the_order_of_rows_changes_no_value(figures: list[Decimal], random) -> None:
    order = list(range(len(figures)))
    random.shuffle(order)
    for operation in ("count", "sum", "mean", "median", "max", "min"):
        ask = Calculation(operation, listed(figures).id, "Size (m)")
        straight, shuffled = calculate(ask, [listed(figures)]), calculate(ask, [listed(figures, order)])
        assert (straight.amount, straight.unit) == (shuffled.amount, shuffled.unit)


@given(FIGURES)
def test_a_sum_is_the_mean_times_the_count(figures: list[Decimal]) -> None:
    source = listed(figures)
    total, mean, count = (
        calculate(Calculation(operation, source.id, "Size (m)"), [source]).amount
        for operation in ("sum", "mean", "count")
    )
    assert total is not None
    assert mean is not None
    assert count is not None
    assert total == sum(figures)
    assert abs(total - mean * count) < Decimal("1e-20")


@given(FIGURES)
def test_a_difference_turned_round_changes_its_sign_and_a_comparison_its_side(figures: list[Decimal]) -> None:
    source = listed(figures)
    ask = Calculation("difference", source.id, "Size (m)", ("Item 0", "Item 1"))
    turned = replace(ask, rows=("Item 1", "Item 0"))
    there, back = calculate(ask, [source]).amount, calculate(turned, [source]).amount
    assert there is not None
    assert back is not None
    assert there == -back
    greater = calculate(replace(ask, operation="comparison", relation="at_least"), [source]).value
    less = calculate(replace(turned, operation="comparison", relation="at_most"), [source]).value
    assert greater == less


@given(FIGURES, st.decimals(-1000, 1000, places=1))
def test_a_filter_of_what_is_left_leaves_the_same_and_its_opposite_the_rest(
    figures: list[Decimal], bound: Decimal
) -> None:
    source = listed(figures)
    ask = Calculation("filter", source.id, where=(Condition("Size (m)", "above", str(bound)),))
    once = calculate(ask, [source])
    rest = calculate(replace(ask, where=(Condition("Size (m)", "at_most", str(bound)),)), [source])
    if once.rows:
        assert calculate(replace(ask, rows=once.rows), [source]).rows == once.rows
    assert {*once.rows, *rest.rows} == {EvidenceId(f"{source.id}/r{place}") for place in range(1, len(figures) + 1)}
    assert not {*once.rows} & {*rest.rows}


@given(FIGURES)
def test_every_calculation_is_derived_again_from_its_record(figures: list[Decimal]) -> None:
    source = listed(figures)
    for operation in ("count", "sum", "mean", "median", "max", "min", "filter"):
        found = calculate(Calculation(operation, source.id, "size"), [source])
        assert calculated_again(found.computation, [source]) == found


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("Fox Ridge is 13 km longer than Crow Loop: 21 km against 8 km.", "computed"),
        ("Fox Ridge is 14 km longer than Crow Loop.", "unsupported"),
        ("Fox Ridge is 13 km longer than Badger Way.", "unsupported"),
    ],
)
def test_a_claim_is_held_to_the_calculation_that_it_cites(text: str, verdict: str) -> None:
    computation = run("difference", "Distance (km)", "Fox Ridge", "Crow Loop").computation

    assert check_computation(text, computation, ROUTES, "How do the walks compare?") == verdict
    other = replace(computation, value="14 km")
    assert check_computation(text, other, ROUTES, "How do the walks compare?") == "unsupported"


def test_a_claim_over_two_tables_needs_both() -> None:
    computation = run("join", "People", "Fox Ridge", join=Join(VILLAGES.id, "Start", "Village")).computation
    text = "Fox Ridge starts in a village of 400 people."

    assert check_computation(text, computation, ROUTES, "", (VILLAGES,)) == "computed"
    assert check_computation(text, computation, ROUTES, "") == "unsupported"


def test_a_computation_is_described_by_names_where_its_table_is_at_hand() -> None:
    compared = run("comparison", "Climb (m)", "Badger Way", "Crow Loop", relation="below").computation

    told = "Whether Climb of Badger Way (520 m) is less than Climb of Crow Loop (210 m) (Walks, Routes): No."
    assert describe(compared, {ROUTES.id: ROUTES}) == told
    assert describe(compared, {VILLAGES.id: VILLAGES}) == "comparison of column “Climb (m)” over rows r1–r2: No"
    looked_up = run("filter", "Start", "Crow Loop").computation
    assert describe(looked_up, {ROUTES.id: ROUTES}) == "Start of Crow Loop (Walks, Routes): Ashby."
    of_two = run("sum", "Climb", "Badger Way", "Crow Loop").computation
    told = "Sum of Climb (m) over Badger Way and Crow Loop (Walks, Routes): 730 m."
    assert describe(of_two, {ROUTES.id: ROUTES}) == told
    joined = run("sum", "People", join=Join(VILLAGES.id, "Start", "Village")).computation
    told = "Sum of People over 2 rows, joined with Villages (Walks, Routes): 1,650."
    assert describe(joined, {each.id: each for each in TABLES}) == told
    last = run("max", "Opened").computation
    told = "Latest by Opened over 4 rows, of Otter Path (Walks, Routes): 2 March 2003."
    assert describe(last, {ROUTES.id: ROUTES}) == told
    second = run("ordinal", "Opened", position=2, descending=False).computation
    told = "Place 2 from the earliest by Opened over 4 rows, of Badger Way (Walks, Routes): 3 May 1972."
    assert describe(second, {ROUTES.id: ROUTES}) == told


def test_a_count_of_no_rows_is_told_and_cited() -> None:
    none = run("count", where=(Condition("Distance (km)", "above", "1,000 km"),)).computation

    assert (none.value, none.rows) == ("0", ())
    assert check_computation("0 (of 4 routes).", none, ROUTES, "how many routes are above 1,000 km") == "computed"
    assert describe(none, {ROUTES.id: ROUTES}).startswith("Number of rows out of 4 where Distance (km) above 1,000 km")
    assert describe(none, {}) == "count over rows none: 0"
    assert row_ranges(ids(1, 2, 4)) == "r1–r2, r4"
