"""What learns to read: a span head and three choices over the states of an encoder (indexers/models/reader.py).

Two losses are minimised together. In the first all candidates of a need share one normalisation, so that they compare
(Clark & Gardner 2018); of several places of the answer the sum of their probabilities counts. In the second each
candidate stands alone, and one without the answer says none. A teacher adds how far both distributions are from its own
(Hinton et al. 2015).
"""

import itertools
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heliograph.errors import ModelMissing
from heliograph.paths import expanded
from indexers.models.onnx import MAX_TOKENS
from indexers.models.pytorch import loaded_torch
from indexers.models.reader import CHOICES, LOGITS, Candidate, Choice, Reader, Reading, Scored, Window, compared
from indexers.models.training.development import Say, counted, int8_loss
from indexers.models.training.window_student import WindowStudent, load_parts

HEAD = "head.safetensors"
"""The weights of the head, which tell a reader's folder from an encoder's."""
ALONE = 0.5
"""Weight of the second loss."""
TAUGHT = 0.7
"""Weight of what a teacher says, beside what is marked."""
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

    teacher: "ReaderStudent | None" = None
    """A reader, of more weights as a rule, whose distributions are learned too."""
    taught_pieces: NDArray[np.int64] | None = None
    """Its pieces, by those of this tokenizer."""

    def packed(self, batch: Sequence[ReadingExample]) -> "Packed":
        """Return the windows of a batch, and where in them it is right."""
        return Packed.of_examples(batch, [self._packed(example) for example in batch])

    def loss(self, batch: "Packed") -> Any:
        """Return the mean of both losses over a batch, and of the distances to a teacher."""
        found = _Sides(batch, self.padded_logits(batch.windows))
        if self.teacher is None:
            return found.loss()
        with loaded_torch().no_grad():
            told = _Sides(batch, self.teacher.padded_logits(batch.windows, self.taught_pieces))
        return (1 - TAUGHT) * found.loss() + TAUGHT * found.distance(told)

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


@dataclass(frozen=True, slots=True)
class Packed:
    """The windows of a batch of examples, and where in them it is right, all by number.

    A window has its tokens as places, up to the `longest` of any, and behind them the choices. `spans` are the places
    where a span may start or end, shape (windows, longest); `right` the places of the first and the last token of each
    way in which a window is right, shape (windows, ways, 2), -1 where there are fewer; one without the answer is right
    by none. `answers` are the windows with an answer, and `of` the windows of each example, shape (examples, most), -1
    where there are fewer.
    """

    windows: tuple[Window, ...]
    longest: int
    spans: NDArray[np.bool_]
    right: NDArray[np.int64]
    answers: NDArray[np.bool_]
    of: NDArray[np.int64]

    @classmethod
    def of_examples(cls, batch: Sequence[ReadingExample], windows: Sequence[Sequence[Window]]) -> "Packed":
        """Pack examples, given the windows of each."""
        every = tuple(window for each in windows for window in each)
        longest = max(len(window.ids) for window in every)
        spans = np.zeros((len(every), longest), dtype=np.bool_)
        for row, window in enumerate(every):
            spans[row, window.places] = True
        right = [
            _right(example, number, window, longest)
            for example, own in zip(batch, windows, strict=True)
            for number, window in enumerate(own)
        ]
        none = longest + CHOICES.index("none")
        ends = np.cumsum([0, *map(len, windows)])
        return cls(
            every,
            longest,
            spans,
            _even([ways or [(none, none)] for ways in right], (2,)),
            np.array([bool(ways) for ways in right]),
            _even([range(start, end) for start, end in itertools.pairwise(ends)]),
        )


def _right(example: ReadingExample, number: int, window: Window, longest: int) -> list[tuple[int, int]]:
    """Return the first and the last place of each way in which a candidate gives the answer."""
    marks = (mark for mark in example.marks if mark.candidate == number)
    placed = (window.place(mark.piece, mark.start, mark.end) for mark in marks)
    found = [place for place in placed if place is not None]
    if example.choice is not None and number in example.chosen:
        found.append((longest + CHOICES.index(example.choice),) * 2)
    return found


def _even(lists: Sequence[Iterable[Any]], shape: tuple[int, ...] = ()) -> NDArray[np.int64]:
    """Return lists as rows of one array, -1 where they are short."""
    rows = [list(each) for each in lists]
    found = np.full((len(rows), max(map(len, rows)), *shape), -1, dtype=np.int64)
    for place, row in enumerate(rows):
        found[place, : len(row)] = row
    return found


