"""LlamaIndex's ingestion of one index: pages that are new or changed are embedded, all others cost a look-up.

Imports LlamaIndex (1 s): import this module on first use only.
UPSERTS replaces the nodes of a changed page and leaves the pages of earlier questions alone (UPSERTS_AND_DELETE would
delete every page that the present question did not read). A page is marked before its nodes are written, so that a
run that was killed in between is cleaned up by the next.
"""

import asyncio
from collections.abc import Sequence
from typing import Any

from llama_index.core import VectorStoreIndex
from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.ingestion import DocstoreStrategy, IngestionPipeline
from llama_index.core.schema import Document as PageNode
from llama_index.core.storage.docstore.keyval_docstore import KVDocumentStore
from pydantic import PrivateAttr

from heliograph.types import Evidence, EvidenceId, Indexed, PageKey, Scored, VectorUse
from indexers.chroma import PageVectorStore, within
from indexers.docstore import SqliteEntries
from indexers.models.cache import CachedEmbedder
from indexers.nodes import PAGE, EvidenceNodes, evidence_of, page_node, texts_of
from indexers.sparse import SparseIndex
from indexers.until_done import until_done

UNFINISHED = "unfinished"
"""Stands for the hash of a page whose nodes are being written."""
MOST_TEXTS = 2048
"""Texts in one call of the embedder; LlamaIndex allows no more."""


class CountingEmbedding(BaseEmbedding):
    """Our embedder as LlamaIndex knows one; it counts what was asked, and what the cache did not hold."""

    _embedder: CachedEmbedder = PrivateAttr()
    _asked: int = PrivateAttr(default=0)
    _computed: int = PrivateAttr(default=0)

    def __init__(self, embedder: CachedEmbedder) -> None:
        super().__init__(model_name=embedder.name, embed_batch_size=MOST_TEXTS)
        self._embedder = embedder

    @property
    def asked(self) -> int:
        """How many texts this object was asked for, those that the cache held among them."""
        return self._asked

    @property
    def computed(self) -> int:
        """How many texts the model embedded for this object."""
        return self._computed

    async def _aget_text_embeddings(self, texts: list[str]) -> list[list[float]]:
        embedded = await self._embedder.embed_counted(texts)
        self._asked += len(texts)
        self._computed += embedded.computed
        return [row.tolist() for row in embedded.vectors]

    async def _aget_query_embedding(self, query: str) -> list[float]:
        return (await self._aget_text_embeddings([query]))[0]

    def _get_query_embedding(self, query: str) -> list[float]:
        return asyncio.run(self._aget_query_embedding(query))

    def _get_text_embedding(self, text: str) -> list[float]:
        return asyncio.run(self._aget_query_embedding(text))


Pages = Sequence[tuple[PageKey, tuple[Evidence, ...]]]


def _read(
    pages: Pages,
) -> tuple[dict[PageKey, Sequence[tuple[EvidenceId, str]]], dict[str, tuple[PageNode, Sequence[Evidence]]]]:
    """Return the texts of pages, and what stands for each page, by its node's id."""
    texts: dict[PageKey, Sequence[tuple[EvidenceId, str]]] = {page: texts_of(pieces) for page, pieces in pages}
    nodes = [(page_node(page, texts[page]), pieces) for page, pieces in pages]
    return texts, {node.node_id: (node, pieces) for node, pieces in nodes}


class Ingestion:
    """One index: a Chroma collection, and the document store that knows which pages it holds."""

    def __init__(self, vectors: PageVectorStore, entries: SqliteEntries, embedder: CachedEmbedder) -> None:
        self._vectors = vectors
        self._docstore = KVDocumentStore(entries, namespace=vectors.generation)
        self._embedder = embedder
        self._sparse: tuple[tuple[PageKey, ...], SparseIndex] = ((), SparseIndex(()))

    async def add(self, pages: Pages) -> Indexed:
        """Index pages and tell what that took; the last state of a page counts."""
        texts, nodes = await asyncio.to_thread(_read, pages)
        needed = sum(len(texts[page.metadata[PAGE]]) for page, _ in nodes.values())
        hashes = {name: self._docstore.get_document_hash(name) for name in nodes}
        changed = {name: pair for name, pair in nodes.items() if hashes[name] != pair[0].hash}
        if not changed:
            return Indexed(0, vectors=VectorUse(needed, 0))
        self._sparse = ((), SparseIndex(()))
        for name in changed:
            self._docstore.set_document_hash(name, UNFINISHED)
        embedding = CountingEmbedding(self._embedder)
        pipeline = IngestionPipeline(
            transformations=[EvidenceNodes({name: pieces for name, (_, pieces) in changed.items()}), embedding],
            vector_store=self._vectors,
            docstore=self._docstore,
            docstore_strategy=DocstoreStrategy.UPSERTS,
            disable_cache=True,
        )
        await pipeline.arun(documents=[node for node, _ in changed.values()])
        return Indexed(embedding.computed, vectors=VectorUse(needed, embedding.asked))

    async def dense(self, query: str, k: int, pages: Sequence[PageKey]) -> tuple[Scored[EvidenceId], ...]:
        """Return the k nearest pieces of the pages by cosine."""
        embedding = CountingEmbedding(self._embedder)
        # Without transformations LlamaIndex makes its default one, and loads a tokenizer that nothing here uses.
        index: Any = VectorStoreIndex.from_vector_store(
            self._vectors, embed_model=embedding, transformations=[embedding]
        )
        retriever = index.as_retriever(similarity_top_k=k, filters=within(pages))
        found = await retriever.aretrieve(query)
        return tuple(Scored(evidence_of(hit.node.node_id), float(hit.score)) for hit in found)

    async def sparse(self, query: str, k: int, pages: Sequence[PageKey]) -> tuple[Scored[EvidenceId], ...]:
        """Return the k best pieces of the pages by BM25; the index of the pages asked last serves their next query."""
        if self._sparse[0] != tuple(pages):
            nodes = await until_done(self._vectors.nodes_of, pages)
            self._sparse = (tuple(pages), await asyncio.to_thread(SparseIndex, nodes))
        return await asyncio.to_thread(self._sparse[1].search, query, k)
