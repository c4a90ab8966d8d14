"""The pictures themselves, by an image model: their vectors in Chroma, beside the index of what is written on them."""

import asyncio
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from heliograph.errors import PageUnavailable, SearchUnavailable, StoreUnreachable
from heliograph.protocols import PictureSource
from heliograph.types import Document, EvidenceId, ImageEvidence, Indexed, PageKey, Picture, Scored, VectorUse
from indexers.depiction import NEUTRAL, probability, sought
from indexers.models.cache import CachedImageEmbedder
from indexers.parser import page_name, page_of
from indexers.until_done import until_done
from indexers.vector_server import VectorServer

if TYPE_CHECKING:
    from llama_index.core.schema import ImageNode

    from indexers.chroma import ChromaCollections, PageVectorStore

PICTURES_A_PAGE = 20
"""Pictures of one page that are looked at, in document order."""
COLLECTION = "pictures"
PROBABILITY_DIGITS = 6


class PictureIndex:
    """Look at the pictures of pages once, and find and judge them by what they show.

    Vectors are kept by image and model; a picture is embedded once by its bytes, wherever it stands. Nothing is opened
    before the first call.

    Args:
        home: the vectors stand in `home/indexes/pictures`; whoever calls holds the lock of `home`.
        sources: where pictures come from, each those of its wiki; a picture that cannot be had is noted whenever its
            page is added, and asked for again by the next process.
        server: the Chroma server that keeps the vectors; without one they stand in the home folder.

    Raises:
        StoreDamaged | StoreFull: the folder cannot be used.
        StoreUnreachable: the server cannot.
        ModelMissing: at the first picture or question.
    """

    def __init__(
        self,
        home: Path,
        embedder: CachedImageEmbedder,
        sources: Sequence[PictureSource],
        *,
        pictures_a_page: int = PICTURES_A_PAGE,
        server: VectorServer | None = None,
    ) -> None:
        self._home = home
        self._server = server
        self._embedder = embedder
        self._sources = sources
        self._most = pictures_a_page
        self._turn = asyncio.Lock()
        self._chroma: ChromaCollections | None = None
        self._opened: PageVectorStore | None = None
        self._failed: dict[EvidenceId, str] = {}
        self._rebuilt = False

    async def add(self, document: Document) -> Indexed:
        """Look at the pictures of a page that are new; the notes say which of all its pictures were not looked at."""
        images = [leaf for leaf in document.leaves if isinstance(leaf, ImageEvidence)]
        looked_at = images[: self._most]
        asked = computed = 0
        async with self._taken():
            store = await self._store() if images else None
            known = await until_done(store.names_on, document.key) if store else frozenset()
            stood = sum(image.id in known for image in looked_at)
            new = [image for image in looked_at if image.id not in known and image.id not in self._failed]
            if store is not None and new:
                nodes, computed = await self._nodes(new)
                asked = len(nodes)
                if not known:
                    await until_done(_forget_other_states, store, document.key)
                await store.async_add(nodes)
            notes = tuple(self._notes_on(document, images, looked_at))
            return Indexed(computed, len(new), notes, VectorUse(stood + asked, asked))

    def _notes_on(
        self, document: Document, images: Sequence[ImageEvidence], looked_at: Sequence[ImageEvidence]
    ) -> Iterator[str]:
        if self._rebuilt:
            self._rebuilt = False
            yield "the pictures were known by another image model and are looked at anew"
        if len(images) > len(looked_at):
            yield f"{document.title}: {len(looked_at)} of {len(images)} pictures are looked at"
        reasons = [self._failed[image.id] for image in looked_at if image.id in self._failed]
        if reasons:
            yield f"{document.title}: {len(reasons)} pictures could not be looked at ({reasons[0]})"

    async def retrieve(self, query: str, k: int, within: Sequence[PageKey]) -> tuple[Scored[EvidenceId], ...]:
        """Return the k pictures of the pages that are nearest to the query, by cosine, ties to the smaller id."""
        async with self._taken():
            store = await self._store()
            if not await until_done(_any_on, store, within):
                return ()
            (asked,) = await self._embedder.embed_texts([sought(query)])
            cosines = await until_done(store.cosines, asked.astype(np.float64), within)
        return _best_first(cosines)[:k]

    async def shown(self, question: str, images: Sequence[EvidenceId]) -> tuple[Scored[EvidenceId], ...]:
        """Return how probable it is that each picture shows what the question asks for; see `PictureScores`."""
        if not images:
            return ()
        pages = tuple(dict.fromkeys(map(page_of, images)))
        async with self._taken():
            store = await self._store()
            if not await until_done(_any_on, store, pages):
                return ()
            texts = await self._embedder.embed_texts([sought(question), *NEUTRAL])
            scale = await asyncio.to_thread(lambda: self._embedder.logit_scale)
            described = await until_done(store.cosines, texts[0].astype(np.float64), pages)
            neutral = await until_done(store.cosines, _mean(texts[1:]), pages)
        known = [image for image in dict.fromkeys(images) if image in described]
        return _best_first({name: _probability(described[name], neutral[name], scale) for name in known})

    def close(self) -> None:
        """Close the files."""
        if self._chroma is not None:
            self._chroma.close()
            self._chroma = self._opened = None

    async def _nodes(self, images: Sequence[ImageEvidence]) -> tuple[list["ImageNode"], int]:
        """Fetch pictures side by side, as far as their source allows, and embed them in order."""
        from indexers.nodes import picture_node

        fetched = await asyncio.gather(*map(self._picture, images), return_exceptions=True)
        nodes, computed = [], 0
        for image, picture in zip(images, fetched, strict=True):
            try:
                if isinstance(picture, BaseException):
                    raise picture
                embedded = await self._embedder.embed_images_counted([picture.data])
            except SearchUnavailable as err:
                self._failed[image.id] = str(err)
                continue
            computed += embedded.computed
            nodes.append(picture_node(image, embedded.vectors[0]))
        return nodes, computed

    async def _picture(self, image: ImageEvidence) -> Picture:
        wiki = page_name(image.place.page).wiki
        for source in self._sources:
            if source.wiki == wiki:
                return await source.picture(image)
        raise PageUnavailable(f"no source has the pictures of {wiki}")

    @asynccontextmanager
    async def _taken(self) -> AsyncIterator[None]:
        """Take a turn; after a failure of the server everything is opened anew by the next."""
        async with self._turn:
            try:
                yield
            except StoreUnreachable:
                self.close()
                raise

    async def _store(self) -> "PageVectorStore":
        if self._opened is None:
            return await until_done(self._open)
        return self._opened

    def _open(self) -> "PageVectorStore":
        from indexers.chroma import open_collections

        self._chroma = open_collections(
            self._home, "pictures", self._embedder.name, self._embedder.dimensions, self._server
        )
        self._rebuilt = bool(self._chroma.drop_other_models())
        self._opened = self._chroma.open(COLLECTION)
        return self._opened


def _any_on(store: "PageVectorStore", pages: Sequence[PageKey]) -> bool:
    return any(store.names_on(page) for page in pages)


def _forget_other_states(store: "PageVectorStore", page: PageKey) -> None:
    from indexers.nodes import source_of

    store.delete(source_of(page))


def _probability(described: float, neutral: float, logit_scale: float) -> float:
    return round(probability(described, neutral, logit_scale), PROBABILITY_DIGITS)


def _mean(vectors: NDArray[np.float32]) -> NDArray[np.float64]:
    mean = vectors.astype(np.float64).mean(axis=0)
    unit: NDArray[np.float64] = mean / max(float(np.sqrt((mean * mean).sum())), 1e-12)
    return unit


def _best_first(scores: Mapping[str, float]) -> tuple[Scored[EvidenceId], ...]:
    ordered = sorted(scores.items(), key=lambda pair: (-pair[1], pair[0]))
    return tuple(Scored(EvidenceId(name), score) for name, score in ordered)