class _Sides:
    """Logits of the windows of a batch as those of all starts and of all ends, choices behind places."""

    def __init__(self, batch: Packed, padded: Any) -> None:
        torch = loaded_torch()

        def there(array: NDArray[Any]) -> Any:
            return torch.from_numpy(array).to(padded.device)

        choices = padded[:, 0, 2:].reshape(len(padded), len(CHOICES), 2)
        spans = padded[..., :2].masked_fill(~there(batch.spans).unsqueeze(-1), float("-inf"))
        self.values = torch.cat([spans, choices], 1)
        """Shape (windows, places and choices, 2)."""
        self.masses = self.values.logsumexp(1)
        """Shape (windows, 2)."""
        self._right, self._answers, self._of = there(batch.right), there(batch.answers), there(batch.of)

    def loss(self) -> Any:
        """Return the mean over the examples of what all candidates share, and of each by itself."""
        torch = loaded_torch()
        ways = self._right.clamp(min=0)
        rows = torch.arange(len(ways), device=ways.device).unsqueeze(1)
        scores = self.values[rows, ways[..., 0], 0] + self.values[rows, ways[..., 1], 1]
        right = scores.masked_fill(self._right[..., 0] < 0, float("-inf")).logsumexp(1)
        alone = self._mean(self.masses.sum(1) - right)
        answered = self._of_examples(self._answers, False).any(1)
        gold = self._of_examples(right.masked_fill(~self._answers, float("-inf")), float("-inf"))[answered]
        every = self._shared().sum(1)[answered]
        return ALONE * alone.mean() + (every - gold.logsumexp(1)).sum() / len(self._of)

    def distance(self, teacher: "_Sides") -> Any:
        """Return the mean over the examples of the divergence from a teacher, of both distributions and both sides."""
        torch = loaded_torch()
        whole = torch.isfinite(self.values)

        def apart(ours: Any, theirs: Any) -> Any:
            """Return the divergence that each window adds, given the logarithms of what its values sum up to."""
            one, other = (
                (each.values - mass.unsqueeze(1)).masked_fill(~whole, 0.0)
                for each, mass in ((self, ours), (teacher, theirs))
            )
            return (other.exp() * (other - one)).masked_fill(~whole, 0.0).sum((1, 2))

        of = torch.zeros(len(self.values), dtype=torch.long, device=self._of.device)
        examples = torch.arange(len(self._of), device=of.device).unsqueeze(1).expand_as(self._of)
        of[self._of[self._of >= 0]] = examples[self._of >= 0]
        shared = apart(self._shared()[of], teacher._shared()[of])
        return shared.sum() / len(self._of) + ALONE * self._mean(apart(self.masses, teacher.masses)).mean()

    def _shared(self) -> Any:
        """Return the logarithms of the sums of all starts and of all ends of each example, shape (examples, 2)."""
        return self._of_examples(self.masses, float("-inf")).logsumexp(1)

    def _of_examples(self, values: Any, missing: float) -> Any:
        """Return what each window has as rows of the examples, shape (examples, most windows, ...)."""
        found = values[self._of.clamp(min=0)]
        gone = self._of < 0
        return found.masked_fill(gone.reshape(*gone.shape, *(1,) * (found.dim() - 2)), missing)

    def _mean(self, values: Any) -> Any:
        """Return the mean of what the windows of each example have."""
        return self._of_examples(values, 0.0).sum(1) / (self._of >= 0).sum(1)


def _words(text: str) -> Words:
    return tuple(re.findall(r"\w+", text.lower()))


def load_reader(
    start: str, seed: int = 0, *, teacher: str | None = None, frozen_layers: int | None = None
) -> ReaderStudent:
    """Load a reader by its folder, or begin one from a text encoder of BERT's kind, with a head drawn by `seed`.

    Raises:
        ModelMissing: there is no such encoder, it has no tokenizer of its own, or a teacher has no head, or lacks some
            of its pieces.
    """
    student = ReaderStudent(*load_parts("reader", start, HEAD, LOGITS, seed), frozen_layers)
    if teacher:
        refuse_headless(teacher)
        student.teacher = load_reader(teacher)
        student.teacher.module.eval()
        student.taught_pieces = student.teacher.spelling(student.tokenizer)
    return student


def refuse_headless(teacher: str) -> None:
    """Stop where a teacher has learned nothing: a head that is drawn by chance would be taught.

    Raises:
        ModelMissing: it is an encoder, or the form without PyTorch, whose head cannot learn or teach.
    """
    if not (expanded(teacher) / HEAD).is_file():
        raise ModelMissing(f"{teacher} is no reader that can teach, it has no {HEAD}; name OUT/model of a training")
