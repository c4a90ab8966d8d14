"""Examples for a reader from questions: an edge with the answer, and edges that a retriever finds without it."""

import hashlib
import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from eval.ott.corpus import NO_PASSAGE, OttCorpus
from eval.ott.judging import Gold
from eval.ott.nodes import edge_candidate, passage_candidate
from eval.ott.questions import OttQuestion
from eval.ott.ranking import Unit
from eval.ott.training.composed import ComposedKind, ComposedQuestion, evidence_edges
from eval.ott.training.edge_lists import Edge, decontextualised, drawn
from eval.ott.training.marks import marked, stands_in, without_answer
from indexers.models.reader import Candidate, Choice, Piece
from indexers.models.training.reading import Mark, ReadingExample

WRONG = 3
"""Edges without the answer that an example has, unless more are asked for."""
HARDEST = 30
"""Edges of a ranking that they are drawn from."""
RIGHT, FIRST = 3, 0.6
"""Edges with the answer that one is drawn from, the best ranked ones, and how often it is the best."""
ALONE = 0.5
"""How often a question of a passage, or of a cell, is shown passages, or rows, by themselves."""
EMPTY = 0.06
"""Share of answerable questions that are shown without an edge that answers them."""
LACKING = 0.5
"""How often an edge that answers is there a second time, without what answers; the two differ in nothing else."""
ROOM, WIDE = 176, 256
"""Tokens of a window, and of those of an example whose answer stands further behind."""
FAR = 380
"""Characters of a passage behind which an answer may be out of a narrow window."""
_ENOUGH: dict[ComposedKind, Literal["row", "passage"]] = {"fact": "passage", "cell": "row"}


@dataclass(frozen=True, slots=True)
class Lesson:
    """A question to read: its wordings, one of which is asked, edges that answer it and edges that do not.

    Both are in the order of a ranking. `choice` is what is answered where no span is; edges that a question without
    an answer seems to ask of are `right` too: none of them answers it. `enough` is the part of an edge that answers
    where the question needs no other.
    """

    id: str
    wordings: tuple[str, ...]
    answer: str
    right: tuple[Edge, ...]
    wrong: tuple[Edge, ...]
    choice: Choice | None = None
    enough: Literal["row", "passage"] | None = None


def lesson_of_traced(question: OttQuestion, gold: Gold, ranked: Sequence[Edge], corpus: OttCorpus) -> Lesson | None:
    """Return the lesson of a question whose gold nodes are traced; None where the corpus has none of them.

    It was written with a table in view: half of the time title and section are named, a quarter the title.
    """
    own = [edge for edge in map(_pair, corpus.edges_of(gold.table)) if gold.holds(Unit.edge(*edge))]
    right = [edge for edge in own if _marks(question.answer, corpus, edge)]
    if not right:
        return None
    titled, whole = (decontextualised(question, corpus, section=section) for section in (False, True))
    return Lesson(
        question.id,
        (question.question, titled, whole, whole),
        question.answer,
        _by_rank(right, ranked),
        _wrong(question.answer, [*right, *own], ranked, corpus),
    )


def lesson_of_composed(question: ComposedQuestion, ranked: Sequence[Edge], corpus: OttCorpus) -> Lesson | None:
    """Return the lesson of a composed question; None where it takes more than one row, which a reader does not see."""
    if question.rows:
        return None
    edges = evidence_edges(question, corpus)
    own = [edge for edge in map(_pair, corpus.edges_of(range(question.row, question.row + 1))) if edge not in edges]
    choice: Choice | None = None
    match question.kind:
        case "unanswerable":
            choice = "none"
        case "yes_no":
            choice = "yes" if question.answer == "yes" else "no"
    answer = "" if choice else question.answer
    right = edges if choice else tuple(edge for edge in edges if _marks(answer, corpus, edge))
    if not right:
        return None
    kept_out = [*edges, *own] if choice else list(edges)
    return Lesson(
        question.id,
        (question.question,),
        answer,
        _by_rank(right, ranked),
        _wrong(answer, kept_out, ranked, corpus),
        choice,
        _ENOUGH.get(question.kind),
    )


