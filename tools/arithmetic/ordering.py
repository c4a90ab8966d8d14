"""Choose the column that an order of a question is measured by, and which of its ends comes first."""

from collections.abc import Sequence
from dataclasses import dataclass

from heliograph.text.words import stem, stems
from tools.arithmetic.columns import Column
from tools.arithmetic.lexicon import LIGHT, among
from tools.arithmetic.orders import Order
from tools.arithmetic.superlatives import Idea
from tools.arithmetic.view import View, is_item, measures

NAMED, MEANT = 2, 1
"""How surely an order speaks of a column: by its name, or by what the superlative means."""

_RANKS = frozenset(stems("rank ranking place placing position pos finish seed standing standings no number nr"))
_NUMBERS = frozenset(stems("no number nr pick"))
_PLACED = frozenset(stems("rank ranked ranking place placed placing seed seeded finish finished finisher finishing"))
_ALSO: dict[Idea, frozenset[str]] = {
    "size": frozenset(stems("capacity seats seating enrollment enrolment students employees acres hectares members")),
    "traffic": frozenset(stems("riders ridership movements departures")),
    "cost": frozenset(stems("fee value salary prize")),
    "extent": frozenset(stems("distance")),
}
"""What else is measured by an idea, where no column bears a name of its own."""
_SPOKEN = {
    "paid": "fee salary earnings wage value price transfer",
    "attended": "attendance crowd spectators",
    "capped": "caps",
    "visited": "visitors",
    "scoring": "points goals score",
    "rated": "rating rank",
    "watched": "viewers",
    "viewed": "viewers views",
    "numbered": "number no",
    "decorated": "total medals",
    "medal": "total",
    "winning": "wins titles championships",
    "successful": "wins titles championships total",
}
_NOUNS = {stem(word): frozenset(stems(nouns)) for word, nouns in _SPOKEN.items()}
"""Participles after a superlative (`highest paid`), and the names of columns that they are measured by."""
_REGIONS = frozenset(stems("city cities town country nation state county province region island continent village"))
_VENUES = frozenset(stems("stadium arena venue ground park building facility site"))
_OPEN: frozenset[Idea] = frozenset(("stated", "height", "size", "extent"))
"""Ideas of many things: what is measured may be said further on (`the highest … attendance`)."""
_AGES = {"oldest": True, "youngest": False}
_BORN = frozenset(stems("born birth birthdate"))
_MADE = frozenset(
    stems(
        "built build opened open founded founding established completed constructed formed created erected inaugurated"
    )
)
_ENDED = frozenset(stems("closed died death demolished ended end ending dissolved"))
_TIMES = frozenset(stems("time lap result"))
_RECENT = ("latest", "newest", "recent", "earliest", "recently")


@dataclass(frozen=True, slots=True)
class Measured:
    """The column of an order; `strength` is NAMED or MEANT."""

    column: Column
    descending: bool
    strength: int


def measured(order: Order, view: View) -> Measured | None:
    """Return what an order is measured by; None where it is measured by nothing in the table."""
    if _names_column(order, view) or order.lead[:1] == ("more",):
        return None
    if order.superlative is None or (set(order.lead[:1]) & _PLACED and order.word not in _RECENT):
        return _by_rank(order, view)
    fitting = [each for each in view.columns if each.kind != "text" and each.index != view.serial]
    if order.superlative.idea == "date":
        return _by_date(order, [each for each in fitting if each.kind == "date"], view) or _by_age(order, fitting, view)
    amounts = [each for each in fitting if each.kind != "date" and not set(view.headers[each.index]) <= _RANKS]
    near = order.after if order.superlative.idea in _OPEN else order.after[:2]
    said = _named((*order.by, *near), amounts, view) or _named(order.before[:1], amounts, view)
    if said:
        return Measured(said, order.descending, NAMED)
    return _by_idea(order, order.superlative.idea, amounts, view) or _by_standing(order, view)


def _names_column(order: Order, view: View) -> bool:
    """Say whether a superlative is part of a column's name: `Last title`, `Highest score`."""
    said = {stem(word) for word in order.shown.split()}
    return any(said <= set(header) for header in view.headers)


