"""What Python callers see of the agent: each method hands on to where the work is, imported when it is needed."""

import asyncio
import os
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from types import TracebackType
from typing import TYPE_CHECKING, Self

from heliograph.unsaid import unsaid

if TYPE_CHECKING:
    from pathlib import Path

    from agent.assembly.opened import OpenHome
    from agent.chat.understanding import StandAlone
    from agent.exporting import Exporting
    from agent.retrieval import Retrieval
    from agent.running import Hearing
    from heliograph.config import Settings
    from heliograph.types import (
        Answer,
        Document,
        EvidenceId,
        FormChoice,
        FoundEdge,
        FoundEvidence,
        FoundPages,
        ImageEvidence,
        Indexing,
        MemoryScope,
        Picture,
        StreamEvent,
    )
    from memory.trace import Event

__all__ = ["Agent", "Listener", "Progress", "unsaid"]

FIRST_QUESTION = (
    "agent.streaming",
    "agent.retrieval",
    "agent.assembly.follow_ups",
    "agent.exporting",
    "indexers.chroma",
    "indexers.ingestion",
    "indexers.docstore",
)
"""What the first question imports, whatever it is and whoever answers it."""
FIRST_MODEL_CALL = "agent.llm.connection"
FIRST_TRACE_SENT = "memory.trace.otlp"

Progress = Callable[[str], None]
Listener = Callable[["Event"], None]


