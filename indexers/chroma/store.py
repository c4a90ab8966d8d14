"""The vectors of one index: kept in a Chroma collection, compared in this process within the pages of a question.

Chroma's own search is approximate: among 30,000 vectors it missed 2 of the best 20 of 30 pages, and which ones depends
on what else is stored. So the vectors of the asked pages are read, kept, and compared here (decision record 005).
"""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any

import chromadb
import numpy as np
from llama_index.core.schema import BaseNode
from llama_index.core.vector_stores import FilterOperator, MetadataFilter, MetadataFilters
from llama_index.core.vector_stores.types import VectorStoreQuery, VectorStoreQueryResult
from llama_index.vector_stores.chroma import ChromaVectorStore
from numpy.typing import NDArray
from pydantic import PrivateAttr

from heliograph.types import PageKey
from indexers.chroma.page_vectors import MOST_BYTES, PageVectors, RecentPages
from indexers.nodes import PAGE, evidence_of
from indexers.until_done import until_done

ID_BATCH = 500
"""Ids in one request; SQLite takes no more than some thousands of parameters."""


class PageVectorStore(ChromaVectorStore):
    """LlamaIndex's Chroma store, searched within pages: exact, and the same whatever else is stored."""

    _translated: Callable[[], AbstractContextManager[None]] = PrivateAttr()
    _writing: Callable[[], AbstractContextManager[None]] = PrivateAttr()
    _batch: int = PrivateAttr()
    _pages: RecentPages = PrivateAttr()

    def __init__(
        self,
        collection: chromadb.Collection,
        translated: Callable[[], AbstractContextManager[None]],
        writing: Callable[[], AbstractContextManager[None]],
        batch: int,
        most_bytes: int = MOST_BYTES,
    ) -> None:
        super().__init__(chroma_collection=collection)
        self._translated = translated
        self._writing = writing
        self._batch = batch
        self._pages = RecentPages(most_bytes)

    @property
    def generation(self) -> str:
        """Name this collection; one that is made anew has another name."""
        return f"{self._collection.name}.{self._collection.id}"

    @property
    def kept_bytes(self) -> int:
        """How much of the vectors of pages is kept in memory."""
        return self._pages.size

    @property
    def holds_some(self) -> bool:
        """Whether there are any nodes."""
        with self._translated():
            return self._collection.count() > 0

    def add(self, nodes: Sequence[BaseNode], **kwargs: Any) -> list[str]:
        """Add nodes, no more at a time than Chroma takes."""
        with self._writing():
            for start in range(0, len(nodes), self._batch):
                super().add(list(nodes[start : start + self._batch]), **kwargs)
        self._pages.forget({str(node.metadata[PAGE]) for node in nodes})
        return [node.node_id for node in nodes]

    async def async_add(self, nodes: Sequence[BaseNode], **kwargs: Any) -> list[str]:
        """Add nodes while the event loop goes on."""
        return await until_done(self.add, nodes, **kwargs)

    def delete(self, ref_doc_id: str, **_: Any) -> None:
        """Delete the nodes of a page, whatever its state."""
        with self._writing():
            super().delete(ref_doc_id)
        self._pages.clear()

    async def adelete(self, ref_doc_id: str, **kwargs: Any) -> None:
        """Delete the nodes of a page while the event loop goes on."""
        await until_done(self.delete, ref_doc_id, **kwargs)

    def query(self, query: VectorStoreQuery, **_: Any) -> VectorStoreQueryResult:
        """Return the nearest nodes of the pages in the filter, one a piece of evidence, best first.

        Ties go to the smaller id. Similarity is the cosine.
        """
        asked = np.asarray(query.query_embedding, dtype=np.float64)
        best = self._ranked(asked, _pages_in(query.filters))[: query.similarity_top_k]
        nodes = {node.node_id: node for node in self._nodes([name for name, _ in best])}
        return VectorStoreQueryResult(
            nodes=[nodes[name] for name, _ in best],
            similarities=[score for _, score in best],
            ids=[name for name, _ in best],
        )

    async def aquery(self, query: VectorStoreQuery, **kwargs: Any) -> VectorStoreQueryResult:
        """Search while the event loop goes on."""
        return await until_done(self.query, query, **kwargs)

    def nodes_of(self, pages: Sequence[PageKey]) -> list[BaseNode]:
        """Return all nodes of the pages, in the order of their ids."""
        with self._translated():
            found = self._get(limit=None, where={PAGE: {"$in": list(pages)}}).nodes if pages else None
        return sorted(found or (), key=lambda node: node.node_id)

    def names_on(self, page: PageKey) -> frozenset[str]:
        """Name the nodes of a page."""
        return self._page(page).names

    def cosines(self, asked: NDArray[np.float64], pages: Sequence[PageKey]) -> dict[str, float]:
        """Return the cosine of every node of the pages with a vector."""
        return {name: cosine for page in pages for name, cosine in self._page(page).scores(asked)}

    def _ranked(self, asked: NDArray[np.float64], pages: Sequence[str]) -> list[tuple[str, float]]:
        scored = [pair for page in pages for pair in self._page(page).scores(asked)]
        scored.sort(key=lambda pair: (-pair[1], pair[0]))
        best = {evidence_of(name): (name, score) for name, score in reversed(scored)}
        return sorted(best.values(), key=lambda pair: (-pair[1], pair[0]))

    def _page(self, page: str) -> PageVectors:
        vectors = self._pages.get(page)
        if vectors is None:
            with self._translated():
                found = self._collection.get(where={PAGE: page}, include=["embeddings"])
            vectors = PageVectors(found["ids"], np.asarray(found["embeddings"], dtype=np.float32))
            self._pages.keep(page, vectors)
        return vectors

    def _nodes(self, names: Sequence[str]) -> list[BaseNode]:
        with self._translated():
            parts = (names[start : start + ID_BATCH] for start in range(0, len(names), ID_BATCH))
            return [node for part in parts for node in self.get_nodes(list(part))]


def within(pages: Sequence[PageKey]) -> MetadataFilters:
    """Restrict a retriever to pages."""
    return MetadataFilters(
        filters=[MetadataFilter(key=PAGE, operator=FilterOperator.IN, value=[str(page) for page in pages])]
    )


def _pages_in(filters: MetadataFilters | None) -> tuple[str, ...]:
    wanted = filters.filters[0] if filters and filters.filters else None
    if not isinstance(wanted, MetadataFilter) or not isinstance(wanted.value, list):
        raise TypeError("a search is always within pages: pass filters=within(pages)")
    return tuple(dict.fromkeys(map(str, wanted.value)))
