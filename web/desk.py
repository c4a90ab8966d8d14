"""The desk: questions that were accepted, some of them running, and what each has come to so far.

A job belongs to its owner and runs apart from whoever listens, so that a page may be loaded anew and go on hearing; a
job that nobody listens to any more is stopped.
"""

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import aclosing
from dataclasses import dataclass, field
from logging import getLogger
from secrets import token_urlsafe

from heliograph.errors import ServerFull, UnknownName
from web.faults import UNFORESEEN, WAIT_SECONDS
from web.happenings import Happening, Queued, Stopped
from web.kept_question import KeptQuestion

Work = Callable[[], AsyncGenerator[Happening, None]]
"""Makes the happenings of one question; it is begun when its turn comes, and closed when the job is stopped."""
KEPT_SECONDS = 300.0
"""How long a job that has ended can still be heard."""
ENDING = "this server is being ended; ask again when it has been started anew"
LOG = getLogger("heliograph.web")


@dataclass(slots=True, eq=False)
class Job:
    """One accepted question; `happened` only grows."""

    id: str
    owner: str
    question: str
    kept: KeptQuestion | None = None
    happened: list[Happening] = field(default_factory=list)
    ended: bool = False
    listeners: int = 0
    _news: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def conversation(self) -> str | None:
        """The conversation that it is kept in; None where it is kept in none."""
        return self.kept.conversation if self.kept else None

    def tell(self, happening: Happening) -> None:
        """Let all listeners hear."""
        self.happened.append(happening)
        self._wake()

    def end(self) -> None:
        """Nothing happens any more."""
        self.ended = True
        self._wake()

    async def events(self, after: int = 0) -> AsyncIterator[tuple[int, Happening]]:
        """Yield what has happened and happens, numbered from 1, from behind number `after` on."""
        self.listeners += 1
        try:
            place = max(0, after)
            while True:
                news = self._news
                while place < len(self.happened):
                    place += 1
                    yield place, self.happened[place - 1]
                if self.ended:
                    return
                await news.wait()
        finally:
            self.listeners -= 1

    def _wake(self) -> None:
        news, self._news = self._news, asyncio.Event()
        news.set()


class Desk:
    """Accept up to `places` questions, run `running` of them side by side in the order in which they came.

    A job without a listener for `patience` seconds is stopped, before its turn comes too.
    """

    def __init__(self, running: int, places: int, patience: float) -> None:
        self.running = running
        self.places = places
        self.patience = patience
        self._jobs: dict[str, Job] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._waiting: deque[Job] = deque()
        self._free = running
        self._closed = False
        self._turns: dict[str, asyncio.Event] = {}
        self._noting: set[asyncio.Task[None]] = set()

    @property
    def accepted(self) -> int:
        """How many questions run or wait."""
        return len(self._tasks)

    @property
    def at_work(self) -> int:
        """How many of them run."""
        return self.running - self._free

    def accept(self, owner: str, question: str, work: Work, kept: KeptQuestion | None = None) -> Job:
        """Accept a question; it runs when its turn comes. A kept one has the name of its job already.

        Raises:
            ServerFull: all places are taken, or the server is being ended.
        """
        if self._closed:
            raise ServerFull(ENDING)
        if self.accepted >= self.places:
            raise ServerFull(
                f"{self.places} questions are being answered or wait, {self.running} at a time, and there is no place "
                f"for another; ask again in {WAIT_SECONDS} seconds"
            )
        job = Job(kept.name if kept else new_job(), owner, question, kept)
        self._jobs[job.id], self._turns[job.id] = job, asyncio.Event()
        self._waiting.append(job)
        self._call()
        if not self._turns[job.id].is_set():
            job.tell(Queued(len(self._waiting) - 1))
        task = asyncio.create_task(self._run(job, work), name=f"job {job.id}")
        self._tasks[job.id] = task
        watch = asyncio.create_task(self._watch(job))
        task.add_done_callback(lambda _: watch.cancel())
        task.add_done_callback(lambda ended: self._ended(job, ended))
        return job

    def job(self, name: str, owner: str) -> Job:
        """Return a job of its owner.

        Raises:
            UnknownName: the owner has no such job.
        """
        if not self.knows(name, owner):
            raise UnknownName("there is no such question any more; ask it again")
        return self._jobs[name]

    def knows(self, name: str, owner: str) -> bool:
        """Tell whether an owner has a job of that name, which may have ended."""
        job = self._jobs.get(name)
        return job is not None and job.owner == owner

    def jobs(self, owner: str) -> tuple[Job, ...]:
        """Return the jobs of an owner that have not ended."""
        return tuple(job for job in self._jobs.values() if job.owner == owner and not job.ended)

    def stop(self, job: Job) -> None:
        """Stop a job, whether it runs or waits; of one that has ended nothing changes."""
        task = self._tasks.get(job.id)
        if task is not None and not task.cancelling():
            task.cancel()

    async def end_all(self, owner: str, conversation: str) -> None:
        """Stop what an owner asks in a conversation, and wait until it has ended."""
        asked = [job for job in self.jobs(owner) if job.conversation == conversation]
        tasks = [self._tasks[job.id] for job in asked if job.id in self._tasks]
        for job in asked:
            self.stop(job)
        await asyncio.gather(*tasks, return_exceptions=True)

    async def close(self) -> None:
        """Accept no more, stop all jobs and wait until they have ended."""
        self._closed = True
        tasks = tuple(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, *self._noting, return_exceptions=True)

    async def _run(self, job: Job, work: Work) -> None:
        await self._turns[job.id].wait()
        async with aclosing(work()) as happenings:
            async for happening in happenings:
                job.tell(happening)

    def _ended(self, job: Job, task: asyncio.Task[None]) -> None:
        """Give the place and the turn of a job to others, even if it was stopped before its first step."""
        if task.cancelled():
            job.tell(Stopped(by_server=self._closed))
        elif error := task.exception():
            job.tell(UNFORESEEN)
            LOG.error("job %s failed", job.id, exc_info=error)
        del self._tasks[job.id]
        if self._turns.pop(job.id).is_set():
            self._free += 1
        else:
            self._waiting.remove(job)
        job.end()
        self._call()
        self._note(job)
        asyncio.get_running_loop().call_later(KEPT_SECONDS, self._jobs.pop, job.id, None)

    def _note(self, job: Job) -> None:
        """Have a kept question note how it ended; what is stopped because the server ends stays open."""
        if job.kept is None or not job.happened or job.happened[-1] == Stopped(by_server=True):
            return
        noted = asyncio.create_task(job.kept.ended(job.happened[-1]))
        self._noting.add(noted)
        noted.add_done_callback(self._noting.discard)

    def _call(self) -> None:
        """Give free turns to who waits longest, and tell the others how many come before them."""
        called = min(self._free, len(self._waiting))
        self._free -= called
        for _ in range(called):
            self._turns[self._waiting.popleft().id].set()
        for before, job in enumerate(self._waiting if called else ()):
            job.tell(Queued(before))

    async def _watch(self, job: Job) -> None:
        """Stop a job that nobody has listened to for a while."""
        alone, glance = 0.0, min(1.0, self.patience / 4)
        while alone < self.patience:
            await asyncio.sleep(glance)
            alone = 0.0 if job.listeners else alone + glance
        self.stop(job)


def new_job() -> str:
    """Name a job: 192 bits of chance."""
    return token_urlsafe(24)
