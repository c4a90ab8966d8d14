"""Every system asked every question once, several at a time; what has its answer is not asked again."""

import asyncio
import random
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any, Protocol

from eval.omgqa.records import OmgQuestion
from eval.omgqa.run_log import RunLog
from eval.omgqa.runs import omg_run
from eval.omgqa.systems import System
from heliograph.errors import HeliographError, StoreError
from heliograph.types import Answer
from indexers.pace import Pace, Say

LATER = "give the same command again when that is mended"


class Asker(Protocol):
    """Heliograph with the settings of one system."""

    def ask(self, question: str) -> Awaitable[Answer]:
        """Answer a question.

        Raises:
            HeliographError: the question, or any, cannot be answered.
        """

    def close(self) -> None:
        """Free the home folder for the next system."""


BuildAsker = Callable[[Mapping[str, Any]], Asker]
"""Builds Heliograph with settings; all share one home folder, so pages and vectors are there for the next."""


@dataclass(frozen=True, slots=True)
class Unasked:
    """A system that did not answer all questions, why, and how many it left out."""

    system: str
    error: HeliographError
    questions: int


def drawn(questions: Sequence[OmgQuestion], limit: int | None, seed: int) -> tuple[OmgQuestion, ...]:
    """Return as many questions as `limit` allows, drawn by the seed, in the order of their file."""
    if limit is None or limit >= len(questions):
        return tuple(questions)
    kept = set(random.Random(seed).sample(range(len(questions)), limit))
    return tuple(question for number, question in enumerate(questions) if number in kept)


async def ask_systems(
    systems: Sequence[System],
    questions: Sequence[OmgQuestion],
    seed: int,
    build: BuildAsker,
    log: RunLog,
    say: Say,
    at_once: int = 1,
) -> tuple[Unasked, ...]:
    """Ask each system, one after the other, the questions that it has not answered.

    What stops one system (its server is down, a source cannot be searched) does not stop the next; a store that cannot
    be used stops all.

    Returns:
        The systems that have questions left.

    Raises:
        StoreError: the home folder or that of the answers cannot be used; what was answered is kept.
    """
    todo = {
        system: [question for question in questions if (system.name, question.id, seed) not in log.runs]
        for system in systems
    }
    left = sum(map(len, todo.values()))
    if left < len(systems) * len(questions):
        say(f"{len(systems) * len(questions) - left:,} of {len(systems) * len(questions):,} answers are there already")
    asking, unasked = _Asking(seed, log, say, Pace("answers", left, say), at_once), list[Unasked]()
    for number, (system, open_questions) in enumerate(todo.items(), start=1):
        if not open_questions:
            continue
        say(f"system {number} of {len(systems)}: {system.name}")
        if error := await asking.ask(system, open_questions, build):
            still = sum((system.name, question.id, seed) not in log.runs for question in open_questions)
            unasked.append(Unasked(system.name, error, still))
            say(f"{system.name}: {still:,} questions were not answered: {error}; {LATER}")
    return tuple(unasked)


@dataclass(slots=True)
class _Asking:
    """What the systems share while they are asked."""

    seed: int
    log: RunLog
    say: Say
    pace: Pace
    at_once: int
    answered: int = 0

    async def ask(self, system: System, questions: Sequence[OmgQuestion], build: BuildAsker) -> HeliographError | None:
        """Ask one system; the first error, where there is one, is returned when what is under way has ended."""
        waiting, failed = list(reversed(questions)), list[HeliographError]()

        async def work() -> None:
            while waiting and not failed:
                question = waiting.pop()
                try:
                    answer = await asker.ask(question.question)
                except HeliographError as err:
                    failed.append(err)
                    return
                self.log.append(omg_run(answer, system.name, question.id, self.seed))
                self.answered += 1
                self.pace.done(self.answered)

        try:
            with closing(build(system.settings)) as asker:
                await asyncio.gather(*(work() for _ in range(min(self.at_once, len(waiting)))))
        except StoreError:
            raise
        except HeliographError as err:
            failed.append(err)
        if stores := [error for error in failed if isinstance(error, StoreError)]:
            raise stores[0]
        return failed[0] if failed else None
