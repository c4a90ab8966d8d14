"""HITS@4K by hand, with one token a character and one a word."""

import re

import pytest

from eval.ott.corpus import OttCorpus
from eval.ott.linearise import linearise
from eval.ott.measures import hits
from eval.ott.ranking import Unit


def characters(text: str) -> list[int]:
    return list(range(1, len(text) + 1))


def words(text: str) -> list[int]:
    return [found.end() for found in re.finditer(r"\S+", text)]


PIECES = ("one two three", "four Ada Brandt", "five")


@pytest.mark.parametrize(
    ("answer", "budget", "hit"),
    [
        ("two three", 3, 1.0),
        ("two three", 2, 0.0),
        ("Ada Brandt", 6, 1.0),
        ("Ada Brandt", 5, 0.0),
        ("five", 7, 1.0),
        ("five", 6, 0.0),
        ("three four", 99, 0.0),
        ("", 99, 0.0),
    ],
)
def test_an_answer_counts_where_a_piece_says_it_within_the_first_words(answer: str, budget: int, hit: float) -> None:
    assert hits(PIECES, (answer,), words, budget) == hit


@pytest.mark.parametrize(
    ("budget", "short", "long"), [(2, 0.0, 0.0), (3, 1.0, 0.0), (7, 1.0, 0.0), (10, 1.0, 0.0), (11, 1.0, 1.0)]
)
def test_of_a_word_that_the_budget_cuts_nothing_is_seen(budget: int, short: float, long: float) -> None:
    seen = [hits(("Ada Brandts",), (answer,), characters, budget) for answer in ("Ada", "Ada Brandts", "Ada Brandt")]
    assert seen == [short, long, 0.0]


def test_any_item_of_an_answer_counts() -> None:
    assert hits(PIECES, ("nobody", "five"), words) == 1.0


def test_a_reader_sees_four_thousand_and_ninety_six_tokens() -> None:
    pieces = [" ".join(["word"] * 4095), "first second"]
    assert [hits(pieces, (answer,), words) for answer in ("first", "second")] == [1.0, 0.0]


def test_a_ranking_is_written_with_each_row_and_passage_once(corpus: OttCorpus) -> None:
    ranking = (Unit(1, (2,)), Unit(None, (1,)), Unit(1, (0, 2)), Unit(3, (1,)), Unit(1))
    assert list(linearise(ranking, corpus)) == [
        corpus.row_text(1),
        corpus.passage_text(2),
        corpus.passage_text(1),
        corpus.passage_text(0),
        corpus.row_text(3),
    ]
