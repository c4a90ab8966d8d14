"""Lists to learn from: HybridQA's questions with edges that hold the answer and edges that do not (appendix B.1)."""

import hashlib
import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypeVar

from eval.ott.corpus import Numbers, OttCorpus
from eval.ott.judging import Gold, gold_of
from eval.ott.matching import matchable, says
from eval.ott.nodes import edge_lines
from eval.ott.questions import OttQuestion, read_questions
from eval.ott.ranking import Unit
from heliograph.errors import UsageError
from indexers.edges.bm25 import EdgeBM25, best
from indexers.models.training.examples import Candidate, Example

DEVELOPMENT = 300
"""The first questions by the sha256 of their ids: choices are made on them, and nothing is learned from them."""
POSITIVES, HARD, EASY, FOREIGN = 2, 5, 2, 1
"""Edges of one list: gold ones, BM25's best of the gold table, others of that table, BM25's best of other tables."""
HARDEST = 40
"""Edges of BM25's ranking, of the gold table and of others, that hard negatives are drawn from."""
DEPTH = 100
"""Edges of BM25's ranking that are looked at."""
DEVELOPED_EDGES = 60
"""Edges of it that are ranked anew for a development question."""

T = TypeVar("T")
Edge = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Retrieved:
    """A question, what is gold for it, and BM25's ranking of edges for the question as it is asked of all tables."""

    question: OttQuestion
    gold: Gold
    ranked: Numbers

    @property
    def edges(self) -> list[Edge]:
        """The ranking as pairs."""
        return [(int(row), int(passage)) for row, passage in self.ranked]


class Teacher(Protocol):
    """What scores edges better than the model that learns (appendix B.1)."""

    @property
    def name(self) -> str:
        """A name that changes when the scores would."""

    def scores(self, question: str, edges: Sequence[Edge], among: Sequence[Edge] = ()) -> tuple[float, ...]:
        """Return a score an edge, in the order given; `among` are the edges that were retrieved with them."""


def told_questions(path: Path, held_out: int) -> tuple[OttQuestion, ...]:
    """Read questions of which some are left to learn from.

    Raises:
        UsageError: the file cannot be used, or all its questions are held out.
    """
    questions, first = read_questions(path), DEVELOPMENT + held_out
    if len(questions) <= first:
        raise UsageError(f"{path} has {len(questions)} questions; the first {first} are held out, so none is left")
    return questions


def retrieved(
    questions: Sequence[OttQuestion], corpus: OttCorpus, bm25: EdgeBM25, say: Callable[[str], None] = lambda _: None
) -> tuple[Retrieved, ...]:
    """Rank the corpus's edges by BM25 for each question, put as `decontextualised`."""
    found = []
    for number, question in enumerate(questions, start=1):
        ranked = best(bm25.scores(decontextualised(question, corpus, section=True)), DEPTH)
        found.append(Retrieved(question, gold_of(question, corpus), corpus.edges[ranked]))
        if number % 200 == 0:
            say(f"ranked edges for {number}/{len(questions)} questions")
    return tuple(found)


def decontextualised(question: OttQuestion, corpus: OttCorpus, section: bool) -> str:
    """Name the table in a question that was written with the table in view, as OTT-QA's annotators did."""
    row = corpus.rows_of(question.gold_table)
    if not row:
        return question.question
    table = corpus.table_of(row[0])
    named = f"{table.title} {table.section_title}".strip() if section else table.title
    return f"{question.question.rstrip(' ?')} in {named} ?"


def asked_as(question: OttQuestion, corpus: OttCorpus, draw: random.Random) -> str:
    """Put half of the questions with title and section of their table, a quarter with the title, a quarter as written.

    OTT-QA's questions name their tables more or less.
    """
    kind = draw.random()
    return question.question if kind < 0.25 else decontextualised(question, corpus, section=kind >= 0.5)


def digest_of(questions: Sequence[Retrieved]) -> str:
    """Hash which questions are learned from, and what is found for each."""
    said = "\0".join(f"{asked.question.id} {asked.ranked.tobytes().hex()[:64]}" for asked in questions)
    return hashlib.sha256(said.encode()).hexdigest()


