"""Training of the reader: first on needs made of the corpus alone, then on questions of people."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from eval.ott.corpus import OttCorpus
from eval.ott.judging import gold_of
from eval.ott.kept_postings import kept_postings
from eval.ott.questions import OttQuestion
from eval.ott.ranking import edges_in
from eval.ott.recipe import digest_of_corpus
from eval.ott.results import read_results
from eval.ott.training.composed import ComposedQuestion, read_composed
from eval.ott.training.edge_lists import DEPTH, DEVELOPMENT, Edge, decontextualised, told_questions
from eval.ott.training.planned import RowLists, is_development, read_planned
from eval.ott.training.pretraining import NeedPretraining
from eval.ott.training.reader_lists import WRONG, Lesson, ReaderLists, lesson_of_composed, lesson_of_traced
from eval.ott.training.stages import (
    CorpusTraining,
    Curriculum,
    hashed,
    source_of_corpus,
    start_name,
    tables_of,
    train_in_stages,
)
from eval.ott.training.written import HELD_OUT, WrittenLists, read_written
from heliograph.errors import UsageError
from indexers.edges.bm25 import EdgeBM25, best
from indexers.models.training.checkpoint import Asked
from indexers.models.training.examples import CombinedExamples, Examples
from indexers.models.training.loop import Trained
from indexers.models.training.reading import ReadingExample, load_reader, refuse_headless
from indexers.models.training.schedule import Schedule
from indexers.models.training.window_student import FROZEN_LAYERS
from indexers.pace import Pace

DEVELOPED = 150
"""Development questions that are read after each epoch, the first ones."""
COMPOSED = (
    "composed for this project in the wordings of people, over tables that no development or reported question has; "
    "a second reader, who saw the texts and not the answers, gave the same answer to each, and code checks every line "
    "against the corpus (`python -m bench.composed_questions`; docs/results/reader.md). Questions, answers and ids "
    "alone, without the texts"
)

Rankings = Mapping[str, Sequence[Edge]]
"""Edges by the id of a question, the best first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReaderTraining(CorpusTraining):
    """One training of a reader; `home` keeps the words of the corpus from one to the next.

    `articles` are written ones, and `written` questions over their paragraphs, which are learned beside the others; so
    are `planned` questions over `tables`, as far as one row answers them. An epoch draws `composed_share` of the
    composed questions, and `written_share` of the written ones that do not take two paragraphs.
    `rankings` are results of `heliograph eval ott`, for what they have of questions; BM25 ranks for the others.
    `negatives` are the edges without the answer that a question has, and `teacher` is a reader whose distributions are
    learned too; `frozen_layers` are the lowest ones that stay as they are.
    """

    kind, measured = "reader", "exact answers"
    first_stage = Schedule(epochs=1, batch=16, learning_rate=1e-4, warmup=0.05, at_once=16)
    second_stage = Schedule(epochs=2, batch=16, learning_rate=1e-4, warmup=0.1, at_once=16)

    questions: Path
    home: Path
    composed: tuple[Path, ...] = ()
    articles: Path | None = None
    written: Path | None = None
    tables: Path | None = None
    planned: Path | None = None
    composed_share: float = 1.0
    written_share: float = 1.0
    rankings: tuple[Path, ...] = ()
    negatives: int = WRONG
    teacher: str | None = None
    frozen_layers: int = FROZEN_LAYERS

    def asked(self, stage: str) -> Asked:
        """Add how many negatives there are, who teaches, and what stays."""
        own = {
            "negatives": self.negatives,
            "teacher": self.teacher,
            "frozen_layers": self.frozen_layers,
            "composed_share": self.composed_share,
            "written_share": self.written_share,
        }
        return {**CorpusTraining.asked(self, stage), **own}

    def options(self) -> Iterator[str]:
        """Yield the options of its files."""
        yield f"--data OTT --questions {self.placed(self.questions)}"
        yield from self.files("composed", "articles", "written", "tables", "planned", "rankings", "reported")
        if self.composed and self.composed_share < 1:
            yield f"--composed-share {self.composed_share}"
        if self.written and self.written_share < 1:
            yield f"--written-share {self.written_share}"
        yield f"--negatives {self.negatives} --frozen-layers {self.frozen_layers}" + (
            f" --teacher {start_name(self.teacher)}" if self.teacher else ""
        )


def train_reader(training: ReaderTraining) -> Trained:
    """Train a reader on what the command line names, as `train_in_stages` does.

    Raises:
        UsageError: data or questions cannot be used, or `out` holds another training.
        ModelMissing: there is no such start or teacher, or the extra `models` is not installed.
    """
    training.refuse_halves(("articles", "written"), ("tables", "planned"))
    if training.teacher:
        refuse_headless(training.teacher)
    questions = told_questions(training.questions, 0)
    return train_in_stages(training, lambda: reader_curriculum(training, questions, training.corpus()))


