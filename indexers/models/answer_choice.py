"""Choosing among the answers of all candidates: what was read, weighed with what the retriever thought of each.

The weights are few, are chosen on questions that nothing is reported on, and stand beside the model they belong to.
"""

import json
import math
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal, get_args

from heliograph.errors import ModelMissing
from heliograph.storage import storage_error
from indexers.models.reader import CandidateAnswer, Reading, log_sum

CHOICE_FILE, EVIDENCE_CHOICE_FILE = "choice.json", "evidence_choice.json"
"""Weights of a choice among edges of a ranking, and among pieces of evidence with scores of their own."""
Rule = Literal["sum", "candidates", "best"]
"""What of the same answer counts: all places that say it, the best one of each candidate, or the best one."""
PriorOf = Literal["rank", "score"]
"""What is known of the retriever: the order of the candidates, or a score of each."""
SUREST = 12.0
"""The log-odds beyond which probabilities are not told apart."""


@dataclass(frozen=True, slots=True)
class ChoiceWeights:
    """What each logarithm counts: of an answer within its candidate, of the candidate among all, of the retriever.

    `first` is how many candidates are read; `model` names the reader that the weights were chosen for. `temperature`
    is what scores of the retriever are divided by before they are probabilities. Of how likely the chosen answer is
    right, `bias`, `odds` and `none` are a logistic: of its probability, and of its candidate's that nothing answers,
    both as log-odds.
    `score` is what a score of its own adds to the prior of a piece of evidence.
    """

    within: float = 1.0
    share: float = 0.5
    prior: float = 1.0
    first: int = 20
    model: str = ""
    rule: Rule = "sum"
    prior_of: PriorOf = "rank"
    temperature: float = 1.0
    score: float = 0.0
    bias: float = 0.0
    odds: float = 1.0
    none: float = 0.0

    def __post_init__(self) -> None:
        if self.rule not in get_args(Rule) or self.prior_of not in get_args(PriorOf):
            raise ValueError(f"no rule {self.rule!r} of {self.prior_of!r}")

    def confidence(self, probability: float, none: float) -> float:
        """Return how likely an answer is right; `none` is the log-probability that its candidate does not answer."""
        logit = self.bias + self.odds * log_odds(probability) + self.none * log_odds(math.exp(min(none, 0.0)))
        return 1 / (1 + math.exp(-max(-SUREST, min(SUREST, logit))))


@dataclass(frozen=True, slots=True)
class ChosenAnswer:
    """An answer, how much of the weight of all answers it has, and the candidate that says it best.

    `confidence` is how likely it is right, as it was on the questions that the weights were chosen on.
    """

    text: str
    probability: float
    confidence: float
    candidate: int
    answer: CandidateAnswer


def rank_priors(count: int) -> tuple[float, ...]:
    """Return what a ranking without probabilities says: the logarithm of one over the rank."""
    return tuple(-math.log(place) for place in range(1, count + 1))


def score_priors(scores: Sequence[float], temperature: float) -> tuple[float, ...]:
    """Return the log-probabilities of candidates by their scores, which are higher the better."""
    if not scores:
        return ()
    scaled = [score / temperature for score in scores]
    every = log_sum(scaled)
    return tuple(value - every for value in scaled)


def priors(weights: ChoiceWeights, count: int, scores: Sequence[float] = ()) -> tuple[float, ...]:
    """Return what the retriever thought of `count` candidates, in the form that the weights are of."""
    return rank_priors(count) if weights.prior_of == "rank" else score_priors(scores[:count], weights.temperature)


def log_odds(probability: float) -> float:
    """Return the log-odds of a probability, within SUREST."""
    if not 0 < probability < 1:
        return SUREST if probability >= 1 else -SUREST
    return max(-SUREST, min(SUREST, math.log(probability / (1 - probability))))


def logistic(weights: Sequence[float], *features: float) -> float:
    """Return the probability of a logistic regression whose first weight is its constant."""
    odds = sum(weight * value for weight, value in zip(weights, (1.0, *features), strict=True))
    return 1 / (1 + math.exp(-odds))


def choose(readings: Sequence[Reading], priors: Sequence[float], weights: ChoiceWeights) -> tuple[ChosenAnswer, ...]:
    """Return different answers, the best first; what says the same counts together, as the rule has it."""
    same: dict[tuple[str, ...], list[tuple[float, int, CandidateAnswer]]] = {}
    for number, (reading, prior) in enumerate(zip(readings, priors, strict=True)):
        for answer in reading.answers:
            value = weights.within * answer.within + weights.share * reading.share + weights.prior * prior
            if key := answer_key(answer.text):
                same.setdefault(key, []).append((value, number, answer))
    if not same:
        return ()
    summed = {
        key: _together([(value, number) for value, number, _ in each], weights.rule) for key, each in same.items()
    }
    every = log_sum(list(summed.values()))
    chosen = []
    for key in sorted(same, key=lambda key: -summed[key]):
        _, number, answer = max(same[key], key=lambda one: (one[0], -one[1]))
        probability = math.exp(summed[key] - every)
        confidence = weights.confidence(probability, readings[number].none)
        chosen.append(ChosenAnswer(answer.text, probability, confidence, number, answer))
    return tuple(chosen)


def _together(places: Sequence[tuple[float, int]], rule: Rule) -> float:
    """Return what the places of an answer, each with its candidate, weigh together, as a logarithm."""
    match rule:
        case "sum":
            return log_sum([value for value, _ in places])
        case "candidates":
            best = {number: value for value, number in sorted(places)}  # the highest of a candidate comes last
            return log_sum(list(best.values()))
        case "best":
            return max(value for value, _ in places)


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


def answer_key(text: str) -> tuple[str, ...]:
    """Return the words of an answer without articles: what has the same ones is the same answer."""
    return tuple(word for word in re.findall(r"\w+", text.lower()) if word not in ("a", "an", "the"))
