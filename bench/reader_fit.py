"""What a reader read for some questions, kept as plain arrays, and weights of a choice that are fitted to it.

All weights are tried at once: an answer's value is a sum of three features, so a question is one product of matrices.
"""

import hashlib
import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from eval.ott.measures import exact_match, f1
from heliograph.errors import UsageError
from indexers.models.answer_choice import ChoiceWeights, Rule, answer_key, log_odds, priors, score_priors
from indexers.models.reader import CandidateAnswer, Reading

Numbers = NDArray[np.float64]
Arrays = Mapping[str, NDArray[Any]]
COLUMNS = tuple(field.name for field in fields(CandidateAnswer))
"""Of an answer, each an array; a cell that is none is -1."""

WITHIN, SHARES = (0.5, 1.0, 2.0), (0.0, 0.25, 0.5, 0.75, 1.0)
PRIORS = (0.0, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0)
"""Weights that are tried; those of share and prior are in relation to that of `within`."""
TEMPERATURES: tuple[float, ...] = tuple(np.geomspace(0.05, 50, 61).tolist())
BINS = 10
COVERED = (0.1, 0.2, 0.4, 0.6, 0.8, 1.0)
STEPS, DECAY = 50, 1e-3
"""Newton's steps, and how dear it is, per question, to trust the probability otherwise than as it is."""


@dataclass(frozen=True, slots=True)
class Read:
    """What was read for a question: over the first edges of its ranking, and over the best ranked gold edge.

    `holds` says which of the edges are gold; `scores` are the retriever's, where they are known.
    """

    answer: str
    readings: tuple[Reading, ...]
    gold: tuple[Reading, ...]
    holds: tuple[bool, ...] = ()
    scores: tuple[float, ...] = ()


def kept_under(asked: str, files: Sequence[Path]) -> str:
    """Return what tells readings from those of another reader, or of other files."""
    digests = [hashlib.sha256(path.read_bytes()).hexdigest() for path in files]
    return hashlib.sha256(f"{asked} {digests}".encode()).hexdigest()


def keep(path: Path, under: str, read: Sequence[Read]) -> None:
    """Write readings."""
    readings = [reading for each in read for reading in (*each.readings, *each.gold)]
    answers = [answer for reading in readings for answer in reading.answers]
    scores = [score for each in read for score in each.scores]
    arrays: dict[str, Any] = {
        "under": under,
        "right": [each.answer for each in read],
        "edges": [len(each.readings) for each in read],
        "golds": [len(each.gold) for each in read],
        "holds": np.array([hold for each in read for hold in each.holds], dtype=np.bool_),
        "scored": [len(each.scores) for each in read],
        "scores": np.array(scores, dtype=np.float64),
        "answers": [len(reading.answers) for reading in readings],
        "none": [reading.none for reading in readings],
        "share": [reading.share for reading in readings],
    }
    arrays |= {name: [_plain(getattr(answer, name)) for answer in answers] for name in COLUMNS}
    with path.open("wb") as file:
        np.savez_compressed(file, allow_pickle=False, **{name: np.asarray(values) for name, values in arrays.items()})


def kept(path: Path, under: str) -> list[Read] | None:
    """Return readings that were written; None where there is no such file.

    Raises:
        UsageError: the file has those of another reader, or of other questions or rankings.
    """
    if not path.exists():
        return None
    with np.load(path, allow_pickle=False) as file:
        arrays = {name: file[name] for name in file.files}
    if str(arrays["under"]) != under:
        raise UsageError(f"{path} has readings of another model or of other files; name another file, or delete it")
    return list(_read(arrays))


