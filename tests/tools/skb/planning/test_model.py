"""Plans are weighed together: probabilities, rankings, and the gradient that they are learned by."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

from heliograph.errors import ModelMissing
from tools.skb.planning.model import FEATURES, TEXTS, PlanModel, ScoredPlan, features, read_plan_model

numbers = some.lists(some.integers(0, 12), min_size=1, max_size=6, unique=True).map(sorted)


@some.composite
def plans(draw: some.DrawFn) -> ScoredPlan:
    entities = np.array(draw(numbers))
    seeded = np.random.default_rng(draw(some.integers(0, 1000)))
    return ScoredPlan(seeded.normal(size=len(FEATURES)), entities, seeded.normal(size=(len(entities), len(TEXTS))))


def model(seed: int) -> PlanModel:
    seeded = np.random.default_rng(seed)
    return PlanModel(seeded.normal(size=len(FEATURES)) / 3, seeded.normal(size=len(TEXTS)))


@given(some.lists(plans(), min_size=1, max_size=4), some.integers(0, 9))
def test_entities_share_one_probability_and_are_ranked_by_it(several: list[ScoredPlan], seed: int) -> None:
    ranked = model(seed).rank(several, 100)
    assert sum(share for _, share in ranked) == pytest.approx(1)
    assert ranked == sorted(ranked, key=lambda pair: (-pair[1], pair[0]))
    assert {number for number, _ in ranked} == {number for each in several for number in each.entities.tolist()}


@given(some.lists(plans(), min_size=1, max_size=3), some.lists(some.integers(0, 12), min_size=1, max_size=3))
def test_the_gradient_is_the_slope_of_the_loss(several: list[ScoredPlan], answers: list[int]) -> None:
    own = model(3)
    _, by_plan, by_text = own.loss(several, answers)
    for weights, slope in ((own.plans, by_plan), (own.texts, by_text)):
        for place in (0, len(weights) - 1):
            before, step = weights[place], 1e-5
            weights[place] = before + step
            above = own.loss(several, answers)[0]
            weights[place] = before - step
            below = own.loss(several, answers)[0]
            weights[place] = before
            assert slope[place] == pytest.approx((above - below) / (2 * step), abs=1e-4)


def test_a_plan_of_fewer_entities_gives_each_more() -> None:
    one = ScoredPlan(features(), np.array([4]), np.zeros((1, len(TEXTS))))
    many = ScoredPlan(features(), np.arange(10), np.zeros((10, len(TEXTS))))
    (best, share), *_ = PlanModel(features(), np.zeros(len(TEXTS))).rank([one, many], 3)
    assert (best, share) == (4, pytest.approx(0.55))


def test_the_weights_that_ship_are_read_and_others_refused(tmp_path: Path) -> None:
    assert len(read_plan_model().plans) == len(FEATURES)
    other = tmp_path / "planner.json"
    other.write_text(json.dumps({"plans": {"unconditional": 1}, "texts": {}}), encoding="utf8")
    with pytest.raises(ModelMissing, match="train skb-reranker"):
        read_plan_model(other)
