"""Chroma in this process: vectors on disk, one collection an index, searched exactly within the question's pages.

The only file that imports chromadb (0.8 s, with LlamaIndex): import this module on first use only.
Chroma's own search is approximate: among 30,000 vectors it missed 2 of the best 20 of 30 pages, and which ones depends
on what else is stored. So the vectors of the asked pages are read, kept, and compared here (decision record 005).
"""

import asyncio
import hashlib
import re
import shutil
import struct
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import chromadb
import numpy as np
from chromadb.api import ClientAPI
from chromadb.api.shared_system_client import SharedSystemClient
from chromadb.config import Settings
from chromadb.errors import InternalError
from llama_index.core.schema import BaseNode
from llama_index.core.vector_stores import FilterOperator, MetadataFilter, MetadataFilters
from llama_index.core.vector_stores.types import VectorStoreQuery, VectorStoreQueryResult
from llama_index.vector_stores.chroma import ChromaVectorStore
from numpy.typing import NDArray
from pydantic import PrivateAttr

from heliograph.errors import StoreDamaged, StoreError, StoreFull
from heliograph.types import PageKey
from indexers.nodes import PAGE, evidence_of

PREFIX = "heliograph"
DISK_FULL = re.compile(r"code: 13\b|disk is full|no space left|os error 28", re.IGNORECASE)
SCANT_BYTES = 16 * 2**20
"""With less free space than this a failure is put down to the disk: Chroma does not always say so."""
HEADER_BYTES, HEADER_VERSION, VECTOR_SIZE_AT = 100, b"\1\0\0\0", 28
"""Of the header of Chroma's vector files: its length, its version, and where it says how long an entry is."""
FLUSHED = "index_metadata.pickle"
"""Beside vectors that were flushed at least once; until then Chroma's log has them all."""
SCORE_DIGITS = 6
"""Digits of a similarity; the rest is noise of float32."""
ID_BATCH = 500
"""Ids in one request; SQLite takes no more than some thousands of parameters."""


class ChromaFolder:
    """The collections of one folder and one embedding model.

    Raises:
        StoreDamaged | StoreFull: the folder cannot be used.
    """

    def __init__(self, folder: Path, model: str, dimensions: int) -> None:
        self._folder = folder
        self._suffix = _suffix(model, dimensions)
        with translated(folder):
            folder.mkdir(parents=True, exist_ok=True)
            _mend(folder)
            self._client = _client(folder)

    def open(self, index: str) -> "PageVectorStore":
        """Open the collection of an index, making it if need be."""
        name = f"{PREFIX}.{index}.{self._suffix}"
        with translated(self._folder):
            collection = self._client.get_or_create_collection(
                name, configuration={"hnsw": {"space": "cosine"}}, embedding_function=None
            )
            collection.get(limit=1, include=["embeddings"])
        return PageVectorStore(collection, self._folder, self._client.get_max_batch_size())

    def drop_other_models(self) -> tuple[str, ...]:
        """Delete the collections of other embedding models and return their names."""
        with translated(self._folder):
            names = sorted(collection.name for collection in self._client.list_collections())
            stale = [name for name in names if name.startswith(f"{PREFIX}.") and name.split(".")[2] != self._suffix]
            for name in stale:
                self._client.delete_collection(name)
        return tuple(stale)

    def generations(self) -> frozenset[str]:
        """Name every collection there is, as PageVectorStore does."""
        with translated(self._folder):
            return frozenset(map(_generation, self._client.list_collections()))

    def close(self) -> None:
        """Close the files of the folder."""
        self._client.close()  # type: ignore[attr-defined]  # the class that is made has it, its interface lacks it


