"""Scores raised by late interaction: nothing falls, a pair always scores the same, and little is looked at."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heliograph.types import Cell, EvidenceId, Observation, PageKey, Place, TableSegment, TextEvidence
from indexers.edges.home_tokens import HomeTokens, TokenFolder
from indexers.fusion import ranked
from indexers.late_interaction import (
    LOOKED_AT,
    SURE,
    UNRELATED,
    WEIGHT,
    LateInteractionReranker,
    PieceTokens,
    lines_of,
)
from indexers.models.onnx_tokens import OnnxTokenEncoder
from indexers.render import WINDOW_WORDS

QUESTION = "Which probe landed on the largest moon of Saturn?"
SHARES = st.floats(0.0, 1.0)
COSINES = st.floats(-1.0, 1.0)


def paragraph(number: int, text: str = "Huygens landed on Titan.") -> TextEvidence:
    key = PageKey("demo:Titan@1")
    return TextEvidence(EvidenceId(f"{key}#s0/p{number}"), Place(key, "Titan", "s0"), "paragraph", text, ())


class GivenScores:
    """An evidence reranker with the scores that it is given, by id."""

    def __init__(self, scores):
        self.scores = scores

    async def rerank(self, question, evidence, known, round):
        return ranked(Observation(piece.id, "text", self.scores[piece.id], round, None) for piece in evidence)


class Similar:
    """Token similarities by id, and what was asked for."""

    def __init__(self, similar):
        self.by_id = similar
        self.asked = []

    async def similar(self, question, pieces):
        self.asked.append([piece.id for piece in pieces])
        return tuple(self.by_id[piece.id] for piece in pieces)


async def reranked(scores, similar):
    pieces = [paragraph(number) for number in range(1, len(scores) + 1)]
    names = [piece.id for piece in pieces]
    tokens = Similar(dict(zip(names, similar, strict=True)))
    reranker = LateInteractionReranker(GivenScores(dict(zip(names, scores, strict=True))), tokens)
    found = await reranker.rerank(QUESTION, pieces, [], 1)
    return {seen.evidence: seen.score for seen in found}, found, tokens


async def test_a_score_goes_towards_one_by_the_chance_that_the_piece_is_meant():
    _, found, _ = await reranked([0.5, 0.5, 0.5], [UNRELATED, (UNRELATED + SURE) / 2, SURE])
    assert [seen.score for seen in found] == pytest.approx([1 - 0.5 * (1 - WEIGHT), 1 - 0.5 * (1 - WEIGHT / 2), 0.5])


async def test_the_best_comes_first_and_equal_scores_by_their_ids():
    _, found, _ = await reranked([0.6, 0.5, 0.5], [UNRELATED, SURE, SURE])
    assert [seen.evidence[-2:] for seen in found] == ["p2", "p3", "p1"]


async def test_pieces_that_score_little_are_not_compared():
    scores, _, tokens = await reranked([LOOKED_AT - 0.01, LOOKED_AT], [SURE, SURE])
    assert [[name[-2:] for name in asked] for asked in tokens.asked] == [["p2"]]
    assert min(scores.values()) == LOOKED_AT - 0.01


async def test_nothing_is_compared_where_nothing_is_worth_it():
    _, found, tokens = await reranked([0.1, 0.0], [SURE, SURE])
    assert tokens.asked == []
    assert [(seen.evidence[-2:], seen.score) for seen in found] == [("p1", 0.1), ("p2", 0.0)]


@given(st.lists(st.tuples(SHARES, COSINES), min_size=1, max_size=8))
async def test_nothing_falls_nothing_passes_one_and_company_is_without_effect(pairs):
    together, found, _ = await reranked(*zip(*pairs, strict=True))
    assert [seen.score for seen in found] == sorted(together.values(), reverse=True)
    for number, (score, cosine) in enumerate(pairs, start=1):
        raised = together[paragraph(number).id]
        assert score - 1e-6 <= raised <= 1.0
        alone, _, _ = await reranked([score], [cosine])
        assert raised == next(iter(alone.values()))


async def test_the_shipped_model_sees_which_piece_answers(tmp_path):
    answers, other = paragraph(1, "The probe Huygens landed on Titan in 2005."), paragraph(2, "Bread is made of flour.")
    tokens = PieceTokens(HomeTokens(OnnxTokenEncoder, TokenFolder(tmp_path)))
    similar = await tokens.similar(QUESTION, [other, answers])
    assert similar[1] > similar[0] + 0.1
    assert await tokens.similar(QUESTION, [answers]) == similar[1:]


async def test_a_long_piece_counts_by_its_best_window(tmp_path):
    filler = "Bread is made of flour and water and salt. " * WINDOW_WORDS
    long = paragraph(1, f"{filler} The probe Huygens landed on the moon Titan in 2005.")
    tokens = PieceTokens(HomeTokens(OnnxTokenEncoder, TokenFolder(tmp_path)))
    whole, start = await tokens.similar(QUESTION, [long, paragraph(2, filler)])
    assert len(lines_of(long)) > 2
    assert whole > start


def test_a_row_is_read_as_the_retriever_was_trained_on_rows():
    key = PageKey("demo:Saturn@1")
    table = EvidenceId(f"{key}#s1/t1")
    cells = (Cell("Titan", ()), Cell("5149 km", ()))
    place = Place(key, "Saturn", "s1")
    row = TableSegment(EvidenceId(f"{table}/r1"), place, table, 1, "Moons", ("Moon", "Diameter"), cells)
    assert lines_of(row) == ("Saturn | Moons | Moon : Titan ; Diameter : 5149 km",)