def _read(arrays: Arrays) -> Iterator[Read]:
    readings = iter(list(_readings(arrays)))
    holds, scores = (iter(arrays[name].tolist()) for name in ("holds", "scores"))
    counts = zip(*(arrays[name].tolist() for name in ("right", "edges", "golds", "scored")), strict=True)
    for right, edges, golds, scored in counts:
        first, gold = (tuple(next(readings) for _ in range(count)) for count in (edges, golds))
        held = tuple(next(holds) for _ in range(edges))
        yield Read(right, first, gold, held, tuple(next(scores) for _ in range(scored)))


def _readings(arrays: Arrays) -> Iterator[Reading]:
    columns = [arrays[name].tolist() for name in COLUMNS]
    rows = (dict(zip(COLUMNS, row, strict=True)) for row in zip(*columns, strict=True))
    every = (CandidateAnswer(**(row | {"cell": None if row["cell"] < 0 else row["cell"]})) for row in rows)
    for count, none, share in zip(*(arrays[name].tolist() for name in ("answers", "none", "share")), strict=True):
        yield Reading(tuple(next(every) for _ in range(count)), none, share)


def _plain(value: Any) -> Any:
    return -1 if value is None else value


@dataclass(frozen=True, slots=True)
class Outcome:
    """The chosen answer of a question: EM and F1, its probability, how sure that is, and its candidate's none."""

    text: str
    exact: float
    shared: float
    probability: float
    confidence: float
    none: float


@dataclass(frozen=True, slots=True)
class Answers:
    """All answers of a question, sorted by what they say and then by candidate.

    `features`: within, share and prior of each, shape (3, answers). `spoken` and `places` are where another answer
    and another candidate of it begin, `firsts` those of the places at which another answer begins.
    """

    features: Numbers
    spoken: NDArray[np.int64]
    places: NDArray[np.int64]
    firsts: NDArray[np.int64]
    exact: Numbers
    shared: Numbers

    @classmethod
    def of(cls, read: Read, weights: ChoiceWeights) -> "Answers | None":
        """Return those of a question; None where nothing was read."""
        prior = priors(weights, len(read.readings), read.scores)
        rows = sorted(
            (answer_key(answer.text), number, answer.within, reading.share, prior[number], answer.text)
            for number, reading in enumerate(read.readings)
            for answer in reading.answers
            if answer_key(answer.text)
        )
        if not rows:
            return None
        spoken = [at for at, row in enumerate(rows) if at == 0 or row[0] != rows[at - 1][0]]
        places = [at for at, row in enumerate(rows) if at == 0 or row[:2] != rows[at - 1][:2]]
        texts = [rows[at][5] for at in spoken]
        return cls(
            np.array([row[2:5] for row in rows]).T,
            np.array(spoken),
            np.array(places),
            np.searchsorted(places, spoken),
            np.array([exact_match(text, read.answer) for text in texts]),
            np.array([f1(text, read.answer) for text in texts]),
        )

    def best(self, weights: Numbers, rule: Rule) -> NDArray[np.int64]:
        """Return which answer each of many weights chooses, shape (weights, 3)."""
        return np.asarray(self.weighed(weights, rule).argmax(axis=1))

    def weighed(self, weights: Numbers, rule: Rule) -> Numbers:
        """Return what each answer weighs by each of many weights, shape (weights, answers), as logarithms."""
        values = weights @ self.features
        match rule:
            case "sum":
                together = np.logaddexp.reduceat(values, self.spoken, axis=1)
            case "candidates":
                best = np.maximum.reduceat(values, self.places, axis=1)
                together = np.logaddexp.reduceat(best, self.firsts, axis=1)
            case "best":
                together = np.maximum.reduceat(values, self.spoken, axis=1)
        return np.asarray(together)


