"""BM25 over the pieces of the question's pages: the sparse text retriever (OMG-QA, appendix A.1).

Imports LlamaIndex (1 s): import this module on first use only.
"""

from collections.abc import Sequence

import Stemmer
from llama_index.core.schema import BaseNode
from llama_index.retrievers.bm25 import BM25Retriever

from heliograph.types import EvidenceId, Scored
from indexers.nodes import evidence_of

SCORE_DIGITS = 6


class SparseIndex:
    """Pieces by their words, for any number of queries."""

    def __init__(self, nodes: Sequence[BaseNode]) -> None:
        said = any(character.isalnum() for node in nodes for character in node.get_content())
        self._retriever = _retriever(nodes) if said else None

    def search(self, query: str, k: int) -> tuple[Scored[EvidenceId], ...]:
        """Return the best pieces that share a word with the query, ties to the smaller id.

        A BM25 score s becomes s / (1 + s), which keeps the order and lies in [0, 1).
        """
        best: dict[EvidenceId, float] = {}
        for found in self._retriever.retrieve(query) if self._retriever else ():
            score = float(found.score or 0.0)
            if score > 0:
                piece = evidence_of(found.node.node_id)
                best[piece] = max(best.get(piece, 0.0), round(score / (1 + score), SCORE_DIGITS))
        ranked = sorted(best.items(), key=lambda pair: (-pair[1], pair[0]))
        return tuple(Scored(piece, score) for piece, score in ranked[:k])


def _retriever(nodes: Sequence[BaseNode]) -> BM25Retriever:
    stemmer = Stemmer.Stemmer("english")
    return BM25Retriever(nodes=list(nodes), similarity_top_k=len(nodes), stemmer=stemmer, language="en")