class DrawnLists(ABC):
    """One list for each question that has something to learn; every epoch draws others."""

    def __init__(self, questions: Sequence[Retrieved]) -> None:
        self._questions = questions
        self.digest = digest_of(questions)

    def __len__(self) -> int:
        """Return how many questions have a list."""
        return len(self._questions)

    def epoch(self, number: int, seed: int) -> tuple[Example, ...]:
        """Return one list a question, in an order of this epoch's own."""
        order = random.Random(f"{seed} {number}")
        questions = order.sample(self._questions, len(self._questions))
        return tuple(self._list(asked, random.Random(f"{seed} {number} {asked.question.id}")) for asked in questions)

    @abstractmethod
    def _list(self, asked: Retrieved, draw: random.Random) -> Example:
        """Draw the list of a question."""


class EdgeLists(DrawnLists):
    """Lists of the questions that have gold edges; a teacher scores what is drawn."""

    def __init__(self, questions: Sequence[Retrieved], corpus: OttCorpus, teacher: Teacher | None = None) -> None:
        super().__init__([asked for asked in questions if _positives(asked, corpus)])
        self._corpus, self._teacher = corpus, teacher
        self.digest += f" {teacher.name}" if teacher else ""

    def _list(self, asked: Retrieved, draw: random.Random) -> Example:
        corpus, positives = self._corpus, _positives(asked, self._corpus)
        own = _wrong(asked, corpus, corpus.edges_of(asked.gold.table))
        ranked = asked.edges
        others = [edge for edge in ranked if edge[0] not in asked.gold.table][:HARDEST]
        hard = drawn(draw, [edge for edge in ranked if edge in own][:HARDEST], HARD)
        easy = drawn(draw, [edge for edge in own if edge not in hard], EASY)
        foreign = drawn(draw, list(_wrong(asked, corpus, others)), FOREIGN)
        query = asked_as(asked.question, corpus, draw)
        right, wrong = drawn(draw, positives, POSITIVES), (*hard, *easy, *foreign)
        taught = self._teacher.scores(query, (*right, *wrong), ranked) if self._teacher else ()
        return Example(query, self._lines(right), self._lines(wrong), taught)

    def _lines(self, edges: Sequence[Edge]) -> tuple[Candidate, ...]:
        return tuple(edge_lines(self._corpus, *edge) for edge in edges)


def development_lists(
    questions: Sequence[Retrieved], corpus: OttCorpus, depth: int = DEVELOPED_EDGES
) -> tuple[Example, ...]:
    """Return BM25's first edges for each question, to be ranked anew; gold that BM25 misses stays missed."""
    lists = []
    for asked in questions:
        edges = asked.edges[:depth]
        right = [edge for edge in edges if asked.gold.holds(Unit.edge(*edge))]
        wrong = [edge for edge in edges if edge not in set(right)]
        lines = [tuple(edge_lines(corpus, *edge) for edge in part) for part in (right, wrong)]
        lists.append(Example(decontextualised(asked.question, corpus, section=True), lines[0], lines[1]))
    return tuple(lists)


def _positives(asked: Retrieved, corpus: OttCorpus) -> tuple[Edge, ...]:
    edges = corpus.edges_of(asked.gold.table)
    return tuple(edge for edge in edges if asked.gold.holds(Unit.edge(*edge)))


def _wrong(asked: Retrieved, corpus: OttCorpus, edges: Sequence[Edge]) -> dict[Edge, None]:
    """Leave out gold edges, and those that say the answer all the same: they may be right."""
    answers = [matchable(answer) for answer in asked.question.answers]
    return {
        edge: None
        for edge in edges
        if not asked.gold.holds(Unit.edge(*edge))
        and not any(says(matchable(" ".join(edge_lines(corpus, *edge))), answer) for answer in answers)
    }


def drawn(draw: random.Random, items: Sequence[T], most: int) -> tuple[T, ...]:
    """Return so many items at random, or all of fewer."""
    return tuple(draw.sample(list(items), min(most, len(items))))
