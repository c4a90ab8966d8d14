"""Training of an encoder on queries over a knowledge base: the baselines DPR and ANCE of STaRK (section 4.1).

Without a refresh this is DPR: against each query stand the other documents of its batch and one that BM25 puts high and
that does not answer. With a refresh it is ANCE's way (Xiong et al. 2021): after every N steps the encoder ranks all
entities, and such documents are drawn from its own ranking from then on.
"""

import asyncio
import hashlib
import random
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from statistics import fmean
from typing import ClassVar, Literal

import numpy as np

from eval.drawing import digest_of
from eval.ott.training.stages import Stage, hashed, start_name
from eval.stark.measures import NAMES, measures_of
from eval.stark.queries import StarkQuery, of_split, read_queries
from heliograph.errors import StoreDamaged, UnknownEntity, UsageError
from heliograph.protocols import Vectors
from heliograph.storage import storage_error
from indexers.models.named import refuse_missing
from indexers.models.onnx import MODEL_NAME
from indexers.models.pytorch import loaded_torch
from indexers.models.training.checkpoint import ASKED, Asked, refuse_another
from indexers.models.training.development import Say
from indexers.models.training.dual_encoder import DualEncoderStudent, EncoderExample, load_encoder
from indexers.models.training.loop import Plan, Trained
from indexers.models.training.schedule import Schedule
from indexers.pace import Pace
from indexers.skb.adjacency import Numbers
from indexers.skb.knowledge_base import BuiltKnowledgeBase, open_base
from tools.skb.candidates import Candidates, EntityScores, base_state
from tools.skb.dense_retrieval import Instruction, instruction_beside, instruction_of, on_one_line
from tools.skb.entity_documents import related_documents

DPR = Schedule(epochs=5, batch=32, learning_rate=2e-5, warmup=0.1, at_once=32)
"""STaRK does not say how its encoders were trained; batch and rate are usual for encoders of this size."""
HARD = 20
"""Entities of a ranking that do not answer and from which one is drawn against a query."""
MEASURED = 100
"""Entities of a ranking that are measured, as `eval stark run` has it."""
HELD_OUT = 5
"""One query in so many chooses the epoch, where the split that is learned from is also that of validation."""
QUERIES_AT_ONCE = 256
NOBODY = -1
"""Fills the rows of kept negatives that are shorter than HARD."""

