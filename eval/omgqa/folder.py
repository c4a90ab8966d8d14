"""The folder of an evaluation: the questions, the systems, their answers, the evidence, and what judges said of it.

docs/omgqa.md lists its files. Systems may be added to a folder at any time, so that a pool grows over all of them; the
questions stay what they were.
"""

import hashlib
import json
from collections.abc import Container, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from eval.lines import read_lines
from eval.omgqa.dataset import question_line, read_omg_questions, refuse_twice
from eval.omgqa.elsewhere import ANOTHER
from eval.omgqa.records import OmgQuestion
from eval.omgqa.run_log import read_runs
from eval.omgqa.runs import OmgRun
from eval.omgqa.systems import Documents, Graph, Indexing, Strategy, System, TextRetriever
from heliograph.errors import UsageError
from indexers.lock import WriterLock
from memory.trace.disk import write_lines


@dataclass(frozen=True, slots=True)
class EvaluationFolder:
    """Where the files of an evaluation are."""

    path: Path

    @property
    def questions(self) -> Path:
        """The questions."""
        return self.path / "questions.jsonl"

    @property
    def systems(self) -> Path:
        """The systems, whether or not they could run."""
        return self.path / "systems.jsonl"

    @property
    def runs(self) -> Path:
        """The answers."""
        return self.path / "runs.jsonl"

    @property
    def evidence(self) -> Path:
        """What is pooled and cited, as judges see it."""
        return self.path / "evidence.jsonl"

    @property
    def documents(self) -> Path:
        """The pages that it is of, as trees."""
        return self.path / "documents.jsonl"

    @property
    def pool(self) -> Path:
        """Judgements of pooled evidence, of every judge."""
        return self.path / "pool.jsonl"

    @property
    def words(self) -> Path:
        """The words of judges on all else."""
        return self.path / "words.jsonl"


class SystemLine(BaseModel):
    """A system as a line: its choices, the sha256 of all settings that decide its answers, and what it lacked."""

    model_config = ConfigDict(strict=True, extra="forbid")

    documents: Documents
    indexing: Indexing
    text_retriever: TextRetriever
    embedding: str
    image_retriever: str
    llm: str
    strategy: Strategy
    graph: Graph
    pages: int | None = None
    digest: str
    lacking: tuple[str, ...]

    def record(self) -> System:
        """Return the system, without its settings."""
        named = {field.name for field in fields(System)}
        return System(**{name: value for name, value in self if name in named})


@contextmanager
def opened(folder: EvaluationFolder, questions: Sequence[OmgQuestion], systems: Iterable[System]) -> Iterator[None]:
    """Hold the folder for this process alone, once it is sure that it has these questions and systems or none.

    Raises:
        UsageError: the folder has other questions, or a system of the same name with other settings.
        StoreLocked: another process writes it.
        StoreFull | StoreError: it cannot be written.
    """
    with WriterLock(folder.path, ANOTHER):
        _keep_questions(folder.questions, questions)
        _keep_systems(folder.systems, systems)
        yield


def read_questions_of(folder: EvaluationFolder) -> dict[str, OmgQuestion]:
    """Read the questions of a folder by their ids, in their order.

    Raises:
        UsageError: the folder is none of an evaluation, or its file cannot be read.
    """
    if not folder.questions.exists():
        raise UsageError(f"{folder.path} is no folder of an evaluation; heliograph eval omgqa run makes one")
    return {question.id: question for question in read_omg_questions(folder.questions)}


def read_systems_of(folder: EvaluationFolder) -> dict[str, System]:
    """Read the systems of a folder by their names, in the order in which they came.

    Raises:
        UsageError: the folder is none of an evaluation.
    """
    return {system.name: system for system in map(SystemLine.record, _known(folder.systems).values())}


def read_answers_of(folder: EvaluationFolder, questions: Container[str]) -> tuple[OmgRun, ...]:
    """Read the answers of a folder to its questions, in the order in which they came.

    Raises:
        UsageError: there are none, the file cannot be read, or an answer is to no question of the folder.
    """
    runs = read_runs(folder.runs) if folder.runs.exists() else ()
    if not runs:
        raise UsageError(f"{folder.path} has no answers; heliograph eval omgqa run asks its systems")
    if strange := [run.question for run in runs if run.question not in questions]:
        raise UsageError(
            f"{folder.runs} has an answer to {strange[0]!r}, which is none of the questions of the folder; "
            "take the line out, or put the questions back that were asked"
        )
    return runs


def settings_digest(system: System) -> str:
    """Return the sha256 of all settings that decide what a system answers."""
    return hashlib.sha256(json.dumps(system.settings, sort_keys=True, default=str).encode()).hexdigest()


def _keep_questions(path: Path, questions: Sequence[OmgQuestion]) -> None:
    if not path.exists():
        write_lines(path, map(question_line, questions), ANOTHER)
    elif read_omg_questions(path) != tuple(questions):
        raise UsageError(f"{path.parent} has answers to other questions; {ANOTHER}")


def _keep_systems(path: Path, systems: Iterable[System]) -> None:
    known = _known(path) if path.exists() else {}
    lines = {system.name: _line(system) for system in systems}
    for name, line in lines.items():
        if name in known and known[name].digest != line.digest:
            raise UsageError(f"{path.parent} has answers of {name!r} with other settings; {ANOTHER}")
    write_lines(path, (line.model_dump_json() + "\n" for line in {**known, **lines}.values()), ANOTHER)


def _known(path: Path) -> dict[str, SystemLine]:
    lines = [(line.record().name, line) for line in read_lines(path, SystemLine)]
    refuse_twice((name for name, _ in lines), path, "systems", "name")
    return dict(lines)


def _line(system: System) -> SystemLine:
    choices = {name: value for name, value in asdict(system).items() if name != "settings"}
    return SystemLine(**choices, digest=settings_digest(system))
