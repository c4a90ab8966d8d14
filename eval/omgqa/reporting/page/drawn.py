"""Which tables are drawn as charts too: cuts as strips, rounds as lines, cost beside the average."""

from collections.abc import Iterable

from eval.omgqa.measures import AVERAGE
from eval.omgqa.reporting.cuts import CUTS
from eval.omgqa.reporting.figures import Figure, Scored
from eval.omgqa.reporting.page.charts import Series, Strip, legend, lines, scatter, strips
from eval.omgqa.reporting.page.markup import Markup, tag
from eval.omgqa.reporting.tables import Row, Table

COMPARED = frozenset(each.key for each in CUTS)
FEW = 2
"""Dots of a strip, below which the table says as much."""


def charts_of(table: Table, scored: Scored) -> Iterable[Markup]:
    """Yield the charts of a table."""
    if table.key in COMPARED and table.rows:
        yield from _strips(table)
    elif table.key == "rounds":
        yield from (_rounds(table, measure) for measure in table.charted if _grown(table))
    elif table.key == "cost" and table.rows:
        yield from _cost(scored)


def _strips(table: Table) -> Iterable[Markup]:
    (measure,) = table.charted
    column = table.columns.index(measure)
    dots: dict[str, list[float]] = {}
    means: dict[str, float] = {}
    for row in table.rows:
        name, value = str(row.cells[1]), _value(row, column)
        if value is not None and row.summary:
            means[name] = value
        elif value is not None:
            dots.setdefault(name, []).append(value)
    if max(map(len, dots.values()), default=0) >= FEW:
        rows = [Strip(name, tuple(values), means.get(name)) for name, values in sorted(dots.items())]
        what = f"{measure} by {table.columns[1]}"
        stroke = ", a stroke for the mean of those that have all" if means else ""
        yield _figure(strips(rows, what), f"{what}: a dot for each row of the table{stroke}.")


def _grown(table: Table) -> bool:
    return any(_value(row, 1) != 1 for row in table.rows)


def _rounds(table: Table, measure: str) -> Markup:
    column = table.columns.index(measure)
    points: dict[str, list[tuple[float, float]]] = {}
    for row in table.rows:
        number, value = _value(row, 1), _value(row, column)
        if number is not None and value is not None:
            points.setdefault(str(row.cells[0]), []).append((number, value))
    series = [Series(name, tuple(those)) for name, those in points.items()]
    return _figure(lines(series, f"{measure} after each round"), f"{measure} after each round.", legend(series))


def _cost(scored: Scored) -> Iterable[Markup]:
    points = [
        Series(str(rank), ((sum(run.run.seconds for run in each.runs) / len(each.runs), average.value),))
        for rank, each in enumerate(scored.standings, 1)
        if (average := each.figures.get(AVERAGE)) and average.value is not None
    ]
    if len(points) > 1:
        said = f"{AVERAGE} over the seconds of an answer; numbers are ranks."
        yield _figure(scatter(points, f"{AVERAGE} over seconds", "s"), said)


def _figure(chart: Markup, caption: str, *more: Markup) -> Markup:
    return tag("figure", chart, *more, tag("figcaption", caption))


def _value(row: Row, column: int) -> float | None:
    cell = row.cells[column]
    return cell.value if isinstance(cell, Figure) else None
