"""Tables of the page: each figure is a link to the questions that it is of."""

from collections.abc import Iterable, Sequence

from eval.omgqa.reporting.figures import Figure
from eval.omgqa.reporting.page.charts import bar, most_of
from eval.omgqa.reporting.page.markup import Markup, foreign, tag
from eval.omgqa.reporting.page.places import Places
from eval.omgqa.reporting.tables import Cell, Row, Table

MEASURES = "measures"
"""The anchor of what the columns mean."""


def table_markup(table: Table, places: Places) -> Markup:
    """Draw a table that scrolls by itself, and under it what the means over several systems are of."""
    if not table.rows:
        return tag("p", table.empty, class_="note")
    ends = {place: _most(table, place) for place, column in enumerate(table.columns) if column in table.charted}
    rows = [_row(row, table, number, ends, places) for number, row in enumerate(table.rows)]
    return tag(
        "div",
        scrolling(
            table.caption,
            tag(
                "table",
                tag("caption", table.caption, class_="heard"),
                tag("thead", tag("tr", *_heads(table))),
                tag("tbody", *rows),
                class_="sorts",
            ),
        ),
        *([tag("p", table.note, class_="note")] if table.note else []),
        *_behind(table, places),
    )


def scrolling(name: str, content: Markup) -> Markup:
    """Let what is wider than the page scroll by itself, by keys too."""
    return tag("div", content, class_="wide", tabindex=0, role="region", aria_label=name)


def _heads(table: Table) -> Iterable[Markup]:
    for column, cell in zip(table.columns, table.rows[0].cells, strict=True):
        yield tag("th", column, scope="col", class_="n" if isinstance(cell, Figure) else None)


def _row(row: Row, table: Table, number: int, ends: dict[int, float], places: Places) -> Markup:
    target = _target(row, table, number, places)
    head = next((place for place, cell in enumerate(row.cells) if isinstance(cell, str)), -1)
    return tag("tr", *(_cell(cell, target, ends.get(place), place == head) for place, cell in enumerate(row.cells)))


def _cell(cell: Cell, target: str, most: float | None, head: bool) -> Markup:
    if isinstance(cell, str):
        long = "break" if len(cell) > 60 else "head" if head else None
        return tag("th" if head else "td", cell, class_=long, scope="row" if head else None)
    drawn = [bar(cell, most)] if most is not None else []
    return tag("td", *figure(cell, target), *drawn, class_="n")


def figure(cell: Figure, target: str) -> Iterable[Markup]:
    """Write a figure as a link, with the deviation behind it."""
    yield tag("a", str(cell), href=f"#{target}") if target and cell.value is not None else tag("span", str(cell))
    if cell.spread:
        yield tag("small", " ", cell.spread)


def _target(row: Row, table: Table, number: int, places: Places) -> str:
    """Return where the figures of a row come from: a system, several, questions in dispute, or all questions."""
    if len(row.systems) == 1:
        return places.system(row.systems[0], row.modalities) if row.systems[0] in places.systems else ""
    return f"{table.key}-{number}" if row.systems or row.disputed else "questions"


def _behind(table: Table, places: Places) -> Iterable[Markup]:
    """List the systems of each mean, and the questions of each dispute."""
    for number, row in enumerate(table.rows):
        links: Sequence[Markup] = ()
        if len(row.systems) > 1:
            links = [tag("li", tag("a", each, href=f"#{places.system(each)}")) for each in row.systems]
        elif row.disputed:
            links = [tag("li", foreign("a", each, href=f"#{places.question(each)}")) for each in row.disputed]
        if links:
            of = " ".join(cell for cell in row.cells if isinstance(cell, str))
            what = "the systems" if row.systems else "the questions in dispute"
            listed = tag("div", tag("ul", *links), id=f"{table.key}-{number}")
            yield tag("details", tag("summary", f"{of}: {what}"), listed)


def _most(table: Table, column: int) -> float:
    cells = (row.cells[column] for row in table.rows)
    return most_of(
        cell.value + (cell.deviation or 0.0) for cell in cells if isinstance(cell, Figure) and cell.value is not None
    )