def fitted(read: Sequence[Read], begun: ChoiceWeights) -> ChoiceWeights:
    """Return the weights and the rule whose EM and F1 together are highest; of equal ones the first that was tried."""
    if begun.prior_of == "score":
        begun = replace(begun, temperature=temperature(read))
    weights = np.array([(w, w * s, w * p) for w, s, p in itertools.product(WITHIN, SHARES, PRIORS)])
    asked = [answers for each in read if (answers := Answers.of(each, begun)) is not None]
    found = []
    for rule in get_args(Rule):
        worth = np.zeros(len(weights))
        for answers in asked:
            worth += (answers.exact + answers.shared)[answers.best(weights, rule)]
        at = int(worth.argmax())
        within, share, prior = weights[at].tolist()
        found.append((worth[at], replace(begun, within=within, share=share, prior=prior, rule=rule)))
    return max(found, key=lambda one: one[0])[1]


def temperature(read: Sequence[Read]) -> float:
    """Return what scores are divided by where the gold edges that are ranked get the highest probability."""
    told = [each for each in read if any(each.holds) and each.scores]

    def likelihood(value: float) -> float:
        return sum(_of_gold(each, value) for each in told)

    return float(max(TEMPERATURES, key=likelihood))


def _of_gold(read: Read, value: float) -> float:
    each = np.exp(score_priors(read.scores, value))
    return math.log(max(float(each[list(read.holds)].sum()), 1e-30))


def calibrated(outcomes: Sequence[Outcome], weights: ChoiceWeights) -> ChoiceWeights:
    """Return weights with the logistic by which a probability says how often answers like it were right."""
    told = [each for each in outcomes if each.text]
    if not told:
        return weights
    features = np.array([(1.0, log_odds(each.probability), log_odds(math.exp(min(each.none, 0.0)))) for each in told])
    right, as_it_is = np.array([each.exact for each in told]), np.array([0.0, 1.0, 0.0])
    bias, odds, none = logistic(features, right, as_it_is, DECAY * len(told)).tolist()
    return replace(weights, bias=round(bias, 4), odds=round(odds, 4), none=round(none, 4))


def logistic(features: Numbers, right: Numbers, still: Numbers, strength: float) -> Numbers:
    """Fit a logistic regression by Newton's method, each step halved until it helps, drawn to `still` by `strength`."""

    def loss(weights: Numbers) -> float:
        logits = features @ weights
        apart = weights - still
        return float((np.logaddexp(0, logits) - right * logits).sum() + strength * apart @ apart / 2)

    found = still
    for _ in range(STEPS):
        said = 1 / (1 + np.exp(-np.clip(features @ found, -30, 30)))
        slope = features.T @ (said - right) + strength * (found - still)
        bend = (features * (said * (1 - said))[:, None]).T @ features + strength * np.eye(len(still))
        step = np.linalg.solve(bend, slope)
        while np.abs(step).max() > 1e-9 and loss(found - step) > loss(found):
            step = step / 2
        found = found - step
    return found


def crossed(
    read: Sequence[Read],
    fit: Callable[[Sequence[Read]], ChoiceWeights],
    ask: Callable[[Read, ChoiceWeights], Outcome],
) -> list[Outcome]:
    """Return what each half gives with what was fitted on the other; halves are every other question."""
    halves = read[::2], read[1::2]
    found = [fit(half) for half in halves]
    return [ask(each, other) for half, other in zip(halves, reversed(found), strict=True) for each in half]


def calibration_error(sure: Sequence[float], right: Sequence[float]) -> float:
    """Return the expected calibration error over BINS bins of the same width (Guo et al. 2017)."""
    gaps = [0.0] * BINS
    for confidence, correct in zip(sure, right, strict=True):
        gaps[min(BINS - 1, int(confidence * BINS))] += confidence - correct
    return sum(map(abs, gaps)) / max(1, len(sure))


def coverage(sure: Sequence[float], right: Sequence[float]) -> Iterator[tuple[float, float]]:
    """Yield the share of questions that are answered, the surest first, and how many of these are right."""
    order = sorted(range(len(sure)), key=lambda at: -sure[at])
    for share in COVERED:
        many = max(1, round(share * len(order)))
        yield share, sum(right[at] for at in order[:many]) / many
