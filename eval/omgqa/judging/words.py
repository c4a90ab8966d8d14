"""The words of judges as they come: one line a case, on the disk before the next is asked, read back after a kill.

A word is known by its case, its judge and what that judge was told, so that nobody is asked twice, and a prompt that
changes is asked anew beside the words of the old one.
"""

import asyncio
import json
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from eval.lines import read_lines
from eval.omgqa.judging.cases import Case, Judge, Task, Word
from eval.omgqa.judging.growing import GrowingLines, open_growing
from heliograph.errors import HeliographError, UsageError
from indexers.pace import Pace, Say
from memory.trace.disk import write_lines

BEGINNING = b'{"case": '
"""How every line of words begins."""
OTHERWISE = "name another file with --words"

Words = Callable[[Case], Word | None]
"""What a judge said of a case; None where it was not asked."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What was asked, of whom: the digest of a case, a judge, and the sha256 of what the judge was told."""

    case: str
    judge: str
    prompt: str


@dataclass(frozen=True, slots=True)
class Said:
    """A word with the task that it belongs to."""

    task: Task
    word: Word


class WordLine(BaseModel):
    """A line of the file."""

    model_config = ConfigDict(strict=True, extra="forbid")

    case: Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
    task: Task
    judge: Annotated[str, Field(min_length=1)]
    prompt: str
    yes: bool
    confidence: Annotated[float | None, Field(ge=0, le=1)] = None


def word_line(asked: Asked, said: Said) -> str:
    """Write a word as a line that reads back as the same."""
    fields = {
        "case": asked.case,
        "task": said.task,
        "judge": asked.judge,
        "prompt": asked.prompt,
        "yes": said.word.yes,
        "confidence": said.word.confidence,
    }
    return json.dumps(fields, ensure_ascii=False) + "\n"


def read_words(path: Path) -> dict[Asked, Said]:
    """Read the words of a file that nobody is writing.

    Raises:
        UsageError: the file cannot be read, a line is no word, or one was asked twice.
    """
    found: dict[Asked, Said] = {}
    for line in read_lines(path, WordLine):
        asked = Asked(line.case, line.judge, line.prompt)
        if asked in found:
            raise UsageError(f"{path} has two words of {line.judge} on case {line.case}; leave one of them out")
        found[asked] = Said(line.task, Word(line.yes, line.confidence))
    return found


@dataclass(slots=True)
class WordLog:
    """The words of all judges, and the file that grows with them; tasks of one event loop may share it."""

    lines: GrowingLines
    said: dict[Asked, Said] = field(default_factory=dict)
    _asking: dict[Asked, asyncio.Lock] = field(default_factory=dict)

    def word(self, case: Case, judge: Judge) -> Word | None:
        """Return what a judge said of a case, told what it is told now; None where it was not asked."""
        said = self.said.get(_asked(case, judge))
        return said.word if said else None

    def words_of(self, judge: Judge) -> Words:
        """Return the words of one judge by case."""
        return lambda case: self.word(case, judge)

    def keep(self, case: Case, judge: Judge, word: Word) -> None:
        """Write a word down; one that is known already stays as it was.

        Raises:
            StoreFull | StoreError: the file cannot be written; the word is not kept.
        """
        asked, said = _asked(case, judge), Said(case.task, word)
        if asked not in self.said:
            self.lines.append(word_line(asked, said))
            self.said[asked] = said

    def count_anew(self, judge: Judge) -> None:
        """Put the words on what a judge is told now behind all others of its, so that they are `told_last`.

        Raises:
            StoreFull | StoreError: the file cannot be written; it stays as it was.
        """
        told = {task: judge.prompt(task) for task in {each.task for each in self.said.values()}}
        now = {
            asked for asked, each in self.said.items() if (asked.judge, asked.prompt) == (judge.name, told[each.task])
        }
        anew = dict(sorted(self.said.items(), key=lambda each: each[0] in now))
        if told_last(anew, judge.name) != told_last(self.said, judge.name):
            write_lines(self.lines.path, (word_line(*each) for each in anew.items()), self.lines.otherwise)
            self.said = anew

    async def judged(self, case: Case, judge: Judge) -> Word:
        """Return a judge's word, asking only where it is not known and no other task is asking for it.

        Raises:
            ModelError: the judge cannot be asked.
            StoreFull | StoreError: its word cannot be kept.
        """
        asked = _asked(case, judge)
        async with self._asking.setdefault(asked, asyncio.Lock()):
            if asked not in self.said:
                self.keep(case, judge, await judge.judge(case))
        self._asking.pop(asked, None)
        return self.said[asked].word


@contextmanager
def open_words(path: Path, otherwise: str = OTHERWISE) -> Iterator[WordLog]:
    """Open a file of words for this process alone, as `open_growing` does; a line that a kill cut short is dropped.

    Raises:
        UsageError: the file holds something else.
        StoreLocked: another process writes it.
        StoreFull | StoreError: it cannot be written.
    """
    with ExitStack() as stack:
        lines = open_growing(path, BEGINNING, stack, otherwise)
        yield WordLog(lines, read_words(path))


async def judge_all(cases: Iterable[Case], judge: Judge, log: WordLog, at_once: int, told: Say) -> None:
    """Have a judge decide the cases that it has not decided yet, `at_once` side by side.

    It stops at the first error, once the cases that are out have their words kept: a judge that fails has been tried
    again below by whoever knows how (agent/llm), and a gap among the words would stay unseen in the figures.

    Raises:
        ModelError: the judge cannot be asked; the same call goes on where this one stopped.
        StoreFull | StoreError: a word cannot be kept.
    """
    distinct = {case.digest: case for case in cases}
    todo = deque(case for case in distinct.values() if log.word(case, judge) is None)
    if not todo:
        return
    done, pace = 0, Pace(f"words of {judge.name}", len(todo), told)

    async def work() -> None:
        nonlocal done
        while todo:
            case = todo.popleft()
            try:
                await log.judged(case, judge)
            except HeliographError:
                todo.clear()
                raise
            done += 1
            pace.done(done)

    failed = await asyncio.gather(*(work() for _ in range(max(1, at_once))), return_exceptions=True)
    for error in failed:
        if error is not None:
            raise error


def told_last(said: Mapping[Asked, Said], judge: str) -> dict[str, Said]:
    """Return a judge's words by case: of each task those that it gave under the instructions of its last word.

    Words under other instructions are of another judge in all but name, and never fill the gaps of these.
    """
    its = {asked: each for asked, each in said.items() if asked.judge == judge}
    told = {each.task: asked.prompt for asked, each in its.items()}
    return {asked.case: each for asked, each in its.items() if asked.prompt == told[each.task]}


def _asked(case: Case, judge: Judge) -> Asked:
    return Asked(case.digest, judge.name, judge.prompt(case.task))
