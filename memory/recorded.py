"""Effects around the seams: what these adapters let through is recorded, and comes from the record in replay."""

import asyncio
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from heliograph.errors import PageUnavailable
from heliograph.protocols import (
    AnswerReader,
    DocumentSearch,
    Embedder,
    EvidenceIndex,
    PageSource,
    PageStore,
    PictureSource,
    QuestionParser,
    Recorder,
    Vectors,
)
from heliograph.types import (
    Document,
    Evidence,
    EvidenceHop,
    EvidenceId,
    Hit,
    ImageEvidence,
    Indexed,
    Modality,
    Page,
    PageKey,
    Picture,
    Query,
    ReadAnswer,
    Scored,
    SearchResult,
    Slots,
    TableQuestion,
)
from indexers.parser import page_name


@dataclass(frozen=True, slots=True)
class PageRead:
    """A page, and where it came from."""

    page: Page
    origin: Literal["source", "store"]


Counted = Callable[[], None]
"""Hears of each thing that was asked of a live source."""


def uncounted() -> None:
    """Count nothing."""


NOBODY: Mapping[str, Counted] = {}


class RecordedSearch:
    """A search engine whose every answer is recorded; `counted` hears of each search."""

    def __init__(self, search: DocumentSearch, recorder: Recorder, counted: Counted = uncounted) -> None:
        self.name = search.name
        self.most_queries = search.most_queries
        self.takes_questions = search.takes_questions
        self._search = search
        self._recorder = recorder
        self._counted = counted

    async def search(self, query: Query, limit: int) -> SearchResult:
        """Search, or give back what was found."""
        given = {"source": self.name, "query": query.text, "limit": limit}
        self._counted()
        return await self._recorder.effect(
            "RETRIEVER", "search", given, SearchResult, lambda: self._search.search(query, limit)
        )


class RecordedPages:
    """Pages by way of the page store; within a run no title is asked of a source twice.

    A hit names its wiki; one without a name belongs to the first source. A replay needs no source and asks no store.
    `counted` has for each live wiki what hears of the pages that came from it and not from the store.
    """

    def __init__(
        self,
        sources: Sequence[PageSource],
        store: PageStore,
        recorder: Recorder,
        counted: Mapping[str, Counted] | None = None,
    ) -> None:
        self._sources: Mapping[str, PageSource] = {source.wiki: source for source in sources}
        self._store = store
        self._recorder = recorder
        self._turns: defaultdict[tuple[str, str], asyncio.Lock] = defaultdict(asyncio.Lock)
        self._pages: dict[tuple[str, str], Page] = {}
        self._counted = counted or {}
        self._fetched = 0

    @property
    def fetched(self) -> int:
        """How many pages came from a source and not from the store."""
        return self._fetched

    async def read(self, hit: Hit) -> Page:
        """Read the page of a hit, or give back what was read.

        Raises:
            PageUnavailable: missing, empty, a redirect loop, or of a wiki that is no source of this run.
        """
        given = {"wiki": hit.wiki, "title": hit.title}
        read = await self._recorder.effect("TOOL", "read_page", given, PageRead, lambda: self._read(hit))
        if read.origin == "source":
            self._fetched += 1
            self._counted.get(read.page.wiki, uncounted)()
        return read.page

    async def kept(self, key: PageKey) -> Page:
        """Return a page from the store by its key, or give back what it returned.

        Raises:
            UnknownName: the store has it no more.
        """
        return await self._recorder.effect("TOOL", "kept_page", {"page": key}, Page, lambda: self._kept(key))

    async def _kept(self, key: PageKey) -> Page:
        return await asyncio.to_thread(self._store.get, key)

    async def _read(self, hit: Hit) -> PageRead:
        wiki, title = hit.wiki or next(iter(self._sources), ""), hit.title
        source = self._sources.get(wiki)
        if source is None:
            raise PageUnavailable(f"no source of this run has {title!r} of the wiki {wiki!r}; add it by --source")
        async with self._turns[wiki, title]:
            known = self._pages.get((wiki, title)) or self._store.find(wiki, source.edition, title)
            page = known or await source.fetch(title)
            if known is None:
                self._store.put(page, source.edition, title)
            self._pages[wiki, title] = self._pages[wiki, page.title] = page
        return PageRead(page, "store" if known else "source")


