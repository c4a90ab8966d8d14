"""Choose the column that a question measures by, and the one that a condition is about."""

from heliograph.text.words import stems
from tools.arithmetic.columns import Column
from tools.arithmetic.explanation import NOUNS, Fit, closest
from tools.arithmetic.lexicon import LIGHT, among
from tools.arithmetic.question import Reading
from tools.arithmetic.superlatives import ADJECTIVE_IDEAS
from tools.arithmetic.view import View, is_item, measures

_DERIVED = frozenset({"mean", "averag", "cumul"})
_TOTALS = frozenset({"total", "sum", "overal"})
_UNTOLD = frozenset({"discov", "discoveri", "born", "die"})
_LATER = frozenset({"end", "arriv"})
"""Dates that `first` and `last` mean only where the question says so, or, for the second, where there is no other."""


def ranked_columns(asked: Reading, fit: Fit) -> tuple[Column, ...]:
    """Return the columns to rank by, named or meant; where there are several they must agree."""
    view, superlative = fit.view, asked.superlative
    if superlative is None:
        return ()
    dated = superlative.idea == "date"
    fitting = [each for each in view.columns if (each.kind == "date") == dated and each.kind != "text"]
    fitting = [each for each in fitting if each.index != view.serial]
    if dated:
        told = [each for each in fitting if not _UNTOLD & set(view.headers[each.index])]
        first = tuple(each for each in told if not _LATER & set(view.headers[each.index]))
        return fit.best(fitting) or first or tuple(told)
    if superlative.idea == "extent" and asked.lead[:1] in (("year",), ("day",)):
        return tuple(each for each in fitting if asked.lead[0] in view.headers[each.index])
    stated = _opened(asked.by, fitting, view, items=False) or (
        [] if asked.partitive else _opened(asked.lead, fitting, view, counting=superlative.idea == "stated")
    )
    if stated:
        return fit.best(stated) or tuple(stated)
    if superlative.idea == "stated":
        return _by_verb(asked, fit, fitting)
    meant = [each for each in fitting if measures(each, superlative.idea, view)]
    if not meant and superlative.idea == "extent":
        meant = [each for each in fitting if measures(each, "distance", view)]
    return fit.best(meant) or tuple(meant)


def added_column(asked: Reading, fit: Fit) -> Column | None:
    """Return the one column of amounts that the words name best by name, unit, verb or adjective."""
    view = fit.view
    ideas = {*fit.ideas, *([ADJECTIVE_IDEAS[asked.asked]] if asked.wanted == "how" else [])}
    scores: list[tuple[int, Column]] = []
    for column in view.columns:
        meant = any(measures(column, idea, view) for idea in ideas)
        score = fit.naming(column) + (2 if meant else 0)
        fits = not fit.dimensions or column.measure.dimension in fit.dimensions
        if column.kind in ("number", "duration") and score and fits and not _derived(column, asked, view):
            scores.append((score, column))
    best = max((score for score, _ in scores), default=0)
    chosen = closest([column for score, column in scores if score == best], view)
    return chosen[0] if len(chosen) == 1 and best >= 2 else None


def _derived(column: Column, asked: Reading, view: View) -> bool:
    """Say whether a column holds averages, running totals, or nothing but totals; what has a unit has a mean itself."""
    header = set(view.headers[column.index])
    own = asked.kind == "mean" and column.measure.dimension and len(_DERIVED & set(stems(asked.text))) < 2
    return bool((_DERIVED - {"mean", "averag"} if own else _DERIVED) & header) or header <= _TOTALS


def _opened(
    words: tuple[str, ...], fitting: list[Column], view: View, *, items: bool = True, counting: bool = True
) -> list[Column]:
    """Return the columns that the words after a superlative name, before any word for the items."""
    for word in words:
        if items and is_item(word, view):
            return []
        if items and among(word, stems(view.table.place.title)):
            continue
        named = [each for each in fitting if among(word, view.headers[each.index])]
        if items and not counting:
            named = [each for each in named if f"{word}s" not in each.name.casefold().split()]
        named = named or [each for each in fitting if any(measures(each, idea, view) for idea in NOUNS.get(word, ()))]
        if named:
            return named
        if word not in LIGHT and not among(word, view.subject):
            return []
    return []


def _by_verb(asked: Reading, fit: Fit, fitting: list[Column]) -> tuple[Column, ...]:
    """Return the columns of what costs, weighs or lasts `the most`, where no noun follows."""
    if [word for word in asked.lead if word not in LIGHT]:
        return ()
    return tuple(each for each in fitting if any(measures(each, idea, fit.view) for idea in fit.ideas))
