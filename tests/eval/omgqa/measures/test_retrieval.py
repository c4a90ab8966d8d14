"""Retrieval is measured in units that a judge called relevant, by hand-computed examples and by what always holds."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.omgqa.judged import Judged, Labels, Unit, units
from eval.omgqa.measures import f1_curve, measures_of, recall_curve
from heliograph.types import EvidenceId, PageKey


def unit(name: str) -> Unit:
    page, leaf = name.split("/")
    return EvidenceId(f"w:{page}@1#s1/{leaf}")


def named(text: str) -> tuple[Unit, ...]:
    return tuple(map(unit, text.split()))


def labels(relevant: str = "", irrelevant: str = "") -> Labels:
    return Labels(frozenset(named(relevant)), frozenset(named(irrelevant)))


def pages(text: str) -> tuple[PageKey, ...]:
    return tuple(PageKey(f"w:{page}@1") for page in text.split())


SEEN = Judged(
    labels("Io/p1 Io/t1 Moon/i1 Mars/p2", "Io/p3 Moon/p1"),
    documents=pages("Io Moon Venus Sun Vesta"),
    retrieved=named("Io/p3 Io/p1 Venus/p1 Moon/i1 Moon/p1"),
)


@pytest.mark.parametrize(
    ("measure", "value"),
    [
        ("PER", 2 / 5),  # Io/p1 and Moon/i1
        ("RER", 2 / 4),
        ("F1-ER", 4 / 9),  # 2 * .4 * .5 / .9
        ("PDR", 2 / 5),  # Io and Moon hold relevant evidence
        ("RDR", 2 / 3),  # of Io, Moon and Mars
        ("F1-DR", 1 / 2),  # 2 * .4 * .667 / 1.067
        ("unjudged", 1 / 5),  # Venus/p1
        ("bpref", 1 / 4),  # Io/p1 and Moon/i1 have one of two irrelevant ones above them; two of four are not there
    ],
)
def test_a_ranking_by_hand(measure: str, value: float) -> None:
    assert measures_of(SEEN)[measure] == pytest.approx(value)


def test_the_first_leaves_are_measured_by_themselves() -> None:
    nine = Judged(labels("Io/p9 Io/p1", "Io/p3"), retrieved=named(" ".join(f"Io/p{n}" for n in range(1, 10))))
    measures = measures_of(nine)
    assert [measures[name] for name in ("RER", "RER@8", "PER@8", "F1-ER@8")] == [
        1.0,
        1 / 2,
        1 / 8,
        pytest.approx(1 / 5),
    ]


def test_nothing_retrieved_is_nothing_gained() -> None:
    measures = measures_of(Judged(labels("Io/p1", "Io/p2")))
    assert {measures[name] for name in ("PDR", "RDR", "F1-DR", "PER", "RER", "F1-ER", "ERU", "bpref", "unjudged")} == {
        0
    }


def test_without_relevant_evidence_only_abstention_and_coverage_are_measured() -> None:
    found = measures_of(Judged(labels(irrelevant="Io/p1"), retrieved=named("Io/p1")))
    assert found == {"true abstention": 0.0, "coverage": 1.0}
    assert measures_of(Judged(labels(), abstained=True)) == {"true abstention": 1.0, "coverage": 0.0}
    assert measures_of(Judged(labels("Io/p1"), abstained=True))["false abstention"] == 1.0


def test_bpref_without_judged_irrelevant_evidence_is_recall() -> None:
    assert measures_of(Judged(labels("Io/p1 Io/p2"), retrieved=named("Sun/p1 Io/p2")))["bpref"] == 1 / 2


def test_a_row_counts_for_its_table_where_leaves_are_judged() -> None:
    rows = [EvidenceId(f"{unit('Io/t1')}/r{number}") for number in (4, 2)]
    ranked = (*rows, unit("Io/p1"), unit("Io/t1"))
    assert units(ranked, "leaf") == named("Io/t1 Io/p1")
    assert units(ranked, "row") == (*rows, unit("Io/p1"), unit("Io/t1"))


def test_a_curve_has_a_value_a_round() -> None:
    grown = Judged(labels("Io/p1 Io/p2"), rounds=((), named("Io/p1 Sun/p1"), named("Io/p1 Io/p2")))
    assert recall_curve(grown) == (0, 1 / 2, 1)
    assert f1_curve(grown) == (0, 1 / 2, 1)


UNITS = st.sampled_from(named(" ".join(f"{page}/p{number}" for page in ("Io", "Moon") for number in range(1, 6))))


@st.composite
def rankings(draw: st.DrawFn) -> Judged:
    relevant = draw(st.frozensets(UNITS, min_size=1))
    irrelevant = draw(st.frozensets(UNITS)) - relevant
    return Judged(Labels(relevant, irrelevant), retrieved=tuple(draw(st.lists(UNITS, unique=True))))


@given(rankings())
def test_every_share_is_a_share(ranking: Judged) -> None:
    measures = measures_of(ranking)
    assert all(0 <= value <= 1 for value in measures.values())
    low, high = sorted((measures["PER"], measures["RER"]))
    assert low - 1e-12 <= measures["F1-ER"] <= high + 1e-12


@given(rankings())
def test_more_relevant_evidence_on_top_never_lowers_a_measure(ranking: Judged) -> None:
    missed = sorted(ranking.labels.relevant - set(ranking.retrieved))
    better = Judged(ranking.labels, retrieved=(*missed, *ranking.retrieved))
    before, after = measures_of(ranking), measures_of(better)
    assert all(after[name] >= before[name] - 1e-12 for name in ("PER", "RER", "F1-ER", "bpref"))


@given(rankings(), st.data())
def test_precision_and_recall_do_not_look_at_the_order(ranking: Judged, data: st.DataObject) -> None:
    mixed = Judged(ranking.labels, retrieved=tuple(data.draw(st.permutations(ranking.retrieved))))
    before, after = measures_of(ranking), measures_of(mixed)
    assert all(after[name] == before[name] for name in ("PER", "RER", "unjudged"))
