"""Questions that were composed for a reader, in the wordings of people; kept without the texts that they rest on.

A line names table, row and passage by their ids, so what it rests on is looked up in the corpus, and every line is
checked against it: an answer that does not stand where the line says is an error, not an example.
"""

import hashlib
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from eval.lines import read_placed_lines
from eval.ott.corpus import NO_PASSAGE, OttCorpus
from eval.ott.training.marks import stands_in
from heliograph.errors import UsageError

ComposedKind = Literal["passage", "cell", "bridge", "fact", "comparison", "yes_no", "unanswerable"]
"""What is asked for: something of a row's passage, a cell, a cell of what a passage describes, something of a passage
alone, one of two rows, yes or no, or something that neither row nor passage says."""
IN_PASSAGE = frozenset({"passage", "fact"})


@dataclass(frozen=True, slots=True)
class ComposedQuestion:
    """A question and what answers it; `answer` is empty where nothing does, and `passage` None where none is meant.

    `rows` are those that must be compared, by the numbers of the corpus as `row` is; none where one is enough.
    """

    id: str
    question: str
    kind: ComposedKind
    style: str
    table: str
    row: int
    passage: int | None
    answer: str
    rows: tuple[int, ...] = ()


class ComposedLine(BaseModel):
    """A line of the file; rows count from 0 in their table."""

    model_config = ConfigDict(strict=True, extra="forbid")

    question: str = Field(min_length=8, max_length=400)
    kind: ComposedKind
    style: Literal["plain", "short", "colloquial", "long"]
    table: str
    row: int = Field(ge=0)
    passage: str | None
    answer: str
    rows: list[int] = Field(default_factory=list)


def read_composed(path: Path, corpus: OttCorpus, kept_out: Collection[str] = ()) -> tuple[ComposedQuestion, ...]:
    """Read composed questions in the order of the file.

    Raises:
        UsageError: the file cannot be read, a line is no question, its table is `kept_out`, or the corpus does not
            bear it out.
    """
    found: dict[str, ComposedQuestion] = {}
    for place, line in read_placed_lines(path, ComposedLine):
        if wrong := next(faults(line, corpus, kept_out), None):
            raise UsageError(f"{place}: {wrong}; mend the line, or take it out")
        question = _question(line, corpus)
        if question.id in found:
            raise UsageError(f"{place}: the question stands there twice; take one out")
        found[question.id] = question
    return tuple(found.values())


def faults(line: ComposedLine, corpus: OttCorpus, kept_out: Collection[str] = ()) -> Iterator[str]:
    """Yield what is wrong with a line."""
    if line.table in kept_out:
        yield f"nothing is learned from the table {line.table!r}"
    rows = corpus.rows_of(line.table)
    if not all(row < len(rows) for row in (line.row, *line.rows)):
        yield f"the corpus has no such row of {line.table!r}"
        return
    passage = None if line.passage is None else corpus.passages.position(line.passage)
    if line.passage is not None and passage not in {linked for _, linked in corpus.links_of(rows[line.row])}:
        yield f"the row does not link {line.passage!r}"
        return
    match line.kind:
        case "unanswerable":
            right = not line.answer
        case "yes_no":
            right = line.answer in ("yes", "no")
        case _ if line.kind in IN_PASSAGE:
            right = passage is not None and stands_in(line.answer, corpus.passage_text(passage))
        case _:
            right = any(stands_in(line.answer, cell) for cell in corpus.cells(rows[line.row]))
    if not right:
        yield f"the answer {line.answer!r} does not stand where a question of kind {line.kind!r} has it"


def _question(line: ComposedLine, corpus: OttCorpus) -> ComposedQuestion:
    rows = corpus.rows_of(line.table)
    id = hashlib.sha256(f"{line.question}\0{line.table}".encode()).hexdigest()[:16]
    passage = None if line.passage is None else corpus.passages.position(line.passage)
    others = tuple(rows[row] for row in line.rows)
    return ComposedQuestion(
        id, line.question, line.kind, line.style, line.table, rows[line.row], passage, line.answer, others
    )


def evidence_edges(question: ComposedQuestion, corpus: OttCorpus) -> tuple[tuple[int, int], ...]:
    """Return the edges that a question rests on: its row with its passage, or with each that the row links."""
    if question.passage is not None:
        return ((question.row, question.passage),)
    edges = corpus.edges_of(range(question.row, question.row + 1))
    return tuple((row, passage) for row, passage in edges) or ((question.row, NO_PASSAGE),)
