"""Choosing by hand."""

import math

import pytest

from heliograph.errors import ModelMissing
from indexers.models.answer_choice import (
    ChoiceWeights,
    Rule,
    choose,
    log_odds,
    priors,
    rank_priors,
    read_choice,
    score_priors,
    write_choice,
)
from indexers.models.reader import CandidateAnswer, Reading


def reading(share: float, *answers: tuple[str, float]) -> Reading:
    return Reading(tuple(CandidateAnswer("span", text, within) for text, within in answers), -1.0, share)


def test_what_says_the_same_is_summed() -> None:
    readings = [reading(0.0, ("Oslo", -1.0)), reading(0.0, ("the Bergen", -1.5)), reading(0.0, ("Bergen", -1.5))]
    best, other = choose(readings, (0.0, 0.0, 0.0), ChoiceWeights(prior=1.0))
    assert (best.text, best.candidate, other.text) == ("the Bergen", 1, "Oslo")
    both, one = 2 * math.exp(-1.5), math.exp(-1.0)
    assert best.probability == pytest.approx(both / (both + one))


def test_the_retriever_and_the_candidates_share_count_as_much_as_they_weigh() -> None:
    readings = [reading(-2.0, ("Oslo", -1.0)), reading(-0.5, ("Bergen", -1.2))]
    assert choose(readings, rank_priors(2), ChoiceWeights(share=0.0, prior=1.0))[0].text == "Oslo"
    assert choose(readings, rank_priors(2), ChoiceWeights(share=1.0, prior=0.0))[0].text == "Bergen"
    assert choose([], (), ChoiceWeights()) == ()


def test_weights_belong_to_their_reader(tmp_path) -> None:
    weights = ChoiceWeights(share=0.25, model="reader-abc")
    write_choice(tmp_path / "choice.json", weights)
    assert read_choice(tmp_path / "choice.json", "reader-abc") == weights
    with pytest.raises(ModelMissing, match="was made for reader-abc, not for reader-def"):
        read_choice(tmp_path / "choice.json", "reader-def")
    with pytest.raises(ModelMissing, match="has no weights of a choice"):
        read_choice(tmp_path / "nothing.json", "reader-abc")


@pytest.mark.parametrize(
    ("rule", "best", "weight"),
    [("sum", "Bergen", 3 * math.exp(-1.5)), ("candidates", "Bergen", 2 * math.exp(-1.5)), ("best", "Oslo", 0.0)],
)
def test_a_rule_says_which_places_of_an_answer_count(rule: Rule, best: str, weight: float) -> None:
    readings = [reading(0.0, ("Oslo", -1.0)), reading(0.0, ("Bergen", -1.5), ("Bergen", -1.5)), reading(0.0)]
    readings[2] = reading(0.0, ("bergen", -1.5))
    chosen = choose(readings, (0.0, 0.0, 0.0), ChoiceWeights(prior=1.0, rule=rule))
    assert chosen[0].text == best
    if weight:
        assert chosen[0].probability == pytest.approx(weight / (weight + math.exp(-1.0)))


def test_scores_become_log_probabilities() -> None:
    assert score_priors((), 1.0) == ()
    low, high = score_priors((0.0, 2.0), 2.0)
    assert math.exp(low) + math.exp(high) == pytest.approx(1)
    assert high - low == pytest.approx(1)
    assert priors(ChoiceWeights(), 2, (0.0, 2.0)) == rank_priors(2)
    scored = ChoiceWeights(prior_of="score", temperature=2.0)
    assert priors(scored, 2, (0.0, 2.0, 9.0)) == (low, high)


def test_confidence_is_a_logistic_of_the_probability_and_of_none() -> None:
    plain = ChoiceWeights()
    assert plain.confidence(0.7, -1.0) == pytest.approx(0.7)
    assert plain.confidence(1.0, 0.0) < 1 and plain.confidence(0.0, 0.0) > 0
    weights = ChoiceWeights(bias=0.5, odds=0.25, none=-0.5)
    logit = 0.5 + 0.25 * log_odds(0.7) - 0.5 * log_odds(math.exp(-2.0))
    assert weights.confidence(0.7, -2.0) == pytest.approx(1 / (1 + math.exp(-logit)))
    (chosen,) = choose([reading(0.0, ("Oslo", -1.0))], (0.0,), ChoiceWeights(bias=-99.0))
    assert (chosen.probability, chosen.confidence < 1e-4) == (1.0, True)


def test_weights_of_before_are_read_and_a_rule_that_nobody_knows_is_not(tmp_path) -> None:
    path = tmp_path / "choice.json"
    path.write_text('{"within": 1.0, "share": 0.75, "prior": 1.0, "first": 10, "model": "reader-abc"}')
    assert read_choice(path, "reader-abc") == ChoiceWeights(share=0.75, first=10, model="reader-abc")
    path.write_text('{"rule": "vote", "model": "reader-abc"}')
    with pytest.raises(ModelMissing, match="has no weights of a choice"):
        read_choice(path, "reader-abc")
