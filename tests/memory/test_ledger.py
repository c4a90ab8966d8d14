"""The ledger forgets nothing: more rounds never rank a modality's k-th piece lower, and order does not matter."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from heliograph.types import MODALITIES, EvidenceId, Modality, Observation
from memory.ledger import FIRST, FLOOR, choose, new_evidence, rank, top, unscored

SCORES = st.sampled_from([-1.0, -0.25, 0.0, 0.5, 0.5000000001, 0.75, 1.0]) | st.floats(-1, 1)


def modality_of_number(number: int) -> Modality:
    """A piece has one modality, whoever saw it."""
    return MODALITIES[number % 3]


def observed(number: int, score: float, round: int, via: str | None = None, need: int = 0) -> Observation:
    piece = EvidenceId(f"wiki:Mars@1#s0/p{number}")
    return Observation(piece, modality_of_number(number), score, round, None if via is None else EvidenceId(via), need)


SIGHTINGS = st.builds(
    observed,
    st.integers(0, 12),
    SCORES,
    st.integers(1, 3),
    st.none() | st.sampled_from(["wiki:A@1#s0/p1", "wiki:B@1#s0/p1"]),
    st.integers(0, 3),
)
LEDGERS = st.lists(SIGHTINGS, max_size=40)
SOME_K = st.integers(1, 15)
NEEDS = st.integers(0, 3)
QUOTAS: Mapping[Modality, int] = {"text": 2, "table": 2, "image": 1}


def test_a_piece_stands_with_its_best_observation() -> None:
    low, high = observed(0, 0.5, 1), observed(0, 0.75, 2, "wiki:A@1#s0/p1")
    other = observed(3, 0.6, 1)
    assert rank([low, other, high]) == (high, other)


def test_equal_scores_stand_with_the_earlier_round_the_direct_way_and_the_smaller_id() -> None:
    late, early = observed(0, 0.5, 2), observed(0, 0.5, 1, "wiki:A@1#s0/p1")
    direct, detour = observed(3, 0.5, 1), observed(3, 0.5, 1, "wiki:A@1#s0/p1")
    assert rank([late, detour, early, direct]) == (early, direct)


def test_top_takes_one_modality_and_no_more_than_k() -> None:
    text, table, weaker = observed(0, 0.5, 1), observed(1, 0.9, 1), observed(3, 0.4, 1)
    assert top([weaker, table, text], "text", 1) == (text,)
    assert top([weaker, table, text], "text", 9) == (text, weaker)
    assert top([weaker, table, text], "image", 9) == ()


def test_new_evidence_is_what_no_earlier_round_had_seen_best_first() -> None:
    seen = [observed(0, 0.5, 1), observed(0, 0.9, 2), observed(3, 0.2, 2), observed(4, 0.3, 2), observed(5, 1.0, 3)]
    assert new_evidence(seen, 2) == ("wiki:Mars@1#s0/p4", "wiki:Mars@1#s0/p3")
    assert new_evidence(seen, 1) == ("wiki:Mars@1#s0/p0",)
    assert new_evidence(seen[:2], 2) == ()


@given(LEDGERS, LEDGERS, SOME_K, st.sampled_from(MODALITIES), st.none() | NEEDS)
def test_an_addition_never_lowers_the_score_of_the_kth_piece_of_a_need(
    before: list[Observation], added: list[Observation], k: int, modality: Modality, need: int | None
) -> None:
    was = [piece.score for piece in top(before, modality, k, need)]
    now = [piece.score for piece in top(before + added, modality, k, need)]
    assert len(now) >= len(was)
    assert all(new >= old for new, old in zip(now, was, strict=False))


@given(st.data(), LEDGERS, st.none() | NEEDS)
def test_the_order_of_observations_does_not_change_the_ranking(
    data: st.DataObject, seen: list[Observation], need: int | None
) -> None:
    assert rank(data.draw(st.permutations(seen)), need) == rank(seen, need)


def test_a_piece_is_ranked_by_its_score_against_the_need_that_is_asked_for() -> None:
    question, bridge = observed(0, 0.5, 1), observed(0, 0.9, 2, need=1)
    other = observed(3, 0.7, 1)
    assert rank([question, bridge, other], 0) == (other, question)
    assert rank([question, bridge, other], 1) == (bridge,)
    assert rank([question, bridge, other]) == (bridge, other)
    assert unscored([question, bridge, other], 1) == (other.evidence,)


def chosen(seen: Sequence[Observation], budget: int, cost: int = 10, most: int | None = None) -> list[EvidenceId]:
    costs = {each.evidence: cost for each in seen}
    return [each.evidence for each in choose(seen, costs, budget, QUOTAS, most)]


def test_needs_take_turns_so_that_the_evidence_of_a_bridge_is_not_crowded_out() -> None:
    question = [observed(3 * n, 0.9 - n / 100, 1) for n in range(10)]
    bridge = [observed(30, 0.5, 2, need=1), observed(33, 0.4, 2, need=1)]
    ids = [each.evidence for each in (question[0], bridge[0], question[1], bridge[1], question[2])]
    assert chosen([*question, *bridge], 50) == ids


def test_quotas_of_modalities_hold_over_the_whole_choice() -> None:
    texts = [observed(3 * n, 0.9, 1, need=n % 2) for n in range(8)]
    table, picture = observed(1, 0.3, 1), observed(2, 0.25, 1, need=1)
    assert {table.evidence, picture.evidence} <= set(chosen([*texts, table, picture], 70))


@given(LEDGERS)
def test_every_modality_gets_its_quota_as_far_as_the_ledger_has_pieces_of_it(seen: list[Observation]) -> None:
    firsts = {each.evidence for need in range(4) for each in rank(seen, need)[:FIRST]}
    room = len(firsts) + sum(QUOTAS.values())
    picked = set(chosen(seen, 10 * room))
    for modality, quota in QUOTAS.items():
        eligible = [each for each in rank(seen) if each.modality == modality and each.score > FLOOR]
        got = [each for each in rank(seen) if each.modality == modality and each.evidence in picked]
        assert len(got) >= min(quota, len(eligible))


def test_the_choice_begins_with_what_is_entitled_to_its_place_in_the_order_of_scores() -> None:
    texts = [observed(3 * n, 0.9 - n / 100, 1) for n in range(6)]
    table, picture = observed(1, 0.3, 1), observed(2, 0.4, 1)
    ordered = [*texts[:2], picture, table, *texts[2:]]
    assert chosen([*texts, table, picture], 1000) == [each.evidence for each in ordered]


def test_a_piece_that_scores_no_more_than_the_floor_comes_only_among_the_first_of_its_need() -> None:
    seen = [observed(3 * n, FLOOR, 1) for n in range(5)]
    assert chosen(seen, 1000) == [each.evidence for each in rank(seen)[:FIRST]]


@given(st.data(), LEDGERS, st.integers(0, 200), st.none() | st.integers(1, 12))
def test_the_choice_is_bounded_and_does_not_depend_on_the_order_of_observations(
    data: st.DataObject, seen: list[Observation], budget: int, most: int | None
) -> None:
    picked = chosen(seen, budget, most=most)
    assert len(picked) <= max(1, budget // 10)
    assert len(set(picked)) == len(picked) <= (most or len(seen))
    assert picked == chosen(data.draw(st.permutations(seen)), budget, most=most)


@given(LEDGERS, LEDGERS)
def test_another_need_keeps_the_first_pieces_of_each_need_before_it_while_the_budget_holds_them(
    before: list[Observation], added: list[Observation]
) -> None:
    everything = [*before, *(replace(each, need=4) for each in added)]
    firsts = {each.evidence for need in range(5) for each in rank(everything, need)[:FIRST]}
    assert firsts <= set(chosen(everything, 10 * len(firsts)))


@given(LEDGERS, st.permutations([1, 2, 3]))
def test_the_order_of_rounds_does_not_change_pieces_or_scores(seen: list[Observation], order: list[int]) -> None:
    renumbered = [replace(each, round=order[each.round - 1]) for each in seen]
    assert [(each.evidence, each.score) for each in rank(renumbered)] == [
        (each.evidence, each.score) for each in rank(seen)
    ]


@given(LEDGERS, SIGHTINGS)
def test_observing_a_piece_changes_the_score_of_no_other(seen: list[Observation], again: Observation) -> None:
    before = {each.evidence: each.score for each in rank(seen) if each.evidence != again.evidence}
    after = {each.evidence: each.score for each in rank([*seen, again]) if each.evidence != again.evidence}
    assert after == before


@given(LEDGERS, LEDGERS, SOME_K, st.sampled_from(MODALITIES))
def test_a_piece_leaves_the_top_only_for_a_better_one_of_its_modality(
    before: list[Observation], added: list[Observation], k: int, modality: Modality
) -> None:
    was, now = top(before, modality, k), top(before + added, modality, k)
    kept = {each.evidence for each in now}
    entered = [each for each in now if each.evidence not in {old.evidence for old in was}]
    left = [each for each in was if each.evidence not in kept]
    assert len(left) <= len(entered)
    for gone in left:
        assert all((each.score, gone.evidence) > (gone.score, each.evidence) for each in entered)


@given(LEDGERS)
def test_a_ranking_holds_every_piece_once_and_ranks_itself(seen: list[Observation]) -> None:
    ranked = rank(seen)
    assert {each.evidence for each in ranked} == {each.evidence for each in seen}
    assert len({each.evidence for each in ranked}) == len(ranked)
    assert rank(ranked) == ranked
    assert all(each in seen for each in ranked)


@given(LEDGERS)
def test_every_piece_is_new_in_exactly_one_round(seen: list[Observation]) -> None:
    new = [piece for round in (1, 2, 3) for piece in new_evidence(seen, round)]
    assert sorted(new) == sorted({each.evidence for each in seen})
