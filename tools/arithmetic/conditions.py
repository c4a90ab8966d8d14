"""Hold the rows of a table against the conditions of a question."""

from heliograph.text.words import stem, stems
from tools.arithmetic.columns import Column
from tools.arithmetic.comparisons import Comparison
from tools.arithmetic.lexicon import among
from tools.arithmetic.view import View, measures


def compared_column(comparison: Comparison, view: View) -> Column | None:
    """Return the one column that a condition is about: named beside it, meant, or alone of its dimension."""
    dated = comparison.dimension == "date"
    fitting = [each for each in view.columns if (each.kind == "date") == dated and each.kind != "text"]
    fitting = [each for each in fitting if dated or each.measure.dimension == comparison.dimension]
    meant = [each for each in fitting if comparison.idea and not dated and measures(each, comparison.idea, view)]
    if not meant and comparison.idea == "extent":
        meant = [each for each in fitting if measures(each, "distance", view)]
    fitting = meant or fitting
    title = stems(view.table.place.title)
    for word in (stem(word) for word in comparison.near):
        named = [each for each in fitting if among(word, view.headers[each.index])]
        if named and word not in title:
            short = [each for each in named if len(view.headers[each.index]) == 1]
            return named[0] if len(named) == 1 else short[0] if len(short) == 1 else None
    if comparison.idea and comparison.idea != "date":
        fitting = meant
    elif not comparison.dimension:
        return None
    if len(fitting) > 1 and dated:
        ordered = stems(view.table.caption)
        fitting = [each for each in fitting if set(view.headers[each.index]) & set(ordered)]
    return fitting[0] if len(fitting) == 1 else None


def tested(
    comparisons: tuple[Comparison, ...], rows: tuple[int, ...], view: View
) -> tuple[tuple[int, ...], int, frozenset[int]] | None:
    """Return the rows that meet all conditions, how many could not be tested, and the columns; None in doubt."""
    unknown, columns = 0, set()
    for comparison in comparisons:
        column = compared_column(comparison, view)
        if column is None:
            return None
        columns.add(column.index)
        verdicts = {row: comparison.holds(value) for row in rows if (value := column.values[row]) is not None}
        unknown += len(rows) - len(verdicts)
        if None in verdicts.values() or unknown > len(view.rows) // 4:
            return None
        rows = tuple(row for row in rows if verdicts.get(row))
    return rows, unknown, frozenset(columns)
