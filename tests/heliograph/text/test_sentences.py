"""Sentences end where they end, and nothing is lost between them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heliograph.text.sentences import split_sentences

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


@given(st.lists(st.sampled_from(["It rained.", "Who came?", "Mr. Ash left at 5 p.m. on Monday.", "No!"]), max_size=6))
def test_sentences_joined_are_the_text(sentences):
    text = " ".join(sentences)

    assert list(split_sentences(text)) == sentences
    assert " ".join(split_sentences(text)) == text
