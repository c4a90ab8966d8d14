"""What a reader sees and what its logits mean, by hand; the tokenizer knows a few words."""

import math

import numpy as np
import pytest
from tokenizers import Tokenizer, models, pre_tokenizers

from indexers.models.reader import (
    LOGITS,
    Candidate,
    Piece,
    Scored,
    Window,
    Windows,
    compared,
    passage_piece,
    row_piece,
)

WORDS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "Io", "is", "lit", "in", "1871", "Name", "Year", ":", ";", "|")


@pytest.fixture
def tokenizer() -> Tokenizer:
    made = Tokenizer(models.WordLevel({word: place for place, word in enumerate(WORDS)}, unk_token="[UNK]"))
    made.pre_tokenizer = pre_tokenizers.Whitespace()
    return made


EDGE = Candidate(row_piece(("Lights", ""), ("Name", "Year"), ("Io", "1871")), passage_piece("Io", "lit in 1871"))


def window_of(windows: Windows, need: str, candidate: Candidate) -> Window:
    return windows.joined(windows.need(need), [windows.tokens(piece) for piece in candidate.pieces])


def test_a_row_names_its_titles_and_each_cell_and_knows_where_they_stand() -> None:
    piece = row_piece(("Lights", "List"), ("Name", "Lit", "Height"), ("Io", "", "9 m"))
    assert piece.text == "Lights ; List | Name is Io ; Height is 9 m"
    assert [(piece.text[part.start : part.end], part.cell) for part in piece.parts if part.cell is not None] == [
        ("Io", 0),
        ("9 m", 2),
    ]


def test_of_a_long_cell_the_first_tokens_are_read_and_the_cells_behind_it_too(tokenizer: Tokenizer) -> None:
    piece = row_piece(("Lights",), ("Name", "Year"), ("Io " * 60, "1871"))
    tokens = Windows(tokenizer).tokens(piece)
    assert tokens.ids.count(WORDS.index("Io")) == 24
    assert piece.text[slice(*tokens.offsets[-1])] == "1871"


def test_a_long_row_leaves_room_for_its_passage(tokenizer: Tokenizer) -> None:
    long = Candidate(Piece("Io " * 400), Piece("lit " * 400))
    window = window_of(Windows(tokenizer, room=100), "Io", long)
    assert len(window.ids) == 100
    assert [len(piece.ids) for piece in window.pieces] == [43, 52]
    short = window_of(Windows(tokenizer, room=100), "Io", Candidate(long.first, Piece("lit")))
    assert [len(piece.ids) for piece in short.pieces] == [94, 1]


def test_a_stretch_is_found_in_the_window_unless_it_was_cut_away(tokenizer: Tokenizer) -> None:
    windows = Windows(tokenizer)
    window = window_of(windows, "lit", EDGE)
    assert EDGE.second is not None
    at = EDGE.second.text.index("1871")
    place = window.place(1, at, at + 4)
    assert place is not None and window.ids[place[0]] == window.ids[place[1]] == WORDS.index("1871")
    narrow = windows.joined(windows.need("lit"), [windows.tokens(piece) for piece in EDGE.pieces], room=12)
    assert narrow.place(1, at, at + 4) is None


def scored(tokenizer: Tokenizer, height: float, none: float = 0.0) -> Scored:
    """A candidate whose logits are 0 but for the year in its row."""
    window = window_of(Windows(tokenizer), "lit", EDGE)
    logits = np.zeros((len(window.ids), LOGITS), np.float32)
    logits[0, LOGITS - 2 :] = none
    place = window.place(0, EDGE.first.text.index("1871"), len(EDGE.first.text))
    assert place is not None
    logits[place[0], 0] = logits[place[1], 1] = height
    return Scored(EDGE, window, logits)


def test_the_best_span_says_where_it_stands_and_what_it_is_worth(tokenizer: Tokenizer) -> None:
    (reading,) = compared([scored(tokenizer, 5.0)])
    best = reading.answers[0]
    assert (best.kind, best.text, best.piece, best.cell) == ("cell", "1871", 0, 1)
    assert EDGE.first.text[best.start : best.end] == "1871"
    places = len(scored(tokenizer, 5.0).window.places) + 3
    assert best.within == pytest.approx(2 * (5 - math.log(math.exp(5) + places - 1)), abs=1e-4)
    assert reading.share == pytest.approx(0.0, abs=1e-5)
    assert {answer.kind for answer in reading.answers} >= {"yes", "no"}


def test_candidates_share_one_normalisation(tokenizer: Tokenizer) -> None:
    high, low = compared([scored(tokenizer, 5.0), scored(tokenizer, 1.0)])
    alone = compared([scored(tokenizer, 5.0)])[0]
    assert high.answers[0].within == alone.answers[0].within
    assert high.share > low.share
    assert math.exp(high.share) + math.exp(low.share) < 1  # starts of one and ends of the other are left out


def test_a_candidate_may_say_that_it_does_not_answer(tokenizer: Tokenizer) -> None:
    (reading,) = compared([scored(tokenizer, 1.0, none=9.0)])
    assert reading.none > reading.answers[0].within
    assert compared([]) == ()


def test_no_span_runs_from_one_piece_into_the_next(tokenizer: Tokenizer) -> None:
    window = window_of(Windows(tokenizer), "lit", EDGE)
    logits = np.zeros((len(window.ids), LOGITS), np.float32)
    first, last = window.starts[0] + len(window.pieces[0].ids) - 1, window.starts[1]
    logits[first, 0] = logits[last, 1] = 9.0
    (reading,) = compared([Scored(EDGE, window, logits)])
    assert reading.answers[0].text in ("1871", "Io")


def test_a_piece_is_tokenized_once_for_several_needs(tokenizer: Tokenizer) -> None:
    windows = Windows(tokenizer)
    first, second = (window_of(windows, need, EDGE) for need in ("lit", "Name"))
    assert first.ids[1] != second.ids[1]
    assert windows.tokens(EDGE.first) is windows.tokens(row_piece(("Lights", ""), ("Name", "Year"), ("Io", "1871")))


def test_no_span_runs_over_a_colon_between_clauses(tokenizer: Tokenizer) -> None:
    piece = Candidate(passage_piece("", "lit : Io"))
    window = window_of(Windows(tokenizer), "lit", piece)
    logits = np.zeros((len(window.ids), LOGITS), np.float32)
    first = window.starts[0]
    logits[first, 0] = logits[first + 2, 1] = 9.0
    (reading,) = compared([Scored(piece, window, logits)])
    assert all(":" not in answer.text for answer in reading.answers)
