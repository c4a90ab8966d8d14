"""Read infoboxes as rows of a label and its value."""

from collections.abc import Sequence

from lxml import etree

from heliograph.types import Cell
from indexers.parser.grid import Group, expand
from indexers.parser.limits import Budget
from indexers.parser.shape import EMPTY, Row, Shaped, is_across, spend_text

_PREFIXES = ("infobox", "taxobox")


def is_infobox(element: etree._Element) -> bool:
    """Tell an infobox by its class."""
    return any(name.startswith(_PREFIXES) for name in element.get("class", "").casefold().split())


def shape_infobox(groups: Sequence[Group[Cell]], caption: str, budget: Budget) -> Shaped:
    """Shape an infobox: the caption is its title, the column names are empty, a row is label and value.

    The title, across the whole width on top, leaves the rows. A heading across the width is a row with a label
    alone, a text across the width a row with a value alone.
    """
    rows = [row for row in expand(groups, EMPTY, budget) if any(cell.text for cell in row)]
    if len(rows) > 1 and is_across(rows[0]) and caption in ("", rows[0][0].text):
        caption, rows = rows[0][0].text, rows[1:]
    width = max(2, len(rows[0]) if rows else 2)
    spend_text((), rows, budget)
    return caption, ("",) * width, tuple(_row(row, width) for row in rows)


def _row(row: Row, width: int) -> tuple[Cell, ...]:
    if not is_across(row):
        return tuple(row)
    gaps = (EMPTY,) * (width - 1)
    return (row[0], *gaps) if row[0].header else (EMPTY, row[0], *gaps[1:])
