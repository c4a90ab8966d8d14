"""The agent for code that awaits nothing: each method returns when its work is done."""

import asyncio
import threading
from collections.abc import AsyncGenerator, Coroutine, Iterator, Mapping, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TypeVar

from agent.api import Agent, Listener, Progress
from heliograph.unsaid import unsaid

if TYPE_CHECKING:
    from pathlib import Path

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

T = TypeVar("T")


class BlockingAgent:
    """The methods of an agent without `await`; each does what that of `agent.api.Agent` does.

    The work runs on a thread of this object, so that it may be used where an event loop runs already, in a notebook
    say, and from several threads at once. Ctrl-C in the caller stops what it waits for.
    """

    def __init__(self, awaited: Agent) -> None:
        """Take over an agent, which nobody else uses."""
        self._awaited = awaited
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._starting = threading.Lock()

    @property
    def settings(self) -> "Settings":
        """What holds, from keywords, environment, heliograph.toml and defaults, in this order."""
        return self._awaited.settings

    def ask(
        self,
        question: str,
        progress: Progress = unsaid,
        listener: Listener = unsaid,
        earlier: "Sequence[EvidenceId]" = (),
        scope: "MemoryScope | None" = None,
        form: "FormChoice | None" = None,
    ) -> "Answer":
        """Answer one question and keep the run under the home folder."""
        return self.done(self._awaited.ask(question, progress, listener, earlier, scope, form))

    def stream(
        self,
        question: str,
        earlier: "Sequence[EvidenceId]" = (),
        scope: "MemoryScope | None" = None,
        form: "FormChoice | None" = None,
    ) -> "Iterator[StreamEvent]":
        """Answer one question and yield what happens; who leaves the loop stops the run."""
        events = self._awaited.stream(question, earlier, scope, form)
        try:
            while (event := self.done(_next(events))) is not None:
                yield event
        finally:
            self.done(events.aclose())

    def search(self, query: str, limit: int = 10) -> "FoundPages":
        """Return the pages that all sources together name for a query, best first."""
        return self.done(self._awaited.search(query, limit))

    def read(self, title: str, wiki: str = "") -> "Document":
        """Return a page as a tree of sections and pieces."""
        return self.done(self._awaited.read(title, wiki))

    def picture(self, image: "ImageEvidence") -> "Picture":
        """Return the picture of a piece of evidence, decoded and encoded anew."""
        return self.done(self._awaited.picture(image))

    def export(self, answer: "Answer", path: "Path") -> None:
        """Write an answer to a file, by its ending: .md, .html, .docx or .pdf."""
        self.done(self._awaited.export(answer, path))

    def index(self, titles: Sequence[str], wiki: str = "", progress: Progress = unsaid) -> "Indexing":
        """Read pages and index them ahead of questions."""
        return self.done(self._awaited.index(titles, wiki, progress))

    def retrieve(
        self, question: str, titles: Sequence[str] = (), wiki: str = "", progress: Progress = unsaid
    ) -> "tuple[FoundEvidence, ...]":
        """Return the evidence that an answer would be written from: turns over its needs, of each the best first."""
        return self.done(self._awaited.retrieve(question, titles, wiki, progress))

    def retrieve_graph(
        self,
        question: str,
        titles: Sequence[str] = (),
        wiki: str = "",
        limit: int = 20,
        progress: Progress = unsaid,
    ) -> "tuple[FoundEdge, ...]":
        """Return the best edges between table rows and the passages they link to."""
        return self.done(self._awaited.retrieve_graph(question, titles, wiki, limit, progress))

    def resume(self, run: str, progress: Progress = unsaid, listener: Listener = unsaid) -> "Answer":
        """Finish a run with the settings that it began with."""
        return self.done(self._awaited.resume(run, progress, listener))

    def branch(
        self,
        run: str,
        node: str,
        changes: Mapping[str, str] | None = None,
        progress: Progress = unsaid,
        listener: Listener = unsaid,
    ) -> "Answer":
        """Go another way from a step of a recorded run on."""
        return self.done(self._awaited.branch(run, node, changes, progress, listener))

    def replay(self, run: str) -> "Answer":
        """Run a recorded question again from its record, and return its answer."""
        return self.done(self._awaited.replay(run))

    def check(self) -> None:
        """Open sources and home folder now, so that what cannot serve is refused before the first question."""
        self._awaited.check()

    def load(self) -> None:
        """Import now what the first question would import."""
        self._awaited.load()

    def close(self) -> None:
        """Release the home folder and end the thread; the next question begins both again."""
        with self._starting:
            loop, thread, self._loop, self._thread = self._loop, self._thread, None, None
        if loop is None or thread is None:
            return
        asyncio.run_coroutine_threadsafe(_closed(self._awaited), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()

    def __enter__(self) -> Self:
        """Return this object."""
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        """Close, however the block ended."""
        self.close()

    def done(self, work: Coroutine[Any, Any, T]) -> T:
        """Return what a coroutine comes to, run on the thread of this object."""
        future = asyncio.run_coroutine_threadsafe(work, self._running())
        try:
            return future.result()
        except KeyboardInterrupt:
            future.cancel()
            raise

    def _running(self) -> asyncio.AbstractEventLoop:
        with self._starting:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                self._thread = threading.Thread(target=self._loop.run_forever, name="heliograph", daemon=True)
                self._thread.start()
            return self._loop


async def _next(events: "AsyncGenerator[StreamEvent, None]") -> "StreamEvent | None":
    """Return the next event; None behind the last one."""
    return await anext(events, None)


async def _closed(awaited: Agent) -> None:
    """Stop what is under way, wait for it and for the threads it left, and release the home folder."""
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)
    awaited.close()
    await asyncio.get_running_loop().shutdown_default_executor()
