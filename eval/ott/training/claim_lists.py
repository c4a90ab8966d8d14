"""Examples for a checker from composed claims, and from claims that people judged."""

import hashlib
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Protocol

from eval.drawing import digest_of
from eval.omgqa.judging.cases import Case
from eval.omgqa.judging.expertqa import HumanCase, read_claims
from eval.ott.corpus import NO_PASSAGE, OttCorpus
from eval.ott.nodes import edge_candidate
from eval.ott.training.claims import ComposedClaim
from eval.ott.training.marks import stands_in
from indexers.models.checker import RELATIONS, Relation, answer_claim, joined
from indexers.models.reader import Candidate, Piece, Reading
from indexers.models.training.checking import CheckingExample
from indexers.models.training.reading import ReadingExample

ELSEWHERE = 0.08
"""Share of composed claims that are shown the evidence of another row of their table, which says nothing of them."""
ROOM = 192
"""Tokens of a window of a composed claim in training; its evidence is mostly shorter."""
HELD_OUT = "4"
"""Of the development half of people's claims, those with digests below it are held out too: half of that half."""
MISTAKES = 4
"""Answers of a reader, its most probable wrong ones, of which one is a claim."""
_NOT_ALL: dict[str, tuple[Relation, ...]] = {"Complete": ("supported",), "Partial": ("partial",)}


class Reads(Protocol):
    """What reads the candidates of a need, as `indexers.models.reader.Reader` does."""

    def read(self, need: str, candidates: Sequence[Candidate]) -> Sequence[Reading]: ...


class ClaimLists:
    """Examples of claims, in another order every epoch.

    Args:
        composed: claims over the corpus; each gives one example with its evidence and one with its question.
        judged: examples of other sources, as they are.
        corpus: what composed claims rest on.
    """

    def __init__(self, composed: Sequence[ComposedClaim], judged: Sequence[CheckingExample], corpus: OttCorpus) -> None:
        self._composed, self._judged, self._corpus = composed, judged, corpus
        said = "\0".join([*map(str, composed), *map(str, judged)])
        self.digest = hashlib.sha256(said.encode()).hexdigest()

    def __len__(self) -> int:
        return 2 * len(self._composed) + len(self._judged)

    def epoch(self, number: int, seed: int) -> tuple[CheckingExample, ...]:
        """Return the examples of one epoch."""
        draw = random.Random(f"{seed} {number}")
        related = [self._related(claim, draw) for claim in self._composed]
        return tuple(draw.sample([*related, *self._asked(), *self._judged], len(self)))

    def all(self) -> tuple[CheckingExample, ...]:
        """Return every claim with its own evidence and with its question: for development."""
        related = (
            CheckingExample(claim.claim, claim.evidence(self._corpus), (claim.relation,)) for claim in self._composed
        )
        return (*related, *self._asked(), *self._judged)

    def _asked(self) -> list[CheckingExample]:
        return [CheckingExample.of_question(each.question, each.claim, each.answers) for each in self._composed]

    def _related(self, claim: ComposedClaim, draw: random.Random) -> CheckingExample:
        if draw.random() < ELSEWHERE and (other := self._elsewhere(claim, draw)):
            return CheckingExample(claim.claim, other, ("unrelated",), room=ROOM)
        return CheckingExample(claim.claim, claim.evidence(self._corpus), (claim.relation,), room=ROOM)

    def _elsewhere(self, claim: ComposedClaim, draw: random.Random) -> Candidate | None:
        row, passage = draw.choice(self._corpus.edges_of(self._corpus.rows_of(claim.table)))
        if row == claim.row or passage in (claim.passage, NO_PASSAGE):
            return None
        return edge_candidate(self._corpus, row, passage)


def judged_by_people(path: Path, held_out: bool) -> tuple[CheckingExample, ...]:
    """Return the claims of ExpertQA's development half, those held out of it or the others, as examples.

    Raises:
        UsageError: the file cannot be read.
    """
    cases = read_claims(path).of("development")
    return tuple(_judged(each) for each in cases if is_held_out(each) == held_out)


def answers_as_claims(examples: Sequence[ReadingExample], reader: Reads, seed: int) -> Iterator[CheckingExample]:
    """Yield for each question its answer as a claim, and one that a reader takes for the answer and that is none.

    What looks like an answer to the reader is what a checker has to tell apart for it.
    """
    draw = random.Random(seed)
    for example in examples:
        yield from _answers(example, reader.read(example.need, example.candidates), draw)


def _answers(example: ReadingExample, readings: Sequence[Reading], draw: random.Random) -> Iterator[CheckingExample]:
    def claim(answer: str, number: int, *relations: Relation) -> CheckingExample:
        return CheckingExample(
            answer_claim(example.need, answer), example.candidates[number], relations, room=example.room
        )

    if example.choice in ("yes", "no"):
        yield claim(example.choice, 0, "supported")
        yield claim("no" if example.choice == "yes" else "yes", 0, "contradicted")
        return
    right = {mark.candidate for mark in example.marks}
    said = example.says(example.marks[0]) if example.marks else ""
    if said:
        yield claim(said, min(right), "supported")
    wrong = [
        (answer.within + reading.share, answer.text, number)
        for number, reading in enumerate(readings)
        for answer in reading.answers
        if answer.kind in ("span", "cell") and not stands_in(said, answer.text) and not stands_in(answer.text, said)
    ]
    if wrong:
        _, text, number = draw.choice(sorted(wrong, reverse=True)[:MISTAKES])
        yield claim(text, number, *(("contradicted",) if number in right else ("contradicted", "unrelated")))


def is_held_out(case: HumanCase) -> bool:
    """Tell whether a claim of the development half chooses thresholds in place of being learned from."""
    return digest_of(case.case.question) < HELD_OUT


def evidence_of(case: Case) -> Candidate:
    """Return the evidence of a case as a checker sees it."""
    return joined([Piece(" : ".join((*piece.place, piece.text))) for piece in case.evidence])


def _judged(each: HumanCase) -> CheckingExample:
    relations = _NOT_ALL.get(each.said, RELATIONS[1:])  # people do not say why it is not supported
    return CheckingExample(each.case.answer, evidence_of(each.case), relations)
