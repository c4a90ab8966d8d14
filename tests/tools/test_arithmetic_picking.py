"""Rows that a superlative, an ordinal or a place selects, while the rest of the question goes on elsewhere."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heliograph.types import TableEvidence
from tests.tools.refinement.varn import make_table
from tools.arithmetic.picking import MOST_TIED, pick_rows, speaks_of_order


def numbers(question: str, of: TableEvidence) -> list[int] | None:
    """Return the rows picked, counted from 1."""
    picked = pick_rows(question, of)
    return None if picked is None else [int(row.rpartition("/r")[2]) for row in picked.rows]


LIGHTS = make_table(
    "Varn",
    "Lighthouses of Varn",
    ("Lighthouse", "Keeper", "Island", "Height (m)", "Built", "Visitors"),
    (
        ("Holm Light", "Ada Holm", "Lille Varn", "31", "1889", "1,200"),
        ("Skerry Light", "Jon Skar", "Store Varn", "44", "1871", "900"),
        ("North Light", "Ida Nord", "Store Varn", "38", "1902", "4,100"),
        ("Old Light", "Per Gam", "Lille Varn", "12", "12 May 1820", "3,000"),
    ),
)
TRANSFERS = make_table(
    "Varn",
    "Varn Rovers",
    ("#", "Player", "To", "Fee", "Date"),
    (
        ("1", "Alf Dal", "Port City", "£9,000,000", "30 January 2008"),
        ("2", "Bo Lund", "Bergby", "£8,500,000", "20 June 2001"),
        ("3", "Carl Moe", "Elvby", "£8,000,000", "1 January , 2005"),
    ),
)
RACE = make_table(
    "Varn",
    "Varn Grand Prix",
    ("Pos", "Driver", "Team", "Lap"),
    (
        ("1", "Finn Berg", "Falke", "1:18.940"),
        ("2", "Gro Dahl", "Falke", "1:19.200"),
        ("3", "Hans Eik", "Ulv", "1:18.000"),
    ),
)
PORTS = make_table(
    "Varn",
    "List of busiest ports of Varn",
    ("Rank", "Port", "Cargo"),
    (
        ("1", "Havn", "about 9 to 11 Mt"),
        ("2", "Vik", "some"),
        ("3", "Nes", "less"),
    ),
)


@pytest.mark.parametrize(
    ("question", "of", "rows"),
    [
        ("Where was the keeper of the second tallest lighthouse trained?", LIGHTS, [3]),
        ("Where was the keeper of the tallest lighthouse on Lille Varn trained?", LIGHTS, [1]),
        ("Who designed the lamp of the lighthouse with the fewest visitors?", LIGHTS, [2]),
        ("Which painter drew the two tallest lighthouses?", LIGHTS, [2, 3]),
        ("What is the birthplace of the keeper of the most recently built light?", LIGHTS, [3]),
        ("What is the earliest established lighthouse made of?", LIGHTS, [4]),
        ("When was the third highest paid Varn Rovers player born?", TRANSFERS, [3]),
        ("Where did the player who left most recently grow up?", TRANSFERS, [1]),
        ("In what year did the driver in second place die?", RACE, [2]),
        ("Where was the driver born who finished third?", RACE, [3]),
        ("When was the fastest driver for Falke born?", RACE, [1]),
        ("Which river flows past the second busiest port?", PORTS, [2]),
    ],
)
def test_the_row_is_picked_though_the_rest_is_answered_elsewhere(
    question: str, of: TableEvidence, rows: list[int]
) -> None:
    assert numbers(question, of) == rows


@pytest.mark.parametrize(
    ("question", "of"),
    [
        ("Who kept Holm Light?", LIGHTS),
        ("Which keeper is the oldest?", LIGHTS),
        ("What is the largest city of the country that built Holm Light?", LIGHTS),
        ("Who was the first woman to climb all the peaks of Varn?", TRANSFERS),
        ("Which player cost at least £8,000,000?", TRANSFERS),
        ("Where was the driver in ninth place born?", RACE),
    ],
)
def test_nothing_is_picked_where_no_column_holds_the_order(question: str, of: TableEvidence) -> None:
    assert pick_rows(question, of) is None


def test_a_pick_says_by_which_column_and_among_which_rows() -> None:
    picked = pick_rows("Who kept the tallest lighthouse on Store Varn?", LIGHTS)
    assert picked is not None
    assert (picked.column, picked.shown) == ("Height (m)", "tallest")
    assert picked.among == (f"{LIGHTS.id}/r2", f"{LIGHTS.id}/r3")


def test_a_column_whose_name_is_a_superlative_is_no_order() -> None:
    titles = make_table("Varn", "Cups of Varn", ("Club", "Last title"), (("Havn", "1999"), ("Vik", "2004")))
    assert pick_rows("Where is the club whose last title came on Lille Varn?", titles) is None


def test_a_wide_tie_picks_nothing() -> None:
    rows = [(f"Light {letter}", "40") for letter in "ABCDEFG"]
    assert pick_rows("Who kept the tallest light?", make_table("Varn", "Lights", ("Light", "Height (m)"), rows)) is None


def test_orders_are_told_from_other_questions() -> None:
    assert speaks_of_order("Who keeps the third tallest light?")
    assert speaks_of_order("Where was the driver who came in second born?")
    assert not speaks_of_order("Who keeps at least one light?")
    assert not speaks_of_order("Who keeps Holm Light?")


@given(st.lists(st.integers(1, 10_000), min_size=2, max_size=12), st.integers(1, 3), st.randoms())
def test_the_pick_has_the_value_at_the_place_however_rows_stand(
    heights: list[int], place: int, chance: random.Random
) -> None:
    words = {1: "tallest", 2: "second tallest", 3: "third tallest"}
    named = [(f"Light of {chr(97 + at) * 3}", f"{height:,}") for at, height in enumerate(heights)]
    chance.shuffle(named)
    of = make_table("Varn", "Lights of Varn", ("Light", "Height (m)"), named)
    picked = pick_rows(f"Who built the {words[place]} light?", of)
    ranked = sorted(heights, reverse=True)
    tied = ranked.count(ranked[place - 1]) if place <= len(ranked) else 0
    if not 0 < tied <= MOST_TIED:
        assert picked is None
    else:
        assert picked is not None
        values = {int(row.rpartition("/r")[2]) - 1 for row in picked.rows}
        assert {int(named[at][1].replace(",", "")) for at in values} == {ranked[place - 1]}
        assert len(values) == tied


@given(st.text(max_size=60), st.lists(st.lists(st.text(max_size=12), min_size=2, max_size=2), max_size=6))
def test_any_question_and_any_table_give_rows_of_that_table_or_nothing(question: str, rows: list[list[str]]) -> None:
    of = make_table("Varn", "Any", ("Name", "Height"), rows)
    picked = pick_rows(f"Who built the tallest one, {question}?", of)
    known = {f"{of.id}/r{number}" for number in range(1, len(rows) + 1)}
    assert picked is None or (set(picked.rows) <= set(picked.among) <= known and picked.rows)
