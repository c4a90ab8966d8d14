"""Resolve the names of a calculation: its tables, columns, rows and conditions."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from heliograph.errors import Undecided, UnknownColumn, UnknownRow, UnknownTable, WrongKind, WrongOperands
from heliograph.text.dates import month_of, month_said, parse_date, year_of
from heliograph.text.units import Value, is_missing, parse_clock, parse_quantity
from heliograph.types import Calculation, Condition, EvidenceId, Join, Relation, TableEvidence
from tools.arithmetic.columns import (
    Column,
    as_duration,
    body_rows,
    cell_text,
    label_index,
    origin,
    row_id,
    texts_beside,
    typed_column,
)

SHOWN = 20
"""Names that a message lists; an error's `known` has them all."""


@dataclass(frozen=True, slots=True)
class Grid:
    """The rows that a calculation runs over: those of one table, or of two that are joined.

    `rows` number the items of `table`; `sources` are the tables that each of them comes from, with the row there, the
    first table first.
    """

    table: TableEvidence
    rows: tuple[int, ...]
    sources: Mapping[int, tuple[tuple[TableEvidence, int], ...]]
    columns: tuple[tuple[int, int], ...]
    """For each column the number of the table that it comes from, and its index there."""
    label: int | None
    """The column that names the rows, where one does."""

    def ids(self, rows: Iterable[int]) -> tuple[EvidenceId, ...]:
        """Return the ids of rows, each once; a joined row has two."""
        return tuple(dict.fromkeys(row_id(*source) for row in rows for source in self.sources[row]))

    def owner(self, row: int, index: int) -> tuple[int, int]:
        """Return the cell that this one is a copy of, made by a rowspan or by a join; itself where it is none."""
        side, within = self.columns[index]
        table, number = self.sources[row][side]
        return side, origin(table, number, within)

    def cell(self, row: int, index: int) -> str:
        """Return one cell as it may be shown."""
        return cell_text(self.table, row, index)

    def name(self, row: int) -> str:
        """Return what a row is called; its id where no column names the rows."""
        return self.ids([row])[0] if self.label is None else self.cell(row, self.label)


@dataclass(frozen=True, slots=True)
class Selection:
    """What a calculation names, found: `rows` enter, and are a part of the `whole` or ranked among it."""

    calculation: Calculation
    grid: Grid
    column: Column | None
    other: Column | None
    time: Column | None
    rows: tuple[int, ...]
    whole: tuple[int, ...]


def resolve(calculation: Calculation, tables: Sequence[TableEvidence]) -> Selection:
    """Find what a calculation names; the selection's calculation has every name as the tables have it.

    Raises:
        CalculationError: A name is that of nothing, or of several things.
    """
    grid = _grid(calculation, tables)
    column, other, time = (
        typed_column(grid.table, column_index(name, grid.table)) if name else None
        for name in (calculation.column, calculation.other, calculation.time)
    )
    where = tuple(_named_condition(each, grid) for each in calculation.where)
    among = tuple(_named_condition(each, grid) for each in calculation.among)
    whole = _meeting(among, grid, grid.rows)
    named = _named_rows(calculation.rows, grid)
    rows = _meeting(where, grid, named)
    resolved = replace(
        calculation, table=calculation.table or tables[0].id, column=column.name if column else "", where=where,
        other=other.name if other else "", time=time.name if time else "", among=among,
        rows=tuple(dict.fromkeys(grid.ids([row])[0] for row in named)) if calculation.rows else (),
        join=_named_join(calculation.join, tables, calculation.table),
    )  # fmt: skip
    return Selection(resolved, grid, column, other, time, rows, whole)


def column_index(name: str, table: TableEvidence) -> int:
    """Return the column of a name: the same, the same but for case and blanks, or the only one that begins so."""
    wanted = _folded(name)
    folded = [_folded(header) for header in table.header]
    ways = (
        [index for index, header in enumerate(table.header) if header == name],
        [index for index, header in enumerate(folded) if header == wanted],
        [index for index, header in enumerate(folded) if wanted and header.startswith(wanted)],
    )
    found = next(filter(None, ways), [])
    if len(found) == 1:
        return found[0]
    known = tuple(table.header[index] for index in found) or table.header
    what = f"{len(found)} columns may be {name!r}" if found else f"no column is called {name!r}"
    raise UnknownColumn(f"{what} in {table.id}; name one of {listed(known)}", known)


def _grid(calculation: Calculation, tables: Sequence[TableEvidence]) -> Grid:
    table = _table(calculation.table, tables)
    if calculation.join is None:
        rows = body_rows(table)
        columns = tuple((0, index) for index in range(len(table.header)))
        return Grid(table, rows, {row: ((table, row),) for row in rows}, columns, label_index(table))
    return _joined(table, _table(calculation.join.table, tables), calculation.join)


def _table(wanted: str, tables: Sequence[TableEvidence]) -> TableEvidence:
    known = {table.id: table for table in tables}
    if not wanted and len(known) == 1:
        return tables[0]
    if wanted not in known:
        raise UnknownTable(f"no table {wanted!r} is at hand; name one of {listed(tuple(known))}", tuple(known))
    return known[EvidenceId(wanted)]


