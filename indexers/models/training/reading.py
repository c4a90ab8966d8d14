"""What learns to read: a span head and three choices over the states of an encoder (indexers/models/reader.py).

Two losses are minimised together. In the first all candidates of a need share one normalisation, so that they compare
(Clark & Gardner 2018); of several places of the answer the sum of their probabilities counts. In the second each
candidate stands alone, and one without the answer says none.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from indexers.models.onnx import MAX_TOKENS
from indexers.models.pytorch import loaded_torch
from indexers.models.reader import CHOICES, LOGITS, Candidate, Choice, Reader, Reading, Scored, Window, compared
from indexers.models.training.development import Say, counted, int8_loss
from indexers.models.training.window_student import WindowStudent, load_parts

HEAD = "head.safetensors"
"""The weights of the head, which tell a reader's folder from an encoder's."""
ALONE = 0.5
"""Weight of the second loss."""
LOST = (
    "Exact answers of {whole.examples} development questions: {whole.value:.3f} in float, {small.value:.3f} in int8; "
    "both give the same answer to {same:.0f} %."
)


@dataclass(frozen=True, slots=True)
class Mark:
    """A place of the answer: a stretch of a piece of a candidate, all by number."""

    candidate: int
    piece: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class ReadingExample:
    """A need with candidates, and where the answer stands: at marks, or as a `choice` that `chosen` candidates give.

    `room` is how many tokens a window has: less is faster, and an answer behind it is not learned.
    """

    need: str
    candidates: tuple[Candidate, ...]
    marks: tuple[Mark, ...] = ()
    choice: Choice | None = None
    chosen: tuple[int, ...] = ()
    room: int = MAX_TOKENS

    def says(self, mark: Mark) -> str:
        """Return what stands at a mark."""
        return self.candidates[mark.candidate].pieces[mark.piece].text[mark.start : mark.end]


@dataclass(frozen=True, slots=True)
class Exact:
    """The share of examples whose most probable answer is the one that is marked, word for word."""

    value: float
    examples: int

    def __str__(self) -> str:
        return f"exact: {self.value:.3f} of {self.examples}"


Read = Callable[[str, Sequence[Candidate]], Sequence[Reading]]
"""Reads candidates for a need, in float or in int8."""
Words = tuple[str, ...]
"""An answer without its punctuation, in lower case."""


class ReaderStudent(WindowStudent):
    """An encoder with a head of two layers, whose columns are those of the reader's logits."""

    beside, does, farthest = HEAD, "reads", 1.5
    """The last is the mean difference of the logarithms that the int8 form may have."""

    def loss(self, batch: Sequence[ReadingExample]) -> Any:
        """Return the mean of both losses over a batch."""
        windows = [self._packed(example) for example in batch]
        logits = iter(self.window_logits([window for each in windows for window in each]))
        total = 0.0
        for example, own in zip(batch, windows, strict=True):
            total = total + _loss(example, own, [next(logits) for _ in own])
        return total / len(batch)

    def measure(self, development: Sequence[ReadingExample], say: Say) -> Exact:
        """Read the candidates of each example and compare the best answer."""
        return exact(answers(self.read, development, say), development)

    def int8_loss(self, folder: Path, development: Sequence[ReadingExample]) -> str:
        """Read examples with it and with its form in a folder, and say what that loses."""
        whole, small = (answers(read, development) for read in (self.read, Reader(folder).read))
        return int8_loss(LOST, whole, small, partial(exact, examples=development))

    def apart(self, folder: Path, need: str, candidates: Sequence[Candidate]) -> float:
        """Return the mean difference of the log-probabilities of none from those of the int8 form."""
        ours, theirs = Reader(folder).read(need, candidates), self.read(need, candidates)
        return float(np.mean([abs(one.none - other.none) for one, other in zip(ours, theirs, strict=True)]))

    def logits(self, need: str, candidates: Sequence[Candidate]) -> list[Scored]:
        """Return what the float form gives for candidates, without gradients."""
        example = ReadingExample(need, tuple(candidates))
        windows = self._packed(example)
        with loaded_torch().no_grad():
            found = [each.float().cpu().numpy() for each in self.window_logits(windows)]
        return [Scored(*each) for each in zip(candidates, windows, found, strict=True)]

    def read(self, need: str, candidates: Sequence[Candidate]) -> tuple[Reading, ...]:
        """Read candidates with the float form."""
        return compared(self.logits(need, candidates))

    def _packed(self, example: ReadingExample) -> list[Window]:
        need = self.windows.need(example.need)
        return [
            self.windows.joined(need, [self.windows.tokens(piece) for piece in candidate.pieces], example.room)
            for candidate in example.candidates
        ]


def answers(read: Read, examples: Sequence[ReadingExample], say: Say = lambda _: None) -> list[Words]:
    """Return the most probable answer of all candidates of each example."""
    found = []
    for example in counted(examples, say):
        readings = read(example.need, example.candidates)
        best = max((each.within + reading.share, each.text) for reading in readings for each in reading.answers)
        found.append(_words(best[1]))
    return found


def exact(said: Sequence[Words], examples: Sequence[ReadingExample]) -> Exact:
    """Compare the answer to each example with what is marked."""
    right = sum(_is_right(answer, example) for answer, example in zip(said, examples, strict=True))
    return Exact(right / max(1, len(examples)), len(examples))


def _is_right(answer: Words, example: ReadingExample) -> bool:
    said = {example.says(mark) for mark in example.marks} or {example.choice or ""}
    return answer in {_words(text) for text in said}


def _loss(example: ReadingExample, windows: Sequence[Window], logits: Sequence[Any]) -> Any:
    torch = loaded_torch()
    masses = [_mass(window, each) for window, each in zip(windows, logits, strict=True)]
    right = [list(_right(example, number, window, logits[number])) for number, window in enumerate(windows)]
    alone = [
        mass.logsumexp(0).sum() - torch.stack(places or [_chosen(each, "none")]).logsumexp(0)
        for mass, places, each in zip(masses, right, logits, strict=True)
    ]
    loss = ALONE * torch.stack(alone).mean()
    gold = [place for places in right for place in places]
    if gold:
        loss = loss + torch.cat(masses).logsumexp(0).sum() - torch.stack(gold).logsumexp(0)
    return loss


def _mass(window: Window, logits: Any) -> Any:
    """Return the logits of all starts and of all ends, shape (places, 2)."""
    torch = loaded_torch()
    return torch.cat([logits[torch.from_numpy(window.places), :2], logits[0, 2:].view(-1, 2)])


def _right(example: ReadingExample, number: int, window: Window, logits: Any) -> Iterator[Any]:
    """Yield the logit of each way in which a candidate gives the answer."""
    for mark in example.marks:
        if mark.candidate == number:
            place = window.place(mark.piece, mark.start, mark.end)
            if place is not None:
                yield logits[place[0], 0] + logits[place[1], 1]
    if example.choice is not None and number in example.chosen:
        yield _chosen(logits, example.choice)


def _chosen(logits: Any, choice: Choice) -> Any:
    first = 2 + 2 * CHOICES.index(choice)
    return logits[0, first : first + 2].sum()


def _words(text: str) -> Words:
    return tuple(re.findall(r"\w+", text.lower()))


def load_reader(start: str, seed: int = 0) -> ReaderStudent:
    """Load a reader by its folder, or begin one from a text encoder of BERT's kind, with a head drawn by `seed`.

    Raises:
        ModelMissing: there is no such encoder, or it has no tokenizer of its own.
    """
    return ReaderStudent(*load_parts("reader", start, HEAD, LOGITS, seed))
