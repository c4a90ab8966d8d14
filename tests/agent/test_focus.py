"""A question is read as its content words, and what must be said as it is."""

from hypothesis import given
from hypothesis import strategies as st

from agent.extractive.focus import focus_of
from heliograph.text.words import QUESTION_WORDS


@given(st.text(max_size=200))
def test_words_stand_where_they_are_said_to_stand(question: str) -> None:
    focus = focus_of(question)
    assert focus == focus_of(question)
    ends = [0]
    for word in focus.words:
        assert question[word.span.start : word.span.end] == word.span.text
        assert word.span.start >= ends[-1]
        assert word.strict or not word.figure
        ends.append(word.span.end)


def test_names_and_figures_must_be_said() -> None:
    words = {word.span.text: word for word in focus_of("When did the lamp of Holm Light burn 12 barrels?").words}
    assert [text for text, word in words.items() if word.strict] == ["Holm", "Light", "12"]
    assert words["12"].figure


def test_a_first_word_is_no_name_and_stop_words_are_no_words() -> None:
    assert [(word.span.text, word.strict) for word in focus_of("Lamps of the tower").words] == [
        ("Lamps", False),
        ("tower", False),
    ]


def test_a_figure_belongs_to_the_name_before_it() -> None:
    (apollo, figure) = focus_of("Where did Apollo 12 land?").words[:2]
    assert (figure.anchor, figure.figure) == (apollo.stem, True)


def test_what_names_a_people_describes_and_two_capitals_at_the_beginning_are_a_name() -> None:
    words = {word.span.text: word.strict for word in focus_of("Holm Light has which Polish lamp?").words}
    assert words == {"Holm": True, "Light": True, "Polish": False, "lamp": False}


@given(st.sampled_from(sorted(QUESTION_WORDS)), st.sampled_from(("", "It burns. ")))
def test_a_first_word_of_grammar_is_no_name_before_one(word: str, before: str) -> None:
    found = focus_of(f"{before}{word.capitalize()} Mimas turns, how long is its day?").words
    assert [each.span.text for each in found if each.strict] == ["Mimas"]


def test_the_words_of_a_description_are_marked() -> None:
    focus = focus_of("Who lit the tower that burnt down?")
    assert focus.heads == frozenset({"tower"})
    assert [word.span.text for word in focus.words if word.described] == ["burnt", "down"]