def reader_curriculum(
    training: ReaderTraining, questions: Sequence[OttQuestion], corpus: OttCorpus
) -> Curriculum[ReadingExample]:
    """Return what is learned; without a label nothing of the tables of reported questions and those of development."""
    without = tables_of((*training.questions_reported(), *questions[:DEVELOPMENT]))
    composed = [each for path in training.composed for each in read_composed(path, corpus, without)]
    rankings = ranked_edges(training, questions, composed, corpus)
    ours = _composed(composed, rankings, corpus)
    traced = _traced(questions[DEVELOPMENT:], rankings, corpus)
    if not traced and not ours:
        raise UsageError(f"no question of {training.questions} teaches a reader: none has a gold node in the corpus")
    told = f"{len(traced) + len(ours)} questions, {len(ours)} of them composed"
    if training.composed_share < 1:
        told += f", of which an epoch draws {training.composed_share:.0%}"
    told += f"; {DEVELOPMENT} by sha256 of their ids held out"
    learned: list[Examples[ReadingExample]] = [
        ReaderLists(traced, corpus, training.negatives),
        ReaderLists(ours, corpus, training.negatives, training.composed_share),
    ]
    development = ReaderLists(
        _traced(questions[:DEVELOPED], rankings, corpus), corpus, training.negatives
    ).development()
    if training.articles and training.written:
        written = read_written(training.articles, training.written)
        own, held_out = (
            WrittenLists(*written, training.negatives, training.written_share, held_out=held) for held in (False, True)
        )
        told += f"; {len(own)} an epoch written with their articles, and those of one article in {HELD_OUT} held out"
        learned.append(own)
        development = (*development, *held_out.development())
    if training.tables and training.planned:
        planned = read_planned(training.tables, training.planned)
        rows = RowLists([each for each in planned if not is_development(each[0])], training.negatives)
        told += f"; {len(rows)} an epoch over rows of composed tables"
        learned.append(rows)
    return Curriculum(
        partial(load_reader, teacher=training.teacher, frozen_layers=training.frozen_layers),
        NeedPretraining(corpus, without, training.pretrained),
        CombinedExamples(learned),
        told,
        development,
        tuple(_sources(training, corpus, len(without), len(composed))),
    )


def _sources(training: ReaderTraining, corpus: OttCorpus, kept_out: int, composed: int) -> Iterator[str]:
    """Yield a line for each of the data that a reader learned from, with the hash of its file."""
    yield source_of_corpus(corpus)
    yield f"Questions: HybridQA's (Chen et al. 2020, MIT licence), {hashed(training.questions)}."
    for path in training.composed:
        yield f"Composed questions, {composed} in all: {hashed(path)}, {COMPOSED}."
    if training.articles and training.written:
        yield (
            f"Articles written for this project, and questions over their paragraphs: {hashed(training.articles)}, "
            f"{hashed(training.written)}."
        )
    if training.tables and training.planned:
        yield f"Questions over rows of composed tables: {hashed(training.tables)}, {hashed(training.planned)}."
    ranked = ", ".join(map(hashed, training.rankings)) or "BM25's"
    yield f"Edges without the answer: {ranked}."
    yield (
        f"Nothing is learned without a label, or composed, over the {kept_out} tables of reported and development "
        "questions."
    )


def ranked_edges(
    training: ReaderTraining,
    questions: Sequence[OttQuestion],
    composed: Sequence[ComposedQuestion],
    corpus: OttCorpus,
) -> Rankings:
    """Return edges for every question: of files of results where they have it, else BM25's."""
    results = (result for path in training.rankings for result in read_results(path))
    found: dict[str, Sequence[Edge]] = {result.id: edges_in(result.ranking) for result in results}
    used = (*questions[:DEVELOPED], *questions[DEVELOPMENT:])
    asked = {each.id: decontextualised(each, corpus, section=True) for each in used}
    asked |= {each.id: each.question for each in composed}
    missing = {id: need for id, need in asked.items() if id not in found}
    if missing:
        postings = kept_postings(corpus, training.home / "postings" / digest_of_corpus(corpus), training.say)
        found |= dict(_by_bm25(missing, postings.over(corpus), corpus, training.say))
    return found


def _by_bm25(
    asked: Mapping[str, str], bm25: EdgeBM25, corpus: OttCorpus, say: Callable[[str], None]
) -> Iterator[tuple[str, Sequence[Edge]]]:
    pace = Pace("questions ranked", len(asked), say)
    for number, (id, need) in enumerate(asked.items(), start=1):
        edges = corpus.edges[best(bm25.scores(need), DEPTH)].tolist()
        yield id, [(row, passage) for row, passage in edges]
        pace.done(number)


def _traced(questions: Sequence[OttQuestion], rankings: Rankings, corpus: OttCorpus) -> list[Lesson]:
    made = (lesson_of_traced(each, gold_of(each, corpus), rankings[each.id], corpus) for each in questions)
    return [lesson for lesson in made if lesson is not None]


def _composed(questions: Sequence[ComposedQuestion], rankings: Rankings, corpus: OttCorpus) -> list[Lesson]:
    made = (lesson_of_composed(each, rankings[each.id], corpus) for each in questions)
    return [lesson for lesson in made if lesson is not None]
