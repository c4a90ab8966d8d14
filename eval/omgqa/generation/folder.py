"""The folder of a generation: what it is of, its candidates, the model's replies, and what became of the drafts.

Every file grows line by line and is whole again after a kill; docs/omgqa-generation.md lists them.
"""

import json
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from eval.lines import read_lines
from eval.omgqa.dataset import document_line, question_line, read_documents, read_omg_questions
from eval.omgqa.elsewhere import ANOTHER
from eval.omgqa.generation.candidates import Pipeline
from eval.omgqa.generation.drafts import Gate, Outcome, Passed, Refusal, Rejected
from eval.omgqa.records import OmgQuestion
from heliograph.errors import UsageError
from heliograph.types import EvidenceId, PageKey
from indexers.lock import WriterLock
from memory.trace.disk import Journal, write_lines

MADE_OF = "generation.json"


class MadeOf(BaseModel):
    """What decides which questions come about: a folder holds the questions of one such choice."""

    model_config = ConfigDict(strict=True, extra="forbid")

    pipeline: Pipeline
    wiki: str
    edition: str
    model: str
    context_tokens: int
    seed: int


class RejectedLine(BaseModel):
    """A line of `rejected.jsonl`."""

    model_config = ConfigDict(strict=True, extra="forbid")

    id: str
    question: str
    answer: str
    evidence: tuple[EvidenceId, ...]
    gate: Gate
    reason: str

    def record(self) -> Rejected:
        """Return the draft with why it was refused."""
        return Rejected(self.id, self.question, self.answer, self.evidence, Refusal(self.gate, self.reason))


@dataclass(slots=True)
class GenerationFolder:
    """What was made so far, and the files that grow with it."""

    path: Path
    questions: dict[str, OmgQuestion]
    rejected: dict[str, Rejected]
    documents: set[PageKey]
    _journals: dict[str, Journal] = field(default_factory=dict)

    def knows(self, draft: str) -> bool:
        """Tell whether it is known what became of a draft."""
        return draft in self.questions or draft in self.rejected

    def keep(self, outcome: Outcome) -> None:
        """Write down what became of a draft; documents stand there before the question that names them.

        Raises:
            StoreFull | StoreError: it cannot be written.
        """
        match outcome:
            case Passed(question=question, documents=documents):
                for document in documents:
                    if document.key not in self.documents:
                        self._append("documents", document_line(document))
                        self.documents.add(document.key)
                self._append("questions", question_line(question))
                self.questions[question.id] = question
            case Rejected(id=name):
                self._append("rejected", rejected_line(outcome))
                self.rejected[name] = outcome

    def _append(self, name: str, line: str) -> None:
        self._journals[name].append(line.encode("utf8", "backslashreplace"))


def rejected_line(rejected: Rejected) -> str:
    """Write a rejected draft as a line that reads back as the same."""
    fields = {
        "id": rejected.id,
        "question": rejected.question,
        "answer": rejected.answer,
        "evidence": rejected.evidence,
        "gate": rejected.refusal.gate,
        "reason": rejected.refusal.reason,
    }
    return json.dumps(fields, ensure_ascii=False) + "\n"


def read_rejected(path: Path) -> tuple[Rejected, ...]:
    """Read rejected drafts.

    Raises:
        UsageError: the file cannot be read, or a line is none.
    """
    return tuple(line.record() for line in read_lines(path, RejectedLine))


@contextmanager
def held(path: Path) -> Iterator[None]:
    """Hold a folder for this process alone.

    Raises:
        StoreLocked: another process writes it.
        StoreFull: it cannot be written.
    """
    with WriterLock(path, ANOTHER):
        yield


@contextmanager
def opened(path: Path, made_of: MadeOf) -> Iterator[GenerationFolder]:
    """Open a folder that this process holds; lines that a kill cut short are dropped.

    Raises:
        UsageError: it holds questions of another choice, or something else.
        StoreFull | StoreError: it cannot be written.
    """
    _keep_choice(path / MADE_OF, made_of)
    with ExitStack() as stack:
        files = {name: path / f"{name}.jsonl" for name in ("questions", "documents", "rejected")}
        journals = {name: stack.enter_context(closing(Journal(file, ANOTHER))) for name, file in files.items()}
        yield GenerationFolder(
            path,
            {question.id: question for question in read_omg_questions(files["questions"])},
            {rejected.id: rejected for rejected in read_rejected(files["rejected"])},
            set(read_documents(files["documents"])),
            journals,
        )


def _keep_choice(path: Path, made_of: MadeOf) -> None:
    if not path.exists():
        if path.with_name("questions.jsonl").exists():
            raise UsageError(f"{path.parent} has questions that were not made here; {ANOTHER}")
        write_lines(path, (made_of.model_dump_json() + "\n",), ANOTHER)
        return
    kept = next(iter(read_lines(path, MadeOf)), None)
    differing = differences(kept, made_of) if kept else ("choice",)
    if differing:
        raise UsageError(f"{path.parent} has questions of another {', '.join(differing)}; {ANOTHER}")


def differences(kept: MadeOf, wanted: MadeOf) -> Sequence[str]:
    """Name in what two choices differ."""
    ours, theirs = wanted.model_dump(), kept.model_dump()
    return tuple(name.replace("_", " ") for name in ours if ours[name] != theirs[name])
