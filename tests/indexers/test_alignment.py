"""Word alignment by the real model: words that are said, words that are meant, words that are not there."""

from pathlib import Path

import numpy as np
import pytest

from heliograph.types import WordSpan
from indexers.models.alignment import OnnxWordAligner, similarities
from indexers.models.onnx import OnnxEmbedder, TokenVectors

QUESTION = "How wide is Triton?"
WIDE = WordSpan("wide", 4, 8)
TRITON = WordSpan("Triton", 12, 18)
DIAMETER = "Triton: It is 2,707 km in diameter."
ICE = "Triton: Its surface is covered with frozen nitrogen."


@pytest.fixture
def aligner(tmp_path: Path) -> OnnxWordAligner:
    return OnnxWordAligner(OnnxEmbedder(), tmp_path / "alignments.sqlite")


async def test_a_word_that_is_meant_is_closer_than_one_that_is_not_there(aligner):
    (wide_in_diameter, triton), (wide_in_ice, _) = await aligner.align(QUESTION, [WIDE, TRITON], [DIAMETER, ICE])
    assert wide_in_diameter > wide_in_ice + 0.1
    assert triton > 0.8


async def test_a_known_pair_is_not_computed_again_and_gives_the_same_similarities(aligner):
    first = await aligner.align(QUESTION, [WIDE, TRITON], [DIAMETER, ICE])
    assert aligner.aligned == 2
    assert await aligner.align(QUESTION, [WIDE, TRITON], [ICE, DIAMETER]) == (first[1], first[0])
    assert aligner.aligned == 2


async def test_another_choice_of_words_is_another_alignment(aligner):
    await aligner.align(QUESTION, [WIDE], [DIAMETER])
    await aligner.align(QUESTION, [TRITON], [DIAMETER])
    assert aligner.aligned == 2


async def test_a_similarity_does_not_depend_on_the_other_texts(aligner, tmp_path):
    together = await aligner.align(QUESTION, [WIDE], [ICE, DIAMETER, ICE * 3])
    alone = await OnnxWordAligner(OnnxEmbedder(), tmp_path / "other.sqlite").align(QUESTION, [WIDE], [DIAMETER])
    assert alone[0] == together[1]


async def test_no_texts_give_no_similarities(aligner):
    assert await aligner.align(QUESTION, [WIDE], []) == ()


def test_a_word_of_two_tokens_gets_their_mean_and_a_word_of_none_gets_zero():
    asked = TokenVectors(np.array([[1, 0], [0, 1]], dtype=np.float32), ((0, 3), (3, 6)))
    text = TokenVectors(
        np.array([[0, 0], [1, 0], [0.6, 0.8], [0, 0]], dtype=np.float32), ((0, 0), (0, 2), (2, 4), (0, 0))
    )
    assert similarities(asked, [(0, 1), ()], text).tolist() == pytest.approx([0.9, 0.0])


def test_a_text_of_end_marks_only_says_nothing():
    asked = TokenVectors(np.eye(2, dtype=np.float32), ((0, 3), (3, 6)))
    empty = TokenVectors(np.eye(2, dtype=np.float32), ((0, 0), (0, 0)))
    assert similarities(asked, [(0,)], empty).tolist() == [0.0]
