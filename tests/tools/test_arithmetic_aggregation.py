"""Which questions only arithmetic can answer, and which a sentence may answer as well."""

import pytest

from tools.arithmetic import asks_aggregation

ONLY_COMPUTED = [
    "What is the average running time of the films that Hedda Brandt directed?",
    "On average, how many minutes did the eight landers survive on the ground?",
    "How many spectators on average watched the five defeats of the Orsk national team?",
    "How many kilograms of samples did the six landings bring home altogether?",
    "How many kilograms of rock and soil did all the landings together collect?",
    "If you add up the areas of all the listed lakes, how many square kilometres do you get?",
    "What is the combined length of the six bridges over the Aller?",
    "What is the total budget of the films by Vera Lund?",
    "How many of the missions ended as failures?",
    "Of the missions in the list, how many failed?",
    "How many of the museums in Brackwater are free?",
    "Which is the second largest moon of Uranus by diameter?",
    "Which moon of Uranus is the third biggest by diameter?",
    "Ranked by diameter, which of the dwarf planets comes third?",
    "Which party came third by votes in the 2021 Calder Assembly election?",
    "Who first climbed the third-highest mountain of the Tessin Range?",
    "How many films last more than two hours?",
]
STATED = [
    "",
    "What is the largest moon of Uranus?",
    "Which bridge over the Aller is the longest?",
    "How many kilometres wide is Fenn?",
    "How many moons does Jupiter have?",
    "How many moons does Jupiter have in total?",
    "How many people have walked on the Moon?",
    "How much did the Dawn mission cost in total?",
    "What is the average temperature on Venus?",
    "What is the mean distance of Mars from the Sun?",
    "How long, on average, does a day last on Mars?",
    "Who was the second person to walk on the Moon?",
    "In what year did the Second World War end?",
    "Which country won the most medals?",
    "How many years of uninterrupted sunshine does a pole of Uranus get?",
    "What was the total price tag of the Cassini-Huygens mission?",
    "Who put together the first complete map of the town?",
    "How many places where spacecraft came down are marked on the map of Mars?",
    "How often do the four giant planets line up in the way that the Voyagers made use of?",
    "Roughly how many active volcanoes are known on the densest of the five largest moons?",
    "What is the total area of Lake Erran?",
    "How many kilometres per second does a rocket need to get away from Saturn?",
    "What does a mean solar day last on Mercury?",
    "How many minutes did Venera 12 work on the surface altogether?",
]


@pytest.mark.parametrize("question", ONLY_COMPUTED)
def test_a_question_about_several_things_at_once_needs_arithmetic(question):
    assert asks_aggregation(question)


@pytest.mark.parametrize("question", STATED)
def test_a_question_that_a_sentence_may_answer_does_not(question):
    assert not asks_aggregation(question)
