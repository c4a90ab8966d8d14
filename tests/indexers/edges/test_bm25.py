"""Edges are ranked as an index of their joined texts would rank them."""

import bm25s
import numpy as np
from bm25s.tokenization import Tokenized
from hypothesis import given, settings
from hypothesis import strategies as st

from indexers.edges.bm25 import NO_PASSAGE, EdgeBM25, EdgeList, best
from indexers.edges.postings import Postings
from indexers.edges.words import stemming

WORDS = ("moon", "moons", "ring", "jupiter", "saturn", "the", "of", "1610", "x")
texts = st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join)


@st.composite
def graphs(draw: st.DrawFn) -> tuple[list[str], list[str], EdgeList]:
    segments = draw(st.lists(texts, min_size=1, max_size=5))
    passages = draw(st.lists(texts, max_size=5))
    pairs = st.tuples(st.integers(0, len(segments) - 1), st.integers(NO_PASSAGE, len(passages) - 1))
    edges = draw(st.lists(pairs, min_size=1, max_size=12, unique=True))
    return segments, passages, np.array(edges, np.int32)


def joined_index(segments: list[str], passages: list[str], edges: EdgeList, query: str) -> np.ndarray:
    words = stemming()
    documents = [[*words(segments[row]), *(words(passages[at]) if at >= 0 else ())] for row, at in edges]
    numbers = {word: number for number, word in enumerate(dict.fromkeys(word for text in documents for word in text))}
    index = bm25s.BM25(method="lucene", k1=1.2, b=0.75)
    ids = [[numbers[word] for word in text] for text in documents]
    index.index(Tokenized(ids=ids, vocab=numbers), show_progress=False, create_empty_token=False)
    asked = [numbers[word] for word in words(query) if word in numbers]
    return index.get_scores_from_ids(asked) if asked else np.zeros(len(edges))


@settings(deadline=None)
@given(graphs(), texts)
def test_composed_scores_are_those_of_an_index_of_joined_texts(
    graph: tuple[list[str], list[str], EdgeList], query: str
) -> None:
    segments, passages, edges = graph
    ours = EdgeBM25(Postings.build(segments), Postings.build(passages), edges).scores(query)
    words = stemming()
    if any([*words(segments[row]), *words(passages[at] if at >= 0 else "")] for row, at in edges):
        np.testing.assert_allclose(ours, joined_index(segments, passages, edges, query), rtol=1e-4, atol=1e-5)
    else:
        assert not ours.any()


def test_words_are_counted_by_stem_without_stop_words() -> None:
    postings = Postings.build(["The moons of Jupiter", "a moon, a moon", ""])
    assert list(postings.counted("moon")) == [1, 2, 0]
    assert list(postings.counted("the")) == [0, 0, 0]
    assert list(postings.lengths) == [2, 2, 0]


def test_a_graph_without_edges_has_no_scores() -> None:
    nothing = EdgeBM25(Postings.build([]), Postings.build([]), np.zeros((0, 2), np.int32))
    assert nothing.scores("moon").shape == (0,)


@given(st.lists(st.sampled_from([0.0, 0.5, 1.0, 2.0])), st.integers(0, 8))
def test_the_best_come_first_and_ties_keep_their_order(scores: list[float], k: int) -> None:
    ranked = sorted((at for at, score in enumerate(scores) if score > 0), key=lambda at: -scores[at])
    assert best(np.array(scores, np.float32), k).tolist() == ranked[:k]
