"""Aggregation questions in free speech (remarks, negations, absences, ordinals, whole lists), and what is refused."""

import pytest

from tests.tools.made_up import doubtful, surely, table, told
from tools.arithmetic import compute, split_questions

FERRIES = table(
    "List of ferries of Tarsk",
    "Ferries of Tarsk by date of launch",
    "Ferry | Builder | Launched | Scrapped | Fate | Fee for cars ($)",
    "Alder | Norway | 3 May 1931 | 1958 | Success; sold | —",
    "Birch | Norway | 9 June 1948 | 1975 | Partial; hull cracked | 4.5",
    "Cedar | Denmark | 1 July 1956 | 1990 | Failure; sank | 6",
    "Elm | Denmark and Norway | 2 April 1963 | 2001 | Success | 8",
    "Fir | Sweden | 7 March 1988 | 2021 | Failure; burnt | —",
)
CHEESES = table(
    "Vall (valley)",
    "Cheeses of Vall",
    "Cheese | Milk | Wheel (kg) | Temperature (°C)",
    "Arno | Goat and sheep | 4 | 8",
    "Bolda | Cow | 12 | −3",
    "Crest | Cow | 30 | −12",
    "Dunn | Goat and sheep | 7 | −15",
)
TOURS = table(
    "Mara Quill",
    "Concerts of Mara Quill",
    "Town | Date | Length (min)",
    "Orsk | 4 May 2001 | 95",
    "Velm | 8 May 2001 | 130",
    "Velm | 2 June 2003 | 88",
    "Orsk | 5 June 2003 | 140",
    "Velm | 9 July 2005 | 101",
)
TRAMS = table(
    "Brack tramways",
    "Lines of Brack outside the Harbour network",
    "Line | Opened | Mean speed (km/h) | Stops",
    "Red | 1901 | 14 | 20",
    "Green | 1922 | 18 | 25",
    "Blue | 1936 | 22 | 0",
)
GRAINS = table(
    "Crops of Ard",
    "Crops compared",
    "Crop | Yield (t) | Fields",
    "Oats | 40 | 3",
    "Rye | 55 | 4",
    "Spelt | 20 | 1",
    path=("The three crops",),
)
PARKS = table("Parks of Oln", "Notable parks of Oln", "Park | Area (ha) | Opened", "Elms | 5 | 1880", "Mill | 9 | 1931")
ALL = (FERRIES, CHEESES, TOURS, TRAMS, GRAINS, PARKS)

COMPUTED = [
    (FERRIES, "Going by the list of ferries of Tarsk, how many were failures (partial successes not counted)?", "2"),
    (FERRIES, "Looking at the ferries of Tarsk up to 1950, how many of them are listed?", "2"),
    (FERRIES, "Which ferry of Tarsk that Norway did not build was launched first?", "Cedar"),
    (FERRIES, "Of the listed ferries of Tarsk, how many did Norway have no share in?", "2"),
    (FERRIES, "Which of the listed ferries of Tarsk was launched by neither Norway nor Denmark?", None),
    (FERRIES, "How many of the listed ferries of Tarsk were launched in 1956 or later?", "3"),
    (FERRIES, "How many of the listed ferries of Tarsk were launched before the year 1950?", "2"),
    (FERRIES, "How many of the listed ferries of Tarsk had no fee for cars?", "2"),
    (CHEESES, "How many cheeses does Vall make?", "4"),
    (CHEESES, "How many cheeses of Vall are made of goat and sheep milk?", "2"),
    (CHEESES, "How many cheeses of Vall need a temperature lower than minus 10 degrees Celsius?", "2"),
    (CHEESES, "How many cheeses of Vall have a wheel of 12 kg or more?", "2"),
    (CHEESES, "Which cheese of Vall has the heaviest wheel so far?", "Crest"),
    (TOURS, "How often did Mara Quill give a concert in Velm?", "3"),
    (TOURS, "How many concerts of Mara Quill were there in all?", "5"),
    (TOURS, "When did Mara Quill give the second longest of her concerts?", "8 May 2001"),
    (TRAMS, "Leaving the Harbour network aside, which of the listed lines of Brack opened last?", "Blue"),
    (TRAMS, "What is the average mean speed of the three lines of Brack?", None),
    (TRAMS, "What is the average speed of the three lines of Brack?", "18 km/h"),
    (TRAMS, "Which line of Brack was the second to be opened?", "Green"),
    (
        TRAMS,
        "If the three lines of Brack are put in order of speed from the fastest down, which comes second?",
        "Green",
    ),
    (GRAINS, "How many crops have a yield of at least 40 t?", "2"),
    (GRAINS, "Which of the three crops ranks second in yield?", "Oats"),
    (GRAINS, "What is the mean yield of Oats, Rye and Spelt taken together?", "38.33 t"),
    (GRAINS, "How many fields do all three crops have together?", "8"),
]
CERTAIN = [(source, question, value) for source, question, value in COMPUTED if value]
REFUSED = [
    *(question for _, question, value in COMPUTED if value is None),
    "How many parks does Oln have?",
    "How many parks of Oln were opened before 1900?",
    "How much did the last two crops yield together?",
    "How many towns did Mara Quill play concerts in?",
    "What was the average length of the six concerts of Mara Quill?",
    "What is the average wheel of the four recognised dwarf breeds of Vall?",
    "As of 2020, how many fields do all three crops have together?",
    "How many ferries of Tarsk were only built by Norway?",
    "How many ferries of Tarsk won only one prize?",
    "How many lines of Brack are not electric?",
]


@pytest.mark.parametrize(("source", "question", "value"), CERTAIN, ids=[row[1] for row in CERTAIN])
def test_free_speech_is_computed(source, question, value):
    assert told(question, ALL, source) == surely(value, source)


@pytest.mark.parametrize("question", REFUSED)
def test_free_speech_that_leaves_a_doubt_is_refused(question):
    assert doubtful(question, ALL)


def test_a_second_question_goes_on_from_the_item_of_the_first():
    towers = table("Towers of Brin", "Towers of Brin", "Tower | Height (m)", "Gull Tower | 41", "Old Light | 29")
    found = compute("Which is the tallest tower of Brin, and who built it?", [towers])
    assert found is not None
    assert (found.names, found.continues) == (("Gull Tower",), True)
    assert "who built" not in found.sentence


@pytest.mark.parametrize(
    ("question", "first", "second"),
    [
        ("Which is the tallest tower, and who built it?", "Which is the tallest tower", "who built it?"),
        ("What is the oldest ferry called and in which year was it sunk?", "What is the oldest ferry called",
         "in which year was it sunk?"),
        ("When and where was the ferry built?", "When and where was the ferry built?", ""),
        ("Which ferry is the oldest?", "Which ferry is the oldest?", ""),
    ],
)  # fmt: skip
def test_a_second_question_is_split_off(question, first, second):
    assert split_questions(question) == (first, second)
