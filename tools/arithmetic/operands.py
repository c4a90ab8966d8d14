"""The operands of a calculation: cells of the kind that its operation needs, or an error that says what is wrong."""

from collections.abc import Sequence
from decimal import Decimal

from heliograph.errors import Undecided, UnknownRow, WrongKind, WrongOperands
from heliograph.text.units import Value, header_words
from heliograph.types import Relation, TableEvidence
from tools.arithmetic.columns import Column
from tools.arithmetic.ranking import places, rank
from tools.arithmetic.resolution import Selection, listed, required
from tools.arithmetic.writing import joined

TOLD = 8
"""Names that a description lists."""


def operands_of(found: Selection) -> tuple[tuple[Column, int], tuple[Column, int]]:
    """Return two cells: two rows of one column, or one row of two."""
    column = required(found.column, "a column", found)
    if found.other:
        row = only_row(found)
        return (column, row), (found.other, row)
    if len(found.rows) != 2:
        raise WrongOperands(
            f"a {found.calculation.operation} is of two rows, or of one row with a second column as `other`; "
            f"named are {listed(found.grid.ids(found.rows)) or 'none'}",
            found.grid.ids(found.rows),
        )
    return (column, found.rows[0]), (column, found.rows[1])


def only_row(found: Selection) -> int:
    """Return the one row that is left."""
    if len(found.rows) != 1:
        known = found.grid.ids(found.rows)
        raise WrongOperands(
            f"this {found.calculation.operation} is of one row; named are {listed(known) or 'none'}", known
        )
    return found.rows[0]


def both(first: int, second: int) -> tuple[int, ...]:
    """Return two rows; one row once."""
    return tuple(dict.fromkeys((first, second)))


def require_one_dimension(column: Column, other: Column, *, dates: bool = False) -> None:
    """Refuse two columns whose values are not of one dimension."""
    kinds = ("number", "duration", "date") if dates else ("number", "duration")
    for each in (column, other):
        if each.kind not in kinds:
            hint = "; a date_difference takes dates" if each.kind == "date" else ""
            raise WrongKind(f"{each.name!r} holds no figures but {each.kind}s{hint}", (each.name,))
    if column.measure.dimension != other.measure.dimension:
        raise WrongKind(f"{column.name!r} and {other.name!r} are not of one dimension", (column.name, other.name))


def figures_column(found: Selection) -> Column:
    """Return the column, which must hold figures."""
    column = required(found.column, "a column of figures", found)
    if column.kind not in ("number", "duration"):
        raise WrongKind(f"{column.name!r} holds no figures but {column.kind}s", (column.name,))
    if column.measure.dimension == "clock":
        raise WrongKind(f"{column.name!r} holds times of day, which are not added up", (column.name,))
    return column


def ordered_column(found: Selection) -> Column:
    """Return the column, which must hold figures or dates."""
    column = required(found.column, "a column of figures or dates", found)
    if column.kind == "text":
        raise WrongKind(f"{column.name!r} holds neither figures nor dates", (column.name,))
    return column


def entering_rows(found: Selection, column: Column, rows: Sequence[int]) -> tuple[int, ...]:
    """Return the rows with a value, copies of one cell once; a cell that cannot be read lets nothing enter."""
    unreadable = set(column.unreadable) & set(rows)
    if unreadable:
        known = found.grid.ids(sorted(unreadable))
        cells = joined([repr(found.grid.cell(row, column.index)) for row in sorted(unreadable)][:TOLD])
        raise Undecided(f"{cells} in {column.name!r} cannot be read as a value; leave {', '.join(known)} out", known)
    owners: dict[tuple[int, int], int] = {}
    for row in rows:
        if column.values[row] is not None:
            owners.setdefault(found.grid.owner(row, column.index), row)
    if not owners:
        raise UnknownRow(f"no row that is left has a value in {column.name!r}", found.grid.ids(rows))
    return tuple(owners.values())


def value_of(found: Selection, column: Column, row: int) -> Value:
    """Return the value of a cell, which must have one."""
    value = column.values[row]
    if value is None:
        cell = found.grid.cell(row, column.index)
        known = found.grid.ids([row])
        raise Undecided(f"{column.name!r} of {found.grid.name(row)!r} ({known[0]}) holds no value: {cell!r}", known)
    return value


def exact(found: Selection, column: Column, row: int) -> Decimal:
    """Return the amount of a cell in base units, which must be no range."""
    value = value_of(found, column, row)
    if value.low != value.high:
        known = found.grid.ids([row])
        raise Undecided(f"{value.text!r} of {found.grid.name(row)!r} ({known[0]}) is a range", known)
    return value.low


def relation_words(relation: Relation, column: Column) -> str:
    """Say a relation: of dates as before and after."""
    figures = {
        "is": "is", "is_not": "is not", "contains": "contains", "above": "is more than", "at_least": "is at least",
        "below": "is less than", "at_most": "is at most",
    }  # fmt: skip
    dates = {"above": "is after", "at_least": "is not before", "below": "is before", "at_most": "is not after"}
    return dates.get(relation, figures[relation]) if column.kind == "date" else figures[relation]


def told(found: Selection, column: Column, row: int) -> str:
    """Return a cell with its column and its row, as a description says them."""
    value = column.values[row]
    cell = found.grid.cell(row, column.index) if value is None else value.text
    return f"{header_words(column.name)} of {found.grid.name(row)} ({cell})"


def over(found: Selection, rows: Sequence[int]) -> str:
    """Return the rows that entered: by name where a caller named them, or one alone, else how many there are."""
    if len(rows) == 1 or (found.calculation.rows and len(rows) <= TOLD):
        return joined([found.grid.name(row) for row in rows])
    return f"{len(rows)} rows"


def left_out(rows: Sequence[int], column: Column) -> str:
    """Say how many rows have no value."""
    missing = len(set(rows) & set(column.missing))
    return f", {missing} without a value left out" if missing else ""


def ends_in_time(found: Selection, column: Column) -> tuple[int, int]:
    """Return the earliest and the latest row that have a value, by the column of dates."""
    time = required(found.time, "a column of dates as `time`, or a second column as `other`", found)
    if time.kind != "date":
        raise WrongKind(f"{time.name!r} holds no dates", (time.name,))
    rows = tuple(row for row in found.rows if column.values[row] and time.values[row])
    ends = [places(ranked, 1) if (ranked := rank(time, rows, last, 1)) else None for last in (False, True)]
    if len(rows) < 2 or any(end is None or len(end) != 1 for end in ends):
        raise Undecided(f"no row is certainly the first or the last by {time.name!r}; name two rows")
    first, last = (end[0] for end in ends if end)
    return first, last


def conditions_of(found: Selection) -> str:
    """Write the conditions of a calculation."""
    where, among = (
        " and ".join(f"{each.column} {each.relation.replace('_', ' ')} {each.value}" for each in conditions)
        for conditions in (found.calculation.where, found.calculation.among)
    )
    other = next(iter(found.grid.sources.values()))[1][0] if found.calculation.join else None
    return (
        (f" where {where}" if where else "")
        + (f" among those where {among}" if among else "")
        + (f", joined with {heading_of(other)}" if other else "")
    )


def heading_of(table: TableEvidence) -> str:
    """Return what a table is about."""
    return f"{table.place.title}, {table.caption}" if table.caption else table.place.title
