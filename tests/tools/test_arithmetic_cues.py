"""Questions put in many ways over made-up tables: what their cues let be computed, and what must not be."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.citations.computations import check_computation, row_ranges
from heliograph.types import EvidenceId
from tests.tools.made_up import ELECTION, FILMS, MEDALS, MISSIONS, MOONS, TOWERS, doubtful, table
from tools.arithmetic import compute, recompute

FLYBYS = table(
    "Farer 3",
    "Flybys of Farer 3",
    "Planet | Date | Altitude (km)",
    "Gron | 2 August 1995 | 2,347",
    "Hest | 24 October 1996 | 2,987",
    "Hest | 5 June 1997 | 338",
    "Mela | 14 January 1998 | 201",
    "Mela | 6 October 1998 | 200",
    "Mela | 29 September 1999 | 228",
)
LANDINGS = table(
    "Tamsin programme",
    "Crewed landings on Alba",
    "Mission | Commander | Landing date | Landing site | Time on the surface (hours) | Samples (kg)",
    "Tamsin 4 | Ona Reed | 20 July 1989 | Broad Sea | 21.6 | 21.5",
    "Tamsin 5 | Pim Lowe | 19 May 1990 | Calm Sea | 31.5 | 34.3",
    "Tamsin 6 | Lev Hart | 5 June 1991 | Fra Hills | 75.0 | 42.3",
)
LANDERS = table(
    "Vesper programme",
    "Vesper landers that reached the surface intact",
    "Probe | Launched | Landed | Time of operation on the surface (min) | Pictures",
    "Vesper 7 | 17 August 1970 | 15 December 1970 | 23 | —",
    "Vesper 8 | 27 March 1972 | 22 July 1972 | 50 | Colour",
    "Vesper 9 | 8 June 1975 | 22 October 1975 | 53 | Colour",
)
PROBES = table(
    "List of missions to Belt",
    "Selected missions to Belt",
    "Mission | Operator | Launched | Arrived | Outcome",
    "Kite 1 | Soviet Union | 28 November 1964 | 15 July 1965 | Success; first pictures",
    "Kite 2 | Norda and Eura | 25 February 1969 | 31 July 1969 | Failure; contact lost",
    "Wren 1 | Norda | 27 March 1979 | 5 August 1979 | Failure",
    "Wren 2 | India | 2 March 1981 | — | Success",
)
ALL = (MOONS, MISSIONS, FILMS, TOWERS, MEDALS, ELECTION, FLYBYS, LANDINGS, LANDERS, PROBES)

COMPUTED = [
    (LANDINGS, "How many kilograms of samples did the three Tamsin landings bring home altogether?", "98.1 kg"),
    (LANDINGS, "What is the combined mass of the samples returned by the Tamsin landings?", "98.1 kg"),
    (LANDINGS, "How many hours did the three Tamsin landings spend on the surface in all?", "128.1 hours"),
    (LANDINGS, "What was the average time on the surface of the Tamsin missions?", "42.7 hours"),
    (LANDINGS, "On average, how many hours did the Tamsin missions stay on the surface?", "42.7 hours"),
    (LANDINGS, "Which Tamsin mission stayed longest on the surface?", "Tamsin 6"),
    (LANDINGS, "Which Tamsin mission brought back the most samples?", "Tamsin 6"),
    (LANDINGS, "Who commanded the Tamsin mission that brought back the most samples?", "Lev Hart"),
    (LANDINGS, "Where did the last Tamsin mission land?", "Fra Hills"),
    (LANDERS, "How long on average did the Vesper landers operate on the surface?", "42 min"),
    (
        LANDERS,
        "On average, how many minutes did the Vesper landers that came down intact survive on the ground?",
        "42 min",
    ),
    (LANDERS, "When was the Vesper lander that worked longest on the surface launched?", "8 June 1975"),
    (LANDERS, "How many minutes did the three Vesper landers operate on the surface in total?", "126 min"),
    (FLYBYS, "On what date did Farer 3 make the lowest of its six planetary flybys?", "6 October 1998"),
    (FLYBYS, "What was the lowest altitude of the six flybys of Farer 3?", "200 km"),
    (FLYBYS, "At which planet did Farer 3 make its highest flyby?", "Hest"),
    (FLYBYS, "How many flybys of Mela did Farer 3 make?", "3"),
    (FLYBYS, "When did Farer 3 make its closest flyby of Hest?", "5 June 1997"),
    (PROBES, "How many of the listed missions to Belt ended as failures?", "2"),
    (PROBES, "How many of the listed missions to Belt were launched by the Soviet Union?", "1"),
    (PROBES, "How many of the listed missions to Belt were launched before 1970?", "2"),
    (PROBES, "How many of the four missions to Belt were launched in the 1960s?", "2"),
    (PROBES, "How many of the listed missions to Belt were not failures?", "2"),
    (PROBES, "Which of the listed missions to Belt was the earliest to be launched?", "Kite 1"),
    (MOONS, "Who discovered the largest moon of Orvo?", "Nils Holt"),
    (MOONS, "When was the smallest moon of Orvo discovered?", "1789"),
    (MOONS, "In which year was the largest moon of Orvo found?", "1655"),
    (MOONS, "Which moon of Orvo was the most recent to be discovered?", "Alba and Brin"),
    (MOONS, "What are the smallest two moons of Orvo?", "Alba and Brin"),
    (MOONS, "How many of the moons of Orvo were found by Paul Stagg?", "4"),
    (MOONS, "How many of the moons of Orvo are larger than 1,000 km?", "5"),
    (MISSIONS, "Which mission to Karn was the last to launch?", "Beacon"),
    (MISSIONS, "Which agency launched the first mission to Karn?", "Norda"),
    (MISSIONS, "What was the outcome of the first mission to Karn?", "Success"),
    (FILMS, "How much did the five films directed by Vera Lund cost in total?", "$19.6 million"),
    (FILMS, "Which studio made the longest film directed by Vera Lund?", "Ridge"),
    (FILMS, "When was the longest film directed by Vera Lund released?", "2004"),
    (TOWERS, "When was the tallest building in Port Amber completed?", "1991"),
    (TOWERS, "How many floors does the tallest building in Port Amber have?", "78"),
    (MEDALS, "How many gold medals were won at the 2031 Lake Games in total?", "37"),
    (ELECTION, "Who led the party with the most votes in the 2019 Westmark election?", "Ann Bole"),
    (ELECTION, "How many seats were won in the 2019 Westmark election by all four parties together?", "105"),
]


@pytest.mark.parametrize(("source", "question", "value"), COMPUTED, ids=[row[1] for row in COMPUTED])
def test_a_question_is_computed_however_it_is_put(source, question, value):
    computed = compute(question, [source])

    assert computed is not None
    assert (computed.computation.value, computed.continues) == (value, False)
    assert computed.confidence >= 0.6


@pytest.mark.parametrize(("source", "question", "value"), COMPUTED, ids=[row[1] for row in COMPUTED])
def test_the_sentence_passes_the_claim_check(source, question, value):
    computed = compute(question, [source])

    assert computed is not None
    assert recompute(computed.computation, source) == value
    assert check_computation(computed.sentence, computed.computation, source, question) == "computed"


@pytest.mark.parametrize(("source", "question", "value"), COMPUTED, ids=[row[1] for row in COMPUTED])
def test_other_tables_do_not_change_what_is_computed(source, question, value):
    assert compute(question, ALL) == compute(question, [source])


TRAPS = [
    "How many kilograms of samples did the four Tamsin landings bring home altogether?",
    "How many kilograms of fuel did the three Tamsin landings burn altogether?",
    "How many kilograms of samples did the three Tamsin landings leave behind altogether?",
    "What did the Tamsin programme cost in total?",
    "Which Tamsin mission carried the heaviest astronaut?",
    "Which Tamsin commander was the oldest?",
    "Who was the youngest person to walk on Alba?",
    "What is the largest crater on Alba?",
    "How many people have walked on Alba?",
    "How many rovers have landed on Alba?",
    "How many minutes did Vesper 8 survive on the surface?",
    "How many minutes did Vesper 17 survive on the surface?",
    "How long was Vesper 9 built to last on the surface?",
    "How many Vesper landers were lost?",
    "How many Vesper landers carried a microphone?",
    "On average, how many pictures did the Vesper landers send?",
    "On average, how hot is the surface under the Vesper landers?",
    "How many of the nine Vesper landers landed in 1972?",
    "Which Vesper lander was the heaviest?",
    "Which Vesper lander cost the most?",
    "On what date did Farer 3 make the lowest of its seven flybys?",
    "On what date did Farer 4 make the lowest of its six flybys?",
    "On what date did Farer 3 make the fastest of its six flybys?",
    "What was the speed of Farer 3 at its lowest flyby of Gron and Hest?",
    "How many flybys of Vena did Farer 3 make?",
    "How many flybys did Farer 3 plan?",
    "How many missions to Belt failed?",
    "How many missions to Belt were launched before 1970?",
    "How many of the listed missions to Belt were launched by Norda or India?",
    "How many of the listed missions to Belt reached orbit?",
    "How many of the listed missions to Belt were launched by China?",
    "How many of the listed missions to Belt were launched from Orvo?",
    "What is the total mass of the missions to Belt?",
]


@pytest.mark.parametrize("question", TRAPS)
def test_words_that_no_table_knows_end_the_computation(question):
    assert doubtful(question, ALL)


@pytest.mark.parametrize(
    ("source", "question", "sentence"),
    [
        (
            LANDINGS,
            "Who commanded the Tamsin mission that brought back the most samples?",
            "Tamsin 6 has the most samples of the 3 missions listed: 42.3 kg; commander: Lev Hart.",
        ),
        (
            FLYBYS,
            "On what date did Farer 3 make the lowest of its six planetary flybys?",
            "Of the 6 flybys listed, the lowest has an altitude of 200 km; date: 6 October 1998.",
        ),
        (FLYBYS, "How many flybys of Mela did Farer 3 make?", "Three of the 6 flybys listed match."),
    ],
)
def test_the_sentence_tells_value_and_items(source, question, sentence):
    computed = compute(question, [source])

    assert computed is not None
    assert computed.sentence == sentence


def test_a_selection_is_added_up_only_where_the_question_says_how_many_there_are():
    source = table("Dams of Ral", "Selected dams of Ral", "Dam | Cost ($)", "Ada | 10", "Bee | 20")
    stated = compute("How much did the two dams of Ral cost altogether?", [source])

    assert stated is not None
    assert stated.computation.value == "$30"
    assert compute("How much did the dams of Ral cost altogether?", [source]) is None
    assert compute("How much did the three dams of Ral cost altogether?", [source]) is None


def test_a_title_in_the_question_names_no_column():
    header = "Moon | Diameter (km) | Distance from Gron (km) | Year of discovery"
    source = table("Gron", "Selected moons of Gron", header, "Ada | 60 | 900 | 1989", "Bee | 80 | 100 | 1846")
    computed = compute("Which of Gron's listed moons was found first?", [source])
    larger = compute("How many of the listed moons of Gron are larger than 70 km?", [source])

    assert computed is not None
    assert computed.computation.value == "Bee"
    assert larger is not None
    assert larger.computation.value == "1"


def test_what_follows_the_name_of_the_items_is_what_is_asked_for():
    computed = compute("Which mission commander brought back the most samples on the Tamsin landings?", [LANDINGS])

    assert computed is None or computed.computation.value == "Lev Hart"


def test_a_share_in_a_cell_makes_a_count_uncertain():
    rows = ("Ada | Norda | 1990", "Bee | Norda and Eura | 1991", "Cat | Eura | 1992")
    source = table("Probes of Ral", "", "Probe | Operator | Year", *rows)
    computed = compute("How many of the probes of Ral did Norda send?", [source])

    assert computed is None or computed.confidence < 0.6


def test_rows_in_a_row_are_shown_as_a_range():
    rows = [EvidenceId(f"made.up:X@1#s1/t1/r{number}") for number in (1, 2, 3, 5, 7, 8)]

    assert row_ranges(rows) == "r1–r3, r5, r7–r8"


@given(st.text(max_size=60))
def test_no_question_breaks_the_cue_reader(question):
    for start in ("", "How many ", "Which largest "):
        compute(start + question, (MOONS, FLYBYS))
