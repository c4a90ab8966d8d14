"""What a checker sees and what its logits mean, by hand; the tokenizer knows a few words."""

import math
from pathlib import Path

import numpy as np
import pytest
from tokenizers import Tokenizer, models, pre_tokenizers

from heliograph.errors import ModelMissing
from indexers.models.checker import (
    CHECKS,
    CLAIM_TOKENS,
    RELATIONS,
    Checker,
    answered_by,
    joined,
    pair_window,
    relations_of,
)
from indexers.models.reader import Candidate, Piece, Windows, passage_piece, row_piece

WORDS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "Io", "is", "lit", "in", "1871", "Name", "Year", ":", ";", "|")


@pytest.fixture
def windows() -> Windows:
    made = Tokenizer(models.WordLevel({word: place for place, word in enumerate(WORDS)}, unk_token="[UNK]"))
    made.pre_tokenizer = pre_tokenizers.Whitespace()
    return Windows(made)


def test_the_first_four_logits_are_of_relations_and_the_last_two_of_an_answer() -> None:
    logits = np.full((3, CHECKS), 9.0, np.float32)
    logits[0] = [0.0, math.log(3), 0.0, 0.0, math.log(4), 0.0]
    found = relations_of(logits)
    assert found.probabilities == pytest.approx((1 / 6, 1 / 2, 1 / 6, 1 / 6))
    assert (found.supported, found.best) == (pytest.approx(1 / 6), "partial")
    assert answered_by(logits) == pytest.approx(0.8)
    assert RELATIONS[0] == "supported"


def test_a_claim_stands_before_its_row_and_its_passage(windows: Windows) -> None:
    evidence = joined([row_piece(("Io",), ("Year",), ("1871",)), passage_piece("Io", "lit in 1871")])
    window = pair_window(windows, "Io is lit", evidence)
    said = " ".join(WORDS[id] for id in window.ids)
    assert said == "[CLS] Io is lit [SEP] Io | Year is 1871 [SEP] Io : lit in 1871 [SEP]"
    assert window.segments == [0] * 5 + [1] * (len(window.ids) - 5)


def test_a_long_claim_leaves_room_for_its_evidence(windows: Windows) -> None:
    window = pair_window(windows, "Io " * 300, Candidate(Piece("lit " * 300)))
    assert window.ids.count(WORDS.index("Io")) == CLAIM_TOKENS
    assert len(window.ids) == 256


def test_all_that_a_claim_cites_is_one_candidate() -> None:
    assert joined([]) == Candidate(Piece(""))
    assert joined([Piece("a")]) == Candidate(Piece("a"))
    assert joined([Piece("a"), Piece("b")]) == Candidate(Piece("a"), Piece("b"))
    assert joined([Piece("a"), Piece("b"), Piece("c")]) == Candidate(Piece("a"), Piece("b\nc"))


def test_a_checker_that_is_nowhere_is_named_and_nothing_is_loaded_for_no_claim(tmp_path: Path) -> None:
    with pytest.raises(ModelMissing, match=r"model\.onnx"):
        Checker(tmp_path)
