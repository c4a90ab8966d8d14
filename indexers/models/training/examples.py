"""What is learned from: a query, texts that answer it and texts that do not (HELIOS, appendix B.1)."""

import hashlib
import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

Kind = TypeVar("Kind")
Kind_co = TypeVar("Kind_co", covariant=True)

Candidate = tuple[str, ...]
"""The texts of an edge or a node. An edge has two, its segment and its passage, which a late-interaction model encodes
apart and a cross-encoder reads together; a node has one."""


@dataclass(frozen=True, slots=True)
class Example:
    """One query with its list. Of several positives one is enough: gold labels found by string match are not all true.

    `teacher` are the scores of a stronger model for the positives and then the negatives; empty without one.
    """

    query: str
    positives: tuple[Candidate, ...]
    negatives: tuple[Candidate, ...]
    teacher: tuple[float, ...] = ()

    @property
    def candidates(self) -> tuple[Candidate, ...]:
        """The list: positives first."""
        return self.positives + self.negatives


class Examples(Protocol[Kind_co]):
    """A set of questions from which every epoch draws its lists anew."""

    @property
    def digest(self) -> str:
        """A hash of questions and corpus: a resumed training must go on with the same."""

    def epoch(self, number: int, seed: int) -> Sequence[Kind_co]:
        """Return the lists of one epoch in the order to be learned; the same for the same number and seed."""


class CombinedExamples(Generic[Kind]):
    """Several sets of examples, learned as one."""

    def __init__(self, parts: Sequence[Examples[Kind]]) -> None:
        self._parts = parts
        self.digest = hashlib.sha256("\0".join(each.digest for each in parts).encode()).hexdigest()

    def epoch(self, number: int, seed: int) -> list[Kind]:
        """Return the lists of all parts, mixed."""
        every = [each for part in self._parts for each in part.epoch(number, seed)]
        random.Random(f"{seed}/{number}").shuffle(every)
        return every