Split = Literal["train", "val"]
"""What may be learned from; every other split is to report on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EncoderTraining:
    """One training as the command line gives it.

    Attributes:
        refresh: steps after which the encoder's own ranking gives the negatives, and validation is done; None keeps
            BM25's, and validates after every epoch.
        query_instruction: what queries begin with; None is what the start was trained with.
    """

    skb: Path
    queries: Path
    out: Path
    start: str = MODEL_NAME
    split: Split = "train"
    schedule: Schedule = DPR
    refresh: int | None = None
    query_instruction: str | None = None
    seed: int = 0
    say: Say = field(default=lambda _: None)

    kind: ClassVar[str] = "skb-encoder"

    @property
    def instruction(self) -> Instruction:
        """Return what stands before queries and documents, here and in retrieval."""
        return instruction_of(self.start, instruction_beside(self.start, self.query_instruction))

    def asked(self) -> Asked:
        """Return what is known at once and makes it another training where it differs."""
        told = ("start", "split", "refresh", "seed")
        given = {name: getattr(self, name) for name in told}
        return {"kind": self.kind, **given, "schedule": asdict(self.schedule), "instruction": asdict(self.instruction)}

    def scheduled(self, queries: int) -> Schedule:
        """Return the schedule of so many queries; with a refresh an epoch of it is the steps between two of them."""
        if self.refresh is None:
            return self.schedule
        steps = self.schedule.steps(queries)
        return replace(self.schedule, epochs=-(-steps // min(self.refresh, steps)))

    @property
    def command(self) -> str:
        """Return the command that makes the same model of the same files."""
        schedule = self.schedule
        lines = [
            f"heliograph train {self.kind} --skb {self.skb.name} --queries {self.queries.name} --split {self.split}",
            f"--start {start_name(self.start)} --out {self.out.name} --epochs {schedule.epochs}",
            f"--batch {schedule.batch} --learning-rate {schedule.learning_rate:g} --warmup {schedule.warmup:g} "
            f"--seed {self.seed}",
        ]
        more = [f"--refresh {self.refresh}"] if self.refresh else []
        if self.query_instruction is not None:
            more.append(f"--query-instruction {self.query_instruction!r}")
        return " \\\n  ".join([*lines, *more])


@dataclass(frozen=True, slots=True)
class Lesson:
    """A query as it is embedded, the entities that answer it, and others that BM25 ranks highest; by number."""

    query: str
    answers: frozenset[int]
    negatives: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class RankFigures:
    """The mean measures of validation queries over all candidates of the base, by name; MRR chooses the weights."""

    measures: dict[str, float]

    @property
    def value(self) -> float:
        """Return MRR."""
        return self.measures["MRR"]

    def __str__(self) -> str:
        return ", ".join(f"{name} {100 * value:.1f}" for name, value in self.measures.items())


class EncoderLists:
    """What an encoder learns from: each query once per epoch, against an answer and a negative drawn anew.

    With a refresh an epoch is so many lists, which go on where those of the last ended, and negatives are kept in a
    folder, those of each epoch in a file: a training that was killed goes on with the same.

    Args:
        lessons: the queries; one or more.
        state: tells base and texts from others.
        folder: keeps negatives.
        size: lists between two refreshes; None is one pass over the queries, and no refresh.
    """

    def __init__(self, lessons: Sequence[Lesson], state: str, folder: Path, size: int | None = None) -> None:
        self.lessons, self._folder, self._size = lessons, folder, size
        told = "\n".join(f"{each.query!r} {sorted(each.answers)} {each.negatives}" for each in lessons)
        self.digest = hashlib.sha256(f"{state}\0{size}\0{told}".encode()).hexdigest()
        self._number: int | None = None

    def epoch(self, number: int, seed: int) -> list[EncoderExample]:
        """Return the lists of one epoch in the order to be learned.

        Raises:
            StoreDamaged: the negatives of an epoch behind the first cannot be read.
        """
        self._number = number
        negatives, chance = self._negatives(number), random.Random(f"{seed}/{number}")
        return [self._example(place, negatives[place], chance) for place in self._places(number, seed)]

    def refresh(self, student: DualEncoderStudent, numbers: Numbers, vectors: Vectors) -> None:
        """Keep what a student now ranks highest and does not answer, for the epoch after the last that was drawn.

        The first epoch has the negatives of BM25.

        Raises:
            StoreFull | StoreError: they cannot be written.
        """
        if self._size is None or self._number is None:
            return
        found = np.full((len(self.lessons), HARD), NOBODY, dtype=np.int64)
        for row, own in enumerate(own_negatives(student, self.lessons, numbers, vectors)):
            found[row, : len(own)] = own
        path = self._path(self._number + 1)
        fresh = path.with_name("new.npy")
        try:
            path.parent.mkdir(exist_ok=True)
            np.save(fresh, found)
            fresh.replace(path)
        except OSError as err:
            raise storage_error(err, path) from err

    def _places(self, number: int, seed: int) -> Iterator[int]:
        count = len(self.lessons)
        size = self._size or count
        for begin in range(number * size // count, -(-(number + 1) * size // count)):
            order = random.Random(f"{seed} {begin}").sample(range(count), count)
            yield from order[max(0, number * size - begin * count) : (number + 1) * size - begin * count]

    def _example(self, place: int, negatives: Sequence[int], chance: random.Random) -> EncoderExample:
        lesson = self.lessons[place]
        drawn = (chance.choice(negatives),) if negatives else ()
        return EncoderExample(lesson.query, chance.choice(sorted(lesson.answers)), drawn, lesson.answers)

    def _negatives(self, number: int) -> Sequence[Sequence[int]]:
        if self._size is None or number == 0:
            return [each.negatives for each in self.lessons]
        path = self._path(number)
        try:
            found = np.load(path, allow_pickle=False)
        except (OSError, ValueError, EOFError) as err:
            raise StoreDamaged(f"{path} cannot be read ({err}); delete {self._folder.parent} to begin anew") from err
        return [[each for each in row if each != NOBODY] for row in found.tolist()]

    def _path(self, number: int) -> Path:
        return self._folder / f"{number}.npy"


def own_negatives(
    student: DualEncoderStudent, lessons: Sequence[Lesson], numbers: Numbers, vectors: Vectors
) -> Iterator[list[int]]:
    """Yield of each query the HARD entities that a student ranks highest and that do not answer."""
    for start in range(0, len(lessons), QUERIES_AT_ONCE):
        part = lessons[start : start + QUERIES_AT_ONCE]
        for lesson, asked in zip(part, student.encoded_queries([each.query for each in part]), strict=True):
            ranking = EntityScores(numbers, vectors @ asked).best(HARD + len(lesson.answers))
            yield without_answers([each.item for each in ranking], lesson.answers)


def without_answers(ranking: Sequence[int], answers: frozenset[int]) -> list[int]:
    """Return the first HARD entities of a ranking that do not answer."""
    return [number for number in ranking if number not in answers][:HARD]


def divided(queries: Sequence[StarkQuery], split: Split) -> tuple[tuple[StarkQuery, ...], tuple[StarkQuery, ...]]:
    """Return the queries that are learned from and those of validation.

    These are the splits `split` and val. Where both are one, or no query says its split, one in HELD_OUT by the sha256
    of its id is for validation.

    Raises:
        UsageError: there are none of either.
    """
    named = {each.split for each in queries} - {""}
    learned = of_split(queries, split) if split in named else () if named else tuple(queries)
    if not learned:
        other = "val" if split == "train" else "train"
        known = f"; learn from its split {other}: --split {other}" if other in named else ""
        raise UsageError(f"no queries of the split {split} to learn from{known or '; name queries that have one'}")
    if split == "train" and "val" in named:
        return learned, of_split(queries, "val")
    ordered = sorted(learned, key=lambda each: digest_of(each.id))
    held_out = len(ordered) // HELD_OUT
    if not held_out:
        raise UsageError(f"{len(ordered)} queries are too few: one in {HELD_OUT} is held out for validation; give more")
    return tuple(ordered[held_out:]), tuple(ordered[:held_out])


def train_encoder(training: EncoderTraining) -> Trained:
    """Train an encoder, keeping the weights of the best validation in OUT/model with their card.

    Raises:
        UsageError: queries or base cannot be used, no query teaches, or `out` holds something else.
        ModelMissing: there is no such start, or the extra `models` is not installed.
        StoreError: the folder cannot be written or read.
    """
    learned, validated = divided(read_queries(training.queries), training.split)
    base = open_base(training.skb)
    answers = asyncio.run(answers_of(base, (*learned, *validated), training.queries))
    refuse_strange(training.out)
    refuse_another(training.out, training.asked())
    if training.start != MODEL_NAME:
        refuse_missing(training.start, "--start")
    loaded_torch()
    training.out.mkdir(parents=True, exist_ok=True)
    lessons = asyncio.run(lessons_of(base, learned, answers, training.instruction, training.say))
    development = [_developed(each, answers, training.instruction) for each in validated if answers[each.id]]
    if not lessons or not development:
        lacking = "learned from" if not lessons else "of validation"
        raise UsageError(f"no query {lacking} has an answer among the candidates of {training.skb}; name other queries")
    return _learned(training, base, lessons, development)


def _learned(
    training: EncoderTraining, base: BuiltKnowledgeBase, lessons: Sequence[Lesson], development: list[EncoderExample]
) -> Trained:
    schedule = training.scheduled(len(lessons))
    steps = training.schedule.steps(len(lessons))
    size = None if training.refresh is None else min(training.refresh, steps) * schedule.batch
    instruction, numbers = training.instruction, Candidates(base).numbers("")
    lists = EncoderLists(lessons, f"{base_state(base)} {instruction}", training.out / "negatives", size)

    def documents(several: Sequence[int]) -> list[str]:
        texts = asyncio.run(related_documents(base, several))
        return [instruction.document + on_one_line(each) for each in texts]

    def measured(student: DualEncoderStudent, queries: Sequence[EncoderExample], say: Say) -> RankFigures:
        vectors = student.encoded_documents(numbers.tolist(), say)
        lists.refresh(student, numbers, vectors)
        return rank_figures(student, queries, numbers, vectors)

    encoder = load_encoder(training.start)
    encoder.prompts = asdict(instruction)
    told = f"{len(lessons):,} queries over {base.name}; {len(development):,} of validation"
    sources = (
        f"Queries: {hashed(training.queries)}, split {training.split}.",
        f"Knowledge base: {base.name}, {len(numbers):,} candidates, digest {base.description.digest[:12]}.",
    )
    training.say(f"training {training.out} on {told}")
    stage = Stage(lists, development, told, "MRR", sources=sources, command=training.command)
    plan = Plan(training.kind, training.start, schedule, training.seed)
    student = DualEncoderStudent(encoder, documents, measured)
    return stage.learn(plan, student, training.out, training.asked(), training.say)


def rank_figures(
    student: DualEncoderStudent, queries: Sequence[EncoderExample], numbers: Numbers, vectors: Vectors
) -> RankFigures:
    """Measure the first MEASURED entities of each query, as `eval stark run` does."""
    asked = student.encoded_queries([each.query for each in queries])
    found = []
    for query, vector in zip(queries, asked, strict=True):
        ranking = EntityScores(numbers, vectors @ vector).best(MEASURED)
        found.append(measures_of([each.item for each in ranking], query.answers))
    return RankFigures({name: fmean(each[name] for each in found) for name in NAMES})


async def answers_of(base: BuiltKnowledgeBase, queries: Sequence[StarkQuery], path: Path) -> dict[str, frozenset[int]]:
    """Return the answers of each query among the candidates of a base, by its id.

    Raises:
        UsageError: the base has no entity of an id, so that the queries are of another one.
    """
    candidates = frozenset(Candidates(base).numbers("").tolist())
    found = dict[str, frozenset[int]]()
    for query in queries:
        try:
            numbers = [(await base.entity(id)).number for id in dict.fromkeys(query.answers)]
        except UnknownEntity as err:
            raise UsageError(f"the query {query.id} of {path}: {err}; name the base that it was made for") from err
        found[query.id] = candidates.intersection(numbers)
    return found


async def lessons_of(
    base: BuiltKnowledgeBase,
    queries: Sequence[StarkQuery],
    answers: dict[str, frozenset[int]],
    instruction: Instruction,
    say: Say,
) -> list[Lesson]:
    """Rank queries by BM25 over documents with neighbours' names; those without an answer teach nothing."""
    from tools.skb.lexical_retrieval import NeighbourBm25  # bm25s takes 0.4 s to import

    teaching = [each for each in queries if answers[each.id]]
    if len(teaching) < len(queries):
        say(f"{len(queries) - len(teaching):,} queries have no answer among the candidates and teach nothing")
    bm25, found, pace = NeighbourBm25(base), list[Lesson](), Pace("queries ranked", len(teaching), say)
    for number, query in enumerate(teaching, start=1):
        own = answers[query.id]
        ranking = await bm25.retrieve(query.text, HARD + len(own))
        negatives = tuple(without_answers([each.item for each in ranking], own))
        found.append(Lesson(instruction.query + query.text, own, negatives))
        pace.done(number)
    return found


def _developed(query: StarkQuery, answers: dict[str, frozenset[int]], instruction: Instruction) -> EncoderExample:
    own = answers[query.id]
    return EncoderExample(instruction.query + query.text, min(own), (), own)


def refuse_strange(out: Path) -> None:
    """Refuse a folder that holds something and no training.

    Raises:
        UsageError: it does.
    """
    if out.is_dir() and any(out.iterdir()) and not (out / ASKED).is_file():
        raise UsageError(f"{out} holds something that is no training; name another folder with --out")
