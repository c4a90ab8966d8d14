"""Training on HybridQA's questions over OTT-QA's corpus (HELIOS, appendix B): which lists, which student."""

import random
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import Literal

from eval.ott.corpus import OttCorpus
from eval.ott.expansion_models import PASSAGES, SEGMENTS
from eval.ott.kept_postings import kept_postings
from eval.ott.nodes import line_of_passage, segment_line
from eval.ott.questions import OttQuestion
from eval.ott.reading import read_corpus
from eval.ott.recipe import digest_of_corpus, digest_of_questions
from eval.ott.training.edge_lists import (
    DEVELOPMENT,
    DrawnLists,
    EdgeLists,
    Retrieved,
    development_lists,
    retrieved,
    told_questions,
)
from eval.ott.training.expansion_lists import passage_pool, segment_pool
from eval.ott.training.node_lists import NodeLists, Pooling, seed_pool
from eval.ott.training.stages import Stage
from eval.ott.training.teaching import EdgeTeacher, Teaching, open_teacher, refuse_no_teacher, refuse_weaker
from heliograph.errors import UsageError
from indexers.models.named import refuse_missing
from indexers.models.pytorch import loaded_torch
from indexers.models.training.checkpoint import Asked, refuse_another
from indexers.models.training.examples import Example
from indexers.models.training.loop import Plan, Trained
from indexers.models.training.schedule import RERANKER, RETRIEVER, Schedule
from indexers.models.training.students import CrossEncoderStudent, LateInteractionStudent, RankingStudent

Kind = Literal["edge-retriever", "edge-reranker", "node-reranker", "expansion-retrievers"]
"""What a command trains: f_e, g_e, g_n, or f_{S→P} and f_{P→S}."""
SCHEDULES: Mapping[Kind, Schedule] = {
    "edge-retriever": RETRIEVER,
    "edge-reranker": RERANKER,
    "node-reranker": RERANKER,
    "expansion-retrievers": RETRIEVER,
}
"""The paper's."""
SAMPLE = 500
"""Lines from whose token states a projection begins."""
DEVELOPED = 150
"""Development questions that are ranked after each epoch, the first ones."""


@dataclass(frozen=True, slots=True)
class Training:
    """One training as the command line gives it; `home` keeps the words of the corpus from one to the next."""

    kind: Kind
    data: Path
    questions: Path
    out: Path
    home: Path
    start: str
    schedule: Schedule
    held_out: int = 0
    seed: int = 0
    teaching: Teaching | None = None
    say: Callable[[str], None] = field(default=lambda _: None)

    def asked(self, questions: Sequence[OttQuestion]) -> Asked:
        """Return what of a training is known at once and makes it another one where it differs."""
        return {
            "kind": self.kind,
            "start": self.start,
            "schedule": asdict(self.schedule),
            "seed": self.seed,
            "questions": digest_of_questions(questions[DEVELOPMENT + self.held_out :]),
            "taught": self.teaching is not None,
        }


@dataclass(frozen=True, slots=True)
class Lesson:
    """What one model learns from, and what it is measured on."""

    examples: DrawnLists
    development: tuple[Example, ...]


def run_training(training: Training) -> dict[Path, Trained]:
    """Train the models of a kind one after the other, each with its card; return by folder what came out.

    Raises:
        UsageError: data or questions cannot be used, no question teaches one of the models, `out` holds another
            training, or the teacher is no better.
        ModelMissing: there is no such start, or the extra `models` is not installed.
    """
    questions = told_questions(training.questions, training.held_out)
    asked = training.asked(questions)
    for folder in _folders(training):
        refuse_another(folder, asked)
    _refuse_missing_models(training)
    training.say("reading the corpus")
    corpus = read_corpus(training.data, "full")
    students = {folder: begun(training, corpus) for folder in _folders(training)}
    bm25 = kept_postings(corpus, training.home / "postings" / digest_of_corpus(corpus), training.say).over(corpus)
    ranked = Ranked.of(retrieved(questions, corpus, bm25, training.say), training.held_out)
    with ExitStack() as stack:
        teacher = None
        if training.teaching is not None:
            teacher = open_teacher(training.teaching, corpus, bm25, training.home, stack)
            refuse_weaker(teacher, students[training.out], ranked.developed, corpus, training.say)
        lessons = _lessons(training, corpus, ranked, teacher)
        _refuse_nothing(training, lessons)
        return {
            folder: _learned(training, asked, folder, students[folder], lesson, ranked.told)
            for folder, lesson in lessons.items()
        }


