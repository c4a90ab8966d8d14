"""What is calculated over small tables of any subject, and what a table leaves open."""

import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tools.made_up import (
    CAST,
    ELECTION,
    FILMS,
    LAKES,
    MEDALS,
    MISSIONS,
    MOONS,
    NOTABLE,
    PLANETS,
    TOWERS,
    doubtful,
    surely,
    table,
    told,
)
from tools.arithmetic import (
    InDoubt,
    Meanings,
    asks_aggregation,
    asks_several,
    compute,
    left_out,
    pick_rows,
    speaks_of_order,
    weigh,
)

COMPUTED = [
    (MOONS, "What is the largest moon of Orvo?", "Fenn"),
    (MOONS, "Which moon of Orvo is the second largest?", "Edda"),
    (MOONS, "Which is the smallest moon of Orvo?", "Alba"),
    (MOONS, "How many moons of Orvo were discovered by Paul Stagg?", "4"),
    (MOONS, "How many moons of Orvo have a diameter above 1,000 km?", "5"),
    (MOONS, "How many moons of Orvo are larger than 1.2 thousand km?", "3"),
    (MOONS, "How many moons of Orvo were discovered before 1700?", "5"),
    (MOONS, "How many moons of Orvo were discovered between 1670 and 1680?", "2"),
    (MOONS, "Among the listed moons of Orvo, which was the first to be discovered?", "Fenn"),
    (MOONS, "What is the name of the largest moon of Orvo?", "Fenn"),
    (MOONS, "How large is the largest moon of Orvo?", "5,150 km"),
    (MOONS, "What is the diameter of the second largest moon of Orvo?", "1,527 km"),
    (MOONS, "What is the orbital period of the largest moon of Orvo?", "15.9 days"),
    (MOONS, "What is the average diameter of the moons of Orvo?", "1,604.57 km"),
    (MOONS, "Which moon of Orvo has the longest orbital period?", "Gail"),
    (MOONS, "What is the largest moon of Orvo discovered by Paul Stagg?", "Edda"),
    (MOONS, "How many moons of Orvo were not discovered by Paul Stagg?", "3"),
    (MOONS, "How many moons of Orvo were discovered by Paul Stagg or Ida Wren?", "6"),
    (MOONS, "How many moons of Orvo were discovered by Wren and Stagg?", "6"),
    (MISSIONS, "How many missions to Karn failed?", "2"),
    (MISSIONS, "Of the missions in the list of missions to Karn, how many ended in failure?", "2"),
    (MISSIONS, "How many of the missions to Karn were launched by Norda?", "2"),
    (MISSIONS, "How many missions to Karn were launched in the 1970s?", "3"),
    (MISSIONS, "How many missions to Karn were launched by Norda?", "2"),
    (MISSIONS, "How many missions to Karn were launched after 1971?", "1"),
    (MISSIONS, "What was the first mission to Karn?", "Pathway 1"),
    (MISSIONS, "What was the last Norda mission to Karn?", "Pathway 4"),
    (MISSIONS, "When was the first mission to Karn launched?", "28 November 1964"),
    (MISSIONS, "Which mission to Karn was launched most recently?", "Beacon"),
    (MISSIONS, "What was the heaviest mission to Karn?", "Pathway 2 and Pathway 3"),
    (FILMS, "What is the longest film directed by Vera Lund?", "Elm"),
    (FILMS, "What is the most expensive film directed by Vera Lund?", "Elm"),
    (FILMS, "What is the total budget of the films directed by Vera Lund?", "$19.6 million"),
    (FILMS, "Which film by Vera Lund was released first?", "Ash"),
    (FILMS, "How many films were directed by Vera Lund for Halo and Ridge?", "5"),
    (TOWERS, "What is the tallest building in Port Amber?", "Gull Tower"),
    (TOWERS, "What is the second tallest building in Port Amber?", "Pier Court"),
    (MEDALS, "Which country won the most gold medals at the 2031 Lake Games?", "Avaria"),
    (MEDALS, "Which country won the fewest gold medals at the 2031 Lake Games?", "Cordia and Dovana"),
    (ELECTION, "Which party won the most votes in the 2019 Westmark election?", "Harvest"),
    (ELECTION, "How many parties won at least 12 seats in the 2019 Westmark election?", "3"),
    (PLANETS, "Which planet of Sol has the highest mean temperature?", "Vena"),
    (NOTABLE, "What is the longest bridge of Lorne?", "New Bridge"),
    (NOTABLE, "Of the bridges of Lorne in the table, how many opened after 1900?", "2"),
    (NOTABLE, "What is the shortest bridge of Lorne in the table?", "Iron Bridge"),
    (CAST, "How many explorers of Tarn are listed?", "3"),
    (LAKES, "Which lake of Erran has the largest volume?", "Deep Tarn"),]  # fmt: skip


