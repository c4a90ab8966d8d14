"""The late-interaction baseline of STaRK (section 4.1, ColBERTv2) over the first entities of another system.

STaRK searches all documents through ColBERT's own index. Here the documents that a first system finds are encoded when
they are found, so that a base of millions needs no index of its tokens; the ranking is of these alone.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from heliograph.protocols import TokenEncoder, Vectors
from heliograph.protocols.knowledge import EntityRetriever
from heliograph.types import Scored
from indexers.edges.maxsim import maxima, similarity
from indexers.skb.knowledge_base import BuiltKnowledgeBase
from tools.skb.entity_documents import bare_documents
from tools.skb.reranking import reranked

COMPARED = 100
"""Entities of the first system that are compared, as many as STaRK's ColBERTv2 returns."""
MOST_KEPT = 5_000
"""Documents whose token vectors stay in memory: 50 KB each, or some 250 MB."""
MOST_CHARACTERS = 4_000
"""Of a document that are tokenized; models see 256 tokens."""

HalfVectors = NDArray[np.float16]


class LateInteractionRetriever:
    """Rank the first COMPARED entities of another system by the sum of maximal token similarities (ColBERT's MaxSim).

    An entity is its name and document without relations, as STaRK gives ColBERT, cut to the window of the model.
    """

    def __init__(self, base: BuiltKnowledgeBase, first: EntityRetriever, encoder: TokenEncoder) -> None:
        self._base, self._first, self._encoder = base, first, encoder
        self._kept = OrderedDict[int, HalfVectors]()
        self._turn = asyncio.Lock()

    async def retrieve(self, query: str, k: int, type: str = "") -> tuple[Scored[int], ...]:
        """Return the k best entities; what is past the first COMPARED follows as the other system ranks it.

        Raises:
            UnknownName: the base has no such type.
            ModelMissing: there is no such model.
        """
        found = await self._first.retrieve(query, max(k, COMPARED), type)
        if k < 1 or not found:
            return ()
        (asked,) = await self._encoder.encode_queries([query])
        documents = await self._documents([each.item for each in found[:COMPARED]])
        scores = await asyncio.to_thread(_compared, asked, documents)
        return reranked(found, scores.tolist(), k)

    async def _documents(self, numbers: Sequence[int]) -> list[HalfVectors]:
        """Return the token vectors of entities; those found last stay in memory."""
        async with self._turn:
            if missing := [each for each in numbers if each not in self._kept]:
                texts = [each[:MOST_CHARACTERS] for each in await bare_documents(self._base, missing)]
                vectors = await self._encoder.encode_documents(texts)
                self._kept.update((each, row.astype(np.float16)) for each, row in zip(missing, vectors, strict=True))
            for each in numbers:
                self._kept.move_to_end(each)
            found = [self._kept[each] for each in numbers]
            while len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
        return found


def _compared(query: Vectors, documents: Sequence[HalfVectors]) -> NDArray[np.float32]:
    """Return MaxSim of a query and documents, each shape (tokens, dimensions); that of an empty one is the least."""
    starts = np.cumsum([0, *map(len, documents[:-1])], dtype=np.int64)
    return similarity(maxima(query, np.concatenate(documents).astype(np.float32), starts))
