"""Choosing by hand."""

import math

import pytest

from heliograph.errors import ModelMissing
from indexers.models.answer_choice import ChoiceWeights, choose, rank_priors, read_choice, write_choice
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
