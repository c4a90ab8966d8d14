"""Ratings in figures, by hand."""

import pytest

from eval.stark.people.rating import RatedCase, Rating
from eval.stark.people.rating_summary import (
    AspectRatings,
    RaterAgreement,
    rating_text,
    summarise_ratings,
    weighted_kappa,
)

CASES = (RatedCase("q1", "Which moon?"), RatedCase("q2", "Which planet?"), RatedCase("q3", "Which comet?"))
RATINGS = (
    Rating("q1", "anna", 5, 3, 1),
    Rating("q2", "anna", 2, 3, 1),
    Rating("q1", "bert", 4, 3, 2),
    Rating("q2", "bert", 2, 4, 1),
    Rating("q9", "bert", 1, 1, 1),
)


def test_means_and_shares_are_of_all_ratings_of_these_queries() -> None:
    found = summarise_ratings("query", CASES, RATINGS)
    assert (found.cases, found.rated, found.ratings, found.raters, found.elsewhere) == (3, 2, 4, ("anna", "bert"), 1)
    assert found.aspects == {
        "naturalness": AspectRatings(mean=3.25, positive=0.5, non_negative=0.5),
        "diversity": AspectRatings(mean=3.25, positive=0.25, non_negative=1.0),
        "practicality": AspectRatings(mean=1.25, positive=0.0, non_negative=0.0),
    }
    natural, diverse, _ = found.agreements
    assert natural == RaterAgreement("anna", "bert", "naturalness", 2, 0.5, 1.0, 1 - 2 / 14)
    assert (diverse.equal, diverse.same_side, diverse.kappa) == (0.5, 0.5, 0.0)
    assert rating_text(found).splitlines()[:2] == [
        "4 ratings of 2 of 3 cases (unit: query), by anna, bert",
        "ratings of other queries, left out: 1",
    ]


def test_nobody_has_rated_yet() -> None:
    found = summarise_ratings("query", CASES, ())
    assert (found.aspects, found.agreements) == ({}, ())
    assert rating_text(found) == "0 ratings of 0 of 3 cases (unit: query), by nobody"


@pytest.mark.parametrize(
    ("pairs", "kappa"),
    [([(1, 1), (5, 5)], 1.0), ([(1, 5), (5, 1)], -1.0), ([(3, 3), (3, 3)], None), ([(1, 3), (5, 3)], 0.0)],
)
def test_kappa_by_hand(pairs: list[tuple[int, int]], kappa: float | None) -> None:
    assert weighted_kappa(pairs) == kappa
