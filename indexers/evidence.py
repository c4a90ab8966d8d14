"""The evidence indexes of a home folder: the EvidenceIndex of heliograph.protocols, on LlamaIndex and Chroma."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from collections.abc import Set as AbstractSet
from contextlib import ExitStack, asynccontextmanager
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from heliograph.errors import StoreUnreachable
from heliograph.types import Document, EvidenceId, Indexed, Modality, PageKey, Scored, total_use
from indexers.lock import WriterLock
from indexers.models.cache import CachedEmbedder
from indexers.pictures import PictureIndex
from indexers.pieces import INDEX_OF, ROWS_A_TABLE, Strategy, in_index, index_for, indexes_of, pieces_of
from indexers.until_done import until_done
from indexers.vector_server import VectorServer, checked

if TYPE_CHECKING:
    from indexers.chroma import ChromaCollections, PageVectorStore
    from indexers.ingestion import Ingestion

TextRetriever = Literal["dense", "sparse", "hybrid"]
SHARING = 5
"""Pieces that BM25 adds to the nearest ones in `hybrid`: a rare word, of which vectors know nothing, names a row."""
WITH_PICTURES: frozenset[Strategy] = frozenset({"textual-visual", "modality-specific"})
"""Strategies that give images an index of their own (OMG-QA, section 3)."""


class EvidenceIndexes:
    """Index documents once and search within those of a question; nothing is opened before the first call.

    With `hybrid` the k nearest pieces come first, then others that share the rarest words with the query.

    Images are found by their caption, alternative text and surroundings, and by what they show where there are
    `pictures` and images have an index of their own.

    Args:
        home: the indexes stand in `home/indexes`, the lock in `home`.
        strategy: how modalities share indexes (OMG-QA, section 3).
        text_retriever: how the index that holds the text is searched.
        pictures: the index of the pictures themselves; it is closed with this one.
        server: the Chroma server that keeps the vectors; without one they stand in the home folder.

    Raises:
        StoreLocked: at the first call, another process writes to the home folder.
        StoreDamaged | StoreFull: the folder cannot be used.
        StoreUnreachable: at any call, the server cannot be used; the next call tries anew.
        ModelMissing: at the first text to embed.
    """

    def __init__(
        self,
        home: Path,
        embedder: CachedEmbedder,
        *,
        strategy: Strategy = "modality-specific",
        text_retriever: TextRetriever = "dense",
        rows_a_table: int = ROWS_A_TABLE,
        lock: WriterLock | None = None,
        pictures: PictureIndex | None = None,
        server: VectorServer | None = None,
    ) -> None:
        self._home = home
        self._embedder = embedder
        self._server = server
        self._strategy: Strategy = strategy
        self._text_retriever = text_retriever
        self._rows_a_table = rows_a_table
        self._lock = lock or WriterLock(home)
        self._turn = asyncio.Lock()
        self._opened: OpenIndexes | None = None
        self._rebuilt: tuple[str, ...] = ()
        self._pictures = pictures if strategy in WITH_PICTURES else None

    async def add(self, documents: Sequence[Document]) -> Indexed:
        """Index what is new or changed; that an index was rebuilt is told once."""
        found = [pieces_of(document, self._rows_a_table) for document in documents]
        added: list[Indexed] = []
        async with self._indexes() as indexes:
            for name, index in indexes.items():
                pages = [(one.page, in_index(self._strategy, name, one.pieces)) for one in found]
                added.append(await index.add(pages))
        seen = [await self._pictures.add(document) for document in documents] if self._pictures else []
        rebuilt, self._rebuilt = self._rebuilt, ()
        left_out = (*(pieces.notes for pieces in found), *(one.notes for one in seen))
        notes = dict.fromkeys(chain(rebuilt, *left_out))
        every = (*added, *seen)
        return Indexed(
            sum(one.embedded for one in every),
            sum(one.fetched for one in every),
            tuple(notes),
            total_use(one.vectors for one in every if one.vectors),
        )

    async def retrieve(
        self, query: str, modality: Modality, k: int, within: Sequence[PageKey]
    ) -> tuple[Scored[EvidenceId], ...]:
        """Return the k best pieces of the pages, best first; what else is stored never changes the result.

        Where a strategy puts several modalities in one index, the first of them gets its answer and the others nothing.
        Of images, the k best by what is written about them come first, then those of the k best by what they show that
        are not among them; a score is the cosine in the space that found the piece.
        """
        name = index_for(self._strategy, modality)
        if name is None or not within or k < 1 or not query.strip():
            return ()
        async with self._indexes() as indexes:
            if self._text_retriever == "sparse" and name == INDEX_OF[self._strategy]["text"]:
                return await indexes[name].sparse(query, k, within)
            found = await indexes[name].dense(query, k, within)
            if self._text_retriever == "hybrid" and modality != "image":
                near = {scored.item for scored in found}
                shared = await indexes[name].sparse(query, SHARING, within)
                found = (*found, *(scored for scored in shared if scored.item not in near))
        if modality != "image" or self._pictures is None:
            return found
        named = {scored.item for scored in found}
        seen = await self._pictures.retrieve(query, k, within)
        return (*found, *(scored for scored in seen if scored.item not in named))

    def reserve(self) -> None:
        """Take the home folder now, so that a second process hears of it before it does any work.

        Raises:
            StoreLocked | StoreFull: somebody else has it, or it cannot be written to.
            StoreUnreachable: the server that keeps the vectors cannot be used.
        """
        if self._server is not None:
            checked(self._server)
        self._lock.acquire()

    def close(self) -> None:
        """Close the files and release the lock."""
        self._shut()
        if self._pictures is not None:
            self._pictures.close()
        self._lock.release()

    def _shut(self) -> None:
        if self._opened is not None:
            self._opened.close()
            self._opened = None

    @asynccontextmanager
    async def _indexes(self) -> "AsyncIterator[dict[str, Ingestion]]":
        """Take a turn at the indexes, opening them if need be; after a failure of the server they are opened anew."""
        async with self._turn:
            try:
                yield (await self._open()).indexes
            except StoreUnreachable:
                self._shut()
                raise

    async def _open(self) -> "OpenIndexes":
        """Return the open files; those that a question opened which was then stopped serve the next."""
        if self._opened is None:
            self._lock.acquire()
            return await until_done(self._open_files)
        return self._opened

    def _open_files(self) -> "OpenIndexes":
        opened = OpenIndexes(self._home, self._embedder, indexes_of(self._strategy), self._server)
        self._opened, self._rebuilt = opened, opened.rebuilt
        return opened


class OpenIndexes:
    """The open files behind the indexes."""

    def __init__(self, home: Path, embedder: CachedEmbedder, names: Sequence[str], server: VectorServer | None) -> None:
        from indexers.chroma import open_collections
        from indexers.docstore import SqliteEntries
        from indexers.ingestion import Ingestion

        with ExitStack() as files:
            entries = SqliteEntries(home / "indexes" / "documents.sqlite")
            files.callback(entries.close)
            chroma = open_collections(home, "evidence", embedder.name, embedder.dimensions, server)
            files.callback(chroma.close)
            stale = chroma.drop_other_models()
            known = entries.namespaces()
            self.indexes = {name: Ingestion(_accounted(chroma, name, known), entries, embedder) for name in names}
            entries.forget_others(chroma.generations())
            self._files = files.pop_all()
        self.rebuilt = tuple(f"index {name} was of another embedding model and is built anew" for name in stale)

    def close(self) -> None:
        """Close all files."""
        self._files.close()


def _accounted(chroma: "ChromaCollections", name: str, known: AbstractSet[str]) -> "PageVectorStore":
    """Open a collection; one with nodes that no document store knows of is made anew, as nobody would update them."""
    store = chroma.open(name)
    if store.generation in known or not store.holds_some:
        return store
    chroma.drop(name)
    return chroma.open(name)
