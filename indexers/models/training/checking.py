"""What learns to check: two heads over the first token of an encoder (indexers/models/checker.py).

An example allows one relation or several: people who say that a claim is not supported do not say why. What is
minimised is the logarithm of the share of all that are allowed.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from indexers.models.checker import CHECKS, RELATIONS, Checker, Relation, answered_by, pair_window, relations_of
from indexers.models.onnx import MAX_TOKENS
from indexers.models.pytorch import loaded_torch
from indexers.models.reader import Candidate, Floats, Piece
from indexers.models.training.development import Say, int8_loss
from indexers.models.training.window_student import WindowStudent, load_parts

CHECKER_HEAD = "checker.safetensors"
"""The weights of the heads, which tell a checker's folder from an encoder's."""
MEASURED_AT_ONCE = 64
LOST = "Development pairs, in float: {whole}; in int8: {small}; both say the same of {same:.0f} %."


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


Said = Relation | bool
"""What is held of a claim with evidence, or whether a claim answers a question."""


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


class CheckerStudent(WindowStudent):
    """An encoder with a head whose columns are those of the checker's logits."""

    beside, does, farthest = CHECKER_HEAD, "checks", 0.3
    """The last is the difference of a probability of support that the int8 form may have."""

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
        return checked(said(self.logits(development), development), development)

    def int8_loss(self, folder: Path, development: Sequence[CheckingExample]) -> str:
        """Check examples with it and with its form in a folder, and say what that loses."""
        exported = Checker(folder).logits([(each.text, each.candidate) for each in development])
        whole, small = (said(each, development) for each in (self.logits(development), exported))
        return int8_loss(LOST, whole, small, partial(checked, examples=development))

    def apart(self, folder: Path, need: str, candidates: Sequence[Candidate]) -> float:
        """Return the largest difference of a probability of support from that of the int8 form."""
        ours = Checker(folder).check([(need, candidate) for candidate in candidates])
        theirs = map(relations_of, self.logits([CheckingExample(need, candidate) for candidate in candidates]))
        return max(abs(one.supported - other.supported) for one, other in zip(ours, theirs, strict=True))

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


def said(logits: Sequence[Floats], examples: Sequence[CheckingExample]) -> list[Said]:
    """Return what is most probable of each example."""
    return [
        relations_of(each).best if example.answers is None else answered_by(each) > 0.5
        for example, each in zip(examples, logits, strict=True)
    ]


def checked(found: Sequence[Said], examples: Sequence[CheckingExample]) -> Checked:
    """Compare what is said with what is right; where several relations are right `supported` alone counts."""
    pairs = list(zip(examples, found, strict=True))
    related = [(each.relations[0], best) for each, best in pairs if len(each.relations) == 1]
    supported = [("supported" in each.relations, best == "supported") for each, best in pairs if each.answers is None]
    answered = [(each.answers, yes) for each, yes in pairs if each.answers is not None]
    return Checked(_mean_recall(related), _mean_recall(supported), _mean_recall(answered), len(examples))


def load_checker(start: str, seed: int = 0) -> CheckerStudent:
    """Load a checker by its folder, or begin one from a text encoder of BERT's kind, with heads drawn by `seed`.

    Raises:
        ModelMissing: there is no such encoder, or it has no tokenizer of its own.
    """
    return CheckerStudent(*load_parts("checker", start, CHECKER_HEAD, CHECKS, seed))


def _mean_recall(pairs: Sequence[tuple[object, object]]) -> float:
    """Return the mean, over what is right, of how often it was said."""
    kinds = dict.fromkeys(right for right, _ in pairs)
    shares = [float(np.mean([said == kind for right, said in pairs if right == kind])) for kind in kinds]
    return float(np.mean(shares)) if shares else 0.0
