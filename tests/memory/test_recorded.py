"""Adapters around the seams record what comes through, and need nothing behind them in a replay."""

import asyncio
import itertools
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

import numpy as np
import pytest

from heliograph.errors import PageUnavailable
from heliograph.protocols import Recorder, Vectors
from heliograph.types import (
    Document,
    EvidenceId,
    Hit,
    Indexed,
    Modality,
    Page,
    PageKey,
    Query,
    Scored,
    SearchResult,
)
from memory.recorded import RecordedEmbedder, RecordedIndex, RecordedPages, RecordedSearch
from memory.trace import ReplayRecorder, TraceRecorder, load_trace, ordered_bytes


class TickingClock:
    """A clock that is a quarter of a second later at each reading."""

    def __init__(self) -> None:
        self._readings = itertools.count()

    def now(self) -> float:
        return 1000.0 + next(self._readings) / 4


class Archive:
    """A source and a search engine of a few pages, one of them under two titles."""

    most_queries: int | None = None
    takes_questions = False

    name = "archive"
    edition = "2026-11"

    def __init__(self, wiki: str = "wiki") -> None:
        self.wiki = wiki
        self.asked: list[str] = []

    async def search(self, query: Query, limit: int) -> SearchResult:
        self.asked.append(f"?{query.text}/{limit}")
        return SearchResult(query, (Hit("Mars", 1, self.wiki),), 1)

    async def fetch(self, title: str) -> Page:
        self.asked.append(title)
        await asyncio.sleep(0.001)
        if title == "Nibiru":
            raise PageUnavailable('no page "Nibiru"')
        canonical = "Mars" if title == "Red planet" else title
        return Page(self.wiki, canonical, "7", "", f"<p>{canonical}</p>" * 500, "2026-11-21T00:00:00Z")


class Shelf:
    """A page store in memory."""

    def __init__(self) -> None:
        self.pages: dict[tuple[str, str, str], Page] = {}

    def find(self, wiki: str, edition: str, title: str) -> Page | None:
        return self.pages.get((wiki, edition, title))

    def put(self, page: Page, edition: str, asked: str) -> PageKey:
        self.pages[page.wiki, edition, page.title] = self.pages[page.wiki, edition, asked] = page
        return PageKey(f"{page.wiki}:{page.title}@{page.revision}")

    def get(self, key: PageKey) -> NoReturn:
        raise AssertionError("nobody asks for a key here")


class ShortMemory(Shelf):
    """A page store that keeps nothing, as one at its size limit may."""

    def put(self, page: Page, edition: str, asked: str) -> PageKey:
        return PageKey("gone")


class Letters:
    """An embedder that counts letters."""

    name = "letters"
    dimensions = 2

    async def embed(self, texts: Sequence[str]) -> Vectors:
        return np.array([[text.count("a"), len(text)] for text in texts], dtype=np.float32)


class EmbeddingIndex:
    """An index that embeds, through the same recorder, what it is given."""

    def __init__(self, embedder: RecordedEmbedder) -> None:
        self._embedder = embedder

    async def add(self, documents: Sequence[Document]) -> Indexed:
        embedded = await self._embedder.embed([document.title for document in documents])
        return Indexed(len(embedded), fetched=2, notes=("a row was left out",))

    async def retrieve(
        self, query: str, modality: Modality, k: int, within: Sequence[PageKey]
    ) -> tuple[Scored[EvidenceId], ...]:
        vector = (await self._embedder.embed([query]))[0]
        return tuple(Scored(EvidenceId(f"{key}#s0/p1"), float(vector[0])) for key in within[:k])


class Absent:
    """Stands where a replay must not look; only the names that settings give are known."""

    name = "archive"
    dimensions = 2
    most_queries = None
    takes_questions = False

    def __getattr__(self, name: str) -> NoReturn:
        raise AssertionError(f"a replay asked for {name}")


def live(folder: Path) -> TraceRecorder:
    return TraceRecorder(folder, "run-1", TickingClock())


async def test_a_search_is_recorded_with_source_query_and_limit(tmp_path: Path) -> None:
    archive, recorder = Archive(), live(tmp_path)
    search = RecordedSearch(archive, recorder)
    result = await search.search(Query("mars"), 5)
    assert search.name == "archive"
    assert result == SearchResult(Query("mars"), (Hit("Mars", 1, "wiki"),), 1)
    (event,) = load_trace(tmp_path)
    assert (event.kind, event.name, event.input) == (
        "RETRIEVER",
        "search",
        {"source": "archive", "query": "mars", "limit": 5},
    )
    assert await RecordedSearch(Absent(), ReplayRecorder(tmp_path)).search(Query("mars"), 5) == result