@pytest.mark.parametrize(("source", "question", "answer"), COMPUTED, ids=[row[1] for row in COMPUTED])
def test_a_question_that_a_table_decides_is_computed_and_checked(source, question, answer):
    assert told(question, [source], source) == surely(answer, source)


KEYS = table(
    "Boats for hire",
    "",
    "Boat | Kind | Seats | Price | Covered | Hired by | Left | Back",
    "Heron | rowing | 4 | € 12,50 | no | Mrs Vale | 10:00 | 12:30",
    "Coot | rowing | 3 | € 9,00 | no | Tim Orr | 09:30 | 11:00",
    "Teal | sailing | 5 | € 31,00 | yes |  | 11:00 | 15:00",
    "Grebe | pedal | 2 | lent | yes | Ada Finch | 14:00 | 15:00",
)
OWN = [
    ("Who hired the Coot?", "Tim Orr"),
    ("When did the Heron come back?", "12:30"),
    ("How many seats does the Teal have?", "5"),
    ("Which boats are not covered?", "Heron and Coot"),
    ("How many of the boats are covered?", "2"),
    ("Is the Teal covered?", "Yes"),
    ("Is the Heron covered?", "No"),
    ("Does the Heron have more seats than the Coot?", "Yes"),
    ("Which has more seats, the Grebe or the Coot?", "Coot"),
    ("Which boats cost more than 10 euros?", "Heron and Teal"),
    ("Which boat has the most seats?", "Teal"),
    ("How many seats do the rowing boats have in total?", "7"),
    ("What kind of boat is the Grebe?", "pedal"),
]


@pytest.mark.parametrize(("question", "answer"), OWN)
def test_a_plain_question_over_a_small_table_is_answered(question, answer):
    assert told(question, [KEYS], KEYS) == surely(answer, KEYS)


def test_an_empty_cell_leaves_the_question_open():
    assert weigh("Who hired the Teal?", [KEYS]) == InDoubt(())


@pytest.mark.parametrize(
    "question",
    [
        "How many seats does the Albatross have?",
        "Which boat of Port Quill has the most seats?",
        "How many oars does the Heron have?",
        "",
        "?",
    ],
)
def test_a_word_that_the_table_does_not_explain_ends_the_computation(question):
    assert doubtful(question, [KEYS])


def test_the_most_of_what_a_column_names_is_no_order_by_another_column():
    rows = ("Torvik | Holm | 9", "Vest | Holm | 4", "Ost | Lille | 12")
    assert doubtful(
        "Which island has the most harbours?", [table("Harbours", "", "Harbour | Island | Depth (m)", *rows)]
    )


@pytest.mark.parametrize("question", ["how many boats does Holm have", "How many bridges does Holm have?"])
def test_what_a_table_does_not_list_is_neither_counted_nor_added_up(question):
    ferries = table("Ferries of Holm", "", "Ferry | Distance from Holm (km)", "Skua | 9", "Gannet | 4", "Auk | 12")
    assert doubtful(question, [ferries])


def test_two_tables_that_say_different_things_leave_a_doubt_and_one_that_is_named_does_not():
    other = table("Moons of Ulm", "", "Name | Diameter (km)", "Xan | 10", "Zed | 6,000")

    found = weigh("What is the largest moon?", [MOONS, other])
    assert isinstance(found, InDoubt)
    assert {result.names for result in found.results} == {("Fenn",), ("Zed",)}
    named = compute("What is the largest moon of Ulm?", [MOONS, other])
    assert named is not None
    assert named.names == ("Zed",)


