"""Choosing among the answers of all candidates: what was read, weighed with what the retriever thought of each.

The weights are few, are chosen on questions that nothing is reported on, and stand beside the model they belong to.
"""

import json
import math
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from heliograph.errors import ModelMissing
from heliograph.storage import storage_error
from indexers.models.reader import CandidateAnswer, Reading, log_sum

CHOICE_FILE, EVIDENCE_CHOICE_FILE = "choice.json", "evidence_choice.json"
"""Weights of a choice among edges of a ranking, and among pieces of evidence with scores of their own."""


@dataclass(frozen=True, slots=True)
class ChoiceWeights:
    """What each logarithm counts: of an answer within its candidate, of the candidate among all, of the retriever.

    `score` is what a candidate's own score in a ranking adds to its prior. `first` is how many candidates are read;
    `model` names the reader that the weights were chosen for.
    """

    within: float = 1.0
    share: float = 0.5
    prior: float = 1.0
    first: int = 20
    model: str = ""
    score: float = 0.0


@dataclass(frozen=True, slots=True)
class ChosenAnswer:
    """An answer, how much of the weight of all answers it has, and the candidate that says it best."""

    text: str
    probability: float
    candidate: int
    answer: CandidateAnswer


def rank_priors(count: int) -> tuple[float, ...]:
    """Return what a ranking without probabilities says: the logarithm of one over the rank."""
    return tuple(-math.log(place) for place in range(1, count + 1))


def choose(readings: Sequence[Reading], priors: Sequence[float], weights: ChoiceWeights) -> tuple[ChosenAnswer, ...]:
    """Return different answers, the best first; the weights of what says the same are summed."""
    same: dict[tuple[str, ...], list[tuple[float, int, CandidateAnswer]]] = {}
    for number, (reading, prior) in enumerate(zip(readings, priors, strict=True)):
        for answer in reading.answers:
            value = weights.within * answer.within + weights.share * reading.share + weights.prior * prior
            if key := _key(answer.text):
                same.setdefault(key, []).append((value, number, answer))
    if not same:
        return ()
    summed = {key: log_sum([value for value, _, _ in each]) for key, each in same.items()}
    every = log_sum(list(summed.values()))
    chosen = []
    for key in sorted(same, key=lambda key: -summed[key]):
        _, number, answer = max(same[key], key=lambda one: (one[0], -one[1]))
        chosen.append(ChosenAnswer(answer.text, math.exp(summed[key] - every), number, answer))
    return tuple(chosen)


def read_choice(path: Path, model: str) -> ChoiceWeights:
    """Read the weights that were chosen for a reader.

    Raises:
        ModelMissing: there are none, or they were chosen for another reader.
    """
    try:
        weights = ChoiceWeights(**json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError) as err:
        raise ModelMissing(
            f"{path} has no weights of a choice ({err}); make them: python -m bench.reader --fit"
        ) from err
    if weights.model != model:
        raise ModelMissing(
            f"{path} was made for {weights.model}, not for {model}; make it: python -m bench.reader --fit"
        )
    return weights


def write_choice(path: Path, weights: ChoiceWeights) -> None:
    """Write weights beside their reader.

    Raises:
        StoreFull | StoreError: they cannot be written.
    """
    try:
        path.write_text(json.dumps(asdict(weights), indent=1) + "\n", encoding="utf-8")
    except OSError as err:
        raise storage_error(err, path) from err


def _key(text: str) -> tuple[str, ...]:
    """Return the words of an answer without articles: what has the same ones is the same answer."""
    return tuple(word for word in re.findall(r"\w+", text.lower()) if word not in ("a", "an", "the"))
