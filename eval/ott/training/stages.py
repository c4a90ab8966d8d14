"""Training in stages: each in a folder of its own, with what was asked for and a card beside the weights.

A reader and a checker have two: the first learns from what is made of the corpus alone, the second from what people
wrote. What is left is also written in the form that runs without PyTorch.
"""

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import ClassVar, Generic, Protocol, TypeVar

from eval.ott.corpus import OttCorpus
from eval.ott.questions import OttQuestion, read_questions
from eval.ott.reading import read_corpus
from eval.ott.recipe import digest_of_corpus
from eval.ott.training.pretraining import Pretraining
from heliograph.errors import UsageError
from heliograph.paths import expanded
from indexers.models.fingerprint import model_name
from indexers.models.named import refuse_missing
from indexers.models.pytorch import loaded_torch
from indexers.models.training.card import Card, Origin, carry_card, note, write_card
from indexers.models.training.checkpoint import Asked, keep_asked, refuse_another
from indexers.models.training.development import Say
from indexers.models.training.examples import Examples
from indexers.models.training.export import export
from indexers.models.training.loop import BEST, Learned_contra, Plan, Student, Trained, train
from indexers.models.training.schedule import Schedule

PRETRAINING, AVERAGED, SMALL = "pretraining", "averaged", "onnx"
"""Folders in that of a training: of the first stage, of what is mixed with the start, and of the form that runs without
PyTorch."""
INT8 = "What int8 loses"
"""Heading of its card."""
PUBLIC = Path("questions") / "ott_dev_public.jsonl"
"""Questions that are reported on: nothing is learned from their tables."""
PRETRAINED = 24_000
"""Examples of the first stage."""
LIBRARY = "transformers"
"""What loads the model of either stage."""

Kind = TypeVar("Kind")


@dataclass(frozen=True, slots=True)
class Stage(Generic[Kind]):
    """What a model learns from, what it is measured on after each epoch, and what its card says of both."""

    examples: Examples[Kind]
    development: Sequence[Kind]
    told: str
    measured: str = "nDCG@50"
    library: str = "sentence-transformers"
    sources: tuple[str, ...] = ()
    command: str = ""

    def learn(self, plan: Plan, student: Student[Kind], folder: Path, asked: Asked, say: Say) -> Trained:
        """Train a student in a folder that says what was asked for, and write its card."""
        keep_asked(folder, asked)
        found = train(plan, student, self.examples, self.development, folder, say)
        digest = self.examples.digest
        card = Card(plan, digest, self.told, found, self.measured, self.library, self.sources, self.command)
        write_card(folder / BEST, card)
        return found


