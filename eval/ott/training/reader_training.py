"""Training of the reader: first on needs made of the corpus alone, then on questions of people."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from eval.ott.corpus import OttCorpus
from eval.ott.judging import gold_of
from eval.ott.kept_postings import kept_postings
from eval.ott.questions import OttQuestion, read_questions
from eval.ott.ranking import edges_in
from eval.ott.reading import read_corpus
from eval.ott.recipe import digest_of_corpus
from eval.ott.results import read_results
from eval.ott.training.composed import ComposedQuestion, read_composed
from eval.ott.training.edge_lists import DEPTH, DEVELOPMENT, Edge, decontextualised, told_questions
from eval.ott.training.pretraining import Pretraining
from eval.ott.training.reader_card import command, sources
from eval.ott.training.reader_lists import Lesson, ReaderLists, lesson_of_composed, lesson_of_traced
from heliograph.errors import UsageError
from indexers.edges.bm25 import EdgeBM25, best
from indexers.models.named import refuse_missing
from indexers.models.pytorch import loaded_torch
from indexers.models.reader import Reader
from indexers.models.training.card import Card, carry_card, note, write_card
from indexers.models.training.checkpoint import keep_asked, refuse_another
from indexers.models.training.export import export_reader
from indexers.models.training.loop import BEST, Plan, Trained, train
from indexers.models.training.reading import ReadingExample, int8_loss, load_reader
from indexers.models.training.schedule import Schedule
from indexers.pace import Pace

PRETRAINING, SMALL = "pretraining", "onnx"
"""Folders in that of a training: of the first stage, and of the form that runs without PyTorch."""
INT8 = "What int8 loses"
"""Heading of its card."""
PUBLIC = Path("questions") / "ott_dev_public.jsonl"
"""Questions that are reported on: nothing is learned from their tables."""
PRETRAINED = 24_000
"""Examples of the first stage."""
FIRST_STAGE = Schedule(epochs=1, batch=16, learning_rate=1e-4, warmup=0.05, at_once=16)
SECOND_STAGE = Schedule(epochs=2, batch=16, learning_rate=1e-4, warmup=0.1, at_once=16)
DEVELOPED = 150
"""Development questions that are read after each epoch, the first ones."""

Rankings = Mapping[str, Sequence[Edge]]
"""Edges by the id of a question, the best first."""


@dataclass(frozen=True, slots=True)
class ReaderTraining:
    """One training as the command line gives it; `home` keeps the words of the corpus from one to the next.

    `reported` are questions from whose tables nothing is learned; None names those of the folder of the data.
    `rankings` are results of `heliograph eval ott`, for what they have of questions; BM25 ranks for the others.
    """

    data: Path
    questions: Path
    out: Path
    home: Path
    start: str
    composed: tuple[Path, ...] = ()
    rankings: tuple[Path, ...] = ()
    reported: Path | None = None
    pretrained: int = PRETRAINED
    schedule: Schedule = SECOND_STAGE
    seed: int = 0
    say: Callable[[str], None] = field(default=lambda _: None)

    def asked(self, stage: str) -> dict[str, object]:
        """Return what of a stage is known at once and makes it another one where it differs."""
        schedule = FIRST_STAGE if stage == PRETRAINING else self.schedule
        common: dict[str, object] = {"kind": f"reader {stage}", "start": self.start, "seed": self.seed}
        return {**common, "pretrained": self.pretrained, "schedule": asdict(schedule)}


def train_reader(training: ReaderTraining) -> Trained:
    """Train both stages and write the model, its form without PyTorch, and a card beside each.

    Raises:
        UsageError: data or questions cannot be used, or `out` holds another training.
        ModelMissing: there is no such start, or the extra `models` is not installed.
    """
    for stage, folder in (("", training.out), (PRETRAINING, training.out / PRETRAINING)):
        refuse_another(folder, training.asked(stage))
    refuse_missing(training.start, "--start")
    loaded_torch()
    training.say("reading the corpus")
    corpus = read_corpus(training.data, "full")
    taught = lessons(training, corpus)
    development = taught.development.first()
    start = _pretrained(training, corpus, taught.without, development) if training.pretrained else training.start
    count = len(taught.lists)
    told = f"{count} questions, {taught.composed} of them composed; {DEVELOPMENT} by sha256 of their ids held out"
    given = sources(training, corpus, len(taught.without), taught.composed)
    found = _learned(training, start, taught.lists, development, told, given)
    _exported(training, development)
    return found


@dataclass(frozen=True, slots=True)
class Taught:
    """Lessons to learn from and of development; `composed` of the former are ours.

    `without` are the tables from which nothing is learned without a label.
    """

    lists: ReaderLists
    development: ReaderLists
    without: frozenset[str]
    composed: int


def lessons(training: ReaderTraining, corpus: OttCorpus) -> Taught:
    """Return the lessons of the questions that a training names.

    Raises:
        UsageError: a file cannot be used.
    """
    questions = told_questions(training.questions, 0)
    without = tables_kept_out(training.reported or training.data / PUBLIC, questions)
    composed = [each for path in training.composed for each in read_composed(path, corpus, without)]
    rankings = ranked_edges(training, questions, composed, corpus)
    developed = ReaderLists(_traced(questions[:DEVELOPED], rankings, corpus), corpus)
    ours = _composed(composed, rankings, corpus)
    learned = ReaderLists([*_traced(questions[DEVELOPMENT:], rankings, corpus), *ours], corpus)
    return Taught(learned, developed, without, len(ours))


def tables_kept_out(reported: Path, questions: Sequence[OttQuestion]) -> frozenset[str]:
    """Return the tables from which nothing is learned without a label: reported ones, and those of development."""
    return frozenset(question.gold_table for question in (*read_questions(reported), *questions[:DEVELOPMENT]))


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


def _pretrained(
    training: ReaderTraining, corpus: OttCorpus, without: frozenset[str], development: Sequence[ReadingExample]
) -> str:
    folder = training.out / PRETRAINING
    keep_asked(folder, training.asked(PRETRAINING))
    training.say(f"training {folder}")
    plan = Plan("reader pretraining", training.start, FIRST_STAGE, training.seed)
    examples = Pretraining(corpus, without, training.pretrained)
    student = load_reader(training.start, training.seed)
    found = train(plan, student, examples, development, folder, training.say)
    told = f"{training.pretrained} needs made of the corpus, without the rows of {len(without)} tables"
    write_card(folder / BEST, Card(plan, examples.digest, told, found, "exact answers", "transformers"))
    return str(folder / BEST)


def _learned(
    training: ReaderTraining,
    start: str,
    lists: ReaderLists,
    development: Sequence[ReadingExample],
    told: str,
    given: tuple[str, ...],
) -> Trained:
    if not len(lists):
        raise UsageError(f"no question of {training.questions} teaches a reader: none has a gold node in the corpus")
    keep_asked(training.out, training.asked(""))
    training.say(f"training {training.out} on {told}")
    plan = Plan("reader", start, training.schedule, training.seed)
    found = train(plan, load_reader(start, training.seed), lists, development, training.out, training.say)
    card = Card(plan, lists.digest, told, found, "exact answers", "transformers", given, command(training))
    write_card(training.out / BEST, card)
    return found


def _exported(training: ReaderTraining, development: Sequence[ReadingExample]) -> None:
    """Write the form without PyTorch, and what it loses on the development questions into its card."""
    model, small = training.out / BEST, training.out / SMALL
    export_reader(model, small)
    carry_card(model, small)
    lost = int8_loss(load_reader(str(model)).read, Reader(small).read, development)
    training.say(str(lost))
    note(small, INT8, str(lost))