@dataclass(frozen=True, slots=True)
class Ranked:
    """Questions that are learned from, those that are measured after each epoch, and a word on who they are."""

    learned: tuple[Retrieved, ...]
    developed: tuple[Retrieved, ...]
    told: str

    @classmethod
    def of(cls, questions: Sequence[Retrieved], held_out: int) -> "Ranked":
        """Divide questions in the order of their ids' sha256."""
        first = DEVELOPMENT + held_out
        learned, developed = tuple(questions[first:]), tuple(questions[:DEVELOPED])
        told = f"{len(learned)} questions; the first {first} by sha256 of their ids held out"
        return cls(learned, developed, told)


def _refuse_missing_models(training: Training) -> None:
    refuse_missing(training.start, "--start")
    if training.teaching is not None:
        refuse_no_teacher(training.teaching)
    loaded_torch()


def _refuse_nothing(training: Training, lessons: Mapping[Path, Lesson]) -> None:
    for folder, lesson in lessons.items():
        if len(lesson.examples) == 0:
            raise UsageError(
                f"no question of {training.questions} teaches {folder}: docs/training.md says what each model learns "
                "from; name other questions, or hold fewer back with --held-out"
            )


def _folders(training: Training) -> tuple[Path, ...]:
    if training.kind == "expansion-retrievers":
        return training.out / PASSAGES, training.out / SEGMENTS
    return (training.out,)


def _lessons(training: Training, corpus: OttCorpus, ranked: Ranked, teacher: EdgeTeacher | None) -> dict[Path, Lesson]:
    match training.kind:
        case "edge-retriever" | "edge-reranker":
            edges = EdgeLists(ranked.learned, corpus, teacher)
            return {training.out: Lesson(edges, development_lists(ranked.developed, corpus))}
        case "node-reranker":
            poolings: tuple[Pooling, ...] = (partial(seed_pool, corpus),)
        case "expansion-retrievers":
            poolings = (partial(passage_pool, corpus), partial(segment_pool, corpus))
    return {
        folder: Lesson(NodeLists(ranked.learned, corpus, pooling), NodeLists(ranked.developed, corpus, pooling).whole())
        for folder, pooling in zip(_folders(training), poolings, strict=True)
    }


def _learned(
    training: Training, asked: Asked, folder: Path, student: RankingStudent, lesson: Lesson, told: str
) -> Trained:
    plan = Plan(training.kind, training.start, training.schedule, training.seed)
    training.say(f"training {folder}")
    return Stage(lesson.examples, lesson.development, told).learn(plan, student, folder, asked, training.say)


def begun(training: Training, corpus: OttCorpus) -> RankingStudent:
    """Load what the training starts from."""
    from indexers.models.multi_vector import load_multi_vector
    from indexers.models.pairs import load_cross_encoder

    loaded_torch().manual_seed(training.seed)
    if training.kind in ("edge-reranker", "node-reranker"):
        return CrossEncoderStudent(load_cross_encoder(training.start))
    return LateInteractionStudent(load_multi_vector(training.start, sample_lines(corpus, training.seed)))


def sample_lines(corpus: OttCorpus, seed: int) -> tuple[str, ...]:
    """Return lines of rows and passages, drawn at random."""
    draw, each = random.Random(seed), SAMPLE // 2
    rows = draw.sample(range(corpus.rows), min(each, corpus.rows))
    passages = draw.sample(range(len(corpus.passages.ids)), min(each, len(corpus.passages.ids)))
    return tuple(segment_line(corpus, row) for row in rows) + tuple(line_of_passage(corpus, at) for at in passages)