class RecordedPictures:
    """Pictures of every source, each asked for once in a run; the record has them as they were encoded anew.

    `counted` hears, by wiki, of each picture that was asked for.
    """

    def __init__(
        self, sources: Sequence[PictureSource], recorder: Recorder, counted: Mapping[str, Counted] = NOBODY
    ) -> None:
        self._sources: Mapping[str, PictureSource] = {source.wiki: source for source in sources}
        self._recorder = recorder
        self._counted = counted
        self._turns: defaultdict[EvidenceId, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._pictures: dict[EvidenceId, Picture] = {}

    async def picture(self, image: ImageEvidence) -> Picture:
        """Return the picture of a piece of evidence, or give back what was returned.

        Raises:
            PageUnavailable: it is missing, too large, no picture, or of a wiki that is no source of this run.
        """
        async with self._turns[image.id]:
            if image.id not in self._pictures:
                given = {"image": image.id, "source": image.source}
                self._counted.get(page_name(image.place.page).wiki, uncounted)()
                self._pictures[image.id] = await self._recorder.effect(
                    "TOOL", "read_picture", given, Picture, lambda: self._read(image)
                )
        return self._pictures[image.id]

    async def _read(self, image: ImageEvidence) -> Picture:
        source = self._sources.get(page_name(image.place.page).wiki)
        if source is None:
            raise PageUnavailable(f"no source of this run has the pictures of {image.place.page}")
        return await source.picture(image)


class RecordedEmbedder:
    """An embedder whose every vector is recorded."""

    def __init__(self, embedder: Embedder, recorder: Recorder) -> None:
        self.name = embedder.name
        self._embedder = embedder
        self._recorder = recorder

    @property
    def dimensions(self) -> int:
        """Length of a vector; some models have to be loaded to tell, which a replay never does."""
        return self._embedder.dimensions

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """Embed, or give back the vectors."""
        given = {"model": self.name, "texts": tuple(texts)}
        return await self._recorder.effect("EMBEDDING", "embed", given, Vectors, lambda: self._embedder.embed(texts))


class RecordedIndex:
    """An index whose every result is recorded, approximate ones too.

    What it embeds and the pictures that it fetches are part of its own effects; `counted` hears, by wiki, of each
    picture that was asked for. Pages that the record has as indexed are made sure of before the first search that is
    done: since then the indexes may have been purged, or be kept elsewhere.
    """

    def __init__(self, index: EvidenceIndex, recorder: Recorder, counted: Mapping[str, Counted] = NOBODY) -> None:
        self._index = index
        self._recorder = recorder
        self._counted = counted
        self._unsure: list[Document] = []

    async def add(self, documents: Sequence[Document]) -> Indexed:
        """Index what is new, or give back what that took."""
        given = {"documents": tuple(document.key for document in documents)}
        self._unsure += documents
        indexed = await self._recorder.effect("CHAIN", "index", given, Indexed, lambda: self._added(documents))
        for _ in range(indexed.fetched):
            self._counted.get(documents[0].wiki, uncounted)()
        return indexed

    async def retrieve(
        self, query: str, modality: Modality, k: int, within: Sequence[PageKey]
    ) -> tuple[Scored[EvidenceId], ...]:
        """Retrieve, or give back what was retrieved."""
        given = {"query": query, "modality": modality, "k": k, "within": tuple(within)}
        found = tuple[Scored[EvidenceId], ...]
        return await self._recorder.effect(
            "RETRIEVER", "retrieve", given, found, lambda: self._retrieved(query, modality, k, within)
        )

    async def _added(self, documents: Sequence[Document]) -> Indexed:
        self._unsure = [document for document in self._unsure if document not in documents]
        return await self._index.add(documents)

    async def _retrieved(
        self, query: str, modality: Modality, k: int, within: Sequence[PageKey]
    ) -> tuple[Scored[EvidenceId], ...]:
        unsure, self._unsure = self._unsure, []
        if unsure:
            await self._index.add(unsure)
        return await self._index.retrieve(query, modality, k, within)


class RecordedParser:
    """A parser of questions over tables whose every parse is recorded."""

    def __init__(self, parser: QuestionParser, recorder: Recorder) -> None:
        self._parser = parser
        self._recorder = recorder

    async def parse(self, given: Sequence[TableQuestion]) -> tuple[Slots, ...]:
        """Parse, or give back what was parsed."""
        return await self._recorder.effect(
            "RERANKER", "parse", {"given": tuple(given)}, tuple[Slots, ...], lambda: self._parser.parse(given)
        )


class RecordedReader:
    """A reader whose every reading is recorded."""

    def __init__(self, reader: AnswerReader, recorder: Recorder) -> None:
        self._reader = reader
        self._recorder = recorder

    async def read(
        self, question: str, evidence: Sequence[Scored[Evidence]], hops: Sequence[Scored[EvidenceHop]] = ()
    ) -> tuple[ReadAnswer, ...]:
        """Read, or give back what was read."""
        given = {"question": question, "pieces": tuple(Scored(piece.item.id, piece.score) for piece in evidence)}
        if hops:
            given["hops"] = tuple(Scored(_said_of(hop.item), hop.score) for hop in hops)
        found = tuple[ReadAnswer, ...]
        return await self._recorder.effect(
            "RERANKER", "read", given, found, lambda: self._reader.read(question, evidence, hops)
        )


def _said_of(hop: EvidenceHop) -> dict[str, object]:
    return {
        "start": hop.start.id,
        "start_quotes": hop.start_quotes,
        "end": hop.end.id,
        "end_quotes": hop.end_quotes,
    }
