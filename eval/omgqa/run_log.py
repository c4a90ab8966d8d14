"""Answers as they come: one line a question and system, on the disk before the next, and read back after a kill."""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, FiniteFloat

from eval.lines import read_lines
from eval.omgqa.runs import CitedClaim, OmgRun
from eval.omgqa.systems import System
from heliograph.errors import UsageError
from heliograph.types import EvidenceId, PageKey, Usage
from indexers.lock import WriterLock
from memory.trace.disk import Journal, write_whole

RUNS, MADE_BY = "runs.jsonl", "made_by.json"
ANOTHER = "name another folder with --out"

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
def open_runs(folder: Path, questions: str, systems: Iterable[System]) -> Iterator[RunLog]:
    """Open the answers of an evaluation for this process alone; a line that a kill cut short is dropped.

    Args:
        folder: of the evaluation; it begins empty where there is none.
        questions: the sha256 of the questions, which stay the same for all systems.
        systems: those to be asked; others may have answers in the folder already.

    Raises:
        UsageError: the folder has answers to other questions, or of a system of the same name with other settings.
        StoreLocked: another process writes it.
        StoreFull | StoreError: it cannot be written.
    """
    with WriterLock(folder, ANOTHER):
        _sign(folder / MADE_BY, questions, {system.name: settings_digest(system) for system in systems})
        journal = Journal(folder / RUNS)
        try:
            yield RunLog(journal, {asked(run): run for run in read_runs(folder / RUNS)})
        finally:
            journal.close()


def settings_digest(system: System) -> str:
    """Return the sha256 of all settings that decide what a system answers."""
    return hashlib.sha256(json.dumps(system.settings, sort_keys=True, default=str).encode()).hexdigest()


class _MadeBy(BaseModel):
    questions: str
    systems: dict[str, str]


def _sign(path: Path, questions: str, systems: Mapping[str, str]) -> None:
    """Write down what the answers are of, once it is sure that nothing else is."""
    known = _read(path)
    if known.questions not in ("", questions):
        raise UsageError(f"{path.parent} has answers to other questions; {ANOTHER}")
    for name, digest in systems.items():
        if known.systems.get(name, digest) != digest:
            raise UsageError(f"{path.parent} has answers of {name!r} with other settings; {ANOTHER}")
    made_by = _MadeBy(questions=questions, systems={**known.systems, **systems})
    write_whole(path, (made_by.model_dump_json(indent=1) + "\n").encode())


def _read(path: Path) -> _MadeBy:
    try:
        return _MadeBy.model_validate_json(path.read_bytes())
    except FileNotFoundError:
        return _MadeBy(questions="", systems={})
    except (OSError, ValueError) as err:
        raise UsageError(f"{path} cannot be read; delete {path.parent}, or {ANOTHER}") from err
