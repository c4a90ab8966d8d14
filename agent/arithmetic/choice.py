"""Choose the column that a question measures by."""

from agent.arithmetic.binding import View
from agent.arithmetic.columns import Column
from agent.arithmetic.comparisons import Comparison
from agent.arithmetic.superlatives import COLUMNS, Idea
from agent.arithmetic.words import akin, content_stems, stem, stems

_ONCE_DERIVED = frozenset(stem(word) for word in ("mean", "average", "total", "sum", "cumulative"))
_UNTOLD = frozenset(stem(word) for word in ("discovered", "discovery", "born", "end", "ended", "died", "arrival"))
"""Dates that `first` and `last` mean only where the question says so."""


def stated_columns(text: str, view: View, *, derived: bool = True) -> tuple[Column, ...]:
    """Return the measured columns that a phrase names best; several only where they fit equally well.

    Every word must be in the column's name or in what the table is about. With `derived` false, columns that are
    averages or totals already do not fit.
    """
    wanted = content_stems(text)
    scored: list[tuple[int, int, Column]] = []
    for column in view.columns:
        header = view.headers[column.index]
        hits = [word for word in wanted if any(akin(word, other) for other in header)]
        rest = [word for word in wanted if word not in hits and not any(akin(word, other) for other in view.subject)]
        if column.kind == "text" or not hits or rest or (not derived and _ONCE_DERIVED & set(header)):
            continue
        scored.append((-len(hits), len(header) - len(hits), column))
    best = min((pair[:2] for pair in scored), default=None)
    return tuple(column for *score, column in scored if tuple(score) == best)


def idea_columns(idea: Idea, view: View, hints: tuple[int, ...], *, ordered: bool) -> tuple[Column, ...]:
    """Return the columns that measure an idea; those that the question names alone where it names some.

    `ordered`: the superlative is `first` or `last`, which do not reach for every date by themselves.
    """
    kinds = ("date",) if idea == "date" else ("number", "duration")
    fitting = [column for column in view.columns if column.kind in kinds]
    named = tuple(column for column in fitting if column.index in hints)
    if named and (idea == "date" or any(measures(column, idea, view) for column in named)):
        return named
    found = tuple(column for column in fitting if measures(column, idea, view))
    if ordered:
        return tuple(column for column in found if not _UNTOLD & set(view.headers[column.index]))
    return found


def compared_column(comparison: Comparison, view: View) -> Column | None:
    """Return the one column that a condition is about: named beside it, meant, or alone of its dimension."""
    dated = comparison.dimension == "date"
    fitting = [column for column in view.columns if (column.kind == "date") == dated and column.kind != "text"]
    fitting = [column for column in fitting if dated or column.measure.dimension == comparison.dimension]
    if comparison.idea and comparison.idea != "date":
        meant = [column for column in fitting if measures(column, comparison.idea, view)]
        fitting = meant or fitting
    said = [word for word in comparison.near if stem(word) not in stems(view.table.place.title)]
    for word in said:
        named = [column for column in fitting if any(akin(stem(word), other) for other in view.headers[column.index])]
        if named:
            return named[0] if len(named) == 1 else None
    if comparison.idea and comparison.idea != "date":
        fitting = [column for column in fitting if measures(column, comparison.idea, view)]
    elif not comparison.dimension:
        return None
    return fitting[0] if len(fitting) == 1 else None


def measures(column: Column, idea: Idea, view: View) -> bool:
    header = view.headers[column.index]
    return any(akin(stem(word), other) for word in COLUMNS[idea] for other in header)