class Agent:
    """Questions, and the parts of answering them, with one set of settings over one home folder.

    Every method that works is a coroutine, and any number may run at the same time on one object: each run has a name
    and a record of its own. An object belongs to one event loop.

    Attributes:
        settings: what holds, from keywords, environment, heliograph.toml and defaults, in this order.
        run: the name of the run begun last; of several at once each answer has its own.
    """

    def __init__(self, settings: "Settings", home: "OpenHome | None" = None) -> None:
        """Open nothing yet.

        Args:
            settings: what holds.
            home: one that is shared with others; one of its own where none is given.
        """
        self.settings = settings
        self.run = ""
        self._home = home
        self._exporting: Exporting | None = None

    async def ask(
        self,
        question: str,
        progress: Progress = unsaid,
        listener: Listener = unsaid,
        earlier: "Sequence[EvidenceId]" = (),
        scope: "MemoryScope | None" = None,
        form: "FormChoice | None" = None,
    ) -> "Answer":
        """Answer one question and keep the run under the home folder.

        Args:
            question: up to 4,000 characters of text.
            progress: is told each step in words.
            listener: hears each trace event as it ends.
            earlier: evidence of earlier turns of a conversation, which is ranked with what this question finds.
            scope: whose question it is, and of which conversation; without it past questions are not heard and this one
                is not remembered.
            form: of the answer: short, long, report, or auto, which goes by the question; that of the settings without.

        Raises:
            HeliographError: bad input, no source, no model, or a store that cannot be used.
        """
        return await self._asked(question, self._hearing(progress, listener), earlier, scope, form)

    def stream(
        self,
        question: str,
        earlier: "Sequence[EvidenceId]" = (),
        scope: "MemoryScope | None" = None,
        form: "FormChoice | None" = None,
    ) -> "AsyncGenerator[StreamEvent, None]":
        """Answer one question and yield what happens, as events of `heliograph.types`; `Answered` is the last.

        Who leaves the loop stops the run; `aclose` waits until it has stopped.

        >>> async def kinds(question: str) -> list[str]:
        ...     async with Heliograph(sources=["zim:varn.zim"], home="home") as heliograph:
        ...         events = [event async for event in heliograph.stream(question)]
        ...     names = [type(event).__name__ for event in events if not isinstance(event, Progressed)]
        ...     return list(dict.fromkeys(names))
        >>> asyncio.run(kinds("Who designed Skerry Head Light?"))
        ['Begun', 'Planned', 'Queried', 'Searched', 'WasRead', 'EvidenceFound', 'Reflected', 'Claimed', 'Answered']

        Raises:
            HeliographError: as `ask`, after the events before it.
        """
        from agent.streaming import stream_run

        return stream_run(
            self.settings.home, lambda hearing: self._asked(question, self._named(hearing), earlier, scope, form)
        )

    async def search(self, query: str, limit: int = 10) -> "FoundPages":
        """Return the pages that all sources together name for a query, best first.

        Raises:
            SearchUnavailable: no source could be asked.
        """
        return await self._retrieval().search(query, limit)

    async def read(self, title: str, wiki: str = "") -> "Document":
        """Return a page as a tree of sections and pieces, each with the id that citations have.

        Args:
            title: of the page, or a redirect to it.
            wiki: whose page it is; that of the first source where it is not said.

        Raises:
            PageUnavailable: no source has it.
        """
        return await self._retrieval().read(title, wiki)

    async def picture(self, image: "ImageEvidence") -> "Picture":
        """Return the picture of a piece of evidence, decoded and encoded anew, from the source that its page is of.

        Raises:
            PageUnavailable: it is missing, too large, no picture, or of a wiki that is no source.
        """
        return await self._retrieval().picture(image)

    async def export(self, answer: "Answer", path: "Path") -> None:
        """Write an answer to a file, by its ending: .md, .html, .docx or .pdf; a file that is there is replaced.

        The last two need the extra `export`. A picture that cannot be had is named in its place.

        Raises:
            UsageError: there is no such kind of file, or what makes it is not installed.
            StoreFull | StoreError: it cannot be written; what was there stays.
        """
        from agent.answer_files import check_file, write_answer_file
        from agent.answer_files.figures import pictures_of
        from agent.path_citations import path_lines

        check_file(path)
        home = self.settings.home
        pictures = await pictures_of(answer, home / "pages", self.picture)
        write_answer_file(answer, path, pictures, await asyncio.to_thread(path_lines, answer, home))

    async def index(self, titles: Sequence[str], wiki: str = "", progress: Progress = unsaid) -> "Indexing":
        """Read pages and index them ahead of questions, which then read and embed nothing of them again."""
        return await self._retrieval(progress).index(titles, wiki)

    async def retrieve(
        self, question: str, titles: Sequence[str] = (), wiki: str = "", progress: Progress = unsaid
    ) -> "tuple[FoundEvidence, ...]":
        """Return the evidence that an answer would be written from: turns over its needs, of each the best first.

        Nothing is recorded.

        Args:
            question: as of `ask`.
            titles: read these pages alone; else pages are searched for, in as many rounds as the settings allow.
            wiki: whose pages `titles` are.
            progress: is told each step in words.

        Raises:
            PageUnavailable: none of `titles` could be read.
            HeliographError: as `ask`.
        """
        return await self._retrieval(progress).retrieve(question, titles, wiki)

    async def retrieve_graph(
        self,
        question: str,
        titles: Sequence[str] = (),
        wiki: str = "",
        limit: int = 20,
        progress: Progress = unsaid,
    ) -> "tuple[FoundEdge, ...]":
        """Return the best edges between table rows and the passages they link to (HELIOS), of the pages read.

        Works as `retrieve` does, with tier `light` where the settings have none.
        """
        return await self._retrieval(progress).edges(question, titles, wiki, limit)

    async def resume(self, run: str, progress: Progress = unsaid, listener: Listener = unsaid) -> "Answer":
        """Finish a run with the settings that it began with; keys are those of now, since a run keeps none.

        Of a run that has ended the answer is read from its record: no source and no model is needed.

        Raises:
            UnknownName: no such run.
            UsageError: questions with other settings are under way on this object.
            HeliographError: as `ask`.
        """
        from agent.running import resume_run

        return await resume_run(run, self.settings, self._opened(), self._hearing(progress, listener))

    async def branch(
        self,
        run: str,
        node: str,
        changes: Mapping[str, str] | None = None,
        progress: Progress = unsaid,
        listener: Listener = unsaid,
    ) -> "Answer":
        """Go another way from a step of a recorded run on: what came before is given back, the rest takes effect.

        Args:
            run: a recorded run.
            node: a step of the graph, with @2 the second time that the run came to it.
            changes: settings by their dotted names, as `{"llm.model": "…"}`.
            progress: as of `ask`.
            listener: as of `ask`; it hears of what is given back, too.

        The new run stands beside the old one, says where it comes from, and replays like any other.

        Raises:
            UnknownName: no such run, step or setting.
            ReplayMiss: the steps before it cannot be gone through from the record.
            HeliographError: as `ask`.
        """
        from agent.running import branch_run

        hearing = self._hearing(progress, listener)
        return await branch_run(run, node, changes or {}, self.settings, self._opened(), hearing)

    async def replay(self, run: str) -> "Answer":
        """Run a recorded question again from its record, with no network, model or store; return its answer.

        Raises:
            UnknownName: no such run.
            ReplayMiss: the answer or the trace is not the same, byte for byte.
        """
        from agent.assembly.replayed import replay_services
        from agent.replaying import replay, replayed_answer

        await replay(self.settings.home, run, replay_services)
        return replayed_answer(self.settings.home, run)

    def stand_alone(self, progress: Progress = unsaid) -> "StandAlone":
        """Return what rewrites the follow-ups of a conversation, so that `ask` understands them."""
        from agent.assembly.follow_ups import build_stand_alone

        return build_stand_alone(self.settings, progress)

    def check(self) -> None:
        """Open sources and home folder now, so that what cannot serve is refused before the first question.

        Raises:
            HeliographError: a source, a model or the home folder cannot be used.
        """
        self.stand_alone()
        with self._opened().lent(self.settings):
            pass

    def load(self) -> None:
        """Import now what the first question would import in the event loop, where everybody else would wait for it."""
        from heliograph.collectors import traces_address
        from heliograph.types import MODEL_ROLES

        settings = self.settings
        asks_models = any(settings.endpoint(role) for role in MODEL_ROLES)
        sends_traces = bool(traces_address(settings.otlp_endpoint, os.environ))
        models, traces = (FIRST_MODEL_CALL,) * asks_models, (FIRST_TRACE_SENT,) * sends_traces
        for name in (*FIRST_QUESTION, *models, *traces):
            import_module(name)

    def close(self) -> None:
        """Release the home folder; the next question takes it again."""
        try:
            if self._home is not None:
                self._home.close()
        finally:
            if self._exporting is not None:
                self._exporting.close()

    async def __aenter__(self) -> Self:
        """Return this object."""
        return self

    async def __aexit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        """Close, however the block ended."""
        self.close()

    async def _asked(
        self,
        question: str,
        hearing: "Hearing",
        earlier: "Sequence[EvidenceId]",
        scope: "MemoryScope | None",
        form: "FormChoice | None",
    ) -> "Answer":
        from agent.running import run_question

        settings = self.settings.model_copy(update={"form": form}) if form else self.settings
        return await run_question(question, settings, self._opened(), hearing, earlier, scope)

    def _hearing(self, progress: Progress, listener: Listener) -> "Hearing":
        from agent.running import Hearing

        return self._named(Hearing(unsaid, progress, listener))

    def _named(self, hearing: "Hearing") -> "Hearing":
        """Let this object know the name of a run too."""

        def began(run: str) -> None:
            self.run = run
            hearing.began(run)

        return replace(hearing, began=began, listener=self._exports().listener(hearing))

    def _exports(self) -> "Exporting":
        from agent.exporting import Exporting

        if self._exporting is None:
            self._exporting = Exporting(self.settings)
        return self._exporting

    def _retrieval(self, progress: Progress = unsaid) -> "Retrieval":
        from agent.retrieval import Retrieval

        return Retrieval(self.settings, self._opened(), progress)

    def _opened(self) -> "OpenHome":
        from agent.assembly.opened import OpenHome

        if self._home is None:
            self._home = OpenHome()
        return self._home