def _joined(left: TableEvidence, right: TableEvidence, join: Join) -> Grid:
    """Append to each row of the first table the row of the second whose cell says the same."""
    mine, theirs = column_index(join.column, left), column_index(join.other, right)
    found: dict[str, int] = {}
    for row in body_rows(right):
        text = _folded(cell_text(right, row, theirs))
        if text in found:
            ids = (row_id(right, found[text]), row_id(right, row))
            raise UnknownRow(
                f"{right.header[theirs]!r} of {right.id} has one text in {listed(ids)}; each may stand once in the "
                "second table: exchange the tables or join on another column",
                ids,
            )
        if not is_missing(text):
            found[text] = row
    pairs = [(row, found[text]) for row in body_rows(left) if (text := _folded(cell_text(left, row, mine))) in found]
    if not pairs:
        known = tuple(cell_text(right, row, theirs) for row in body_rows(right))
        raise UnknownRow(f"no cell of {left.header[mine]!r} stands in {right.header[theirs]!r}: {listed(known)}", known)
    header = (
        *left.header,
        *(f"{name} ({right.place.title})" if name in left.header else name for name in right.header),
    )
    cells = tuple((*left.rows[row], *right.rows[match]) for row, match in pairs)
    sources = {number: ((left, row), (right, match)) for number, (row, match) in enumerate(pairs)}
    columns = (*((0, index) for index in range(len(left.header))), *((1, index) for index in range(len(right.header))))
    whole = replace(left, header=header, rows=cells)
    return Grid(whole, tuple(sources), sources, columns, label_index(whole))


def _named_join(join: Join | None, tables: Sequence[TableEvidence], table: str) -> Join | None:
    if join is None:
        return None
    left, right = _table(table, tables), _table(join.table, tables)
    column, other = left.header[column_index(join.column, left)], right.header[column_index(join.other, right)]
    return Join(right.id, column, other)


def _named_rows(names: Sequence[str], grid: Grid) -> tuple[int, ...]:
    """Return the rows of ids and texts of cells, in the order named; all where none is named."""
    if not names:
        return grid.rows
    by_id: dict[str, list[int]] = {}
    for row in grid.rows:
        for each in grid.ids([row]):
            by_id.setdefault(each, []).append(row)
    texts = _texts(grid)
    label = grid.label
    labels = {_folded(grid.cell(row, label)): [row] for row in grid.rows} if label is not None else {}
    found: list[int] = []
    for name in names:
        rows = by_id.get(name) or labels.get(_folded(name)) or texts.get(_folded(name), [])
        if not rows:
            known = tuple(dict.fromkeys(grid.name(row) for row in grid.rows))
            raise UnknownRow(f"no row of {grid.table.id} is or holds {name!r}; name one of {listed(known)}", known)
        if len(rows) > 1 and name not in by_id:
            ids = grid.ids(rows)
            raise UnknownRow(f"{len(rows)} rows hold {name!r}; name one of {listed(ids)}, or a condition", ids)
        found.extend(rows)
    return tuple(dict.fromkeys(found))


def _texts(grid: Grid) -> dict[str, list[int]]:
    texts: dict[str, list[int]] = {}
    for row in grid.rows:
        for text in dict.fromkeys(_folded(grid.cell(row, index)) for index in range(len(grid.columns))):
            texts.setdefault(text, []).append(row)
    return texts


def _named_condition(condition: Condition, grid: Grid) -> Condition:
    return replace(condition, column=grid.table.header[column_index(condition.column, grid.table)])


def _meeting(conditions: Sequence[Condition], grid: Grid, rows: tuple[int, ...]) -> tuple[int, ...]:
    """Return the rows that meet every condition."""
    for condition in conditions:
        column = typed_column(grid.table, column_index(condition.column, grid.table))
        _refuse_unsaid(condition, column, grid)
        bound, absent = bound_of(condition.value, column), frozenset(column.missing)
        held = [row for row in rows if row not in absent]
        rows = tuple(row for row in held if meets(condition.relation, row, column, grid, condition.value, bound))
    return rows


def certain_rows(condition: Condition, table: TableEvidence) -> tuple[EvidenceId, ...]:
    """Return the ids of the rows that certainly meet a condition; one whose cell cannot be read does not.

    Raises:
        CalculationError: the condition names what is not there, or compares what cannot be compared.
    """
    grid = _grid(Calculation("filter", table.id), [table])
    named = _named_condition(condition, grid)
    column = typed_column(table, column_index(named.column, table))
    _refuse_unsaid(named, column, grid)
    bound = bound_of(named.value, column)
    return grid.ids(row for row in grid.rows if _certainly_meets(named, row, column, grid, bound))


def _certainly_meets(condition: Condition, row: int, column: Column, grid: Grid, bound: Value | None) -> bool:
    try:
        return meets(condition.relation, row, column, grid, condition.value, bound)
    except Undecided:
        return False


