"""Answers as they come: one line a question and system, on the disk before the next, and read back after a kill."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, FiniteFloat

from eval.lines import read_lines
from eval.omgqa.elsewhere import ANOTHER
from eval.omgqa.runs import CitedClaim, OmgRun
from heliograph.errors import UsageError
from heliograph.types import EvidenceId, PageKey, Usage
from memory.trace.disk import Journal

Asked = tuple[str, str, int]
"""A system's name, a question's id and a seed: what is asked once."""


@dataclass(frozen=True, slots=True)
class RunLog:
    """The answers of an evaluation, and the file that grows with them."""

    journal: Journal
    runs: dict[Asked, OmgRun]

    def append(self, run: OmgRun) -> None:
        """Keep an answer.

        Raises:
            StoreFull | StoreError: it cannot be written; what was written stays whole.
        """
        self.journal.append(run_line(run).encode())
        self.runs[asked(run)] = run


class RunLine(BaseModel):
    """An answer as a line of `runs.jsonl`; its fields are those of `OmgRun`."""

    model_config = ConfigDict(strict=True, extra="forbid")

    system: str
    question: str
    seed: int
    run: str
    answer: str
    abstained: bool
    documents: tuple[PageKey, ...]
    retrieved: tuple[EvidenceId, ...]
    rounds: tuple[tuple[EvidenceId, ...], ...]
    claims: tuple[CitedClaim, ...]
    usage: Usage
    seconds: FiniteFloat = Field(ge=0)

    def record(self) -> OmgRun:
        """Return the answer."""
        return OmgRun(**{name: getattr(self, name) for name in RunLine.model_fields})


def asked(run: OmgRun) -> Asked:
    """Return what was asked of whom."""
    return run.system, run.question, run.seed


def run_line(run: OmgRun) -> str:
    """Write an answer as a line that reads back as the same."""
    return json.dumps(asdict(run), ensure_ascii=False) + "\n"


def read_runs(path: Path) -> tuple[OmgRun, ...]:
    """Read answers in the order of the file.

    Raises:
        UsageError: the file cannot be read, a line is no answer, or a system has two to one question and seed.
    """
    runs = tuple(line.record() for line in read_lines(path, RunLine))
    if len({asked(run) for run in runs}) < len(runs):
        raise UsageError(f"{path} has two answers of one system to one question and seed; keep one of them")
    return runs


@contextmanager
def open_runs(path: Path) -> Iterator[RunLog]:
    """Open a file of answers, to go on with it; a line that a kill cut short is dropped.

    Raises:
        UsageError: the file holds something else.
        StoreFull | StoreError: it cannot be written.
    """
    journal = Journal(path, ANOTHER)
    try:
        yield RunLog(journal, {asked(run): run for run in read_runs(path)})
    finally:
        journal.close()
