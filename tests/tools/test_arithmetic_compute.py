"""What a reader of tables makes of slots: one value, its table, its sentence, and when it keeps silent."""

import math

import pytest

from agent.citations.computations import check_computation
from tests.tools.made_up import ELECTION, FILMS, MEDALS, MISSIONS, MOONS, TOWERS, table
from tests.tools.slots import Plan, SaidSlots
from tools.arithmetic import TableReader, left_out
from tools.arithmetic.compute import LONGEST_QUESTION, MOST_CELLS, MOST_TABLES

STAGG = {"Discovered by Paul Stagg": "is"}
SAID = [
    (
        MOONS,
        "How many did Paul Stagg find?",
        Plan("count", where=STAGG),
        "4 (of 7, Discovered by Paul Stagg, Coro, Dess, Edda and Gail; Moons of Orvo).",
    ),
    (
        MOONS,
        "How wide is the biggest?",
        Plan("most", "Diameter (km)", "Diameter (km)"),
        "5,150 km (greatest Diameter: Fenn; Moons of Orvo).",
    ),
    (
        MOONS,
        "Who found the smallest of Stagg's? Paul Stagg",
        Plan("least", "Name", "Diameter (km)", where=STAGG),
        "Coro (least by Diameter: 1,062 km, Discovered by Paul Stagg; Moons of Orvo).",
    ),
    (
        MOONS,
        "Which was found last by Paul Stagg?",
        Plan("most", "Name", "Year of discovery", where=STAGG),
        "Coro and Dess (latest by Year of discovery: 1684, Discovered by Paul Stagg; Moons of Orvo).",
    ),
    (
        MOONS,
        "the second biggest",
        Plan("most", "Name", "Diameter (km)", 2),
        "Edda (second greatest by Diameter: 1,527 km; Moons of Orvo).",
    ),
    (FILMS, "all of the budgets", Plan("sum", "Budget"), "$19.6 million (sum of Budget over 5 rows; Vera Lund)."),
    (
        MISSIONS,
        "when did Beacon leave",
        Plan("find", "Launch date", where={"Mission Beacon": "is"}),
        "2 June 2003 (Launch date of Beacon; List of missions to Karn).",
    ),
    (
        ELECTION,
        "how much did Harvest lead Lantern by",
        Plan("difference", ordered="Seats", where={"Party Harvest": "is", "Party Lantern": "is"}),
        "12 (Seats: Harvest 52, Lantern 40; 2019 Westmark election).",
    ),
    (
        ELECTION,
        "did Lantern beat Harvest",
        Plan("more", ordered="Votes", where={"Party Harvest": "is", "Party Lantern": "is"}),
        "No (Votes: Lantern 98,220, Harvest 120,431; 2019 Westmark election).",
    ),
    (
        MISSIONS,
        "was Beacon a success",
        Plan("is", where={"Mission Beacon": "is", "Outcome Success": "is"}),
        "Yes (Mission Beacon and Outcome Success; List of missions to Karn).",
    ),
    (
        MEDALS,
        "who won least gold",
        Plan("least", "Country", "Gold"),
        "Cordia and Dovana (least by Gold: 7; 2031 Lake Games).",
    ),
]


@pytest.mark.parametrize(("source", "question", "plan", "sentence"), SAID, ids=[row[1] for row in SAID])
async def test_a_value_is_told_first_and_then_what_it_is_of(source, question, plan, sentence):
    found = await TableReader(SaidSlots({question: plan})).weigh(question, [source])

    assert found.best is not None
    assert found.best.sentence == sentence
    assert found.best.sentence.startswith(found.best.answer)
    assert check_computation(sentence, found.best.computation, source, question) == "computed"


async def test_fillings_that_give_one_answer_are_as_probable_as_all_of_them():
    question = "which tower is on top"
    slots = SaidSlots({question: Plan("most", "Building", "Height", sure=math.log(0.5))})
    found = await TableReader(slots).weigh(question, [TOWERS])

    assert found.best is not None
    assert (found.best.answer, found.best.computation.column) == ("Gull Tower", "Height")
    assert 0.5 < found.best.confidence < 0.51
    assert found.over_rows == pytest.approx(0.5, abs=0.01)


async def test_a_table_that_is_asked_nothing_says_nothing():
    found = await TableReader(SaidSlots({})).weigh("who painted the towers", [TOWERS, MOONS])

    assert (found.results, found.best) == ((), None)
    assert found.over_rows < 0.01


async def test_two_tables_that_say_different_things_leave_a_question_open():
    other = table("Buildings in Port Garnet", "", "Building | Height", "Mast House | 90 m", "Old Mill | 40 m")
    question = "tallest building"
    reader = TableReader(SaidSlots({question: Plan("most", "Building", "Height")}))

    assert (await reader.weigh(question, [TOWERS])).best is not None
    both = await reader.weigh(question, [TOWERS, other])
    assert both.best is None
    assert {each.answer for each in both.results} == {"Gull Tower", "Mast House"}
    again = await reader.weigh(question, [TOWERS, TOWERS])
    assert again.best is not None


async def test_cells_that_allow_no_certain_answer_give_none():
    lakes = table("Lakes", "", "Lake | Area (km²)", "Big | 800", "Mid | 500–900")
    found = await TableReader(SaidSlots({"q": Plan("most", "Lake", "Area (km²)")})).weigh("q", [lakes])

    assert found.best is None
    assert found.over_rows > 0.9


async def test_rows_are_picked_by_an_order_whatever_else_is_asked():
    question = "who built the second tallest tower"
    reader = TableReader(SaidSlots({question: Plan("most", "Building", "Height", 2, sure=-3)}))
    picked = await reader.pick_rows(question, TOWERS)

    assert picked is not None
    assert (picked.rows, picked.column) == ((f"{TOWERS.id}/r2",), "Height")
    assert await reader.pick_rows("who built it", MOONS) is None


async def test_too_long_a_question_and_too_many_cells_are_left_out_and_named():
    slots = SaidSlots({})
    long = table("Long", "", "Name | Size", *(f"n{row} | {row}" for row in range(MOST_CELLS // 2)))
    many = [table(f"Table {number}", "", "Name | Size", "a | 1", "b | 2") for number in range(MOST_TABLES + 3)]

    await TableReader(slots).weigh("x" * (LONGEST_QUESTION + 1), [TOWERS])
    assert slots.given == []
    assert left_out("x" * (LONGEST_QUESTION + 1), [TOWERS]) == (
        "nothing was computed: the question has more than 1,000 characters",
    )
    await TableReader(slots).weigh("how big", [TOWERS, long])
    assert len(slots.given) == 1
    assert left_out("how big", [TOWERS, long]) == (f"{long.id} is too long to be computed on",)
    slots.given.clear()
    await TableReader(slots).weigh("how big", many)
    assert len(slots.given) == MOST_TABLES
