"""A question is read as its content words, their weights and the kind of answer it asks for."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.extractive.focus import asked_kind, focus_of


@given(st.text(max_size=200))
def test_words_stand_where_they_are_said_to_stand_and_weigh_something(question: str) -> None:
    focus = focus_of(question)
    assert focus == focus_of(question)
    ends = [0]
    for word in focus.words:
        assert question[word.span.start : word.span.end] == word.span.text
        assert word.span.start >= ends[-1]
        assert 0 < word.weight <= 1.5
        assert word.strict or not word.figure
        ends.append(word.span.end)
    assert focus.weight == sum(word.weight for word in focus.words)


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("When was the tower lit?", "time"),
        ("In which year did the ropewalk close?", "time"),
        ("How many people live there?", "number"),
        ("How high is the tower?", "number"),
        ("Who built it?", "name"),
        ("Whose tower is it?", "name"),
        ("What is a ropewalk?", "open"),
        ("ropewalk", "open"),
    ],
)
def test_the_kind_of_answer_is_read_off_the_question(question: str, kind: str) -> None:
    assert asked_kind(question) == kind


def test_names_and_figures_weigh_most_and_must_be_said() -> None:
    words = {word.span.text: word for word in focus_of("When did the lamp of Holm Light burn 12 barrels?").words}
    assert [text for text, word in words.items() if word.strict] == ["Holm", "Light", "12"]
    assert words["12"].figure
    assert words["Holm"].weight > words["lamp"].weight


def test_a_first_word_is_no_name_and_stop_words_are_no_words() -> None:
    assert [(word.span.text, word.strict) for word in focus_of("Lamps of the tower").words] == [
        ("Lamps", False),
        ("tower", False),
    ]


def test_a_figure_belongs_to_the_name_before_it() -> None:
    (apollo, figure) = focus_of("Where did Apollo 12 land?").words[:2]
    assert (figure.anchor, figure.figure) == (apollo.stem, True)


def test_what_is_measured_has_to_be_said() -> None:
    measures = [word.span.text for word in focus_of("What is the height of the tower?").words if word.measure]
    assert measures == ["height"]
