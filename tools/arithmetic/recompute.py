"""Derive a computation again from its table, believing nothing but its operation, column and rows."""

from collections.abc import Sequence
from dataclasses import replace

from heliograph.errors import CalculationError
from heliograph.types import Computation, TableEvidence
from tools.arithmetic.calculations import Calculated, calculate
from tools.arithmetic.columns import Column, body_rows, cell_text, label_index, row_id, typed_column
from tools.arithmetic.derivation import Derived, derive, entering, joined, told


def recompute(computation: Computation, table: TableEvidence, others: Sequence[TableEvidence] = ()) -> str | None:
    """Return the value that the named rows of the named column give; None where they give none.

    A ranking may be told by its figure, by the name of its row or by another cell of that row: the computation's own
    value is returned where it is one of these, the figure where it is none. Of a named calculation, `others` are the
    tables that it may join.
    """
    if computation.calculation is not None:
        again = calculated_again(computation, (table, *others))
        return again.value if again else None
    derived = derivation_of(computation, table)
    if derived is None:
        return None
    return computation.value if computation.value in tellings(derived, table) else derived.figure


def calculated_again(computation: Computation, tables: Sequence[TableEvidence]) -> Calculated | None:
    """Carry a named calculation out again; None where it cannot be, or what the record says is not what it names."""
    named = computation.calculation
    if named is None or named.table != computation.table:
        return None
    try:
        again = calculate(named, tables)
    except CalculationError:
        return None
    return again if replace(again.computation, value=computation.value) == computation else None


def derivation_of(computation: Computation, table: TableEvidence) -> Derived | None:
    """Carry the operation out again; None where table, rows or column are not those of the computation.

    Of an ordinal whose value names several items, as many are derived as it names.
    """
    numbers = {row_id(table, row): row for row in body_rows(table)}
    column = _column(computation.column, table)
    if computation.table != table.id or column is None or not computation.rows or set(computation.rows) - set(numbers):
        return None
    rows = tuple(numbers[each] for each in computation.rows)
    if len(set(rows)) != len(rows):
        return None
    holding = computation.operation == "count" or bool(entering(table, column, rows))
    if not holding or not _may_enter(column, rows, computation):
        return None
    for take in range(1, len(rows) + 1 if computation.operation == "ordinal" else 2):
        derived = derive(table, column, rows, computation.operation, computation.position, take, computation.descending)
        if derived and (take == 1 or computation.position == 1) and computation.value in tellings(derived, table):
            return derived
    return derive(table, column, rows, computation.operation, computation.position, 1, computation.descending)


def tellings(derived: Derived, table: TableEvidence) -> tuple[str, ...]:
    """Return every form in which a result may be told: its figure, or one column's cells of the winning rows."""
    if not derived.winners:
        return (derived.figure,)
    columns = (typed_column(table, index) for index in range(len(table.header)))
    named = (joined(tuple(dict.fromkeys(told(table, column, row) for row in derived.winners))) for column in columns)
    return (derived.figure, *named)


def winner_names(derived: Derived, table: TableEvidence) -> tuple[str, ...]:
    """Return the names of the rows that have the result."""
    label = label_index(table)
    return () if label is None else tuple(dict.fromkeys(cell_text(table, row, label) for row in derived.winners))


def _column(name: str, table: TableEvidence) -> Column | None:
    """Return the column of a name; of equal names the first that holds values."""
    found = [typed_column(table, index) for index, header in enumerate(table.header) if header == name]
    return next((column for column in found if column.kind != "text"), found[0] if found else None)


def _may_enter(column: Column, rows: tuple[int, ...], computation: Computation) -> bool:
    """Refuse rows that hold no value, except where rows are only counted."""
    return computation.operation == "count" or all(column.values[row] is not None for row in rows)