class ReaderLists:
    """Examples of a share of lessons, each with so many `wrong` edges; every epoch draws others."""

    def __init__(self, lessons: Sequence[Lesson], corpus: OttCorpus, wrong: int = WRONG, share: float = 1.0) -> None:
        self._lessons, self._corpus, self._wrong = lessons, corpus, wrong
        self._drawn = round(share * len(lessons))
        said = "\0".join(f"{each.id} {each.right[:RIGHT]} {each.wrong[:HARDEST]}" for each in lessons)
        self.digest = hashlib.sha256(f"{wrong} {self._drawn}{said}".encode()).hexdigest()

    def __len__(self) -> int:
        return self._drawn

    def epoch(self, number: int, seed: int) -> tuple[ReadingExample, ...]:
        """Return one example of each lesson that is drawn, in an order of this epoch's own."""
        order = random.Random(f"{seed} {number}").sample(self._lessons, self._drawn)
        return tuple(self._example(lesson, random.Random(f"{seed} {number} {lesson.id}")) for lesson in order)

    def development(self) -> tuple[ReadingExample, ...]:
        """Return each lesson, named in full, with its best right edge before the best ones without the answer."""
        return tuple(
            example_of(
                lesson.wordings[-1],
                lesson.answer,
                [self._candidate(edge) for edge in (lesson.right[0], *lesson.wrong[: self._wrong])],
                right=1,
            )
            for lesson in self._lessons
        )

    def _example(self, lesson: Lesson, draw: random.Random) -> ReadingExample:
        need = draw.choice(lesson.wordings)
        shown = lesson.enough if draw.random() < ALONE else None
        wrong = [self._candidate(edge, shown) for edge in drawn(draw, lesson.wrong[:HARDEST], self._wrong)]
        best = lesson.right[:RIGHT]
        right = self._candidate(best[0] if draw.random() < FIRST else draw.choice(best), shown)
        if lesson.choice is not None:
            chosen = range(1 + len(wrong)) if lesson.choice == "none" else range(1)
            return ReadingExample(need, (right, *wrong), (), lesson.choice, tuple(chosen), ROOM)
        if draw.random() < LACKING and (lacking := without_answer(lesson.answer, right)):
            wrong.append(lacking)
        if wrong and draw.random() < EMPTY:
            return ReadingExample(need, tuple(wrong), (), "none", tuple(range(len(wrong))), ROOM)
        return example_of(need, lesson.answer, [right, *wrong], right=1)

    def _candidate(self, edge: Edge, shown: Literal["row", "passage"] | None = None) -> Candidate:
        row, passage = edge
        if shown == "passage" and passage != NO_PASSAGE:
            return passage_candidate(self._corpus, passage)
        return edge_candidate(self._corpus, row, NO_PASSAGE if shown == "row" else passage)


def example_of(need: str, answer: str, candidates: Sequence[Candidate], right: int) -> ReadingExample:
    """Return an example whose first candidates, `right` of them, have the answer wherever it stands in them."""
    marks = tuple(
        mark for number in range(right) for mark in marked(answer, candidates[number], number)
    )  # all of them: which one was meant is not known
    wide = bool(marks) and all(mark.start > FAR and not _piece(candidates, mark).parts for mark in marks)
    return ReadingExample(need, tuple(candidates), marks, room=WIDE if wide else ROOM)


def _piece(candidates: Sequence[Candidate], mark: Mark) -> Piece:
    return candidates[mark.candidate].pieces[mark.piece]


def _marks(answer: str, corpus: OttCorpus, edge: Edge) -> list[Mark]:
    return marked(answer, edge_candidate(corpus, *edge), 0)


def _pair(edge: tuple[int, int]) -> Edge:
    row, passage = edge
    return row, passage


def _by_rank(edges: Sequence[Edge], ranked: Sequence[Edge]) -> tuple[Edge, ...]:
    places = {edge: place for place, edge in enumerate(ranked)}
    return tuple(sorted(edges, key=lambda edge: places.get(edge, len(ranked))))


def _wrong(answer: str, right: Sequence[Edge], ranked: Sequence[Edge], corpus: OttCorpus) -> tuple[Edge, ...]:
    """Return ranked edges that are not right and do not say the answer all the same."""
    taken = set(right)
    return tuple(
        edge
        for edge in ranked
        if edge not in taken
        and not any(stands_in(answer, piece.text) for piece in edge_candidate(corpus, *edge).pieces)
    )