class PageVectorStore(ChromaVectorStore):
    """LlamaIndex's Chroma store, searched within pages: exact, and the same whatever else is stored."""

    _folder: Path = PrivateAttr()
    _batch: int = PrivateAttr()
    _pages: dict[str, "PageVectors"] = PrivateAttr(default_factory=dict)

    def __init__(self, collection: chromadb.Collection, folder: Path, batch: int) -> None:
        super().__init__(chroma_collection=collection)
        self._folder = folder
        self._batch = batch

    @property
    def generation(self) -> str:
        """Name this collection; one that is made anew has another name."""
        return _generation(self._collection)

    def add(self, nodes: Sequence[BaseNode], **kwargs: Any) -> list[str]:
        """Add nodes, no more at a time than Chroma takes."""
        with translated(self._folder):
            for start in range(0, len(nodes), self._batch):
                super().add(list(nodes[start : start + self._batch]), **kwargs)
        self._forget({str(node.metadata[PAGE]) for node in nodes})
        return [node.node_id for node in nodes]

    async def async_add(self, nodes: Sequence[BaseNode], **kwargs: Any) -> list[str]:
        """Add nodes while the event loop goes on."""
        return await asyncio.to_thread(self.add, nodes, **kwargs)

    def delete(self, ref_doc_id: str, **_: Any) -> None:
        """Delete the nodes of a page, whatever its state."""
        with translated(self._folder):
            super().delete(ref_doc_id)
        self._pages.clear()

    async def adelete(self, ref_doc_id: str, **kwargs: Any) -> None:
        """Delete the nodes of a page while the event loop goes on."""
        await asyncio.to_thread(self.delete, ref_doc_id, **kwargs)

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
        return await asyncio.to_thread(self.query, query, **kwargs)

    def nodes_of(self, pages: Sequence[PageKey]) -> list[BaseNode]:
        """Return all nodes of the pages, in the order of their ids."""
        with translated(self._folder):
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

    def _page(self, page: str) -> "PageVectors":
        if page not in self._pages:
            with translated(self._folder):
                found = self._collection.get(where={PAGE: page}, include=["embeddings"])
            self._pages[page] = PageVectors(found["ids"], np.asarray(found["embeddings"], dtype=np.float32))
        return self._pages[page]

    def _nodes(self, names: Sequence[str]) -> list[BaseNode]:
        with translated(self._folder):
            parts = (names[start : start + ID_BATCH] for start in range(0, len(names), ID_BATCH))
            return [node for part in parts for node in self.get_nodes(list(part))]

    def _forget(self, pages: set[str]) -> None:
        for page in pages:
            self._pages.pop(page, None)


class PageVectors:
    """The vectors of one page, as they came from disk."""

    __slots__ = ("_names", "_vectors")

    def __init__(self, names: Sequence[str], vectors: NDArray[np.float32]) -> None:
        self._names = names
        self._vectors = vectors

    @property
    def names(self) -> frozenset[str]:
        """Name the nodes."""
        return frozenset(self._names)

    def scores(self, asked: NDArray[np.float64]) -> list[tuple[str, float]]:
        """Return the cosine of every node; each row is summed by itself, so no row changes another's."""
        if not self._names:
            return []
        cosines = (self._vectors * asked).sum(axis=1)
        return [(name, round(float(cosine), SCORE_DIGITS)) for name, cosine in zip(self._names, cosines, strict=True)]


def _client(folder: Path) -> ClientAPI:
    """Open a folder; one that cannot be opened is forgotten, else Chroma would hand its remains to the next caller."""
    try:
        return chromadb.PersistentClient(str(folder), Settings(anonymized_telemetry=False))
    except InternalError:
        SharedSystemClient._identifier_to_system.pop(str(folder), None)
        raise


def _mend(folder: Path) -> None:
    """Remove vector files that a killed process had begun and not flushed; Chroma makes them anew from its log.

    Flushed ones that were cut are refused: Chroma reads past their end, and the process dies without a word.
    """
    for vectors in sorted(folder.glob("*/")):
        if _is_whole(vectors):
            continue
        if (vectors / FLUSHED).exists():
            raise StoreDamaged(_damage(folder, f"{vectors.name} is cut"))
        shutil.rmtree(vectors)


def _is_whole(vectors: Path) -> bool:
    """Tell whether the vectors of a collection have the length that their header says."""
    header, entries, lengths = (vectors / name for name in ("header.bin", "data_level0.bin", "length.bin"))
    if not (header.exists() and entries.exists() and lengths.exists()):
        return False
    content = header.read_bytes()
    if len(content) < HEADER_BYTES:
        return False
    if content[:4] != HEADER_VERSION:
        return True
    (size,) = struct.unpack_from("<I", content, VECTOR_SIZE_AT)
    return bool(entries.stat().st_size == lengths.stat().st_size // 4 * size)


def _suffix(model: str, dimensions: int) -> str:
    """Name a model in letters that Chroma takes; the digest keeps apart names that those letters would make one."""
    readable = re.sub(r"[^A-Za-z0-9]+", "-", model).strip("-")[:80]
    return f"{readable}-{dimensions}-{hashlib.sha256(model.encode()).hexdigest()[:8]}"


def _generation(collection: chromadb.Collection) -> str:
    return f"{collection.name}.{collection.id}"


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


@contextmanager
def translated(folder: Path) -> Iterator[None]:
    """Turn Chroma's errors into typed ones that name the folder."""
    try:
        yield
    except InternalError as err:
        raise _in_our_words(folder, err) from err
    except OSError as err:
        raise StoreFull(f"cannot write {folder} ({err.strerror}); free some space or set HELIOGRAPH_HOME") from err


def _in_our_words(folder: Path, err: InternalError) -> StoreError:
    if DISK_FULL.search(str(err)) or shutil.disk_usage(folder).free < SCANT_BYTES:
        return StoreFull(f"no space is left for the indexes in {folder}; free some space or set HELIOGRAPH_HOME")
    return StoreDamaged(_damage(folder, str(err)))


def _damage(folder: Path, reason: str) -> str:
    return (
        f"the indexes in {folder} cannot be read ({reason}); run heliograph store purge --indexes, "
        "and they are built again from the pages"
    )
