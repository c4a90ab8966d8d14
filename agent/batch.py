"""Many questions from one file: each answered once, however often the batch is started."""

import json
import os
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from agent.record import answer_fields
from heliograph.errors import (
    HeliographError,
    ModelMissing,
    ModelUnreachable,
    SearchUnavailable,
    StoreError,
    StoreFull,
    UsageError,
)
from heliograph.types import Answer

BEGINNING = b'{"id": '
"""How every line of an output begins."""


@dataclass(frozen=True, slots=True)
class BatchQuestion:
    """One line of a batch."""

    id: str
    text: str


def read_questions(path: Path) -> tuple[BatchQuestion, ...]:
    """Read JSON lines of {"id", "question"}; the line number stands in for a missing id.

    Raises:
        UsageError: the file cannot be read, a line is no such object, or an id stands twice.
    """
    try:
        questions = tuple(_parsed(path, path.read_text(encoding="utf8")))
    except OSError as err:
        raise UsageError(f"cannot read questions from {path}: {err.strerror}; name a readable file by --batch") from err
    except UnicodeDecodeError as err:
        raise UsageError(f"cannot read questions from {path}: {err}; write it in UTF-8") from err
    for name, times in Counter(question.id for question in questions).items():
        if times > 1:
            raise UsageError(f"{path}: the id {name!r} stands twice; give each question its own")
    return questions


async def ask_batch(
    batch: Path | None,
    out: Path | None,
    ask: Callable[[str], Awaitable[Answer]],
    progress: Callable[[str], None],
) -> None:
    """Append one line for each question that has none yet; a question that cannot be asked gets its error.

    Raises:
        UsageError: a file is not named, cannot be read or holds something else.
        StoreError, SearchUnavailable, ModelUnreachable, ModelMissing: what stops one question would stop them all; the
            lines so far stay.
    """
    if batch is None or out is None:
        raise UsageError("a batch needs both files: --batch QUESTIONS.jsonl --out ANSWERS.jsonl")
    questions, done = read_questions(batch), _answered(out)
    todo = [question for question in questions if question.id not in done]
    progress(f"{len(questions) - len(todo)} of {len(questions)} questions are answered already")
    for number, question in enumerate(todo, start=1):
        progress(f"question {number} of {len(todo)}: {question.text[:100]}")
        _append(out, await _line(question, ask))


async def _line(question: BatchQuestion, ask: Callable[[str], Awaitable[Answer]]) -> dict[str, object]:
    try:
        return {"id": question.id, **answer_fields(await ask(question.text))}
    except (StoreError, SearchUnavailable, ModelUnreachable, ModelMissing):
        raise
    except HeliographError as err:
        return {"id": question.id, "question": question.text, "error": str(err), "exit_code": err.exit_code}


def _parsed(path: Path, text: str) -> Iterator[BatchQuestion]:
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except json.JSONDecodeError:
            record = None
        match record:
            case {"question": str(question)}:
                yield BatchQuestion(str(record.get("id", number)), question)
            case _:
                raise UsageError(f'{path}:{number} is not a line like {{"id": "q1", "question": "…"}}')


def _append(out: Path, line: dict[str, object]) -> None:
    """Write one line; half of a pair of surrogates is written as JSON escapes it."""
    try:
        with out.open("a", encoding="utf8", errors="backslashreplace") as lines:
            lines.write(json.dumps(line, ensure_ascii=False) + "\n")
    except OSError as err:
        raise StoreFull(f"cannot write answers to {out}: {err.strerror}; free some space and start again") from err


def _answered(out: Path) -> frozenset[str]:
    """Return the ids that have a line; a line that a kill tore is cut off, so that the next one stands alone.

    A file that holds anything else is left as it is.
    """
    try:
        out.touch()
        content = out.read_bytes()
    except OSError as err:
        raise UsageError(f"cannot write answers to {out}: {err.strerror}; name another file with --out") from err
    whole, torn = content[: content.rfind(b"\n") + 1], content[content.rfind(b"\n") + 1 :]
    try:
        ids = frozenset(str(json.loads(line)["id"]) for line in whole.splitlines())
    except (UnicodeDecodeError, json.JSONDecodeError, KeyError, TypeError) as err:
        raise UsageError(f"{out} is not the output of a batch; name another file with --out") from err
    if not torn.startswith(BEGINNING[: len(torn)]):
        raise UsageError(f"{out} is not the output of a batch; name another file with --out")
    os.truncate(out, len(whole))
    return ids
