"""Agreement and kappa by hand-computed examples, and what holds for any counts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.omgqa.judging.agreement import Agreement, agreement_of, agreement_text

COUNTS = st.integers(0, 50)
TABLES = st.builds(Agreement, COUNTS, COUNTS, COUNTS, COUNTS)


def test_counts_of_pairs_of_words() -> None:
    words = [(True, True)] * 4 + [(True, False)] * 3 + [(False, True)] * 2 + [(False, False)]
    assert agreement_of(words) == Agreement(both_yes=4, only_first=3, only_second=2, both_no=1)
    assert agreement_of(iter([])) == Agreement()


def test_balanced_accuracy_counts_yes_and_no_alike() -> None:
    found = Agreement(both_yes=30, only_first=10, only_second=5, both_no=5)
    assert found.balanced == (0.75 + 0.5) / 2
    assert Agreement(both_yes=30, only_first=10).balanced is None


def test_kappa_of_the_usual_example() -> None:
    found = Agreement(both_yes=20, only_first=5, only_second=10, both_no=15)
    # 35 of 50 agree; by chance (25/50)(30/50) + (25/50)(20/50) = 0.5; (0.7 - 0.5) / (1 - 0.5) = 0.4
    assert (found.cases, found.agreement, found.kappa) == (50, 0.7, pytest.approx(0.4))


@pytest.mark.parametrize(
    ("found", "agreement", "kappa"),
    [
        (Agreement(), None, None),
        (Agreement(both_yes=7), 1.0, None),  # both always say yes: chance explains all of it
        (Agreement(both_no=7), 1.0, None),
        (Agreement(only_first=7), 0.0, 0.0),  # both constant, and never alike: chance explains none, 0 / 49
        (Agreement(both_yes=6, only_first=4), 0.6, 0.0),  # the first always says yes
        (Agreement(both_yes=3, both_no=4), 1.0, 1.0),
        (Agreement(only_first=5, only_second=5), 0.0, -1.0),
    ],
)
def test_the_ends_of_kappa_and_where_it_is_undefined(
    found: Agreement, agreement: float | None, kappa: float | None
) -> None:
    assert (found.agreement, found.kappa) == (agreement, kappa)


@given(TABLES)
def test_kappa_is_symmetric_and_lies_between_its_ends(found: Agreement) -> None:
    turned = Agreement(found.both_yes, found.only_second, found.only_first, found.both_no)
    assert (turned.kappa, turned.agreement) == (found.kappa, found.agreement)
    assert found.kappa is None or -1 <= found.kappa <= 1


@given(TABLES)
def test_kappa_does_not_mind_what_is_called_yes(found: Agreement) -> None:
    renamed = Agreement(found.both_no, found.only_second, found.only_first, found.both_yes)
    assert renamed.kappa == found.kappa


@given(TABLES.filter(lambda found: found.cases > 0))
def test_kappa_is_no_more_than_agreement(found: Agreement) -> None:
    assert found.agreement is not None
    assert found.kappa is None or found.kappa <= found.agreement + 1e-12


def test_a_table_for_people() -> None:
    assert agreement_text("support", Agreement(20, 5, 10, 15), "anna", "code") == (
        "support: 50 cases, agreement 70.0%, kappa 0.400\n"
        "             code: yes  code: no\n"
        "  anna: yes         20         5\n"
        "  anna: no          10        15"
    )
    assert "undefined, as both only ever say one word" in agreement_text("x", Agreement(both_no=1), "a", "b")
    assert agreement_text("x", Agreement(), "a", "b") == "x: no case was judged by both a and b"


def test_the_record_has_counts_and_figures() -> None:
    assert Agreement(1, 0, 1, 2).record() == {
        "cases": 4,
        "agreement": 0.75,
        "kappa": 0.5,  # by chance (1·2 + 3·2) / 16 = 0.5; (0.75 - 0.5) / 0.5
        "both_yes": 1,
        "only_first": 0,
        "only_second": 1,
        "both_no": 2,
    }
