"""Questions over made-up tables of many shapes: what must be computed, and how sure of it we are."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heliograph.types import EvidenceId, TableEvidence
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
    VISITS,
    table,
)
from tools.arithmetic import (
    InDoubt,
    asks_aggregation,
    compute,
    left_out,
    pick_rows,
    recompute,
    speaks_of_order,
    weigh,
)
from tools.arithmetic.question import MOST_SUPERLATIVES, read_question

COMPUTED = [
    (MOONS, "What is the largest moon of Orvo?", "max", "Fenn"),
    (MOONS, "Which moon of Orvo is the second largest?", "ordinal", "Edda"),
    (MOONS, "Which is the smallest moon of Orvo?", "min", "Alba"),
    (MOONS, "What are the three largest moons of Orvo?", "ordinal", "Fenn, Edda and Gail"),
    (MOONS, "How many moons of Orvo were discovered by Paul Stagg?", "count", "4"),
    (MOONS, "How many moons of Orvo have a diameter above 1,000 km?", "count", "5"),
    (MOONS, "How many moons of Orvo are larger than 1.2 thousand km?", "count", "3"),
    (MOONS, "How many moons of Orvo were discovered before 1700?", "count", "5"),
    (MOONS, "How many moons of Orvo were discovered between 1670 and 1680?", "count", "2"),
    (MOONS, "Among the listed moons of Orvo, which was the first to be discovered?", "earliest", "Fenn"),
    (MOONS, "What is the name of the largest moon of Orvo?", "max", "Fenn"),
    (MOONS, "How large is the largest moon of Orvo?", "max", "5,150 km"),
    (MOONS, "What is the diameter of the second largest moon of Orvo?", "ordinal", "1,527 km"),
    (MOONS, "What is the orbital period of the largest moon of Orvo?", "max", "15.9 days"),
    (MOONS, "What is the average diameter of the moons of Orvo?", "mean", "1,604.57 km"),
    (MOONS, "Which moon of Orvo has the longest orbital period?", "max", "Gail"),
    (MOONS, "What is the largest moon of Orvo discovered by Paul Stagg?", "max", "Edda"),
    (MOONS, "How many moons of Orvo were not discovered by Paul Stagg?", "count", "3"),
    (MOONS, "How many moons of Orvo were discovered by Paul Stagg or Ida Wren?", "count", "6"),
    (MOONS, "How many moons of Orvo were discovered by Wren and Stagg?", "count", "6"),
    (MISSIONS, "How many missions to Karn failed?", "count", "2"),
    (MISSIONS, "Of the missions in the list of missions to Karn, how many ended in failure?", "count", "2"),
    (MISSIONS, "How many of the missions to Karn were launched by Norda?", "count", "2"),
    (MISSIONS, "How many missions to Karn were launched in the 1970s?", "count", "3"),
    (MISSIONS, "How many missions to Karn were launched by Norda?", "count", "2"),
    (MISSIONS, "How many missions to Karn were launched after 1971?", "count", "1"),
    (MISSIONS, "What was the first mission to Karn?", "earliest", "Pathway 1"),
    (MISSIONS, "What was the last Norda mission to Karn?", "latest", "Pathway 4"),
    (MISSIONS, "When was the first mission to Karn launched?", "earliest", "28 November 1964"),
    (MISSIONS, "Which mission to Karn was launched most recently?", "latest", "Beacon"),
    (MISSIONS, "What was the heaviest mission to Karn?", "max", "Pathway 2 and Pathway 3"),
    (FILMS, "What is the longest film directed by Vera Lund?", "max", "Elm"),
    (FILMS, "What is the most expensive film directed by Vera Lund?", "max", "Elm"),
    (FILMS, "What is the total budget of the films directed by Vera Lund?", "sum", "$19.6 million"),
    (FILMS, "Which film by Vera Lund was released first?", "earliest", "Ash"),
    (FILMS, "How many films were directed by Vera Lund for Halo and Ridge?", "count", "5"),
    (TOWERS, "What is the tallest building in Port Amber?", "max", "Gull Tower"),
    (TOWERS, "What is the second tallest building in Port Amber?", "ordinal", "Pier Court"),
    (MEDALS, "Which country won the most gold medals at the 2031 Lake Games?", "max", "Avaria"),
    (MEDALS, "Which country won the fewest gold medals at the 2031 Lake Games?", "min", "Cordia and Dovana"),
    (ELECTION, "Which party won the most votes in the 2019 Westmark election?", "max", "Harvest"),
    (ELECTION, "How many parties won at least 12 seats in the 2019 Westmark election?", "count", "3"),
    (PLANETS, "Which planet of Sol has the highest mean temperature?", "max", "Vena"),
    (PLANETS, "Which planet of Sol has the fewest known moons?", "min", "Mela"),
    (NOTABLE, "What is the longest bridge of Lorne?", "max", "New Bridge"),
    (NOTABLE, "Of the bridges of Lorne in the table, how many opened after 1900?", "count", "2"),
    (NOTABLE, "What is the shortest bridge of Lorne in the table?", "min", "Iron Bridge"),
    (CAST, "How many explorers of Tarn are listed?", "count", "3"),
    (LAKES, "Which lake of Erran has the largest volume?", "max", "Deep Tarn"),
]  # fmt: skip


@pytest.mark.parametrize(("source", "question", "operation", "value"), COMPUTED, ids=[row[1] for row in COMPUTED])
def test_a_question_that_a_table_decides_is_computed(source, question, operation, value):
    computed = compute(question, [source])

    assert computed is not None
    assert (computed.computation.operation, computed.computation.value, computed.continues) == (operation, value, False)
    assert computed.confidence >= 0.6


@pytest.mark.parametrize(("source", "question", "operation", "value"), COMPUTED, ids=[row[1] for row in COMPUTED])
def test_what_is_computed_is_recomputed_from_its_record(source, question, operation, value):
    computed = compute(question, [source])

    assert computed is not None
    assert recompute(computed.computation, source) == value


ONWARD = [
    (MOONS, "What is the largest moon of Orvo known for?", "Fenn"),
    (MOONS, "What is the largest moon of Orvo named after?", "Fenn"),
    (MOONS, "Why is the largest moon of Orvo bright?", None),
    (MOONS, "What is the atmosphere of the largest moon of Orvo?", "Fenn"),
    (TOWERS, "Who designed the tallest building in Port Amber?", "Gull Tower"),
    (MISSIONS, "What did the first mission to Karn find?", "Pathway 1"),
]


@pytest.mark.parametrize(("source", "question", "name"), ONWARD, ids=[row[1] for row in ONWARD])
def test_a_question_that_goes_on_from_a_superlative_is_a_first_hop(source, question, name):
    computed = compute(question, [source])

    assert (computed and (computed.names, computed.continues)) == (((name,), True) if name else None)


def test_rows_that_total_the_others_enter_nothing():
    computed = compute("What is the average diameter of the moons of Orvo?", [MOONS])

    assert computed is not None
    assert computed.computation.rows == tuple(f"{MOONS.id}/r{number}" for number in range(1, 8))


def test_an_item_of_a_restricted_list_is_uncertain():
    computed = compute("What is the oldest building in Port Amber?", [TOWERS])

    assert computed is not None
    assert (computed.names, computed.confidence < 0.6) == (("Rope Works",), True)


def test_rows_without_a_value_are_left_out_and_reported():
    rows = ("Ada | 1 | 10", "Bee | 2 | n/a", "Cat | 3 | 20", "Dot | 4 | 30", "Eel | 5 | 40")
    source = table("Ships of Ral", "", "Ship | Crew | Mass (t)", *rows)
    computed = compute("What is the total mass of the ships of Ral?", [source])

    assert computed is not None
    assert computed.sentence == (
        "Added up, the mass of the four ships comes to 100 t; one without a value is left out."
    )


def test_a_spanned_value_is_added_once():
    source = table("Dams of Ral", "", "Dam | Cost ($)", "Ada | 10", "Bee | 10", "Cat | 5", spanned=((1, 1),))
    computed = compute("What is the total cost of the dams of Ral?", [source])

    assert computed is not None
    assert computed.computation.value == "$15"


def test_two_tables_that_disagree_give_no_answer():
    other = table("Moons of Orvo", "", "Name | Diameter (km)", "Fenn | 5,150", "Zed | 6,000")
    other = TableEvidence(EvidenceId(other.id + "0"), other.place, "table", "", other.header, other.rows)

    assert compute("What is the largest moon of Orvo?", [MOONS, other]) is None


def test_a_table_about_something_unsaid_is_taken_where_it_explains_everything_and_no_other_does():
    said = compute("What is the largest moon of Orvo?", [MOONS])
    unsaid = compute("What is the largest moon?", [MOONS, FILMS])
    partly = compute("What is the largest moon of the planet discovered by Ida Wren?", [MOONS])

    assert said is not None
    assert unsaid is not None
    assert partly is not None
    assert (said.confidence, said.scope) == (unsaid.confidence, 1.0)
    assert unsaid.scope < 1
    assert partly.confidence < 0.6


def test_two_tables_that_fit_as_well_are_in_doubt_and_one_that_the_question_names_is_not():
    other = table("Moons of Ulm", "", "Name | Diameter (km)", "Xan | 10", "Zed | 6,000")

    found = weigh("What is the largest moon?", [MOONS, other])
    assert isinstance(found, InDoubt)
    assert {result.names for result in found.results} == {("Fenn",), ("Zed",)}
    named = compute("What is the largest moon of Ulm?", [MOONS, other])
    assert named is not None
    assert named.names == ("Zed",)


def test_a_column_of_yes_and_no_restricts_the_rows_by_its_name():
    trams = table("Trams", "", "Tram | Runs at night", "Red | yes", "Blue | no", "Green | yes")

    found = [compute(question, [trams]) for question in ("How many trams run at night?", "How many trams run by day?")]
    assert found[0] is not None
    assert (found[0].computation.value, found[0].names) == ("2", ("Red", "Green"))
    assert found[1] is None or found[1].confidence < 0.6


def test_a_count_in_total_is_not_taken_from_a_table_that_the_question_does_not_name():
    assert (found := compute("How many films did Halo release in total?", [FILMS])) is None or found.confidence < 0.6


def test_a_column_that_says_more_than_the_question_is_uncertain():
    computed = compute("Which planet has the most moons?", [VISITS])

    assert computed is not None
    assert computed.confidence < 0.6


def test_a_count_of_everything_is_uncertain_unless_the_list_is_asked_for():
    open_question = compute("How many moons does Orvo have?", [MOONS])
    listed = compute("How many moons of Orvo are listed?", [MOONS])

    assert open_question is not None
    assert listed is not None
    assert open_question.confidence < 0.6 < listed.confidence


def test_the_sentence_tells_the_items_that_were_counted():
    computed = compute("How many moons of Orvo were discovered by Ida Wren?", [MOONS])

    assert computed is not None
    assert computed.sentence == "Two of the 7 moons listed were discovered by Ida Wren: Alba and Brin."
    assert computed.winners == (f"{MOONS.id}/r1", f"{MOONS.id}/r2")


def test_rows_whose_names_stand_under_no_heading_are_told_by_the_question():
    lights = table("Lights of Varn", "", " | Height (m)", "Holm | 31", "Skerry | 44", "Nord | 12")

    computed = compute("Which light of Varn is the tallest?", [lights])

    assert computed is not None
    assert computed.sentence == "Skerry is the tallest of the 3 lights listed (height: 44 m)."


@given(st.text(max_size=80))
def test_no_question_breaks_the_reader(question):
    compute(question, (MOONS, FILMS))


@given(st.lists(st.integers(-(10**9), 10**9), min_size=2, max_size=20, unique=True))
def test_the_largest_and_the_total_agree_with_python(values):
    names = [f"Rock{chr(97 + place)}" for place in range(len(values))]
    rows = (f"{name} | {value:,}" for name, value in zip(names, values, strict=True))
    source = table("Rocks of Ral", "", "Rock | Mass (kg)", *rows)
    heaviest = compute("What is the heaviest rock of Ral?", [source])
    total = compute("What is the total mass of the rocks of Ral?", [source])

    assert heaviest is not None
    assert heaviest.computation.value == names[values.index(max(values))]
    assert total is not None
    assert total.computation.value == f"{sum(values):,} kg"


SUPERLATIVES = "largest smallest highest "


def test_a_question_of_superlatives_has_few_readings():
    assert len(read_question(f"Which moon of Orvo has the {SUPERLATIVES * 30}diameter?")) <= MOST_SUPERLATIVES


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
