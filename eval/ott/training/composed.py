"""Questions that were composed for a reader, in the wordings of people; kept without the texts that they rest on.

A line names table, row and passage by their ids, so what it rests on is looked up in the corpus, and every line is
checked against it: an answer that does not stand where the line says is an error, not an example.
"""

import hashlib
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol

from pydantic import BaseModel, ConfigDict, Field

from eval.lines import Line, read_placed_lines
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


class PlacedLine(Protocol):
    """A line that says by ids of the corpus what it rests on; rows count from 0 in their table."""

    table: str
    row: int
    passage: str | None


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

    def key(self) -> tuple[str, str]:
        """Return what no other line of the file may have."""
        return self.question, self.table


def read_composed(path: Path, corpus: OttCorpus, kept_out: Collection[str] = ()) -> tuple[ComposedQuestion, ...]:
    """Read composed questions in the order of the file.

    Raises:
        UsageError: the file cannot be read, a line is no question, its table is `kept_out`, or the corpus does not
            bear it out.
    """
    lines = checked_lines(path, ComposedLine, "question", ComposedLine.key, lambda line: fault(line, corpus, kept_out))
    return tuple(_question(line, corpus) for line in lines)


def checked_lines(
    path: Path, shape: type[Line], what: str, key: Callable[[Line], object], fault_of: Callable[[Line], str]
) -> Iterator[Line]:
    """Yield the lines of a file, each a `what` with a key of its own.

    Raises:
        UsageError: the file cannot be read, something is wrong with a line, or it stands there twice.
    """
    seen: set[object] = set()
    for place, line in read_placed_lines(path, shape):
        if wrong := fault_of(line):
            raise UsageError(f"{place}: {wrong}; mend the line, or take it out")
        if key(line) in seen:
            raise UsageError(f"{place}: the {what} stands there twice; take one out")
        seen.add(key(line))
        yield line


def fault(line: ComposedLine, corpus: OttCorpus, kept_out: Collection[str] = ()) -> str:
    """Return what is wrong with a line; empty where nothing is."""
    if wrong := misplaced(line, (line.row, *line.rows), corpus, kept_out):
        return wrong
    match line.kind:
        case "unanswerable":
            right = not line.answer
        case "yes_no":
            right = line.answer in ("yes", "no")
        case _ if line.kind in IN_PASSAGE:
            passage = passage_of(line, corpus)
            right = passage is not None and stands_in(line.answer, corpus.passage_text(passage))
        case _:
            right = any(stands_in(line.answer, cell) for cell in corpus.cells(corpus.rows_of(line.table)[line.row]))
    wrong = f"the answer {line.answer!r} does not stand where a question of kind {line.kind!r} has it"
    return "" if right else wrong


def is_held_out(name: str, one_in: int) -> bool:
    """Whether what a name stands for is held out, one in so many by its sha256."""
    return hashlib.sha256(name.encode()).digest()[0] % one_in == 0


def misplaced(line: PlacedLine, rows: Iterable[int], corpus: OttCorpus, kept_out: Collection[str]) -> str:
    """Return what is wrong with what a line rests on, these rows of its table; empty where nothing is."""
    if line.table in kept_out:
        return f"nothing is learned from the table {line.table!r}"
    own = corpus.rows_of(line.table)
    if not all(row < len(own) for row in rows):
        return f"the corpus has no such row of {line.table!r}"
    linked = {passage for _, passage in corpus.links_of(own[line.row])}
    if line.passage is not None and passage_of(line, corpus) not in linked:
        return f"the row does not link {line.passage!r}"
    return ""


def passage_of(line: PlacedLine, corpus: OttCorpus) -> int | None:
    """Return the number of a line's passage."""
    return None if line.passage is None else corpus.passages.position(line.passage)


def _question(line: ComposedLine, corpus: OttCorpus) -> ComposedQuestion:
    rows, passage = corpus.rows_of(line.table), passage_of(line, corpus)
    id = hashlib.sha256(f"{line.question}\0{line.table}".encode()).hexdigest()[:16]
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
