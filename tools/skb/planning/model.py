"""A log-linear model of plans: how probable each is, and each entity that it leads to.

P(entity | query) = Σ P(plan | query) · P(entity | plan). A plan is as probable as its features say (softmax over all
plans that were tried, of all types of answers), and among the entities that it leads to the textual rest of the query
decides (softmax over its text scores). Both kinds of weights are learned together from answers alone, by the gradient
of the logarithm of the answers' probability: no plan has to be labelled. A relaxed plan is a plan with other features,
so that the ladder from all requirements to the text alone is learned, too; path features after MoR (Lei et al. 2025).
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from heliograph.errors import ModelMissing
from heliograph.storage import MALFORMED
from heliograph.text.words import word_list
from indexers.skb.adjacency import Numbers

FEATURES = word_list(
    "unconditional one_hop two_hops three_hops value_said value_part value_unsaid limit attribute_meaning order set "
    "unset meaning_one meaning_two nearby negated negated_uncued cue_ignored name_unused part_unused part_used "
    "small_used described_used described_alike described_meaning several letters_unused figure_unused share_one "
    "share_two type_found type_phrase type_role type_nearest type_words type_mentioned answers text_among words_among "
    "beside_among stated_among order_sure operation idle"
)
"""What is known of a plan: `plans.py` computes it."""
TEXTS = ("rest", "words", "beside", "stated", "vectors")
"""Scores of an entity: BM25 of the query without its mentions over documents, of all of it over documents with
neighbours' names, over the best document of a neighbour, and over this with what the triple to it says, each divided by
the best of the type; and the cosine of vectors."""
SHIPPED_PLANNER = Path(__file__).parent / "planner.json"
SHIPPED_LARGE_PLANNER = Path(__file__).parent / "planner_large.json"
"""Weights for bases of which only proposed entities have vectors: cosines, and plans that fit by chance, say less."""
LEAST = 1e-6
"""Probability that every entity has, so that an answer that no plan leads to costs no more than that."""

Floats = npt.NDArray[np.float64]
_PLACES = {name: place for place, name in enumerate(FEATURES)}


def features(**said: float) -> Floats:
    """Return a vector of features by name; others are nought."""
    found = np.zeros(len(FEATURES))
    for name, value in said.items():
        found[_PLACES[name]] = value
    return found


@dataclass(frozen=True, slots=True)
class ScoredPlan:
    """Features of a plan, shape (FEATURES,), and the entities that it leads to, ascending, with scores (n, TEXTS)."""

    features: Floats
    entities: Numbers
    texts: Floats


@dataclass(frozen=True, slots=True)
class PlanModel:
    """The weights of plans, shape (FEATURES,), and of texts, shape (TEXTS,)."""

    plans: Floats
    texts: Floats

    def probabilities(self, plans: Sequence[ScoredPlan]) -> Floats:
        """Return how probable each plan is; together 1."""
        return _softmax(np.stack([each.features for each in plans]) @ self.plans)

    def rank(self, plans: Sequence[ScoredPlan], k: int, shares: Floats | None = None) -> list[tuple[int, float]]:
        """Return the k most probable entities, equal ones by number; `shares` are the plans' probabilities if known."""
        found = np.zeros(1 + max(int(each.entities[-1]) for each in plans))
        shares = self.probabilities(plans) if shares is None else shares
        for probability, plan in zip(shares, plans, strict=True):
            found[plan.entities] += probability * _softmax(plan.texts @ self.texts)
        there = np.flatnonzero(found)
        best = there[np.lexsort((there, -found[there]))][:k]
        return list(zip(best.tolist(), found[best].tolist(), strict=True))

    def loss(self, plans: Sequence[ScoredPlan], answers: Sequence[int]) -> tuple[float, Floats, Floats]:
        """Return minus the mean logarithm of the answers' probability, and its gradients by both kinds of weights."""
        known, prior = np.stack([each.features for each in plans]), self.probabilities(plans)
        share = np.zeros((len(plans), len(answers)))
        slope = np.zeros((len(plans), len(answers), len(TEXTS)))
        for place, plan in enumerate(plans):
            shares = _softmax(plan.texts @ self.texts)
            mean = shares @ plan.texts
            rows = np.minimum(np.searchsorted(plan.entities, answers), len(plan.entities) - 1)
            there = plan.entities[rows] == answers
            share[place, there] = shares[rows[there]]
            slope[place, there] = plan.texts[rows[there]] - mean
        total = prior @ share + LEAST
        posterior = prior[:, None] * share / total
        by_plan = posterior.sum(1) @ known - posterior.sum() * (prior @ known)
        by_text = np.einsum("pa,pat->t", posterior, slope)
        return float(-np.log(total).mean()), -by_plan / len(answers), -by_text / len(answers)


def read_plan_model(path: Path = SHIPPED_PLANNER) -> PlanModel:
    """Read weights, by default those that ship.

    Raises:
        ModelMissing: the file cannot be read, or has not the weights of these features.
    """
    try:
        said = json.loads(path.read_text(encoding="utf8"))
        weights = [
            [float(said[kind][name]) for name in names] for kind, names in (("plans", FEATURES), ("texts", TEXTS))
        ]
    except (OSError, *MALFORMED) as err:
        raise ModelMissing(
            f"{path} has no weights of plans ({err}); make them with heliograph train skb-reranker"
        ) from err
    model = PlanModel(np.array(weights[0]), np.array(weights[1]))
    if not (np.isfinite(model.plans).all() and np.isfinite(model.texts).all()):
        raise ModelMissing(f"{path} has weights that are no numbers; make them with heliograph train skb-reranker")
    return model


def _softmax(scores: Floats) -> Floats:
    shares = np.exp(scores - scores.max())
    found: Floats = shares / shares.sum()
    return found
