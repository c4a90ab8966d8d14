"""Words of grammar tell whether a question asks for yes or no, for things by name, or for a figure or a time."""

import pytest

from agent.extractive.asked import asks_for_things, asks_whether


@pytest.mark.parametrize(
    ("question", "things"),
    [
        ("Who built it?", True),
        ("Which firm of the harbour built it?", True),
        ("ropewalk", True),
        ("Which islands were lived on when the tower was lit?", True),
        ("How many islands are lived on?", False),
        ("In what centuries was it lit?", False),
        ("When was the tower lit?", False),
        ("In which year did the ropewalk close?", False),
        ("is the tower lit", False),
    ],
)
def test_what_asks_for_things_asks_for_no_figure_and_no_time(question: str, things: bool) -> None:
    assert asks_for_things(question) == things


@pytest.mark.parametrize(
    ("question", "whether"),
    [
        ("is Holm Light taller than Storholm Mill", True),
        ("I need to know, has it got a lamp?", True),
        ("Was it lit in 1889 or in 1898?", False),
        ("When it was lit, who was there?", False),
        ("tell me about Holm Light", False),
    ],
)
def test_what_asks_for_yes_or_no_is_known(question: str, whether: bool) -> None:
    assert asks_whether(question) == whether
