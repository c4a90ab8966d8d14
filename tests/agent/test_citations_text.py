"""Sentences, quotes and figures."""

import time
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.citations.numbering import without_markers
from agent.citations.quotes import find_words, locate, trimmed
from agent.citations.wording import contradicts, swaps_names
from heliograph.text.figures import figures_in
from heliograph.text.sentences import split_sentences
from heliograph.types import EvidenceId, PageKey, Place, TextEvidence


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


SPANS = st.lists(st.sampled_from(["Holm", " ", "(", ")", ",", ".", ": ", " and", "-", "41", "U.S."]), max_size=12).map(
    "".join
)


@given(SPANS)
def test_a_trimmed_span_stands_in_the_span_and_has_no_mark_at_its_ends(span: str) -> None:
    found = trimmed(span)
    assert found in span
    assert trimmed(found) == found == found.strip()
    assert found.count("(") == found.count(")")
    assert not found or (found[0] not in ",;:.)" and found[-1] not in ",;:(-")


@pytest.mark.parametrize(
    ("span", "found"),
    [
        ("Titan (moon", "Titan"),
        ("1957) and", "1957"),
        ("Ada Brandt (1889),", "Ada Brandt (1889)"),
        ("-40 °C", "-40 °C"),
        ("the U.S.", "the U.S."),
        ("and Torvik in the", "Torvik"),
    ],
)
def test_a_span_is_trimmed_where_it_was_cut_at_the_wrong_place(span: str, found: str) -> None:
    assert trimmed(span) == found
