"""Every measure of one question at once."""

from dataclasses import replace

from eval.ott.corpus import OttCorpus
from eval.ott.measures import CUTS, NAMES, SOMETIMES
from eval.ott.ranking import CUT, Unit
from eval.ott.scoring import Scorer, reading
from tests.eval.ott.lights import BY_WHOM


def letters(text: str) -> list[int]:
    return list(range(1, len(text) + 1))


def test_a_ranking_has_every_measure_and_without_a_tokenizer_all_but_hits(corpus: OttCorpus) -> None:
    ranking = (Unit(3, (1,)), Unit(1, (0,)), Unit(1, (2,)))
    expected = {
        **{f"{name}@{k}": float(k > 2) for name in ("AR", "gold_edge", "gold_strict") for k in CUTS},
        **{f"gold_table@{k}": 1.0 for k in CUTS},
        "nDCG@50": 0.5,
    }
    assert Scorer(corpus).retrieval(BY_WHOM, ranking) == expected
    assert Scorer(corpus, token_ends=letters).retrieval(BY_WHOM, ranking) == {**expected, "HITS@4K": 1.0}


def test_hits_reads_on_behind_the_cut_of_the_other_measures(corpus: OttCorpus) -> None:
    ranking = (*(Unit(3) for _ in range(CUT)), Unit(1, (2,)))
    measured = Scorer(corpus, "star", letters).retrieval(BY_WHOM, ranking)
    assert (measured["AR@50"], measured["HITS@4K"]) == (0.0, 1.0)


def test_an_answer_is_read_by_em_and_f1() -> None:
    assert reading(BY_WHOM, "Ada") == {"EM": 0.0, "F1": 2 / 3}
    assert reading(BY_WHOM, "The Ada Brandt !") == {"EM": 1.0, "F1": 1.0}
    assert {*reading(BY_WHOM, "Ada"), "HITS@4K"} == SOMETIMES
    assert set(NAMES) > SOMETIMES


def test_no_answer_is_never_right_though_the_gold_answer_has_no_words() -> None:
    dash = replace(BY_WHOM, answers=("-",))
    assert reading(dash, "-") == {"EM": 1.0, "F1": 1.0}
    assert reading(dash, "") == reading(dash, None) == {"EM": 0.0, "F1": 0.0}
