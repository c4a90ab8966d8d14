"""What a reader of tables makes of slots: one value, its table, its sentence, and when it keeps silent."""

import math
from dataclasses import replace

import pytest

from agent.citations.computations import check_computation
from heliograph.types import TABLE_OPERATIONS, Slots
from tests.tools.made_up import ELECTION, FILMS, MEDALS, MISSIONS, MOONS, TOWERS, table
from tests.tools.slots import UNLIKELY, Plan, SaidSlots, best_of, computed_of
from tools.arithmetic import TableReader, left_out
from tools.arithmetic.calculations import calculate
from tools.arithmetic.plans import NONE, CandidateCondition, LogicalForm, calculation_of, candidate_conditions
from tools.arithmetic.sheet import sheet_of
from tools.arithmetic.table_reader import LONGEST_QUESTION, MOST_CELLS, MOST_TABLES

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
        Plan("difference", ordering="Seats", where={"Party Harvest": "is", "Party Lantern": "is"}),
        "12 (Seats: Harvest 52, Lantern 40; 2019 Westmark election).",
    ),
    (
        ELECTION,
        "did Lantern beat Harvest",
        Plan("more", ordering="Votes", where={"Party Harvest": "is", "Party Lantern": "is"}),
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
    found = await TableReader(SaidSlots({question: plan})).answers(question, [source])

    assert found.best is not None
    assert found.best.sentence == sentence
    assert found.best.sentence.startswith(found.best.answer)
    assert check_computation(sentence, found.best.computation, source, question) == "computed"


async def test_logical_forms_that_give_one_answer_are_as_probable_as_all_of_them():
    question = "which tower is on top"
    slots = SaidSlots({question: Plan("most", "Building", "Height", sure=math.log(0.5))})
    found = await TableReader(slots).answers(question, [TOWERS])

    assert found.best is not None
    assert (found.best.answer, found.best.computation.column) == ("Gull Tower", "Height")
    assert found.best.confidence == pytest.approx(0.5, abs=0.01)
    assert found.over_rows == pytest.approx(0.5, abs=0.01)


async def test_a_table_that_is_asked_nothing_says_nothing():
    found = await TableReader(SaidSlots({})).answers("who painted the towers", [TOWERS, MOONS])

    assert (found.results, found.best) == ((), None)
    assert found.over_rows < 0.01


async def test_two_tables_that_say_different_things_leave_a_question_open():
    other = table("Buildings in Port Garnet", "", "Building | Height", "Mast House | 90 m", "Old Mill | 40 m")
    question = "tallest building"
    reader = TableReader(SaidSlots({question: Plan("most", "Building", "Height")}))

    assert (await reader.answers(question, [TOWERS])).best is not None
    both = await reader.answers(question, [TOWERS, other])
    assert both.best is None
    assert {each.answer for each in both.results} == {"Gull Tower", "Mast House"}
    again = await reader.answers(question, [TOWERS, TOWERS])
    assert again.best is not None


async def test_of_two_tables_the_one_that_a_search_finds_far_better_is_meant():
    other = table("Buildings in Port Garnet", "", "Building | Height", "Mast House | 90 m", "Old Mill | 40 m")
    question = "tallest building"
    reader = TableReader(SaidSlots({question: Plan("most", "Building", "Height")}))
    alone, near, far = [
        await reader.answers(question, [TOWERS, other], {TOWERS.id: 0.4, other.id: fit}) for fit in (-0.1, 0.39, 0.1)
    ]

    assert near.best is None
    assert far.best == alone.best
    assert far.results[0].confidence == pytest.approx(4 * far.results[1].confidence, rel=0.01)


async def test_of_two_tables_that_say_different_things_the_one_in_more_words_of_the_question_answers():
    far = table("Garnet flights", "", "Place | Distance from the ship", "Karn | 29 km", "Varn | 40 km")
    near = table("Worlds of Orla", "", "Place | Distance from the sun", "Karn | 45 km", "Varn | 50 km")
    question = "how far is Karn from the sun"
    where = {"Place Karn": "is"}
    plans = [Plan("find", each.header[1], where=where, sure=math.log(0.8)) for each in (far, near)]

    class Both(SaidSlots):
        async def parse(self, given):
            return tuple(
                [(await SaidSlots({question: plan}).parse([each]))[0] for each, plan in zip(given, plans, strict=True)]
            )

    found = await TableReader(Both({})).answers(question, [far, near], {far.id: 0.4, near.id: 0.41})
    assert (found.best.answer, found.rivals) == ("45 km", ())
    question = "how far is Karn"
    assert (await TableReader(Both({})).answers(question, [far, near])).best is None


async def test_cells_that_allow_no_certain_answer_give_none():
    lakes = table("Lakes", "", "Lake | Area (km²)", "Big | 800", "Mid | 500–900")
    found = await TableReader(SaidSlots({"q": Plan("most", "Lake", "Area (km²)")})).answers("q", [lakes])

    assert found.best is None
    assert found.over_rows > 0.9


async def test_too_long_a_question_and_too_many_cells_are_left_out():
    slots = SaidSlots({})
    long = table("Long", "", "Name | Size", *(f"n{row} | {row}" for row in range(MOST_CELLS // 2)))
    many = [table(f"Table {number}", "", "Name | Size", "a | 1", "b | 2") for number in range(MOST_TABLES + 3)]

    await TableReader(slots).answers("x" * (LONGEST_QUESTION + 1), [TOWERS])
    assert slots.given == []
    await TableReader(slots).answers("how big", [TOWERS, long])
    assert len(slots.given) == 1
    slots.given.clear()
    await TableReader(slots).answers("how big", many)
    assert len(slots.given) == MOST_TABLES


async def test_what_the_cells_do_not_allow_takes_from_what_they_do():
    lakes = table("Lakes", "", "Lake | Area (km²) | Depth (m)", "Big | 800 | 9", "Mid | 500–900 | 4", "Low | 7 | 1")
    slots = Slots(
        tuple(0.0 if each == "most" else UNLIKELY for each in TABLE_OPERATIONS),
        (0.0, UNLIKELY, UNLIKELY, UNLIKELY, UNLIKELY),
        (0.0, UNLIKELY, UNLIKELY),
        (UNLIKELY, math.log(0.9), math.log(0.1)),
        (),
    )

    class Doubtful:
        async def parse(self, given):
            return tuple(slots for _ in given)

    best = (await TableReader(Doubtful()).answers("q", [lakes])).best
    assert best is not None
    assert (best.answer, round(best.confidence, 1)) == ("Big", 0.1)


async def test_rows_are_picked_where_an_order_is_probably_asked_for():
    unsure = {"top": Plan("most", "Building", "Height", sure=math.log(0.2))}
    sure = {"top": Plan("most", "Building", "Height")}
    assert await TableReader(SaidSlots(unsure)).pick_rows("top", TOWERS) is None
    picked = await TableReader(SaidSlots(sure)).pick_rows("top", TOWERS)
    assert picked is not None
    assert (len(picked.rows), picked.column) == (1, "Height")
    infobox = replace(TOWERS, kind="infobox")
    assert await TableReader(SaidSlots(sure)).pick_rows("top", infobox) is None
    assert left_out("top", [infobox, TOWERS]) == ()


async def test_a_condition_that_finds_no_room_leaves_no_answer():
    wanted = "how many by Paul Stagg"
    slots = {wanted: Plan("count", where=STAGG)}
    assert (await TableReader(SaidSlots(slots)).answers(wanted, [MOONS])).best is not None
    only = replace(MOONS, rows=tuple(row[:4] for row in MOONS.rows), header=MOONS.header[:4])
    said = [each for each in candidate_conditions(wanted, sheet_of(only)) if each[0].said != NONE]
    kept = Slots((0.0,) * len(TABLE_OPERATIONS), (0.0,) * 5, (0.0,) * 4, (0.0,) * 4, ())

    class Nothing:
        async def parse(self, given):
            return tuple(kept for _ in given)

    assert said
    assert (await TableReader(Nothing()).answers(wanted, [only])).best is None


async def test_cells_that_say_nothing_are_left_out_of_a_list():
    quays = table("Quays", "", "Quay | Depth", "Ost | 6 m", "Vest | –", "Nord | 8 m", "Syd | 9 m")
    plan = Plan("find", "Depth", where={"Quay Ost": "is", "Quay Vest": "is"})
    assert (await computed_of("how deep are Ost and Vest", plan, quays)).answer == "6 m"


async def test_a_list_whose_cells_are_told_with_their_unit_is_what_its_table_gives():
    quays, question = (
        table("Quays", "", "Quay | Depth (m)", "Ost | 6", "Vest | 8", "Nord | 9"),
        "how deep are Ost and Vest",
    )
    found = await computed_of(question, Plan("find", "Depth (m)", where={"Quay Ost": "is", "Quay Vest": "is"}), quays)
    assert found.answer == "6 m and 8 m"
    assert check_computation(found.sentence, found.computation, quays, question) == "computed"
    assert check_computation("6 m (Depth of Ost).", found.computation, quays, question) == "unsupported"


LEGS = table(
    "Legs",
    "",
    "From | To | Length (km)",
    "Upper Hexmoor Mill | Dunstan | 9",
    "Dunstan | Alba | 14",
    "Alba | Hexmoor | 12",
)
MOOR = (CandidateCondition(0, "Upper Hexmoor Mill"), "is")


@pytest.mark.parametrize(
    ("form", "right", "wrong"),
    [
        (LogicalForm("most", 0, 2, 2, (), 0.0), "Alba (second greatest, 12 km).", "Dunstan (second greatest, 12 km)."),
        (
            LogicalForm("most", 0, 2, 1, (MOOR, (CandidateCondition(0, "Dunstan"), "is")), 0.0),
            "Dunstan (greatest: 14 km, of Dunstan and Upper Hexmoor Mill).",
            "Upper Hexmoor Mill (greatest: 14 km).",
        ),
        (
            LogicalForm("find", 1, -1, 1, (MOOR,), 0.0),
            "Dunstan (To of Upper Hexmoor Mill).",
            "Dunstan (To of Alba).",
        ),
    ],
)
def test_a_claim_may_name_what_is_compared_but_not_in_place_of_what_won(form, right, wrong):
    sheet = sheet_of(LEGS)
    assert sheet is not None
    computation = calculate(calculation_of(form, sheet), [LEGS]).computation
    assert check_computation(right, computation, LEGS, "which?") == "computed"
    assert check_computation(wrong, computation, LEGS, "which?") == "unsupported"


async def test_whether_there_is_a_row_is_told_with_how_many():
    question = "did any mission fail?"
    found = await computed_of(question, Plan("is", where={"Outcome Failure": "is"}), MISSIONS)

    assert found.sentence == "Yes (2 of 5, Outcome Failure, Pathway 2 and Pathway 3; List of missions to Karn)."
    assert check_computation(found.sentence, found.computation, MISSIONS, question) == "computed"


def test_the_time_for_a_long_table_grows_with_its_rows():
    rows = [f"n{row} | {row} | {2000 + row % 20}" for row in range(3_000)]
    long = sheet_of(table("Long", "", "Name | Size | Year", *rows))
    assert long is not None
    limit = ((CandidateCondition(1, "40"), "above"), (CandidateCondition(2, "2004"), "below"))
    found = calculate(calculation_of(LogicalForm("count", -1, -1, 1, limit, 0.0), long), [long.table])
    assert found.value == "591"


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Is the crane harmful to cats?", "Yes"),
        ("Is the crane safe for cats?", "Harmful to cats: Yes"),
        ("can my cat sit on a fern", "Harmful to cats: No"),
    ],
)
async def test_a_column_of_yes_and_no_is_told_by_its_name_unless_the_question_says_it(question, answer):
    plants = table("Plants", "", "Plant | Harmful to cats", "Crane | Yes", "Fern | No", "Palm | No")
    name = "Fern" if "fern" in question else "Crane"
    wanted = "No" if answer.endswith("No") else "Yes"
    plan = Plan("is", where={f"Plant {name}": "is", f"Harmful to cats {wanted}": "is"})
    found = await computed_of(question, plan, plants)
    assert found.answer == answer
    assert found.sentence.startswith(f"{answer} (") and name in found.sentence


@pytest.mark.parametrize(
    ("question", "name", "sentence"),
    [
        ("Does Karn have an atmosphere?", "Karn", "Nitrogen (Atmosphere of Karn; Moons of Orla)."),
        ("does varn have an atmosphere", "Varn", "No (0 of 3, Moon Varn and Atmosphere not –; Moons of Orla)."),
        ("is there air on Karn", "Karn", "Yes (1 of 3, Moon Karn and Atmosphere not –; Moons of Orla)."),
    ],
)
async def test_whether_there_is_something_is_told_by_what_the_cell_says(question, name, sentence):
    moons = table("Moons of Orla", "", "Moon | Atmosphere", "Karn | Nitrogen", "Varn | –", "Skerry | –")
    plan = Plan("is", where={f"Moon {name}": "is", "Atmosphere –": "not"})
    found = await computed_of(question, plan, moons)
    assert found.sentence == sentence


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("does Varn have a moon", "0 (Moons of Varn; Worlds of Orla)."),
        ("is Varn one of them", "Yes (1 of 2, Planet Varn; Worlds of Orla)."),
    ],
)
async def test_that_a_row_is_there_says_nothing_of_a_column_that_the_question_names(question, sentence):
    worlds = table("Worlds of Orla", "", "Planet | Moons", "Karn | 2", "Varn | 0")
    found = await computed_of(question, Plan("is", where={"Planet Varn": "is"}), worlds)
    assert found.sentence == sentence