class Int8Student(Student[Learned_contra], Protocol[Learned_contra]):
    """A student that can be compared with its int8 form, where it has one."""

    @property
    def has_small_form(self) -> bool:
        """Whether there is a form of it that runs without PyTorch."""

    def int8_loss(self, folder: Path, development: Sequence[Learned_contra]) -> str:
        """Say what the form in a folder loses on development examples."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowTraining(ABC):
    """One training of a model of windows as the command line gives it; `schedule` is that of the second stage.

    The first one has its own epochs and warm-up, and else the same. `start_share` is the share of the start's weights
    in the final mean, where that is a model of the same kind.
    """

    kind: ClassVar[str]
    measured: ClassVar[str]
    first_stage: ClassVar[Schedule | None]
    second_stage: ClassVar[Schedule]

    out: Path
    start: str
    schedule: Schedule
    pretrained: int = PRETRAINED
    start_share: float = 0.0
    seed: int = 0
    say: Callable[[str], None] = field(default=lambda _: None)

    def plan(self, stage: str, start: str) -> Plan:
        """Return the plan of a stage, PRETRAINING or an empty text, that begins from `start`."""
        own, given = self.first_stage, self.schedule
        first = own and replace(own, batch=given.batch, at_once=given.at_once, learning_rate=given.learning_rate)
        return Plan(f"{self.kind} {stage}".strip(), start, first if stage and first else given, self.seed)

    def asked(self, stage: str) -> Asked:
        """Return what of a stage is known at once and makes it another one where it differs."""
        return {
            "kind": f"{self.kind} {stage}",
            "start": self.start,
            "seed": self.seed,
            "pretrained": self.pretrained,
            "schedule": asdict(self.plan(stage, self.start).schedule),
        }

    @property
    def command(self) -> str:
        """The command that makes the same model of the same files."""
        schedule = self.schedule
        lines = [
            *self.options(),
            f"--start {start_name(self.start)} --out {self.out.name} "
            + (f"--pretrained {self.pretrained} " if self.first_stage else "")
            + f"--epochs {schedule.epochs}",
            f"--batch {schedule.batch} --learning-rate {schedule.learning_rate:g} --warmup {schedule.warmup:g} "
            f"--seed {self.seed}" + (f" --start-share {self.start_share:g}" if self.start_share else ""),
        ]
        return f"heliograph train {self.kind} " + " \\\n  ".join(lines)

    @abstractmethod
    def options(self) -> Iterator[str]:
        """Yield the lines of the command that name its files."""

    def files(self, *names: str) -> Iterator[str]:
        """Yield an option for each file that is given under some names."""
        for name in names:
            given = getattr(self, name)
            for path in given if isinstance(given, tuple) else filter(None, [given]):
                yield f"--{name.replace('_', '-')} {self.placed(path)}"

    def refuse_halves(self, *pairs: tuple[str, str]) -> None:
        """Refuse one of two files that are read together without the other.

        Raises:
            UsageError: one is given and the other is not.
        """
        for one, other in pairs:
            if (getattr(self, one) is None) != (getattr(self, other) is None):
                raise UsageError(f"--{one} and --{other} belong together; name both, or none")

    def placed(self, path: Path) -> str:
        """Name a file without the folders of one machine: as it was given from here."""
        return path.name if path.is_absolute() else str(path)


@dataclass(frozen=True, slots=True, kw_only=True)
class CorpusTraining(WindowTraining):
    """One that learns from OTT-QA's corpus too.

    `reported` are questions from whose tables nothing is learned; None names those of the folder of the data.
    """

    data: Path
    reported: Path | None = None

    def corpus(self) -> OttCorpus:
        """Read it."""
        self.say("reading the corpus")
        return read_corpus(self.data, "full")

    def questions_reported(self) -> tuple[OttQuestion, ...]:
        """Read them."""
        return read_questions(self.reported or self.data / PUBLIC)

    def placed(self, path: Path) -> str:
        """Name a file by its place in the data, where it is part of that."""
        if path.is_relative_to(self.data):
            return str(Path("OTT") / path.relative_to(self.data))
        return WindowTraining.placed(self, path)


@dataclass(frozen=True, slots=True)
class Curriculum(Generic[Kind]):
    """What both stages learn from, the second in words too, and what both are measured on.

    `load` returns the student that begins from a folder, or from a name on the hub, by a seed. There may be no `first`.
    """

    load: Callable[[str, int], Int8Student[Kind]]
    first: Pretraining[Kind] | None
    second: Examples[Kind]
    told: str
    development: Sequence[Kind]
    sources: tuple[str, ...]


def train_in_stages(training: WindowTraining, curriculum_of: Callable[[], Curriculum[Kind]]) -> Trained:
    """Train both stages and write the model, its form without PyTorch, and a card beside each.

    Raises:
        UsageError: what is learned from cannot be used, or `out` holds another training.
        ModelMissing: there is no such start, or the extra `models` is not installed.
    """
    for stage in ("", PRETRAINING) if training.first_stage else ("",):
        refuse_another(training.out / stage, training.asked(stage))
    refuse_missing(training.start, "--start")
    loaded_torch()
    given = curriculum_of()
    start, measured = training.start, (training.measured, LIBRARY)

    def learned(name: str, stage: Stage[Kind]) -> Trained:
        student = given.load(start, training.seed)
        return stage.learn(training.plan(name, start), student, training.out / name, training.asked(name), training.say)

    if given.first is not None and training.pretrained:
        training.say(f"training {training.out / PRETRAINING}")
        learned(PRETRAINING, Stage(given.first, given.development, given.first.told, *measured))
        start = str(training.out / PRETRAINING / BEST)
    training.say(f"training {training.out} on {given.told}")
    known = (given.sources, training.command)
    found = learned("", Stage(given.second, given.development, given.told, *measured, *known))
    _exported(training, given)
    return found


def _exported(training: WindowTraining, given: Curriculum[Kind]) -> None:
    """Write the form without PyTorch, and what it loses on the development examples into its card."""
    model, small = averaged(training, given), training.out / SMALL
    student = given.load(str(model), training.seed)
    if not student.has_small_form:
        training.say(f"{model} has no form without PyTorch, which is for BERT's kind alone; it can teach a smaller one")
        return
    export(str(model), small)
    carry_card(model, small)
    student.module.eval()
    lost = student.int8_loss(small, given.development)
    training.say(lost)
    note(small, INT8, lost)


def averaged(training: WindowTraining, given: Curriculum[Kind]) -> Path:
    """Return the folder of the model, mixed with its start where a share of that is to stay.

    The mean of the weights of two models one of which was trained from the other keeps more of what that could do than
    training on does (Wortsman et al. 2022, "Robust fine-tuning of zero-shot models").
    """
    model, share = training.out / BEST, training.start_share
    if not share:
        return model
    folder, start = training.out / AVERAGED, given.load(training.start, training.seed).module.state_dict()
    student = given.load(str(model), training.seed)
    learned = student.module.state_dict()
    floats = {name for name, weights in learned.items() if weights.is_floating_point()}
    student.module.load_state_dict(
        {name: share * start[name] + (1 - share) * each if name in floats else each for name, each in learned.items()}
    )
    student.save(folder)
    carry_card(model, folder)
    note(
        folder,
        "Averaged",
        f"{share:.0%} of each weight is that of {start_name(training.start)}, the rest what was learned.",
    )
    return folder


def tables_of(questions: Iterable[OttQuestion]) -> frozenset[str]:
    """Return the tables that have the answers."""
    return frozenset(question.gold_table for question in questions)


def source_of_corpus(corpus: OttCorpus) -> str:
    """Say where tables and passages come from."""
    return (
        "Tables and passages: the corpus of OTT-QA (Chen et al. 2021, MIT licence; texts of Wikipedia, CC BY-SA), "
        f"digest {digest_of_corpus(corpus)}."
    )


def start_name(start: str) -> str:
    """Name what a training begins from: a folder by its card, or by its weights where a training of ours made them."""
    if not expanded(start).is_dir():
        return start
    origin = Origin.of(start)
    return model_name(start) if origin.trained else origin.name.partition(" ")[0]


def hashed(path: Path) -> str:
    """Name a file with the hash of what it holds."""
    return f"`{path.name}` (sha256 {hashlib.sha256(path.read_bytes()).hexdigest()})"