def _refuse_unsaid(condition: Condition, column: Column, grid: Grid) -> None:
    """Refuse a text that no cell of the column has: a count of nothing would hide a slip of the pen."""
    if condition.relation not in ("is", "is_not", "contains"):
        return
    if column.kind != "text" and bound_of(condition.value, column):
        return
    if column.kind == "date" and month_said(condition.value):
        return
    texts = [_folded(grid.cell(row, column.index)) for row in grid.rows]
    wanted = _folded(condition.value)
    found = any(wanted in text if condition.relation == "contains" else wanted == text for text in texts)
    if not found and wanted not in texts_beside(grid.table, column.index):
        known = tuple(dict.fromkeys(grid.cell(row, column.index) for row in grid.rows))
        raise UnknownRow(f"no cell of {column.name!r} says {condition.value!r}; there are {listed(known)}", known)


def meets(relation: Relation, row: int, column: Column, grid: Grid, value: str, bound: Value | None) -> bool:
    """Say whether a cell stands in a relation to a value, read as `bound`; a cell without a value never does.

    One that says no figure at all is above none (`gift` among prices), and may be below one (`free`).

    Raises:
        Undecided: it says one that cannot be read.
    """
    if row in column.missing:
        return False
    if bound is None and relation in ("is", "is_not", "contains"):
        held, month = column.values[row], month_said(value) if column.kind == "date" else None
        if month and held:
            return _in_month(held, month, grid.name(row)) == (relation != "is_not")
        text, wanted = _folded(grid.cell(row, column.index)), _folded(value)
        return wanted in text if relation == "contains" else (text == wanted) == (relation == "is")
    if bound is None:
        dates = "a date" if column.kind == "date" else "a figure of its unit" if column.kind != "text" else ""
        raise WrongKind(f"{value!r} cannot be compared with {column.name!r}" + (f", which needs {dates}" if dates else
                        ", a column of text"), (column.name,))  # fmt: skip
    held = column.values[row]
    if held is None and relation in ("is", "is_not"):
        return (_folded(grid.cell(row, column.index)) == _folded(value)) == (relation == "is")
    if held is None:
        if relation in ("above", "at_least") and not any(map(str.isdigit, grid.cell(row, column.index))):
            return False
        raise Undecided(f"{grid.cell(row, column.index)!r} of {grid.name(row)!r} cannot be read", grid.ids([row]))
    return related(relation, held, bound, grid.name(row))


def _in_month(held: Value, month: int, name: str) -> bool:
    own = month_of(held)
    if own is None:
        raise Undecided(f"{held.text!r} of {name!r} is told to no month")
    return own == month


def related(relation: Relation, left: Value, right: Value, name: str) -> bool:
    """Say how two values stand to each other.

    Raises:
        Undecided: Their ranges overlap.
    """
    verdict: bool | None
    match relation:
        case "is" | "is_not":
            apart, same = (
                left.high < right.low or right.high < left.low,
                (left.low, left.high) == (right.low, right.high),
            )
            verdict = None if not apart and not same else same == (relation == "is")
        case "contains":
            verdict = right.low <= left.low and left.high <= right.high
        case _:
            verdict = compared(relation, left, right)
    if verdict is None:
        raise Undecided(
            f"{left.text!r} of {name!r} and {right.text!r} overlap, so that neither is certainly the greater"
        )
    return verdict


def compared(relation: Relation, left: Value, right: Value) -> bool | None:
    """Say whether one interval stands in a relation to another; None where its ends differ in that."""
    verdicts = {_at(relation, end, right) for end in (left.low, left.high)}
    return verdicts.pop() if len(verdicts) == 1 else None


def _at(relation: Relation, point: Decimal, right: Value) -> bool:
    match relation:
        case "above":
            return point > right.high
        case "at_least":
            return point >= right.low
        case "below":
            return point < right.low
        case _:
            return point <= right.high


def bound_of(value: str, column: Column) -> Value | None:
    """Read a value as the column's cells are read; a bare figure has the column's unit, and of a text there is none."""
    if column.kind == "text":
        return None
    if column.kind == "date":
        years = {year_of(held) for held in column.values if held is not None}
        return parse_date(value, str(years.pop()).zfill(4) if len(years) == 1 else "")
    if column.measure.dimension == "clock":
        return parse_clock(value)
    read = parse_quantity(as_duration(value, column.name) if column.kind == "duration" else value, column.measure)
    return read if read and read.measure.dimension == column.measure.dimension else None


def required(column: Column | None, what: str, selection: Selection) -> Column:
    """Return a column that an operation cannot do without."""
    if column is None:
        known = selection.grid.table.header
        raise WrongOperands(f"a {selection.calculation.operation} needs {what}; name one of {listed(known)}", known)
    return column


def listed(names: Sequence[str]) -> str:
    """Write names as a message lists them."""
    shown = ", ".join(names[:SHOWN])
    return f"{shown} and {len(names) - SHOWN} more" if len(names) > SHOWN else shown


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()
