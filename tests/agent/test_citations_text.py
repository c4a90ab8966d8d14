"""Sentences, quotes and figures."""

import time
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.citations.numbering import without_markers
from agent.citations.quotes import find_words, locate
from agent.citations.wording import contradicts, swaps_names
from heliograph.text.figures import figures_in, missing_figures
from heliograph.text.sentences import split_sentences
from heliograph.types import EvidenceId, PageKey, Place, TextEvidence

SENTENCES = [
    ("Mount St. Helens erupted in 1980. It killed 57 people.", 2),
    ("J. R. R. Tolkien wrote it. He lived in the U.S. The book sold 1.5 million copies.", 3),
    ('He said "Go." Then he left. (See no. 5.) Done!', 4),
    ("It weighs 3.5 kg. Mr. Smith has it.[1][2] Next one.", 3),
    ("The U.S. Navy won. St. Louis lost.", 2),
    ("It left at 5 p.m. The train was late.", 2),
    ("Wait… what? Nothing happened... and so on.", 2),
    ("Dr. A. B. Carr of Acme Inc. paid approx. 5 km. of cable vs. none.", 1),
    ("First line\nSecond line", 2),
    ("Version 2.0 is out", 1),
    ("", 0),
]


@pytest.mark.parametrize(("text", "count"), SENTENCES)
def test_a_sentence_ends_where_it_ends(text, count):
    assert len(split_sentences(text)) == count


@given(st.text(st.sampled_from('ab A.Z1?!…"[]) \n'), max_size=60))
def test_no_letter_is_lost_between_sentences(text):
    assert "".join("".join(split_sentences(text)).split()) == "".join(text.split())


@pytest.mark.parametrize(
    ("quote", "source", "found"),
    [
        ("1,527 km", "It is 1,527\u00a0km wide", "1,527\u00a0km"),
        ("Shoemaker-Levy 9", "Comet Shoemaker–Levy 9 fell", "Shoemaker–Levy 9"),
        ('"It\'s"', "he said “It’s” twice", "“It’s”"),
        ("a  b\nc", "x a b c y", "a b c"),
        ("and so...", "and so… on", "and so…"),
        ("softly", "soft\u00adly done", "soft\u00adly"),
    ],
)
def test_a_quote_is_found_in_the_spelling_of_its_source(quote, source, found):
    span = find_words(quote, source)

    assert span is not None
    assert source[slice(*span)] == found


@pytest.mark.parametrize(
    ("quote", "source"),
    [
        ("527 km", "1,527 km"),
        ("1,5", "1,527"),
        ("5", "−5 degrees"),
        ("5", "1.5"),
        ("1", "1.5"),
        ("moon", "moons"),
        ("Moon", "moon"),
        ("a … c", "a b c"),
        ("", "anything"),
        (" ", "anything"),
    ],
)
def test_a_quote_that_is_not_there_word_for_word_is_not_found(quote, source):
    assert find_words(quote, source) is None


@given(st.text(max_size=60), st.data())
def test_every_run_of_whole_words_is_found(source, data):
    evidence = TextEvidence(EvidenceId("e"), Place(PageKey("p"), "T", "s0"), "paragraph", source)
    found = source.split()
    if not found or any(letter in source for letter in "\u00ad\u200b\u200c\u200d\u2060\ufeff"):
        return
    start = data.draw(st.integers(0, len(found) - 1))
    end = data.draw(st.integers(start + 1, len(found)))
    located = locate(" ".join(found[start:end]), evidence)

    assert located is not None
    assert located.text == source[located.start : located.end]
    assert located.text.split() == found[start:end]


FIGURES = [
    ("about 1,500 km", "1,527 km", True),
    ("1,500 km", "1,527 km", False),
    ("about 1,000 km", "1,527 km", False),
    ("about 40", "41", True),
    ("in 1977", "20 August 1977", True),
    ("in August 1977", "20 August 1977", True),
    ("20 August 1977", "in 1977", False),
    ("August 20, 1977", "20 August 1977", True),
    ("21 August 1977", "20 August 1977", False),
    ("in the 1970s", "20 August 1977", True),
    ("about 1977", "1978", False),
    ("two moons", "2 moons", True),
    ("three moons", "two moons", False),
    ("twenty-one", "21", True),
    ("1,527 km", "Diameter 1,527", True),
    ("more than 1,500", "1,527", True),
    ("more than 1,550", "1,527", False),
    ("nearly 1,550", "1,527", True),
    ("nearly 1,500", "1,527", False),
    ("1.527 thousand km", "1,527 km", True),
    ("1,527,000 m", "1,527 km", True),
    ("5 miles", "5 km", False),
    ("the 2nd", "the second", True),
    ("the third", "the second", False),
    ("−5 °C", "5 °C", False),
    ("7.5%", "7.5 per cent", True),
    ("$3 billion", "US$3,000,000,000", True),
    ("1.9×10²⁷ kg", "1.9 × 10^27 kg", True),
    ("no figure", "", True),
]


@pytest.mark.parametrize(("claim", "source", "stands"), FIGURES, ids=[f"{row[0]} | {row[1]}" for row in FIGURES])
def test_a_figure_stands_when_its_value_does(claim, source, stands):
    assert (missing_figures(claim, [source]) == ()) is stands


@given(st.text(max_size=60))
def test_every_text_bears_its_own_figures_out(text):
    assert missing_figures(text, [text]) == ()


LONG = 200_000


@pytest.mark.parametrize(
    "part", ["St. ", ". ", "a.b.", "... ", '." ', "[1]", "a [1]", "[1", "[[1] ", " ", "7", "7 ", "of Name ", "not a, "]
)
@pytest.mark.parametrize(
    "read",
    [
        split_sentences,
        without_markers,
        figures_in,
        lambda text: swaps_names(text, [text]),
        lambda text: contradicts(text, [text]),
    ],
    ids=["sentences", "markers", "figures", "swaps", "contradicts"],
)
def test_a_long_text_is_read_in_time_that_grows_with_its_length_alone(read: Callable[[str], object], part: str):
    """Quadratic readers took minutes; the processor's time of this thread is the same on a busy machine."""
    text = part * (LONG // len(part)) + "x"
    began = time.thread_time()
    read(text)
    assert time.thread_time() - began < 10


def test_notes_within_notes_go_and_what_is_none_stays():
    assert without_markers("a [[1] 2] b [note [3] 4] c [no note [5]]") == "a b c (no note)"
    assert without_markers("a [1 [2 [3] ] ] b [[1]]") == "a b ()"
