"""What needs no model: schedules, and figures of ranked lists."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexers.models.training.development import figures
from indexers.models.training.examples import Example
from indexers.models.training.schedule import RERANKER, RETRIEVER, Schedule


def test_the_rate_climbs_and_falls_as_a_cosine() -> None:
    schedule = Schedule(epochs=1, batch=2, learning_rate=1.0, warmup=4)
    rates = [schedule.rate(step, 8) for step in range(8)]
    assert rates[:4] == pytest.approx([(step + 1) / 4 * 0.5 * (1 + math.cos(math.pi * step / 8)) for step in range(4)])
    assert rates[4:] == sorted(rates[4:], reverse=True)


def test_a_warmup_below_one_is_a_share_of_the_steps() -> None:
    share, number = Schedule(1, 1, 1.0, 0.1), Schedule(1, 1, 1.0, 5)
    assert [share.rate(step, 50) for step in range(50)] == [number.rate(step, 50) for step in range(50)]


@given(st.integers(1, 4), st.integers(1, 600), st.integers(1, 5000))
def test_every_list_is_learned_once_an_epoch(epochs: int, batch: int, examples: int) -> None:
    assert Schedule(epochs, batch, 1.0, 1).steps(examples) == epochs * len(range(0, examples, batch))


def test_the_defaults_are_the_papers() -> None:
    assert (RETRIEVER.epochs, RETRIEVER.batch, RETRIEVER.learning_rate, RETRIEVER.warmup) == (1, 512, 1e-5, 40)
    assert (RERANKER.epochs, RERANKER.batch, RERANKER.learning_rate, RERANKER.warmup) == (1, 96, 2e-4, 0.1)


def test_figures_by_hand() -> None:
    found = figures([(False, True, True), (False,) * 5 + (True,), ()])
    assert (found.first_2, found.first_10) == (pytest.approx(1 / 3), pytest.approx(2 / 3))
    first = (1 / math.log2(3) + 1 / math.log2(4)) / (1 + 1 / math.log2(3))
    assert found.ndcg == pytest.approx((first + 1 / math.log2(7)) / 3)
    assert str(found) == f"positive in 2: 0.333, in 10: 0.667, nDCG@50: {found.ndcg:.3f}"
    assert figures([]).ndcg == 0.0


def test_a_list_begins_with_its_positives() -> None:
    assert Example("q", (("a", "b"),), (("c",), ("d",))).candidates == (("a", "b"), ("c",), ("d",))
