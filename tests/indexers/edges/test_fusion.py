"""The fused reranker weighs what an edge, its star and its table say."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from heliograph.errors import ModelMissing
from indexers.edges.bm25 import NO_PASSAGE, EdgeBM25
from indexers.edges.fusion import (
    FEATURES,
    JUDGED,
    UNLINKED,
    EdgeFeatures,
    FusedEdgeScorer,
    FusionWeights,
    in_company,
    read_weights,
    siblings,
    together,
)
from indexers.edges.graph import BipartiteGraph, Side
from indexers.edges.postings import Postings
from tests.indexers.edges.worlds import EDGES, moons, tokens_in, words_of_moons

groups = st.integers(1, 8).flatmap(lambda size: arrays(np.int32, size, elements=st.integers(0, 3)))
numbers = st.floats(-1, 1, width=32)


@given(groups, st.data())
def test_a_group_says_together_what_any_member_says(of: np.ndarray, data: st.DataObject) -> None:
    maxima = data.draw(arrays(np.float32, (len(of), 2), elements=numbers))
    for row, group in zip(together(maxima, of), of, strict=True):
        np.testing.assert_array_equal(row, maxima[of == group].max(axis=0))


@given(groups, st.data())
def test_a_sibling_is_the_best_other_member_or_oneself(of: np.ndarray, data: st.DataObject) -> None:
    scores = data.draw(arrays(np.float32, len(of), elements=numbers))
    found = siblings(scores, of)
    for place, group in enumerate(of):
        others = [scores[other] for other in range(len(of)) if of[other] == group and other != place]
        assert found[place] == max(others, default=scores[place])


async def test_features_by_hand(tmp_path: Path) -> None:
    features = EdgeFeatures(moons(), words_of_moons(), tokens_in(tmp_path))
    found = await features.of("titan astronomer", EDGES)
    value = {name: found[:, place] for place, name in enumerate(FEATURES)}
    assert found.shape == (5, len(FEATURES))
    # "titan" stands in row 2 and passage 2, "astronomer" in passage 3: together the star of row 2 says all.
    assert value["star"][2] == value["star"][3] == pytest.approx(2.0, abs=0.02)
    assert value["table"][4] == value["star"][2]
    assert value["sibling"][2] == value["edge"][3] == pytest.approx(2.0, abs=0.02)
    assert value["sibling"][0] == value["edge"][0]
    assert value["row_degree"].tolist() == pytest.approx(np.log1p([1, 1, 2, 2, 0]))
    assert value["passage_degree"].tolist() == pytest.approx(np.log1p([1, 1, 1, 1, 0]))
    assert value["passage"][4] == 0
    assert value["first"][3] == 0
    assert value["bm25"].tolist() == words_of_moons().scores("titan astronomer").tolist()


async def test_a_graph_without_passages_has_features_too(tmp_path: Path) -> None:
    alone = np.array([[0, NO_PASSAGE], [2, NO_PASSAGE]], np.int32)
    graph = BipartiteGraph(moons().segments, Side((), ()), alone)
    bm25 = EdgeBM25(Postings.build(graph.segments.lines), Postings.build(()), alone)
    found = await EdgeFeatures(graph, bm25, tokens_in(tmp_path)).of("titan", alone)
    assert np.isfinite(found).all()
    assert found[:, FEATURES.index("passage_degree")].tolist() == [0, 0]


async def test_pairs_are_scored_in_the_order_given(tmp_path: Path) -> None:
    graph = moons()
    weights = FusionWeights("words", (0.0,) * len(JUDGED), (1.0,) * len(JUDGED), (1.0, *(0.0,) * (len(JUDGED) - 1)))
    scorer = FusedEdgeScorer(graph, words_of_moons(), tokens_in(tmp_path), weights)
    edges = [graph.edge(pair) for pair in ([2, 3], [0, 3], [3, -1])]
    scores = await scorer.score("titan astronomer", edges)
    assert scores[0] > scores[2] > scores[1]
    assert await scorer.score("titan", []) == ()


def test_weights_are_read_as_written(tmp_path: Path) -> None:
    size = len(JUDGED)
    weights = FusionWeights("m", tuple(range(size)), (2.0,) * size, (0.5,) * size)
    weights.write(tmp_path / "fusion.json")
    assert read_weights(tmp_path / "fusion.json") == weights
    np.testing.assert_allclose(
        weights.scores(np.full((1, size), 4.0, np.float32)), [0.5 * sum((4 - at) / 2 for at in range(size))]
    )


@pytest.mark.parametrize("content", ["", "{}", "[]", '{"schema": "heliograph.fusion/1"}', "\u00e9"])
def test_a_file_that_holds_no_weights_is_named(tmp_path: Path, content: str) -> None:
    path = tmp_path / "fusion.json"
    with pytest.raises(ModelMissing, match=r"no weights of a fused reranker in .*fusion\.json"):
        read_weights(path)
    path.write_text(content, encoding="utf-8")
    with pytest.raises(ModelMissing, match="heliograph train fusion"):
        read_weights(path)


def test_weights_of_other_features_are_refused(tmp_path: Path) -> None:
    FusionWeights("m", (0.0,), (1.0,), (1.0,)).write(tmp_path / "fusion.json")
    with pytest.raises(ModelMissing, match="is of another release"):
        read_weights(tmp_path / "fusion.json")


def test_in_company_says_how_each_stands_among_the_others() -> None:
    features = np.zeros((3, len(FEATURES)), np.float32)
    features[:, FEATURES.index("edge")] = (1, 3, 2)
    found = {name: in_company(features)[:, place] for place, name in enumerate(JUDGED)}
    assert found["edge"].tolist() == [1, 3, 2]
    assert found["edge, relative"].tolist() == pytest.approx([-(1.5**0.5), 1.5**0.5, 0])
    assert found["edge, place"].tolist() == pytest.approx(np.log1p([2, 0, 1]))
    assert found["bm25, relative"].tolist() == [0, 0, 0]


async def test_a_pair_that_nothing_links_is_behind_one_that_says_as_much(tmp_path: Path) -> None:
    graph = moons()
    zeros, ones = (0.0,) * len(JUDGED), (1.0,) * len(JUDGED)
    scorer = FusedEdgeScorer(graph, words_of_moons(), tokens_in(tmp_path), FusionWeights("words", zeros, ones, zeros))
    pairs = [[2, 3], [0, 3], [3, -1], [2, -1]]
    scores = await scorer.score("titan astronomer", [graph.edge(pair) for pair in pairs])
    assert scores == (0.0, -UNLINKED, 0.0, -UNLINKED)
