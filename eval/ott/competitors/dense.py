"""Dense retrieval of single nodes: one vector a row, a passage and a question, compared by cosine."""

import time

import numpy as np

from eval.ott.competitors.bm25 import node_unit
from eval.ott.corpus import OttCorpus
from eval.ott.ranking import CUT, UnitKind
from eval.ott.retriever import Retrieval
from eval.ott.sides import Made
from heliograph.protocols import Embedder, Vectors
from indexers.edges.bm25 import best
from indexers.pace import Pace, Say

AT_ONCE = 256
"""Nodes embedded between two progress lines, and between two commits of an embedder that keeps its vectors."""


class DenseRetriever:
    """Rank rows and passages by the cosine of their vectors with the question's."""

    kind: UnitKind = "node"

    def __init__(self, embedder: Embedder, vectors: Vectors, rows: int, digest: str) -> None:
        """`vectors` are those of all rows and then of all passages."""
        self.digest = digest
        self._embedder, self._vectors, self._rows = embedder, vectors, rows

    async def retrieve(self, question: str) -> Retrieval:
        """Return the CUT most similar nodes."""
        began = time.perf_counter()
        (asked,) = await self._embedder.embed([question])
        places = best(1 + self._vectors @ asked, CUT).tolist()
        ranking = tuple(node_unit(self._rows, place) for place in places)
        return Retrieval(ranking, {"retrieve": time.perf_counter() - began})


async def embed_nodes(corpus: OttCorpus, embedder: Embedder, say: Say) -> Vectors:
    """Embed all rows and passages, as texts that the baselines search; say the cost first."""
    rows, passages = corpus.rows, len(corpus.passages.ids)
    total = rows + passages
    say(f"embedding {total:,} nodes, {4 * embedder.dimensions * total / 1e9:.2g} GB; what is done is kept")
    texts = Made(lambda at: corpus.row_text(at) if at < rows else corpus.passage_text(at - rows), total)
    vectors, pace = np.zeros((total, embedder.dimensions), np.float32), Pace("nodes embedded", total, say)
    for start in range(0, total, AT_ONCE):
        part = texts[start : start + AT_ONCE]
        vectors[start : start + len(part)] = await embedder.embed(part)
        pace.done(start + len(part))
    return vectors
