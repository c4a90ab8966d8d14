"""What learns to check: two heads over the first token of an encoder (indexers/models/checker.py).

An example allows one relation or several: people who say that a claim is not supported do not say why. What is
minimised is the logarithm of the share of all that are allowed.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from indexers.models.checker import CHECKS, RELATIONS, Relation, answered_by, pair_window, relations_of
from indexers.models.onnx import MAX_TOKENS
from indexers.models.pytorch import loaded_torch
from indexers.models.reader import Candidate, Floats, Piece
from indexers.models.training.development import Say
from indexers.models.training.window_student import WindowStudent, load_parts

CHECKER_HEAD = "checker.safetensors"
"""The weights of the heads, which tell a checker's folder from an encoder's."""
MEASURED_AT_ONCE = 64


@dataclass(frozen=True, slots=True)
class CheckingExample:
    """A claim with its evidence and the relations that are right of them; or a question with a claim.

    `text` is the claim, or the question. `answers` is None of a claim with evidence, and `relations` are none of a
    question with a claim. `room` is how many tokens a window has.
    """

    text: str
    candidate: Candidate
    relations: tuple[Relation, ...] = ()
    answers: bool | None = None
    room: int = MAX_TOKENS

    @classmethod
    def of_question(cls, question: str, claim: str, answers: bool) -> "CheckingExample":
        """Return a question with a claim."""
        return cls(question, Candidate(Piece(claim)), (), answers)

    @property
    def columns(self) -> range:
        """The columns of the head that it is an example of."""
        return range(len(RELATIONS)) if self.answers is None else range(len(RELATIONS), CHECKS)

    @property
    def right(self) -> list[int]:
        """The columns that are right."""
        if self.answers is None:
            return [RELATIONS.index(relation) for relation in self.relations]
        return [len(RELATIONS) + (not self.answers)]


Logits = Callable[[Sequence[CheckingExample]], Sequence[Floats]]
"""Gives the logits of examples, in float or in int8."""


@dataclass(frozen=True, slots=True)
class Checked:
    """Mean recalls: of the four relations, of `supported` against the rest, and of answers against the rest."""

    relations: float
    support: float
    answers: float
    examples: int

    @property
    def value(self) -> float:
        """The one by which weights are chosen: the mean of those that are decided by."""
        return (self.support + self.answers) / 2

    def __str__(self) -> str:
        return (
            f"balanced accuracy: relations {self.relations:.3f}, supported {self.support:.3f}, "
            f"answers {self.answers:.3f} of {self.examples}"
        )


@dataclass(frozen=True, slots=True)
class Int8Loss:
    """What the int8 form of a checker loses, and how often both forms say the same."""

    whole: Checked
    small: Checked
    same: float

    def __str__(self) -> str:
        return (
            f"Development pairs, in float: {self.whole}; in int8: {self.small}; "
            f"both say the same of {100 * self.same:.0f} %."
        )


class CheckerStudent(WindowStudent):
    """An encoder with a head whose columns are those of the checker's logits."""

    beside = CHECKER_HEAD

    def loss(self, batch: Sequence[CheckingExample]) -> Any:
        """Return the mean over a batch."""
        torch = loaded_torch()
        total = 0.0
        for example, logits in zip(batch, self.window_logits(self._packed(batch)), strict=True):
            own = logits[0, list(example.columns)]
            total = total + torch.logsumexp(own, 0) - torch.logsumexp(logits[0, example.right], 0)
        return total / len(batch)

    def measure(self, development: Sequence[CheckingExample], say: Say) -> Checked:
        """Compare what is most probable of each example with what is right."""
        say(f"checking {len(development)} development pairs")
        return checked(self.logits, development)

    def logits(self, examples: Sequence[CheckingExample]) -> list[Floats]:
        """Return what the float form gives, without gradients."""
        found: list[Floats] = []
        with loaded_torch().no_grad():
            for start in range(0, len(examples), MEASURED_AT_ONCE):
                part = self.window_logits(self._packed(examples[start : start + MEASURED_AT_ONCE]))
                found += [each.float().cpu().numpy() for each in part]
        return found

    def _packed(self, examples: Sequence[CheckingExample]) -> list[Any]:
        return [pair_window(self.windows, each.text, each.candidate, each.room) for each in examples]


def checked(give: Logits, examples: Sequence[CheckingExample]) -> Checked:
    """Check examples and compare; one of which several relations are right counts for `supported` alone."""
    logits = give(examples)
    related, supported, answered = [], [], []
    for example, each in zip(examples, logits, strict=True):
        if example.answers is not None:
            answered.append((example.answers, answered_by(each) > 0.5))
            continue
        best = relations_of(each).best
        supported.append(("supported" in example.relations, best == "supported"))
        if len(example.relations) == 1:
            related.append((example.relations[0], best))
    return Checked(_mean_recall(related), _mean_recall(supported), _mean_recall(answered), len(examples))


def int8_loss(whole: Logits, small: Logits, examples: Sequence[CheckingExample]) -> Int8Loss:
    """Check examples with both forms."""
    ours, theirs = list(small(examples)), list(whole(examples))
    same = [_said(each, one) == _said(each, other) for each, one, other in zip(examples, ours, theirs, strict=True)]
    return Int8Loss(checked(lambda _: theirs, examples), checked(lambda _: ours, examples), float(np.mean(same)))


def load_checker(start: str, seed: int = 0) -> CheckerStudent:
    """Load a checker by its folder, or begin one from a text encoder of BERT's kind, with heads drawn by `seed`.

    Raises:
        ModelMissing: there is no such encoder, or it has no tokenizer of its own.
    """
    return CheckerStudent(*load_parts("checker", start, CHECKER_HEAD, CHECKS, seed))


def _said(example: CheckingExample, logits: Floats) -> object:
    return relations_of(logits).best if example.answers is None else answered_by(logits) > 0.5


def _mean_recall(pairs: Sequence[tuple[object, object]]) -> float:
    """Return the mean, over what is right, of how often it was said."""
    kinds = dict.fromkeys(right for right, _ in pairs)
    shares = [float(np.mean([said == kind for right, said in pairs if right == kind])) for kind in kinds]
    return float(np.mean(shares)) if shares else 0.0
