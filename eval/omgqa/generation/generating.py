"""From candidates to questions: drafts are written and checked side by side, and kept in the order of their candidates.

That order makes the questions the same however many are under way, and says after a kill where to go on.
"""

import asyncio
from collections import Counter, deque
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import TypeVar

from eval.omgqa.generation.candidates import Candidate
from eval.omgqa.generation.checking import Checker
from eval.omgqa.generation.drafts import GATES, Outcome, Passed, Reading, Refusal, Rejected, Writer
from eval.omgqa.generation.folder import GenerationFolder
from eval.omgqa.generation.twins import Asked
from heliograph.errors import HostilePage, PageUnavailable
from indexers.pace import Pace, Say

T = TypeVar("T")
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Generator:
    """One pipeline with its gates; `asked` are the questions that were accepted before."""

    writer: Writer
    checker: Checker
    reading: Reading
    asked: Asked

    async def outcomes(self, candidate: Candidate) -> tuple[Outcome, ...]:
        """Write and check the drafts of a candidate, twins not yet looked for.

        Raises:
            ModelError: the model cannot be asked.
            ArchiveUnreadable: the archive is damaged.
        """
        try:
            documents = [await self.reading.document(title) for title in candidate.titles]
            drafts = await self.writer.drafts(candidate, documents)
        except (PageUnavailable, HostilePage) as err:
            return (Rejected(candidate.id, "", "", (), Refusal("nodes", str(err))),)
        return tuple([await self.checker.checked(draft, documents) for draft in drafts])

    async def apart(self, outcome: Outcome) -> Outcome:
        """Refuse a question that asks nearly what an accepted one does; else it is accepted."""
        if isinstance(outcome, Rejected):
            return outcome
        question = outcome.question
        if twin := await self.asked.twin(question.question):
            return Rejected(
                question.id,
                question.question,
                question.answers[0],
                question.evidence,
                Refusal("twin", f"{twin} asks nearly the same"),
            )
        await self.asked.add(question.id, question.question)
        return outcome


async def generate(
    candidates: Sequence[Candidate], generator: Generator, folder: GenerationFolder, at_once: int, say: Say
) -> None:
    """Make questions of all candidates of which it is not known what became of them.

    Raises:
        ModelError: the model cannot be asked; what was made is kept.
        StoreFull | StoreError: it cannot be kept.
    """
    for name, question in folder.questions.items():
        await generator.asked.add(name, question.question)
    done = finished(candidates, folder)
    if done:
        say(f"going on with candidate {done + 1:,} of {len(candidates):,}")
    todo, pace = candidates[done:], Pace("candidates", len(candidates) - done, say)
    async with aclosing(in_order(todo, generator.outcomes, at_once)) as results:
        number = 0
        async for outcomes in results:
            for outcome in outcomes:
                if not folder.knows(_id(outcome)):
                    folder.keep(await generator.apart(outcome))
            number += 1
            pace.done(number)


def finished(candidates: Sequence[Candidate], folder: GenerationFolder) -> int:
    """Return how many candidates are done: all before the last one of which there is a draft.

    A kill may have come between the drafts of the last one, so it is gone through again, its replies being kept.
    """
    known = [draft.rpartition("-") for draft in (*folder.questions, *folder.rejected)]
    begun = {name for draft in known for name in (draft[0], "".join(draft))}
    return max((place for place, candidate in enumerate(candidates) if candidate.id in begun), default=0)


def summary(folder: GenerationFolder) -> str:
    """Say what became of all drafts."""
    refused = Counter(rejected.refusal.gate for rejected in folder.rejected.values())
    parts = [f"{refused[gate]:,} at {gate}" for gate in GATES if refused[gate]]
    tail = f", {len(folder.rejected):,} drafts rejected: {', '.join(parts)}" if parts else ""
    return f"{len(folder.questions):,} questions{tail}"


async def in_order(todo: Sequence[T], work: Callable[[T], Awaitable[R]], at_once: int) -> AsyncGenerator[R, None]:
    """Yield results in the order of what is to be done, with so many under way at most.

    Raises:
        Exception: the first error in that order; what is under way then is given up.
    """
    running: deque[asyncio.Future[R]] = deque()
    try:
        for item in todo:
            running.append(asyncio.ensure_future(work(item)))
            if len(running) >= at_once:
                yield await running.popleft()
        while running:
            yield await running.popleft()
    finally:
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)


def _id(outcome: Outcome) -> str:
    return outcome.question.id if isinstance(outcome, Passed) else outcome.id
