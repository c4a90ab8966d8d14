"""Weights of plans are learned from answers alone, written, and read back."""

from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from eval.stark.plan_training import Lesson, learn_from, mean_loss, train_plan_model, write_plan_model
from heliograph.errors import StoreError, UsageError
from indexers.skb.base_building import build_base
from indexers.skb.record_files import open_record_files
from tools.skb.planning.model import FEATURES, TEXTS, PlanModel, ScoredPlan, features, read_plan_model

DEMO = Path(__file__).resolve().parents[3] / "demo" / "skb"


def lesson(right: float, answer: int) -> Lesson:
    """Return a query with a plan of one hop that leads to its answer, and one of two hops that does not."""
    texts = np.zeros((1, len(TEXTS)))
    one = ScoredPlan(features(one_hop=1, nearby=right), np.array([answer]), texts)
    two = ScoredPlan(features(two_hops=1, nearby=0.5), np.array([answer + 1]), texts)
    return Lesson((one, two), (answer,))


def test_the_loss_is_the_mean_of_the_lessons() -> None:
    lessons = [lesson(0.9, 1), lesson(0.1, 5)]
    model = PlanModel(features(nearby=2), np.ones(len(TEXTS)))
    alone = [mean_loss(model, [each]) for each in lessons]
    total, slope = mean_loss(model, lessons)
    assert total == pytest.approx(sum(loss for loss, _ in alone) / 2)
    assert slope == pytest.approx(sum(each for _, each in alone) / 2)
    assert len(slope) == len(FEATURES) + len(TEXTS)


@pytest.mark.models
@pytest.mark.skipif(find_spec("torch") is None, reason="needs torch")
def test_the_plan_that_leads_to_answers_becomes_the_likelier_one() -> None:
    lessons = [lesson(0.2, number) for number in range(6)]
    model = train_plan_model(lessons)
    assert all(model.probabilities(each.plans)[0] > 0.9 for each in lessons)
    assert mean_loss(model, lessons)[0] < mean_loss(PlanModel(features(), np.ones(len(TEXTS))), lessons)[0]


def test_weights_are_written_with_what_they_were_learned_from(tmp_path: Path) -> None:
    model = PlanModel(features(one_hop=0.25), np.array([1.0, 2.0, 0.5, 0.25, 3.5]))
    write_plan_model(model, tmp_path / "planner.json", ["40 queries of moons.jsonl over moons"])
    back = read_plan_model(tmp_path / "planner.json")
    assert back.plans.tolist() == model.plans.tolist() and back.texts.tolist() == [1.0, 2.0, 0.5, 0.25, 3.5]
    assert "40 queries of moons.jsonl" in (tmp_path / "planner.json").read_text(encoding="utf8")


def test_weights_that_cannot_be_written_leave_those_before(tmp_path: Path) -> None:
    out = tmp_path / "planner.json"
    before = PlanModel(features(one_hop=0.25), np.ones(len(TEXTS)))
    write_plan_model(before, out, ["queries"])
    (tmp_path / "planner.json.new").mkdir()
    with pytest.raises(StoreError, match="--out"):
        write_plan_model(PlanModel(features(one_hop=9), np.ones(len(TEXTS))), out, ["queries"])
    assert read_plan_model(out).plans.tolist() == before.plans.tolist()


@pytest.mark.models
@pytest.mark.skipif(find_spec("torch") is None, reason="needs torch")
async def test_queries_without_answers_in_their_base_teach_nothing(tmp_path: Path) -> None:
    build_base(open_record_files([DEMO]), tmp_path / "moons.skb", lambda _said: None)
    queries = tmp_path / "queries.jsonl"
    queries.write_text('{"query": "Which moon?", "answer_ids": ["elsewhere"]}\n', encoding="utf8")
    with pytest.raises(UsageError, match="pair each --queries"):
        await learn_from([(tmp_path / "moons.skb", queries)], None, None, tmp_path / "out.json", lambda _said: None)


@pytest.mark.models
@pytest.mark.skipif(find_spec("torch") is None, reason="needs torch")
async def test_a_few_queries_teach_weights_that_can_be_used(tmp_path: Path) -> None:
    build_base(open_record_files([DEMO]), tmp_path / "moons.skb", lambda _said: None)
    sets = [(tmp_path / "moons.skb", DEMO.parent / "skb_questions.jsonl")]
    told = await learn_from(sets, 4, None, tmp_path / "out.json", lambda _said: None)
    assert "4 queries of skb_questions.jsonl over moons" in told
    assert len(read_plan_model(tmp_path / "out.json").plans) == len(FEATURES)
