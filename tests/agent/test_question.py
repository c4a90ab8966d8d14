"""A question is one line of text of sensible length, or it is refused with the reason and the place."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.question import INVISIBLE, JOINERS, MAX_CHARACTERS, valid_question
from heliograph.errors import InvalidQuestion

anything = st.text(st.characters(), max_size=200) | st.text(st.sampled_from("aé語؟ \t\n\x00\u200d\ud800\u202e"))


@given(anything)
def test_a_question_is_accepted_or_refused_as_invalid_and_nothing_else(question: str) -> None:
    try:
        accepted = valid_question(question)
    except InvalidQuestion as err:
        assert err.exit_code == 2
        return
    assert accepted == " ".join(question.split())
    assert any(character.isalnum() for character in accepted)
    assert not [each for each in accepted if unicodedata.category(each) in INVISIBLE and each not in JOINERS]


@given(anything)
def test_what_was_accepted_is_accepted_again_as_it_is(question: str) -> None:
    try:
        accepted = valid_question(question)
    except InvalidQuestion:
        return
    assert valid_question(accepted) == accepted


def test_white_space_becomes_single_blanks() -> None:
    assert valid_question("  Who\tbuilt\n\u00a0it? ") == "Who built it?"


def test_a_word_joiner_of_a_script_is_text() -> None:
    assert valid_question("می\u200cخواهم") == "می\u200cخواهم"


def test_the_longest_question_is_accepted_and_one_character_more_is_not() -> None:
    assert valid_question("x" * MAX_CHARACTERS) == "x" * MAX_CHARACTERS
    with pytest.raises(InvalidQuestion, match=r"^the question has 4,001 characters and 4,000 are accepted"):
        valid_question("x" * (MAX_CHARACTERS + 1))