@pytest.mark.parametrize(
    ("question", "name", "sentence"),
    [
        ("Does Amira have an allergy?", "Amira", "none (Allergy of Amira; Class register)."),
        ("Does Ben have an allergy?", "Ben", "nuts (Allergy of Ben; Class register)."),
        ("Does Edda have an allergy?", "Edda", None),
    ],
)
@pytest.mark.parametrize("operator", ["is", "not"])
async def test_an_empty_cell_leaves_open_what_others_say_there_is_none_of(question, name, sentence, operator):
    pupils = table("Class register", "", "Pupil | Allergy", "Amira | none", "Ben | nuts", "Clara | none", "Edda | ")
    plan = Plan("is", where={f"Pupil {name}": "is", "Allergy none": operator})
    found = await best_of(question, plan, pupils)
    assert (found and found.sentence) == sentence


async def test_who_has_none_is_not_who_says_nothing():
    pupils = table("Class register", "", "Pupil | Allergy", "Amira | none", "Ben | nuts", "Clara | none", "Edda | ")
    plan = Plan("count", where={"Allergy none": "is"})
    assert (await computed_of("How many pupils have no allergy?", plan, pupils)).answer == "2"


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Which plants are safe for cats?", "Harmful to cats: Yes for Crane and Lily"),
        ("Which plants are harmful to cats?", "Crane and Lily"),
    ],
)
async def test_rows_of_a_column_of_yes_and_no_are_told_by_what_it_says(question, answer):
    plants = table("Plants", "", "Plant | Harmful to cats", "Crane | Yes", "Fern | No", "Lily | Yes")
    found = await computed_of(question, Plan("find", "Plant", where={"Harmful to cats Yes": "is"}), plants)
    assert found.answer == answer
    assert found.sentence.startswith(f"{answer} (")


