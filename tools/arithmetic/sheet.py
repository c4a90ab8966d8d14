"""A table as a question sees it: typed columns, the rows that hold items, and what these are called."""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from heliograph.types import EvidenceId, TableEvidence
from tools.arithmetic.columns import Column, body_rows, cell_text, label_index, row_id, typed_column

_CODE = re.compile(r"[A-Z#]{0,3}[-. ]?\d+[a-z]?")
_YES, _NO = frozenset(("yes", "y", "true", "✓", "x")), frozenset(("no", "n", "false", "✗", "none", "-", "–", ""))

CellKind = Literal["number", "duration", "time", "date", "yes or no", "text"]


@dataclass(frozen=True, slots=True)
class Sheet:
    """One table; `label` is the column that names the rows, or the first one where none does (`named` is false)."""

    table: TableEvidence
    columns: tuple[Column, ...]
    rows: tuple[int, ...]
    label: int
    named: bool

    def cell(self, row: int, index: int) -> str:
        """Return one cell as it may be shown."""
        return cell_text(self.table, row, index)

    def id(self, row: int) -> EvidenceId:
        """Return the id of a row."""
        return row_id(self.table, row)

    def name(self, row: int) -> str:
        """Return what a row is called."""
        return self.cell(row, self.label)

    def kind(self, column: Column) -> CellKind:
        """Return what the cells of a column are."""
        if column.measure.dimension == "clock":
            return "time"
        if column.kind != "text":
            return column.kind
        texts = {self.cell(row, column.index).casefold() for row in self.rows}
        return "yes or no" if texts <= _YES | _NO and texts & _YES else "text"


@lru_cache(maxsize=256)
def sheet_of(table: TableEvidence) -> Sheet | None:
    """Read a table; None for infoboxes, and for tables of one column or without rows."""
    rows = body_rows(table)
    if table.kind != "table" or len(table.header) < 2 or not rows:
        return None
    columns = tuple(typed_column(table, index) for index in range(len(table.header)))
    label = _label(table, columns, rows)
    return Sheet(table, columns, rows, 0 if label is None else label, label is not None)


def _label(table: TableEvidence, columns: tuple[Column, ...], rows: tuple[int, ...]) -> int | None:
    """Return the column that names the rows; after one of codes (`T01`), the next of distinct texts."""
    label = label_index(table)
    if label is None or not all(_CODE.fullmatch(cell_text(table, row, label)) for row in rows):
        return label
    for each in columns[label + 1 :]:
        texts = {cell_text(table, row, each.index).casefold() for row in rows}
        if each.kind == "text" and len(texts) == len(rows) and not each.missing:
            return each.index
    return label
