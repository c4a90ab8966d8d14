"""What learns to read: a span head and three choices over the states of an encoder (indexers/models/reader.py).

Two losses are minimised together. In the first all candidates of a need share one normalisation, so that they compare
(Clark & Gardner 2018); of several places of the answer the sum of their probabilities counts. In the second each
candidate stands alone, and one without the answer says none.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from heliograph.errors import ModelMissing
from heliograph.paths import expanded
from indexers.models.multi_vector import STEP
from indexers.models.onnx import MAX_TOKENS
from indexers.models.precision import products_in_bfloat16
from indexers.models.pytorch import best_device, first_line, loaded_torch
from indexers.models.reader import CHOICES, LOGITS, Candidate, Choice, Reading, Scored, Window, Windows, compared
from indexers.models.training.development import Say

HEAD = "head.safetensors"
"""The weights of the head, which tell a reader's folder from an encoder's."""
HEAD_RATE = 10.0
"""How many times the schedule's rate the head learns at, which begins with nothing."""
FROZEN = ("encoder.embeddings.", "encoder.encoder.layer.0.", "encoder.encoder.layer.1.")
"""Weights that stay as they are: a third less to compute, and words keep what they mean."""
ALONE = 0.5
"""Weight of the second loss."""
WINDOWS_AT_ONCE = 16
CACHED_PIECES = 20_000


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


@dataclass(frozen=True, slots=True)
class Int8Loss:
    """What the int8 form of a reader loses: the shares of both forms, and how often both give the same answer."""

    whole: Exact
    small: Exact
    same: float

    def __str__(self) -> str:
        return (
            f"Exact answers of {self.whole.examples} development questions: {self.whole.value:.3f} in float, "
            f"{self.small.value:.3f} in int8; both give the same answer to {100 * self.same:.0f} %."
        )


