"""The parts of a question by themselves, unrecorded: search, read, index, retrieve, and the table-text graph."""

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass, replace
from typing import cast

from langchain_core.runnables import RunnableConfig

from agent.assembly import build_services
from agent.assembly.opened import OpenHome
from agent.graph import RECURSION_LIMIT, build_retrieval_graph
from agent.llm import ChatServers
from agent.question import valid_question
from agent.reading import read_pages
from agent.selection import final_ledger
from agent.services import Services
from agent.state import State
from agent.stopping import refuse_silence
from agent.unrecorded import UnrecordedRecorder
from heliograph.config import Settings
from heliograph.errors import PageUnavailable, UsageError
from heliograph.types import (
    Document,
    Edge,
    FoundEdge,
    FoundEvidence,
    FoundPages,
    Hit,
    ImageEvidence,
    Indexing,
    Picture,
    Query,
)
from heliograph.unsaid import unsaid
from indexers.render import render
from memory.trace import SystemClock
from tools.search import search_round

READ_AT_ONCE = 50
"""Pages of which the text is held at a time while many are indexed."""


@dataclass(frozen=True, slots=True)
class Retrieval:
    """Retrieval with the settings and backends of a Heliograph; questions may be asked side by side."""

    settings: Settings
    home: OpenHome
    progress: Callable[[str], None] = unsaid

    async def search(self, query: str, limit: int) -> FoundPages:
        """Return the pages that all sources together name for a query, best first.

        Raises:
            SearchUnavailable: no source could be asked.
        """
        query = valid_question(query)
        async with self._services(self.settings) as services:
            found = await search_round((Query(query),), services.searches, services.fallback)
            refuse_silence(State(), found.reports)
            hits = await services.document_reranker.rerank(query, found.results, (), limit)
        return FoundPages(hits, found.reports)

    async def picture(self, image: ImageEvidence) -> Picture:
        """Return the picture of a piece of evidence.

        Raises:
            PageUnavailable: it is missing, too large, no picture, or of a wiki that is no source.
        """
        async with self._services(self.settings) as services:
            assert services.pictures is not None, "services of sources have their pictures"
            return await services.pictures.picture(image)

    async def read(self, title: str, wiki: str) -> Document:
        """Return a page as a tree of sections with its pieces, from the store or a source.

        Raises:
            PageUnavailable: no source has it.
        """
        hit = named_hits([title], wiki)[0]
        async with self._services(self.settings) as services:
            return await services.library.add(await services.pages.read(hit), hit)

    async def index(self, titles: Sequence[str], wiki: str) -> Indexing:
        """Read and index pages, many at a time; those that cannot be read are named in the notes."""
        hits = named_hits(titles, wiki)
        state = State()
        embedded, fetched, notes = 0, 0, list[str]()
        async with self._services(self.settings) as limited:
            services = replace(limited, limits=replace(limited.limits, max_seconds=None, max_pages=None))
            for first in range(0, len(hits), READ_AT_ONCE):
                self.progress(f"indexing pages {first + 1} to {min(first + READ_AT_ONCE, len(hits))} of {len(hits)}")
                part = State(hits=hits[first : first + READ_AT_ONCE], documents=state.get("documents", ()), started=0.0)
                reading = await read_pages(part, services)
                state["documents"] = (*part["documents"], *reading.read)
                embedded, fetched = embedded + sum(reading.embedded), fetched + reading.fetched
                notes += reading.notes
        return Indexing(state.get("documents", ()), embedded, fetched, tuple(dict.fromkeys(notes)))

    async def retrieve(self, question: str, titles: Sequence[str] = (), wiki: str = "") -> tuple[FoundEvidence, ...]:
        """Return the evidence that an answer would be written from: turns over its needs, of each the best first.

        Pages are searched for in as many rounds as the settings allow; of `titles` only these pages are read.
        """
        async with self._services(self.settings) as services:
            state = await self._gathered(question, titles, wiki, services)
            seen = final_ledger(state.get("observations", ()), services)
            return tuple(
                FoundEvidence(
                    each.evidence,
                    each.modality,
                    (piece := services.library.evidence(each.evidence)).place,
                    render(piece),
                    each.score,
                    each.round,
                    services.library.shelf[piece.place.page].url,
                    each.via,
                )
                for each in seen
            )

    async def edges(self, question: str, titles: Sequence[str], wiki: str, limit: int) -> tuple[FoundEdge, ...]:
        """Return the best edges of the table-text graph of the pages read, best first; tier light at least."""
        tier = "light" if self.settings.graph == "off" else self.settings.graph
        async with self._services(self.settings.model_copy(update={"graph": tier})) as services:
            state = await self._gathered(question, titles, wiki, services)
            graphs = state.get("subgraphs", ())
            return tuple(_found_edge(edge, services) for edge in (graphs[0].edges if graphs else ())[:limit])

    async def _gathered(self, question: str, titles: Sequence[str], wiki: str, services: Services) -> State:
        """Go through the rounds of the graph up to the answer, which is not written."""
        state = State(question=valid_question(question), started=services.recorder.now())
        if titles:
            state |= State(round=1, queries=(), relaxed=(), hits=named_hits(titles, wiki))
        config = RunnableConfig(recursion_limit=RECURSION_LIMIT)
        await services.prepare()
        found = await build_retrieval_graph().ainvoke(state, config, context=services)
        if titles and not found.get("documents"):
            raise PageUnavailable("; ".join(found.get("notes", ())) or "none of the pages could be read; name others")
        return cast(State, found)

    @asynccontextmanager
    async def _services(self, settings: Settings) -> AsyncIterator[Services]:
        with self.home.lent(self.settings) as backends:
            async with ChatServers() as servers:
                recorder = UnrecordedRecorder(SystemClock())
                async with aclosing(build_services(settings, backends, recorder, self.progress, servers)) as services:
                    yield services


def named_hits(titles: Sequence[str], wiki: str) -> tuple[Hit, ...]:
    """Return pages by their titles, each once.

    Raises:
        UsageError: there is none, or one is blank.
    """
    names = tuple(dict.fromkeys(title.strip() for title in titles))
    if not names or "" in names:
        raise UsageError('name at least one page by its title, such as "Io (moon)"; a title cannot be blank')
    return tuple(Hit(name, rank, wiki) for rank, name in enumerate(names, start=1))


def _found_edge(edge: Edge, services: Services) -> FoundEdge:
    passage = "" if edge.passage is None else render(services.library.evidence(edge.passage))
    return FoundEdge(edge.segment, render(services.library.evidence(edge.segment)), edge.passage, passage, edge.score)