async def test_yes_or_no_does_not_answer_which_of_two_it_is():
    tests = table("Water tests", "", "Tested | Nitrate", "May | 10", "June | 30")
    plan = Plan("is", where={"Tested May": "is"})
    assert await best_of("Was it May or June?", plan, tests) is None
    assert (await computed_of("Was it tested in May, more or less?", plan, tests)).answer == "Yes"


async def test_rows_are_not_all_counted_where_a_value_of_some_is_said():
    days = table("Lessons", "", "Day | First | Second", "Monday | Maths | Art", "Tuesday | Art | Music")
    assert await best_of("How many maths lessons are there?", Plan("count"), days) is None
    assert (await computed_of("How many days are there?", Plan("count"), days)).answer == "2"


@pytest.mark.parametrize("operation", ["sum", "mean"])
async def test_properties_of_one_thing_are_not_added_up(operation):
    pair = table(
        "Orla", "", "Property | Orla | Karn", "Diameter (km) | 51,118 | 49,528", "Mass (kg) | 14.5 | 17.1",
        "Day (hours) | 17.2 | 16.1", "Known moons | 28 | 16",
    )  # fmt: skip
    assert await best_of("What is the total of Karn?", Plan(operation, "Karn"), pair) is None
    one = await computed_of("What is the mass of Karn?", Plan("find", "Karn", where={"Property Mass (kg)": "is"}), pair)
    assert one.answer == "17.1"
