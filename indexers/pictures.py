"""The pictures themselves, by an image model: their vectors in Chroma, beside the index of what is written on them."""

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from heliograph.errors import PageUnavailable, SearchUnavailable
from heliograph.protocols import PictureSource
from heliograph.types import Document, EvidenceId, ImageEvidence, PageKey, Picture, Scored
from indexers.depiction import NEUTRAL, probability, sought
from indexers.models.cache import CachedImageEmbedder
from indexers.parser import page_name, page_of

if TYPE_CHECKING:
    from llama_index.core.schema import ImageNode

    from indexers.chroma import ChromaFolder, PageVectorStore

PICTURES_A_PAGE = 20
"""Pictures of one page that are looked at, in document order."""
COLLECTION = "pictures"
PROBABILITY_DIGITS = 6


class PictureIndex:
    """Look at the pictures of pages once, and find and judge them by what they show.

    Vectors are kept by image and model; a picture is embedded once by its bytes, wherever it stands. Nothing is opened
    before the first call. `notes` say which pictures were not looked at, and why.

    Args:
        home: the vectors stand in `home/indexes/pictures`; whoever calls holds the lock of `home`.
        sources: where pictures come from, each those of its wiki; a picture that cannot be had is noted, and asked for
            again by the next process.

    Raises:
        StoreDamaged | StoreFull: the folder cannot be used.
        ModelMissing: at the first picture or question.
    """

    def __init__(
        self,
        home: Path,
        embedder: CachedImageEmbedder,
        sources: Sequence[PictureSource],
        *,
        pictures_a_page: int = PICTURES_A_PAGE,
    ) -> None:
        self._folder = home / "indexes" / "pictures"
        self._embedder = embedder
        self._sources = sources
        self._most = pictures_a_page
        self._turn = asyncio.Lock()
        self._chroma: ChromaFolder | None = None
        self._opened: PageVectorStore | None = None
        self._failed: set[EvidenceId] = set()
        self._notes: dict[str, None] = {}

    @property
    def notes(self) -> tuple[str, ...]:
        """What was not looked at, each said once."""
        return tuple(self._notes)

    async def add(self, document: Document) -> int:
        """Look at the pictures of a page that are new, and return how many the model had to embed."""
        images = [leaf for leaf in document.leaves if isinstance(leaf, ImageEvidence)]
        if len(images) > self._most:
            self._note(f"{document.title}: {self._most} of {len(images)} pictures are looked at")
        async with self._turn:
            store = await self._store() if images else None
            known = await asyncio.to_thread(store.names_on, document.key) if store else frozenset()
            new = [image for image in images[: self._most] if image.id not in known | self._failed]
            if store is None or not new:
                return 0
            nodes, computed = await self._nodes(document, new)
            if not known:
                await asyncio.to_thread(_forget_other_states, store, document.key)
            await store.async_add(nodes)
        return computed

    async def retrieve(self, query: str, k: int, within: Sequence[PageKey]) -> tuple[Scored[EvidenceId], ...]:
        """Return the k pictures of the pages that are nearest to the query, by cosine, ties to the smaller id."""
        async with self._turn:
            store = await self._store()
            if not await asyncio.to_thread(_any_on, store, within):
                return ()
            (asked,) = await self._embedder.embed_texts([sought(query)])
            cosines = await asyncio.to_thread(store.cosines, asked.astype(np.float64), within)
        return _best_first(cosines)[:k]

    async def shown(self, question: str, images: Sequence[EvidenceId]) -> tuple[Scored[EvidenceId], ...]:
        """Return how probable it is that each picture shows what the question asks for; see `PictureScores`."""
        if not images:
            return ()
        pages = tuple(dict.fromkeys(map(page_of, images)))
        async with self._turn:
            store = await self._store()
            if not await asyncio.to_thread(_any_on, store, pages):
                return ()
            texts = await self._embedder.embed_texts([sought(question), *NEUTRAL])
            scale = await asyncio.to_thread(lambda: self._embedder.logit_scale)
            described = await asyncio.to_thread(store.cosines, texts[0].astype(np.float64), pages)
            neutral = await asyncio.to_thread(store.cosines, _mean(texts[1:]), pages)
        known = [image for image in dict.fromkeys(images) if image in described]
        return _best_first({name: _probability(described[name], neutral[name], scale) for name in known})

    def close(self) -> None:
        """Close the files."""
        if self._chroma is not None:
            self._chroma.close()
            self._chroma = self._opened = None

    async def _nodes(self, document: Document, images: Sequence[ImageEvidence]) -> tuple[list["ImageNode"], int]:
        """Fetch pictures side by side, as far as their source allows, and embed them in order."""
        from indexers.nodes import picture_node

        fetched = await asyncio.gather(*map(self._picture, images), return_exceptions=True)
        nodes, computed, reasons = [], 0, []
        for image, picture in zip(images, fetched, strict=True):
            try:
                if isinstance(picture, BaseException):
                    raise picture
                embedded = await self._embedder.embed_images_counted([picture.data])
            except SearchUnavailable as err:
                self._failed.add(image.id)
                reasons.append(str(err))
                continue
            computed += embedded.computed
            nodes.append(picture_node(image, embedded.vectors[0]))
        if reasons:
            self._note(f"{document.title}: {len(reasons)} pictures could not be looked at ({reasons[0]})")
        return nodes, computed

    async def _picture(self, image: ImageEvidence) -> Picture:
        wiki = page_name(image.place.page).wiki
        for source in self._sources:
            if source.wiki == wiki:
                return await source.picture(image)
        raise PageUnavailable(f"no source has the pictures of {wiki}")

    async def _store(self) -> "PageVectorStore":
        if self._opened is None:
            self._opened = await asyncio.to_thread(self._open)
        return self._opened

    def _open(self) -> "PageVectorStore":
        from indexers.chroma import ChromaFolder

        self._chroma = ChromaFolder(self._folder, self._embedder.name, self._embedder.dimensions)
        if self._chroma.drop_other_models():
            self._note("the pictures were known by another image model and are looked at anew")
        return self._chroma.open(COLLECTION)

    def _note(self, text: str) -> None:
        self._notes[text] = None


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