def _by_rank(order: Order, view: View) -> Measured | None:
    """Return the column of ranks, in which the first place is the smallest number; the highest rank is the first."""
    figures = [each for each in view.columns if each.kind == "number"]
    numbers = [each for each in figures if "#" in each.name or set(view.headers[each.index]) & _NUMBERS]
    ranks = numbers if order.shown.startswith("number") else []
    ranks = ranks or [each for each in figures if set(view.headers[each.index]) & _RANKS or each.index == view.serial]
    best = order.superlative is None or order.descending != (order.superlative.idea == "date")
    return Measured(ranks[0], not best, NAMED) if ranks else None


def _by_date(order: Order, dates: Sequence[Column], view: View) -> Measured | None:
    """Return the column of dates that is said, or the one that there is; the age of people is not guessed."""
    if order.word in _AGES:
        made = any(is_item(word, view) for word in order.lead or order.before[:1])
        own = _of_life(("born", "built") if made else ("born",), dates, view)
        return Measured(own, order.descending, MEANT) if own else None
    if order.word not in _RECENT and not any(is_item(each, view) for each in order.lead[:3]):
        return None
    near = (*order.by, *order.after)
    own = _named(near, dates, view, light=True) or _of_life(near, dates, view) or _named(order.before[:2], dates, view)
    if own:
        return Measured(own, order.descending, NAMED)
    begun = [each for each in dates if not set(view.headers[each.index]) & (_ENDED | _BORN)]
    return Measured(begun[0], order.descending, MEANT) if begun else None


def _by_age(order: Order, fitting: Sequence[Column], view: View) -> Measured | None:
    """Return the column of ages, by which the oldest is the greatest."""
    descending = _AGES.get(order.word)
    ages = [each for each in fitting if "age" in view.headers[each.index]]
    return Measured(ages[0], descending, MEANT) if ages and descending is not None else None


def _of_life(said: Sequence[str], dates: Sequence[Column], view: View) -> Column | None:
    """Return the column of dates of the event that is said in another word: `established` in `Opened`."""
    for events in (_MADE, _BORN, _ENDED):
        held = [each for each in dates if set(view.headers[each.index]) & events]
        if held and set(said) & events:
            return held[0]
    return None


def _by_idea(order: Order, idea: Idea, amounts: Sequence[Column], view: View) -> Measured | None:
    """Return the column that the superlative means, or that what follows it is measured by (`highest paid`)."""
    nouns = _NOUNS.get(order.after[0], frozenset()) if order.after else frozenset()
    spoken = _bearing(nouns, amounts, view)
    if spoken:
        return Measured(spoken[0], order.descending, MEANT)
    timed = _bearing(_TIMES, [each for each in amounts if each.kind == "duration"], view)
    if idea == "speed" and timed:
        return Measured(timed[0], not order.descending, MEANT)
    meant = [each for each in amounts if measures(each, idea, view)]
    if not set(order.lead[:2]) & _REGIONS:
        meant = meant or _bearing(_ALSO.get(idea, frozenset()), amounts, view)
    return Measured(meant[0], order.descending, MEANT) if meant and _speaks_of_rows(order, view) else None


def _by_standing(order: Order, view: View) -> Measured | None:
    """Return the ranks of a table whose headings rank by this very superlative: `List of tallest dams`."""
    ranked = all(stem(word) in view.subject for word in order.word.replace("-", " ").split())
    return _by_rank(order, view) if ranked else None


def _named(said: Sequence[str], columns: Sequence[Column], view: View, *, light: bool = False) -> Column | None:
    """Return the column whose name holds most of the words; of equal ones that whose name says least besides."""
    scores = [
        sum(1 if word in LIGHT else 2 for word in said if among(word, view.headers[each.index])) for each in columns
    ]
    best = max(scores, default=0)
    named = [each for each, score in zip(columns, scores, strict=True) if score == best > (0 if light else 1)]
    return min(named, key=lambda each: len(view.headers[each.index]), default=None)


def _bearing(nouns: frozenset[str], columns: Sequence[Column], view: View) -> list[Column]:
    """Return the columns whose names hold one of these words."""
    return [each for each in columns if nouns & set(view.headers[each.index])]


def _speaks_of_rows(order: Order, view: View) -> bool:
    """Say whether what follows a superlative is what the rows are, or what one of their columns of text holds."""
    held = {word for each in view.columns if each.kind == "text" for word in view.headers[each.index]}
    known = (*held, *view.subject, *_REGIONS, *_VENUES, *LIGHT)
    return not order.lead or any(is_item(word, view) or among(word, known) for word in order.lead[:3])