def test_a_column_is_found_by_a_word_that_means_what_its_name_says():
    jars = table("Cellar", "", "Jar | Shelf | Defect", "Plum | top | cracked lid", "Pear | low | rusty ring")
    near, far = np.array([1, 0], np.float32), np.array([0, 1], np.float32)
    vectors = {"fault": near, "Defect": near, "Shelf": far, "Jar": far}

    assert compute("What fault has the plum jar?", [jars]) is None or doubtful("What fault has the plum jar?", [jars])
    found = weigh("What fault has the plum jar?", [jars], Meanings(vectors))
    assert not isinstance(found, InDoubt)
    assert found is not None
    assert found.answer == "cracked lid"


def test_what_a_short_page_says_around_its_table_explains_words_of_the_question():
    question = "How many seats does the Teal at the lake have?"
    alone, around = (weigh(question, [KEYS], Meanings({}, {KEYS.place.page: said})) for said in (frozenset(), {"lake"}))

    assert not isinstance(alone, InDoubt)
    assert not isinstance(around, InDoubt)
    assert alone is not None
    assert around is not None
    assert alone.confidence < around.confidence


def test_a_last_row_that_adds_the_others_up_is_no_item():
    bills = table(
        "Bills", "", "Months | Gas | Water", "January | 10 | 4", "March | 20 | 5", "May | 30 | 9", "Year | 60 | 18"
    )

    assert told("Which months had the most gas?", [bills], bills) == surely("May", bills)
    assert told("How much gas was there in all?", [bills], bills) == surely("60", bills)


def test_minutes_beside_hours_are_no_metres():
    steps = table("Bread", "", "Step | Length", "Mix | 15m", "Rise | 1h 20m", "Bake | 45m")

    assert told("Which step is the longest?", [steps], steps) == surely("Rise", steps)


@pytest.mark.parametrize(
    ("question", "several"),
    [
        ("Is the Heron covered?", True),
        ("Which boats are covered?", True),
        ("Who hired the Coot?", False),
    ],
)
def test_some_questions_are_answered_by_no_single_row(question, several):
    assert asks_several(question) is several


@given(st.text(max_size=80))
def test_no_question_breaks_the_reader(question):
    compute(question, (MOONS, FILMS, KEYS))


@given(st.lists(st.integers(-(10**9), 10**9), min_size=2, max_size=20, unique=True))
def test_the_largest_and_the_total_agree_with_python(values):
    names = [f"Rock{chr(97 + place)}" for place in range(len(values))]
    rows = (f"{name} | {value:,}" for name, value in zip(names, values, strict=True))
    source = table("Rocks of Ral", "", "Rock | Mass (kg)", *rows)
    heaviest = compute("What is the heaviest rock of Ral?", [source])
    total = compute("What is the total mass of the rocks of Ral?", [source])

    assert heaviest is not None
    assert heaviest.answer == names[values.index(max(values))]
    assert total is not None
    assert total.answer == f"{sum(values):,} kg"


SUPERLATIVES = "largest smallest highest "


@pytest.mark.parametrize("part", [SUPERLATIVES, "1,", "how many ", "first ", "not ", "the largest of "])
def test_a_question_as_long_as_a_page_is_not_computed_and_it_is_said(part):
    question = f"Which has the {part * (3_900 // len(part))} diameter?"
    began = time.thread_time()
    assert compute(question, [MOONS]) is None
    assert not (asks_aggregation(question) or speaks_of_order(question) or pick_rows(question, MOONS))
    assert left_out(question, [MOONS]) == ("nothing was computed: the question has more than 1,000 characters",)
    assert time.thread_time() - began < 10  # it took six minutes


def test_a_table_of_too_many_cells_is_left_out_and_the_others_are_computed():
    long = table("Long", "Moons", "Name | Diameter", *(f"Moon {row} | {row} km" for row in range(60_000)))
    question = "What is the largest moon of Orvo?"
    assert compute(question, [long, MOONS]) == compute(question, [MOONS])
    assert left_out(question, [long, MOONS]) == (f"{long.id} is too long to be computed on",)