class ReaderStudent:
    """An encoder with a head of two layers, whose columns are those of the reader's logits."""

    def __init__(self, encoder: Any, head: Any, tokenizer: Any) -> None:
        torch = loaded_torch()
        self.module = torch.nn.ModuleDict({"encoder": encoder, "head": head}).to(best_device())
        for name, weight in self.module.named_parameters():
            weight.requires_grad = not name.startswith(FROZEN)
        self.tokenizer = tokenizer
        self._windows = Windows(tokenizer, cached=CACHED_PIECES)

    def rate_of(self, weight: str) -> float:
        """Return a higher rate for the head."""
        return HEAD_RATE if weight.startswith("head.") else 1.0

    def loss(self, batch: Sequence[ReadingExample]) -> Any:
        """Return the mean of both losses over a batch."""
        windows = [self._packed(example) for example in batch]
        logits = iter(self._logits([window for each in windows for window in each]))
        total = 0.0
        for example, own in zip(batch, windows, strict=True):
            total = total + _loss(example, own, [next(logits) for _ in own])
        return total / len(batch)

    def measure(self, development: Sequence[ReadingExample], say: Say) -> Exact:
        """Read the candidates of each example and compare the best answer."""
        return exact(self.read, development, say)

    def save(self, folder: Path) -> None:
        """Write the encoder as its library loads it, and beside it the head and the tokenizer."""
        from safetensors.torch import save_file

        folder.mkdir(parents=True, exist_ok=True)
        self.module["encoder"].save_pretrained(str(folder))
        save_file({name: value.contiguous() for name, value in self.module["head"].state_dict().items()}, folder / HEAD)
        self.tokenizer.save(str(folder / "tokenizer.json"))

    def logits(self, need: str, candidates: Sequence[Candidate]) -> list[Scored]:
        """Return what the float form gives for candidates, without gradients."""
        example = ReadingExample(need, tuple(candidates))
        windows = self._packed(example)
        with loaded_torch().no_grad():
            found = [each.float().cpu().numpy() for each in self._logits(windows)]
        return [Scored(*each) for each in zip(candidates, windows, found, strict=True)]

    def read(self, need: str, candidates: Sequence[Candidate]) -> tuple[Reading, ...]:
        """Read candidates with the float form."""
        return compared(self.logits(need, candidates))

    def _packed(self, example: ReadingExample) -> list[Window]:
        need = self._windows.need(example.need)
        return [
            self._windows.joined(need, [self._windows.tokens(piece) for piece in candidate.pieces], example.room)
            for candidate in example.candidates
        ]

    def _logits(self, windows: Sequence[Window]) -> list[Any]:
        """Return logits of each window, shape (tokens, LOGITS); windows of like length go through together."""
        torch, found = loaded_torch(), [None] * len(windows)
        order = sorted(range(len(windows)), key=lambda number: len(windows[number].ids))
        for start in range(0, len(order), WINDOWS_AT_ONCE):
            part = order[start : start + WINDOWS_AT_ONCE]
            with products_in_bfloat16():
                states = self.module["encoder"](**self._padded([windows[number] for number in part])).last_hidden_state
            logits = self.module["head"](states.to(torch.float32))
            for row, number in enumerate(part):
                found[number] = logits[row, : len(windows[number].ids)]
        return found

    def _padded(self, windows: Sequence[Window]) -> dict[str, Any]:
        torch = loaded_torch()
        width = -(-max(len(window.ids) for window in windows) // STEP) * STEP
        ids, mask, kinds = (np.zeros((len(windows), width), dtype=np.int64) for _ in range(3))
        for row, window in enumerate(windows):
            count = len(window.ids)
            ids[row, :count], mask[row, :count], kinds[row, :count] = window.ids, 1, window.segments
        names = ("input_ids", "attention_mask", "token_type_ids")
        device = self.module["encoder"].device
        return {name: torch.from_numpy(each).to(device) for name, each in zip(names, (ids, mask, kinds), strict=True)}


def exact(read: Read, examples: Sequence[ReadingExample], say: Say = lambda _: None) -> Exact:
    """Read the candidates of each example and compare the best answer."""
    right = 0
    for number, example in enumerate(examples, start=1):
        right += _is_right(best_answer(read, example), example)
        if number % 50 == 0:
            say(f"development questions {number}/{len(examples)}")
    return Exact(right / max(1, len(examples)), len(examples))


def int8_loss(whole: Read, small: Read, examples: Sequence[ReadingExample]) -> Int8Loss:
    """Read examples with both forms."""
    answers = [(best_answer(whole, example), best_answer(small, example)) for example in examples]
    count = max(1, len(examples))

    def share(form: int) -> Exact:
        right = sum(_is_right(each[form], example) for each, example in zip(answers, examples, strict=True))
        return Exact(right / count, len(examples))

    same = sum(_words(one) == _words(other) for one, other in answers) / count
    return Int8Loss(share(0), share(1), same)


def best_answer(read: Read, example: ReadingExample) -> str:
    """Return the most probable answer of all candidates."""
    readings = read(example.need, example.candidates)
    return max((answer.within + reading.share, answer.text) for reading in readings for answer in reading.answers)[1]


def _is_right(answer: str, example: ReadingExample) -> bool:
    said = {example.says(mark) for mark in example.marks} or {example.choice or ""}
    return _words(answer) in {_words(text) for text in said}


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


def _words(text: str) -> tuple[str, ...]:
    return tuple(re.findall(r"\w+", text.lower()))


def load_reader(start: str, seed: int = 0) -> ReaderStudent:
    """Load a reader by its folder, or begin one from a text encoder of BERT's kind, with a head drawn by `seed`.

    Raises:
        ModelMissing: there is no such encoder, or it has no tokenizer of its own.
    """
    torch = loaded_torch()
    try:
        from safetensors import SafetensorError
        from safetensors.torch import load_file
        from transformers import AutoModel, AutoTokenizer
    except ImportError as err:
        from heliograph.doctor import INSTALL_MODELS

        raise ModelMissing(f"transformers is not installed; {INSTALL_MODELS}") from err
    torch.manual_seed(seed)
    still = {"hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0, "add_pooling_layer": False}
    try:
        encoder = AutoModel.from_pretrained(start, attn_implementation="eager", use_safetensors=True, **still)
        tokenizer = AutoTokenizer.from_pretrained(start).backend_tokenizer
        head = _new_head(encoder.config.hidden_size)
        beside = expanded(start) / HEAD
        if beside.is_file():
            head.load_state_dict(load_file(beside))
    except (OSError, ValueError, KeyError, RuntimeError, SafetensorError, AttributeError) as err:
        raise ModelMissing(f"no reader can begin from {start!r} ({first_line(err)}); correct its name") from err
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return ReaderStudent(encoder, head, tokenizer)


def _new_head(width: int) -> Any:
    torch = loaded_torch()
    return torch.nn.Sequential(torch.nn.Linear(width, width), torch.nn.GELU(), torch.nn.Linear(width, LOGITS))
