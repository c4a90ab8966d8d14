"""The training loop: seeded, resumable after a kill, with its progress and the time left said aloud.

What is minimised and what is measured is the student's own (`students`, `reading`).
"""

import hashlib
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from indexers.models.pytorch import loaded_torch
from indexers.models.training import checkpoint
from indexers.models.training.checkpoint import Progress
from indexers.models.training.development import Say
from indexers.models.training.examples import Examples
from indexers.models.training.masters import Masters
from indexers.models.training.schedule import Schedule

SECONDS_A_CHECKPOINT = 300
SECONDS_A_LINE = 30
PACKED_AHEAD = 4
"""Steps whose examples are packed while others are learned."""
BEST = "model"
"""Folder of the weights that did best on the development questions."""

Learned_contra = TypeVar("Learned_contra", contravariant=True)


class Measured(Protocol):
    """How well a student does; more of `value` is better. As a text it says more."""

    @property
    def value(self) -> float: ...


class Student(Protocol[Learned_contra]):
    """A model that is trained on examples of one kind."""

    @property
    def module(self) -> Any:
        """The torch module that holds the weights."""

    def quicken(self) -> None:
        """Compute in fewer bits where the processor is fast at that; called once, when float32 masters were made."""

    def rate_of(self, weight: str) -> float:
        """Return how many times the schedule's rate a weight learns at, by its name in the module."""

    def packed(self, batch: Sequence[Learned_contra]) -> Any:
        """Return a batch in the form that `loss` takes; called ahead of the step, in another thread."""

    def loss(self, batch: Any) -> Any:
        """Return what is minimised, the mean of a batch, with gradients."""

    def measure(self, development: Sequence[Learned_contra], say: Say) -> Measured:
        """Return how well the model does on development questions, without gradients."""

    def save(self, folder: Path) -> None:
        """Write the model in the form that its library loads."""


Kind = TypeVar("Kind")


@dataclass(frozen=True, slots=True)
class Plan:
    """One training. `start` names what the student began as."""

    kind: str
    start: str
    schedule: Schedule
    seed: int = 0

    def digest(self, examples: Examples[Any]) -> str:
        """Hash everything that decides what is learned, so that a checkpoint is only taken up by its own training."""
        return hashlib.sha256(f"{self}\0{examples.digest}".encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Trained:
    """What came out: the figure of the development questions before the first epoch and after each, and the seconds."""

    before: float
    figures: tuple[float, ...]
    seconds: float

    @property
    def best(self) -> int:
        """The epoch whose weights were kept, from 1, the last of several that did as well; 0 is the start itself."""
        every = (self.before, *self.figures)
        return max(range(len(every)), key=lambda epoch: (every[epoch], epoch))


def train(
    plan: Plan,
    student: Student[Kind],
    examples: Examples[Kind],
    development: Sequence[Kind],
    folder: Path,
    say: Say,
    clock: Callable[[], float] = time.monotonic,
) -> Trained:
    """Train a student, keeping the weights of the best epoch under `folder`/model.

    A second call with the same plan goes on after the last checkpoint; one that had ended returns what it found.

    Raises:
        UsageError: the folder holds another training.
        StoreError: the folder cannot be written or read.
    """
    torch = loaded_torch()
    torch.manual_seed(plan.seed)
    folder.mkdir(parents=True, exist_ok=True)
    masters, digest, began = Masters(student.module, student.rate_of), plan.digest(examples), clock()
    student.quicken()
    progress = checkpoint.restore(folder, digest, masters)
    if not progress.figures:
        progress = replace(progress, figures=(_measured(student, development, folder, (), say),))
        checkpoint.keep(folder, digest, progress, masters)
    for number in range(plan.schedule.epochs):
        lists = examples.epoch(number, plan.seed)
        steps = plan.schedule.steps(len(lists))
        first = number * steps // plan.schedule.epochs
        if progress.step < first + steps // plan.schedule.epochs:
            run = _Epoch(plan, student, masters, folder, digest, say, clock)
            progress = run.learn(lists, first, steps, progress)
        if len(progress.figures) < number + 2:
            figure = _measured(student, development, folder, progress.figures, say)
            progress = replace(progress, figures=(*progress.figures, figure))
            checkpoint.keep(folder, digest, progress, masters)
    return Trained(progress.figures[0], progress.figures[1:], clock() - began)


@dataclass(frozen=True, slots=True)
class _Epoch(Generic[Kind]):
    """One pass over the lists of an epoch."""

    plan: Plan
    student: Student[Kind]
    masters: Masters
    folder: Path
    digest: str
    say: Say
    clock: Callable[[], float]

    def learn(self, lists: Sequence[Kind], first: int, steps: int, progress: Progress) -> Progress:
        """Take the steps of this epoch that were not taken yet; `first` is the number of its first."""
        batch = self.plan.schedule.batch
        self.student.module.train()
        began, kept, said, done = self.clock(), self.clock(), self.clock(), progress.step
        for step, parts in enumerate(self._packed(lists, (progress.step - first) * batch), progress.step):
            loss = self._step(parts, self.plan.schedule.rate(step, steps))
            progress = replace(progress, step=step + 1)
            if self.clock() - said > SECONDS_A_LINE:
                said = self.clock()
                left = (said - began) / (step + 1 - done) * (steps - step - 1)
                self.say(f"step {step + 1}/{steps}, loss {loss:.3f}, {left / 60:.0f} min left")
            if self.clock() - kept > SECONDS_A_CHECKPOINT:
                kept = self.clock()
                checkpoint.keep(self.folder, self.digest, progress, self.masters)
        return progress

    def _packed(self, lists: Sequence[Kind], begin: int) -> Iterator["list[_Part]"]:
        """Yield the parts of each step from a list on, those of the next ones being packed meanwhile."""
        batch = self.plan.schedule.batch
        with ThreadPoolExecutor(1) as pool:
            ahead = deque[Future[list[_Part]]]()
            for start in range(begin, len(lists), batch):
                ahead.append(pool.submit(self._parts, lists, start, min(len(lists), start + batch)))
                if len(ahead) > PACKED_AHEAD:
                    yield ahead.popleft().result()
            while ahead:
                yield ahead.popleft().result()

    def _parts(self, lists: Sequence[Kind], start: int, end: int) -> "list[_Part]":
        together = self.plan.schedule.at_once
        found = []
        for first in range(start, end, together):
            part = lists[first : min(end, first + together)]
            found.append(_Part(len(part) / (end - start), self.student.packed(part)))
        return found

    def _step(self, parts: "Sequence[_Part]", rate: float) -> float:
        total = []
        for part in parts:
            loss = self.student.loss(part.packed) * part.share
            loss.backward()
            total.append(loss.detach())
        self.masters.step(rate)
        return float(sum(total))


@dataclass(frozen=True, slots=True)
class _Part:
    """Examples that go through the model together, packed, and their share of a step."""

    share: float
    packed: Any


def _measured(
    student: Student[Kind], development: Sequence[Kind], folder: Path, before: Sequence[float], say: Say
) -> float:
    """Measure the student as it is, and keep it where it is the best so far."""
    student.module.eval()
    found = student.measure(development, say)
    say(f"after {len(before)} epochs: {found}")
    if found.value >= max(before, default=0.0):
        student.save(folder / BEST)
    return found.value
