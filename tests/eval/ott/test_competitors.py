"""BM25 over each kind of unit, dense retrieval of nodes, and late fusion."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.ott.competitors.bm25 import BM25Retriever, bm25_units, node_unit
from eval.ott.competitors.dense import DenseRetriever, embed_nodes
from eval.ott.competitors.late_fusion import BM25Hop, LateFusionRetriever
from eval.ott.corpus import NO_PASSAGE, OttCorpus, edges_between, passages_of
from eval.ott.postings import OttPostings
from eval.ott.ranking import Unit
from heliograph.types import Scored
from indexers.edges.bm25 import EdgeBM25
from indexers.edges.postings import Postings
from tests.eval.ott.words import WordEmbedder
from tools.expansion import softmax

WORDS = ("holm", "light", "tower", "lit", "1889", "ferry")
TEXTS = st.lists(st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join), min_size=1, max_size=5)
PAIRS = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=8)


def alone(texts: Sequence[str], query: str) -> np.ndarray:
    """Score texts that are indexed as they are."""
    places = np.arange(len(texts), dtype=np.int32)
    edges = np.stack([places, np.full_like(places, NO_PASSAGE)], axis=1)
    return EdgeBM25(Postings.build(texts), Postings.build(()), edges).scores(query)


@given(rows=TEXTS, passages=TEXTS, pairs=PAIRS, query=st.sampled_from(WORDS))
def test_units_that_are_composed_score_as_if_their_texts_were_indexed(
    corpus: OttCorpus, rows: list[str], passages: list[str], pairs: list[tuple[int, int]], query: str
) -> None:
    linked = [(row, passage) for row, passage in pairs if row < len(rows) and passage < len(passages)]
    edges = edges_between(len(rows), np.array(linked, np.int32).reshape(-1, 2))
    postings = OttPostings(Postings.build(rows), Postings.build(passages))
    stars = [" ".join([text, *(passages[at] for at in passages_of(edges, row))]) for row, text in enumerate(rows)]
    for kind, texts in (("star", stars), ("node", [*rows, *passages])):
        found = bm25_units(kind, corpus, postings, edges).index.scores(query)
        assert np.allclose(found, alone(texts, query), atol=1e-6)


async def test_each_kind_of_unit_is_ranked_by_its_words(corpus: OttCorpus) -> None:
    postings = OttPostings.of(corpus, lambda _: None)
    first = {}
    for kind in ("edge", "node", "star"):
        retriever = BM25Retriever(bm25_units(kind, corpus, postings, corpus.edges), "digest")
        found = await retriever.retrieve("Which tower was by Ada Brandt in 1871?")
        assert (retriever.kind, retriever.digest, set(found.seconds)) == (kind, "digest", {"retrieve"})
        first[kind] = found.ranking[0]
    assert first == {"edge": Unit(1, (2,)), "node": Unit(None, (2,)), "star": Unit(1, (2, 0))}


async def test_dense_retrieval_ranks_rows_and_passages_by_their_vectors(corpus: OttCorpus) -> None:
    said: list[str] = []
    found = await embed_nodes(corpus, WordEmbedder(), said.append)
    retriever = DenseRetriever(WordEmbedder(), found, corpus.rows, "digest")
    ranking = (await retriever.retrieve("Skerry Head A tower by Ada Brandt .")).ranking
    assert ranking[0] == Unit(None, (2,))
    assert set(ranking) == {node_unit(corpus.rows, place) for place in range(8)}
    assert said[0].startswith("embedding 8 nodes, ")


async def test_late_fusion_joins_rows_with_passages_that_no_link_names(corpus: OttCorpus) -> None:
    postings = OttPostings.of(corpus, lambda _: None)
    retriever = LateFusionRetriever(corpus, BM25Hop(postings.rows), BM25Hop(postings.passages), "digest")
    found = await retriever.retrieve("Whose tower is Skerry Head?")
    assert found.ranking[0] == Unit(1, (2,))
    assert set(found.seconds) == {"rows", "passages"}
    assert all(unit.row is not None and len(unit.passages) == 1 for unit in found.ranking)
    assert len(set(found.ranking)) == len(found.ranking)


class Fixed:
    """A hop that finds the same nodes for every query."""

    def __init__(self, *scores: float) -> None:
        self.scores = scores

    async def search(self, query: str, k: int) -> tuple[Scored[int], ...]:
        return tuple(Scored(node, score) for node, score in enumerate(self.scores))


async def test_a_chain_is_as_probable_as_both_its_hops_together(corpus: OttCorpus) -> None:
    rows, passages = (2.0, 1.0), (1.0, 0.2)
    found = await LateFusionRetriever(corpus, Fixed(*rows), Fixed(*passages), "digest").retrieve("?")
    chances = {
        Unit(row, (passage,)): own * other
        for row, own in enumerate(softmax(rows))
        for passage, other in enumerate(softmax(passages))
    }
    assert found.ranking == tuple(sorted(chances, key=lambda unit: -chances[unit]))


@pytest.mark.parametrize("query", ["", "zzz", "the of"])
async def test_words_that_nobody_says_find_nothing(corpus: OttCorpus, query: str) -> None:
    postings = OttPostings.of(corpus, lambda _: None)
    hops = BM25Hop(postings.rows), BM25Hop(postings.passages)
    retrievers = [
        LateFusionRetriever(corpus, *hops, ""),
        *(BM25Retriever(bm25_units(kind, corpus, postings, corpus.edges), "") for kind in ("edge", "node", "star")),
    ]
    assert [(await retriever.retrieve(query)).ranking for retriever in retrievers] == [()] * 4
