"""Names are runs of capitalised words with the figures that number them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heliograph.text.names import begins_sentence, capitalised, names_in, opens_name, phrases, plain_title
from heliograph.text.words import QUESTION_WORDS
from indexers.links import says


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("The tower of Holm Light was built by Ada Brandt.", ("Holm Light", "Ada Brandt")),
        ("In 1889 it burnt.", ()),
        ("Ferry 3 met Ferry 12 off Varn.", ("Ferry 3", "Ferry 12", "Varn")),
        ("It sold Varn 3 boats.", ("Varn",)),
        ("Ferry 3 is old and Ferry 4 was new.", ("Ferry 3", "Ferry 4")),
    ],
)
def test_names_are_found_without_words_of_grammar(text: str, names: tuple[str, ...]) -> None:
    assert names_in(text) == names


@given(st.sampled_from(sorted(QUESTION_WORDS)), st.sampled_from(("", "It is cold. ", "“")))
def test_a_word_of_grammar_that_opens_a_sentence_is_in_no_name(word: str, before: str) -> None:
    assert names_in(f"{before}{word.capitalize()} Mimas turns.") == ("Mimas",)
    assert not opens_name(word.capitalize())


def test_within_a_sentence_a_capital_is_of_a_name() -> None:
    assert names_in("He lit Once Light.") == ("Once Light",)
    assert begins_sentence("(Once", 1) and not begins_sentence("lit Once", 4)


def test_a_name_is_said_as_whole_words() -> None:
    assert says("the moon Pan, small", "Pan")
    assert not says("the Panama canal", "Pan")


def test_a_title_loses_what_tells_it_from_its_namesakes() -> None:
    assert plain_title("Holm (island)") == "Holm"
    assert plain_title("Holm") == "Holm"


@given(st.text(max_size=200))
def test_every_name_stands_in_the_text(text: str) -> None:
    assert all(name in " ".join(text.split()) or name in text for name in names_in(text))


def test_phrases_are_quotations_and_runs_of_capitals_and_figures() -> None:
    assert phrases("In 1932 Summer Olympics did the House of Wittelsbach sing `` Take me tonight '' for Bob ?") == (
        "Take me tonight",
        "1932 Summer Olympics",
        "House of Wittelsbach",
    )


def test_titles_lose_what_tells_them_from_their_namesakes() -> None:
    assert [plain_title(title) for title in ("Foxtrot (dance)", "Foxtrot", "(You)")] == ["Foxtrot", "Foxtrot", "(You)"]


SEEN = (
    "Titan circles Saturn, as NASA's probe saw. Its moon is Titan; the moon Rhea and the Moon are others. Io is one.",
    "NASA and Titan, of Saturn; to NASA's joy Titan is round.",
    "Bridge of Varn\n  Bridge of Holm\n• Bridge of Vik\n- Bridge of Ro",
)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("biggest moon of saturn?", "biggest moon of Saturn?"),
        ("did nasa's probe see titan", "did NASA's probe see Titan"),
        ("how big is rhea", "how big is rhea"),
        ("how big is titan", "how big is Titan"),
        ("is the moon round", "is the moon round"),
        ("is io one", "is io one"),
        ("which bridge is long", "which bridge is long"),
        ("Biggest moon of saturn?", "Biggest moon of Saturn?"),
        ("Is titan bigger than Rhea?", "Is titan bigger than Rhea?"),
        ("where did I see titan", "where did I see Titan"),
    ],
)
def test_a_question_typed_without_capitals_has_those_that_texts_write_within_sentences(question, expected):
    assert capitalised(question, SEEN) == expected


@given(st.text(max_size=60), st.lists(st.text(max_size=60), max_size=4))
def test_capitals_change_no_word(question, texts):
    told = capitalised(question, texts)
    assert told.casefold() == question.casefold()
