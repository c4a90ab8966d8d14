"""A sentence says an answer in the words of the question, or is not made."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.extractive.sentence import sentence_of
from heliograph.text.words import STOP_WORDS, stems


@pytest.mark.parametrize(
    ("question", "answer", "quote", "sentence"),
    [
        ("When was Holm Light first lit?", "1889", "It was first lit in 1889.", "Holm Light was first lit in 1889."),
        (
            "In what year was Holm Light lit?",
            "3 May 1889",
            "Lit: 3 May 1889",
            "Holm Light was lit on 3 May 1889.",
        ),
        ("When did the ferry reach Torvik?", "1862", "It reached Torvik in 1862.", "The ferry reached Torvik in 1862."),
        (
            "When did the Hope arrive at Holm?",
            "9 May 1862",
            "Arrived: 9 May 1862",
            "The Hope arrived at Holm on 9 May 1862.",
        ),
        ("Who designed Holm Light?", "Ada Brandt", "Ada Brandt did.", "Ada Brandt designed Holm Light."),
        ("who built Holm Light so that it lasts?", "Ada Brandt", "", "Ada Brandt built Holm Light so that it lasts."),
        ("Whose lamp won the prize?", "Ada Brandt", "", "Ada Brandt's lamp won the prize."),
        (
            "From which ship was the light seen?",
            "Petrel",
            "They stood on the Petrel.",
            "The light was seen from the Petrel.",
        ),
        ("Where was the lamp built?", "Torvik", "a yard in Torvik", "The lamp was built in Torvik."),
        ("How high is the tower?", "34 m", "Height: 34 m", "The tower is 34 m high."),
        ("How many lamps are there on Holm?", "12", "", "There are 12 lamps on Holm."),
        ("How many lamps does Holm have?", "twelve", "", "Holm has twelve lamps."),
        ("How many ships can see it at night?", "12", "", "12 ships can see it at night."),
        ("What is the area of Holm?", "41 km²", "", "The area of Holm is 41 km²."),
        (
            "With the oil gone, which gas was burned to light the tower?",
            "paraffin",
            "",
            "With the oil gone, paraffin was burned to light the tower.",
        ),
        (
            "Which broken part made the lamp go out?",
            "wick holder",
            "A worn wick holder made the lamp go out.",
            "A worn wick holder made the lamp go out.",
        ),
    ],
)
def test_a_question_becomes_the_sentence_that_answers_it(question: str, answer: str, quote: str, sentence: str) -> None:
    assert sentence_of(question, answer, quote) == sentence


@pytest.mark.parametrize(
    ("question", "answer", "quote"),
    [
        ("When did the ferry reach Torvik?", "1862", "It called at Torvik in 1862."),
        ("When was Holm Light lit?", "Torvik", "lit in Torvik"),
        ("When was Holm Light lit and where?", "1889", "lit in 1889"),
        ("When was Holm Light lit and by whom?", "1889", "lit in 1889"),
        ("When was it lit?", "1889", "lit in 1889"),
        ("Who was the tower named after?", "Ada Brandt", ""),
        ("Which ship was the light seen from?", "Petrel", ""),
        ("Which moons discovered by Ada were round?", "Io", ""),
        ("Who painted the tower?", "two painters", ""),
        ("who named Holm Light", "Ada Brandt", "Holm Light was named after Ada Brandt."),
        ("Which lamp lit the tower?", "Petrel", "The tower was lit for the Petrel."),
        ("How high is the tower?", "high", "a high tower"),
        ("How many lamps does Holm have?", "many", ""),
        ("Where was the lamp built?", "Torvik", "Place: Torvik"),
        ("Who designed Holm Light?", "Holm Light", ""),
        ("How did you see it?", "by day", ""),
        ("Is the tower high?", "34 m", ""),
        ("What is Holm called in Varnish?", "Hol", "Hol"),
        ("What caused the flood?", "heavy rain had filled the basin", "heavy rain had filled the basin"),
        ("Ranked by height, which of the painted towers comes third?", "Petrel", "Petrel"),
        ("", "34 m", ""),
    ],
)
def test_of_other_questions_and_unfit_answers_no_sentence_is_made(question: str, answer: str, quote: str) -> None:
    assert sentence_of(question, answer, quote) == ""


WORDS = [
    "when",
    "who",
    "which",
    "how",
    "many",
    "was",
    "did",
    "the",
    "Holm",
    "Light",
    "lit",
    "lamp",
    "in",
    "first",
    "have",
]


@given(st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join), st.sampled_from(["1889", "Ada Brandt", "34 m"]))
def test_a_sentence_has_the_words_of_question_answer_and_quote_and_no_others(question: str, answer: str) -> None:
    quote = f"It was lit by the ferry in {answer}."
    said = set(stems(sentence_of(f"{question}?", answer, quote)))
    assert said <= set(stems(f"{question} {answer} {quote}")) | STOP_WORDS | set(stems("there had has"))


@given(st.text(max_size=200), st.text(max_size=60), st.text(max_size=200))
def test_any_text_gives_a_sentence_or_none(question: str, answer: str, quote: str) -> None:
    said = sentence_of(question, answer, quote)
    assert said == "" or said.endswith(".")
