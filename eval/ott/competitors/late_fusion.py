"""Late fusion: the best rows for the question, then passages for the question expanded by each row.

The pairs are evidence chains (HELIOS, section 2), scored as equation 5 scores edges: p(row | q) p(passage | row, q),
each a softmax over what its hop found. No link of the corpus is looked at.
"""

import time
from collections.abc import Sequence
from typing import Protocol

import numpy as np

from eval.ott.corpus import NO_PASSAGE, OttCorpus
from eval.ott.nodes import segment_line
from eval.ott.ranking import CUT, Unit, UnitKind
from eval.ott.retriever import Retrieval
from heliograph.types import Scored
from indexers.edges.bm25 import EdgeBM25, best
from indexers.edges.postings import Postings
from tools.expansion import expanded_query, softmax

ROWS, PASSAGES = 50, 10
"""Rows of the first hop, and passages that the second finds for each of them."""


class Hop(Protocol):
    """A search over the nodes of one side, by their numbers."""

    async def search(self, query: str, k: int) -> tuple[Scored[int], ...]: ...


class BM25Hop:
    """A hop by BM25."""

    def __init__(self, postings: Postings) -> None:
        nodes = np.arange(len(postings), dtype=np.int32)
        alone = np.stack([nodes, np.full_like(nodes, NO_PASSAGE)], axis=1)
        self._bm25 = EdgeBM25(postings, Postings.build(()), alone)

    async def search(self, query: str, k: int) -> tuple[Scored[int], ...]:
        """Return the k best nodes, best first."""
        scores = self._bm25.scores(query)
        return tuple(Scored(int(node), float(scores[node])) for node in best(scores, k))


class LateFusionRetriever:
    """Rank evidence chains."""

    kind: UnitKind = "edge"

    def __init__(self, corpus: OttCorpus, rows: Hop, passages: Hop, digest: str) -> None:
        self.digest = digest
        self._corpus, self._rows, self._passages = corpus, rows, passages

    async def retrieve(self, question: str) -> Retrieval:
        """Return the CUT most probable chains."""
        began = time.perf_counter()
        rows = await self._rows.search(question, ROWS)
        first = time.perf_counter()
        chains = [
            chain
            for row, chance in zip(rows, _chances(rows), strict=True)
            for chain in await self._chains(question, row.item, chance)
        ]
        chains.sort(key=lambda chain: -chain.score)
        ranking = tuple(chain.item for chain in chains[:CUT])
        return Retrieval(ranking, {"rows": first - began, "passages": time.perf_counter() - first})

    async def _chains(self, question: str, row: int, chance: float) -> list[Scored[Unit]]:
        found = await self._passages.search(expanded_query(question, segment_line(self._corpus, row)), PASSAGES)
        chances = _chances(found)
        return [Scored(Unit.edge(row, each.item), chance * own) for each, own in zip(found, chances, strict=True)]


def _chances(found: Sequence[Scored[int]]) -> tuple[float, ...]:
    return softmax([each.score for each in found])
