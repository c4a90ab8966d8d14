"""Each measure of a ranking by hand, and against ir_measures on rankings of every kind."""

from math import log2

import ir_measures
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ir_measures import Qrel, ScoredDoc, Success, nDCG

from eval.ott.judging import Judged
from eval.ott.measures import (
    CUTS,
    NAMES,
    SOMETIMES,
    answer_recall,
    gold_edge,
    gold_strict,
    gold_table,
    measures_of,
    ndcg,
)

JUDGED = Judged((False, True, False), (False, False, True), (True, True, True), to_find=2)


def test_answer_recall_asks_for_one_unit_that_says_the_answer() -> None:
    assert [answer_recall(JUDGED, k) for k in (1, 2, 3)] == [0.0, 1.0, 1.0]


def test_gold_edge_asks_for_one_gold_unit() -> None:
    assert [gold_edge(JUDGED, k) for k in (1, 2, 3)] == [0.0, 0.0, 1.0]


def test_strictly_gold_is_a_gold_unit_that_says_the_answer_itself() -> None:
    judged = Judged((True, False, True), (False, True, True), (True, True, True), to_find=2)
    assert [gold_strict(judged, k) for k in (1, 2, 3)] == [0.0, 0.0, 1.0]
    assert gold_strict(JUDGED, 3) == 0.0


def test_gold_table_asks_for_one_row_of_the_table() -> None:
    assert [gold_table(JUDGED, k) for k in (0, 1)] == [0.0, 1.0]


def test_ndcg_is_the_gain_over_that_of_the_best_order() -> None:
    assert [ndcg(JUDGED, k) for k in (2, 3)] == [0.0, pytest.approx((1 / 2) / (1 + 1 / log2(3)))]


def test_ndcg_is_nought_where_nothing_is_to_be_found() -> None:
    assert ndcg(Judged((), (), (), 0), 50) == 0.0


def test_ndcg_passes_one_where_a_retriever_links_a_gold_row_more_often_than_the_corpus() -> None:
    assert ndcg(Judged((True, True), (True, True), (True, True), to_find=1), 50) == 1 + 1 / log2(3)


def test_a_run_has_every_measure_that_needs_no_reader_and_no_tokenizer() -> None:
    measured = measures_of(JUDGED)
    assert set(measured) == set(NAMES) - SOMETIMES
    assert measured["AR@2"] == 1.0
    assert measured["gold_edge@2"] == 0.0
    assert measured["nDCG@50"] == ndcg(JUDGED, 50)


VERDICTS = st.lists(st.tuples(st.booleans(), st.booleans(), st.booleans()), min_size=1, max_size=60)


@given(VERDICTS)
def test_recall_only_grows_with_k(verdicts: list[tuple[bool, bool, bool]]) -> None:
    says, gold, table = zip(*verdicts, strict=True)
    judged = Judged(says, gold, table, sum(gold))
    for recall in (answer_recall, gold_edge, gold_strict, gold_table):
        values = [recall(judged, k) for k in CUTS]
        assert values == sorted(values)


def reference(flags: tuple[bool, ...], unfound: int, measure: ir_measures.Measure) -> float:
    """Ask ir_measures: gold units that no place of the ranking has are relevant documents that were not retrieved."""
    judgements = [Qrel("q", f"d{place}", int(flag)) for place, flag in enumerate(flags)]
    missed = [Qrel("q", f"missed{number}", 1) for number in range(unfound)]
    run = [ScoredDoc("q", f"d{place}", -place) for place in range(len(flags))]
    return float(ir_measures.calc_aggregate([measure], [*judgements, *missed], run)[measure])


RANKED = st.lists(st.booleans(), min_size=1, max_size=60).map(tuple)
K = st.sampled_from(CUTS)


@given(RANKED, st.integers(0, 60), K)
def test_ndcg_is_that_of_ir_measures(gold: tuple[bool, ...], unfound: int, k: int) -> None:
    # Its ideal, too, is of all gold units, found or not; it has no case of more gold ranked than there is to find.
    judged = Judged(gold, gold, gold, sum(gold) + unfound)
    assert ndcg(judged, k) == pytest.approx(reference(gold, unfound, nDCG @ k))


@given(RANKED, st.integers(0, 60), K)
def test_recalls_are_the_success_of_ir_measures(flags: tuple[bool, ...], unfound: int, k: int) -> None:
    judged = Judged(flags, flags, flags, sum(flags) + unfound)
    success = reference(flags, unfound, Success @ k)
    recalls = (answer_recall, gold_edge, gold_strict, gold_table)
    assert [recall(judged, k) for recall in recalls] == [success] * 4