async def test_a_page_is_fetched_once_in_a_run_and_never_when_the_store_has_it(tmp_path: Path) -> None:
    archive, store, recorder = Archive(), Shelf(), live(tmp_path)
    pages = RecordedPages([archive], store, recorder)
    mars = await pages.read(Hit("Mars", 1, "wiki"))
    assert await pages.read(Hit("Mars", 3)) == mars
    assert await pages.read(Hit("Red planet", 2)) == mars
    assert await pages.read(Hit("Red planet", 1)) == mars
    assert archive.asked == ["Mars", "Red planet"]
    assert pages.fetched == 2
    later = RecordedPages([archive], store, live(tmp_path / "later"))
    assert await later.read(Hit("Red planet", 1)) == mars
    assert (archive.asked, later.fetched) == (["Mars", "Red planet"], 0)


async def test_tasks_that_want_the_same_page_at_once_share_one_fetch(tmp_path: Path) -> None:
    archive = Archive()
    pages = RecordedPages([archive], Shelf(), live(tmp_path))
    await asyncio.gather(*(pages.read(Hit(title, 1)) for title in ("Mars", "Mars", "Io", "Mars")))
    assert sorted(archive.asked) == ["Io", "Mars"]
    assert pages.fetched == 2


async def test_a_page_is_fetched_once_even_when_the_store_has_no_room(tmp_path: Path) -> None:
    archive = Archive()
    pages = RecordedPages([archive], ShortMemory(), live(tmp_path))
    assert await pages.read(Hit("Red planet", 1)) == await pages.read(Hit("Mars", 1))
    assert archive.asked == ["Red planet"]


async def test_a_hit_is_read_from_its_own_wiki_and_one_without_a_source_is_unavailable(tmp_path: Path) -> None:
    first, second = Archive("first"), Archive("second")
    pages = RecordedPages([first, second], Shelf(), live(tmp_path))
    assert (await pages.read(Hit("Mars", 1, "second"))).wiki == "second"
    assert (await pages.read(Hit("Mars", 1))).wiki == "first"
    with pytest.raises(PageUnavailable, match="no source of this run has 'Mars' of the wiki 'third'"):
        await pages.read(Hit("Mars", 1, "third"))
    assert (first.asked, second.asked) == (["Mars"], ["Mars"])


async def read_all(pages: RecordedPages) -> tuple[object, ...]:
    read: list[object] = []
    for title in ("Mars", "Nibiru", "Red planet", "Mars"):
        try:
            read.append(await pages.read(Hit(title, 1, "wiki")))
        except PageUnavailable as err:
            read.append(str(err))
    return (*read, pages.fetched)


async def test_a_replay_reads_the_same_pages_without_a_store_or_a_source(tmp_path: Path) -> None:
    recorder = live(tmp_path)
    read = await read_all(RecordedPages([Archive()], Shelf(), recorder))
    replay = ReplayRecorder(tmp_path)
    assert await read_all(RecordedPages([], Absent(), replay)) == read
    assert read[1] == 'no page "Nibiru"'
    assert ordered_bytes(replay.events) == ordered_bytes(load_trace(tmp_path))


async def index_and_retrieve(recorder: Recorder, index: RecordedIndex) -> tuple[object, ...]:
    document = Document(PageKey("wiki:Mars@7"), "wiki", "Mars", "7", "", (), ())
    async with recorder.span("CHAIN", "round", 1):
        return (
            await index.add([document]),
            await index.retrieve("red planet", "text", 3, [document.key]),
        )


async def test_a_replay_of_an_index_embeds_nothing_and_makes_the_same_trace(tmp_path: Path) -> None:
    recorder = live(tmp_path)
    index = RecordedIndex(EmbeddingIndex(RecordedEmbedder(Letters(), recorder)), recorder)
    expected = Indexed(1, fetched=2, notes=("a row was left out",)), (Scored("wiki:Mars@7#s0/p1", 1.0),)
    assert await index_and_retrieve(recorder, index) == expected
    replay, counted = ReplayRecorder(tmp_path), Counter[str]()
    again = RecordedIndex(Absent(), replay, {"wiki": lambda: counted.update(("wiki",))})
    assert await index_and_retrieve(replay, again) == expected
    assert counted == {"wiki": 2}
    assert ordered_bytes(replay.events) == ordered_bytes(load_trace(tmp_path))
    assert sorted(event.name for event in replay.events) == ["embed", "embed", "index", "retrieve", "round"]


async def test_vectors_of_a_replay_are_those_of_the_run(tmp_path: Path) -> None:
    embedder = RecordedEmbedder(Letters(), live(tmp_path))
    vectors = await embedder.embed(["a", "banana"])
    assert (embedder.name, embedder.dimensions) == ("letters", 2)
    again = RecordedEmbedder(Absent(), ReplayRecorder(tmp_path))
    again.name = "letters"
    replayed = await again.embed(["a", "banana"])
    assert (replayed.dtype, replayed.tolist()) == (vectors.dtype, [[1.0, 1.0], [3.0, 6.0]])
