"""Ratings in figures: means, positive and non-negative shares (STaRK, Table 10), and how far raters agree."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import fmean

from eval.stark.people.rating import ASPECTS, RatedCase, Rating
from eval.stark.report import table_lines

NEUTRAL = 3
"""The middle of five points: above it a rating is positive, from it on non-negative."""


@dataclass(frozen=True, slots=True)
class AspectRatings:
    """All ratings of one aspect: their mean from 1 to 5, and the shares of those above and not below the middle."""

    mean: float
    positive: float
    non_negative: float


@dataclass(frozen=True, slots=True)
class RaterAgreement:
    """How far two people agree on one aspect of the cases that both rated.

    Attributes:
        equal: share of cases with the same figure.
        same_side: share of cases that are positive, neutral or negative for both.
        kappa: Cohen's, weighted by squares (Cohen 1968); None where both give all cases one and the same figure.
    """

    first: str
    second: str
    aspect: str
    cases: int
    equal: float
    same_side: float
    kappa: float | None


@dataclass(frozen=True, slots=True)
class RatingSummary:
    """The ratings of a set of queries.

    Attributes:
        unit: what was rated, "query" or "set".
        rated: cases that somebody rated, of `cases`.
        elsewhere: ratings of other queries that the file has too, which count nowhere.
    """

    unit: str
    cases: int
    rated: int
    ratings: int
    raters: tuple[str, ...]
    elsewhere: int
    aspects: Mapping[str, AspectRatings]
    agreements: tuple[RaterAgreement, ...]


def summarise_ratings(unit: str, cases: Sequence[RatedCase], ratings: Iterable[Rating]) -> RatingSummary:
    """Summarise the ratings of some cases: every rating counts alike."""
    known, every = {each.key for each in cases}, tuple(ratings)
    found = [each for each in every if each.case in known]
    columns = zip(ASPECTS, zip(*(each.values for each in found), strict=True), strict=True) if found else ()
    return RatingSummary(
        unit,
        cases=len(known),
        rated=len({each.case for each in found}),
        ratings=len(found),
        raters=tuple(sorted({each.rater for each in found})),
        elsewhere=len(every) - len(found),
        aspects={name: _aspect(values) for name, values in columns},
        agreements=_agreements(found),
    )


def rating_text(found: RatingSummary) -> str:
    """Return a summary in words, shares in percent."""
    counted = f"{found.ratings:,} ratings of {found.rated:,} of {found.cases:,} cases (unit: {found.unit})"
    lines = [f"{counted}, by {', '.join(found.raters) or 'nobody'}"]
    if found.elsewhere:
        lines.append(f"ratings of other queries, left out: {found.elsewhere:,}")
    rows = [
        (name, f"{each.mean:.2f}", f"{100 * each.positive:.1f}", f"{100 * each.non_negative:.1f}")
        for name, each in found.aspects.items()
    ]
    if rows:
        lines += ["", *table_lines([("rated", "mean", "positive %", "non-negative %"), *rows])]
    if found.agreements:
        heads = ("raters", "rated", "cases", "equal %", "same side %", "kappa")
        lines += ["", *table_lines([heads, *map(_agreement_cells, found.agreements)])]
    return "\n".join(lines)


def weighted_kappa(pairs: Sequence[tuple[int, int]]) -> float | None:
    """Return Cohen's kappa with squared distances as weights; None where chance leaves nothing to disagree on."""
    firsts, seconds = zip(*pairs, strict=True)
    observed = len(pairs) * sum((first - second) ** 2 for first, second in pairs)
    by_chance = len(pairs) * sum(each**2 for each in (*firsts, *seconds)) - 2 * sum(firsts) * sum(seconds)
    return 1 - observed / by_chance if by_chance else None


def _aspect(values: Sequence[int]) -> AspectRatings:
    positive, non_negative = (fmean(value >= least for value in values) for least in (NEUTRAL + 1, NEUTRAL))
    return AspectRatings(fmean(values), positive, non_negative)


def _agreements(ratings: Iterable[Rating]) -> tuple[RaterAgreement, ...]:
    by_rater = dict[str, dict[str, Rating]]()
    for each in ratings:
        by_rater.setdefault(each.rater, {})[each.case] = each
    found = []
    for first, second in combinations(sorted(by_rater), 2):
        both = sorted(by_rater[first].keys() & by_rater[second].keys())
        for place, aspect in enumerate(ASPECTS if both else ()):
            pairs = [(by_rater[first][case].values[place], by_rater[second][case].values[place]) for case in both]
            found.append(
                RaterAgreement(
                    first,
                    second,
                    aspect,
                    len(pairs),
                    equal=fmean(one == other for one, other in pairs),
                    same_side=fmean(_side(one) == _side(other) for one, other in pairs),
                    kappa=weighted_kappa(pairs),
                )
            )
    return tuple(found)


def _side(value: int) -> int:
    return (value > NEUTRAL) - (value < NEUTRAL)


def _agreement_cells(each: RaterAgreement) -> tuple[str, ...]:
    shares = (f"{100 * share:.1f}" for share in (each.equal, each.same_side))
    kappa = "undefined" if each.kappa is None else f"{each.kappa:.3f}"
    return (f"{each.first}, {each.second}", each.aspect, f"{each.cases:,}", *shares, kappa)
