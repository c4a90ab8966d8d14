"""A trained checker: how a claim stands to its evidence, and whether it answers a question.

One encoder reads a claim with its evidence, seen as a reader sees it (indexers/models/reader.py), or a question with a
claim. Two heads over the first token have four logits for the first and two for the second.

After Schuster et al. 2021 (claims against near misses of their evidence). Runs on ONNX Runtime, without PyTorch.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

import numpy as np

from indexers.models.onnx import MAX_TOKENS
from indexers.models.reader import Candidate, Floats, Piece, Window, WindowModel, Windows

Relation = Literal["supported", "partial", "contradicted", "unrelated"]
"""How evidence stands to a claim: it says all of it, all but a part, something against it, or nothing of it."""
RELATIONS: tuple[Relation, ...] = get_args(Relation)
CHECKS = len(RELATIONS) + 2
"""Columns of the model's output: one a relation, then that of an answer and that of none."""
CLAIM_TOKENS = 96
"""What a claim may take of a window; claims have up to 60 words."""


@dataclass(frozen=True, slots=True)
class Relations:
    """How probable each relation of a claim to its evidence is, in the order of RELATIONS."""

    probabilities: tuple[float, ...]

    @property
    def supported(self) -> float:
        """The probability that the evidence says all of the claim."""
        return self.probabilities[0]

    @property
    def best(self) -> Relation:
        """The most probable relation."""
        return RELATIONS[int(np.argmax(self.probabilities))]


def joined(pieces: Sequence[Piece]) -> Candidate:
    """Return all evidence of one claim as one candidate: the first piece, and the others on end."""
    if not pieces:
        return Candidate(Piece(""))
    first, *rest = pieces
    if not rest:
        return Candidate(first)
    return Candidate(first, rest[0] if len(rest) == 1 else Piece("\n".join(piece.text for piece in rest)))


def answer_claim(question: str, answer: str) -> str:
    """Return what it claims that a few words answer a question."""
    return f"{question} {answer}"


def pair_window(windows: Windows, text: str, candidate: Candidate, room: int | None = None) -> Window:
    """Return a claim with its evidence, or a question with a claim, as the model sees them."""
    begun = windows.need(text, CLAIM_TOKENS)
    return windows.joined(begun, [windows.tokens(piece) for piece in candidate.pieces], room)


def relations_of(logits: Floats) -> Relations:
    """Return what the logits of a window say of a claim with its evidence."""
    return Relations(_shares(logits[0, : len(RELATIONS)]))


def answered_by(logits: Floats) -> float:
    """Return what the logits of a window say of a question with a claim: the probability that it answers."""
    return _shares(logits[0, len(RELATIONS) :])[0]


class Checker:
    """Check claims with a model of `heliograph train checker`, in its form without PyTorch.

    Nothing is loaded before the first claim.

    Args:
        folder: holds `model.onnx` and `tokenizer.json`.
        threads: claims checked at a time; None is one a processor.

    Raises:
        ModelMissing: a file is missing or no model of this kind, here or at the first claim.
    """

    def __init__(self, folder: Path, *, threads: int | None = None) -> None:
        self._model = WindowModel("checker", folder, CHECKS, threads=threads, room=MAX_TOKENS)
        self.name = self._model.name

    def check(self, claims: Sequence[tuple[str, Candidate]]) -> tuple[Relations, ...]:
        """Return how each claim stands to its evidence; blocks, so call it in a thread."""
        return tuple(map(relations_of, self.logits(claims)))

    def answers(self, claims: Sequence[tuple[str, str]]) -> tuple[float, ...]:
        """Return how probable it is that each claim, true or not, answers the question before it."""
        pairs = [(question, Candidate(Piece(claim))) for question, claim in claims]
        return tuple(map(answered_by, self.logits(pairs)))

    def logits(self, pairs: Sequence[tuple[str, Candidate]]) -> list[Floats]:
        """Return the logits of texts with candidates, shape (tokens, CHECKS)."""
        if not pairs:
            return []
        windows = self._model.windows
        return self._model.logits([pair_window(windows, text, candidate) for text, candidate in pairs])


def _shares(logits: Floats) -> tuple[float, ...]:
    weights = np.exp(logits - logits.max())
    return tuple((weights / weights.sum()).tolist())
