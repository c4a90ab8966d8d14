"""Named calculations over tables: a caller names operation, table, column and rows, and code calculates.

Names resolve forgivingly: of columns the same name first, then the same but for case and blanks, then the only one that
begins so; of rows an evidence id, or the text of a cell that one row alone holds.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, localcontext

from heliograph.errors import CalculationError, Undecided, WrongKind, WrongOperands
from heliograph.text.dates import Span, span_between
from heliograph.text.units import BARE, Measure, is_missing
from heliograph.types import Calculation, Computation, EvidenceId, Operation, TableEvidence
from tools.arithmetic.columns import Column
from tools.arithmetic.operands import (
    TOLD,
    both,
    conditions_of,
    ends_in_time,
    entering_rows,
    exact,
    figures_column,
    heading_of,
    left_out,
    only_row,
    operands_of,
    ordered_column,
    over,
    relation_words,
    require_one_dimension,
    told,
    value_of,
)
from tools.arithmetic.ranking import places, rank
from tools.arithmetic.resolution import Selection, bound_of, meets, related, required, resolve
from tools.arithmetic.writing import decimals_of, joined, written, written_in

PRECISION = 60
"""Digits that figures are reckoned with."""
FURTHER_DIGITS = 2
"""Decimals that a mean has beyond those of its cells, and a ratio or a percentage below 1 beyond its first digit."""


@dataclass(frozen=True, slots=True)
class Calculated:
    """A calculated value.

    `value` is it as it is to be written, with its `unit`; `amount` the figure in that unit where it is one, unrounded.
    `rows` are the rows that entered, of both tables after a join; `winners` those that have the value of a max, min or
    ordinal. `description` says in a sentence what was done. `computation` is the record that a claim cites, and that
    `calculated_again` carries out again.
    """

    value: str
    unit: str
    amount: Decimal | None
    rows: tuple[EvidenceId, ...]
    winners: tuple[EvidenceId, ...]
    description: str
    computation: Computation


@dataclass(frozen=True, slots=True)
class _Outcome:
    """What an operation gives over rows of a grid, and the words that say how."""

    value: str
    said: str
    rows: tuple[int, ...]
    amount: Decimal | None = None
    unit: str = ""
    winners: tuple[int, ...] = ()


def calculate(calculation: Calculation, tables: Sequence[TableEvidence]) -> Calculated:
    """Carry out a calculation over the tables at hand, in time linear in their cells but for sorting.

    Raises:
        CalculationError: A name does not resolve, or the cells allow no certain result; the leaf of the tree
            (UnknownTable, UnknownColumn, UnknownRow, WrongOperands, WrongKind, Undecided) and its message say which,
            and `known` lists the names that there are.
    """
    found = resolve(calculation, tables)
    with localcontext() as context:
        context.prec = PRECISION
        outcome = _OPERATIONS[calculation.operation](found)
    rows, resolved = found.grid.ids(outcome.rows), found.calculation
    column = resolved.column or resolved.other
    computation = Computation(
        resolved.operation,
        resolved.table,
        column,
        rows,
        outcome.value,
        resolved.position,
        resolved.descending,
        resolved,
    )
    sentence = f"{outcome.said}{conditions_of(found)} ({heading_of(found.grid.table)}): {outcome.value}."
    winners = found.grid.ids(outcome.winners)
    return Calculated(outcome.value, outcome.unit, outcome.amount, rows, winners, sentence, computation)


def calculated_again(computation: Computation, tables: Sequence[TableEvidence]) -> Calculated | None:
    """Carry the calculation of a record out again, of which nothing else is believed.

    None where it cannot be, where it gives another value or rests on other rows than the record says, and where the
    record names none, as those of early versions do.
    """
    named = computation.calculation
    if named is None:
        return None
    try:
        again = calculate(named, tables)
    except CalculationError:
        return None
    return again if again.computation == computation else None


def _count(found: Selection) -> _Outcome:
    """Count rows; copies that a rowspan made of a name count once."""
    label = found.grid.label
    owners = set(found.rows) if label is None else {found.grid.owner(row, label) for row in found.rows}
    amount = Decimal(len(owners))
    return _Outcome(f"{len(owners):,}", f"Number of rows out of {len(found.grid.rows)}", found.rows, amount)


def _filter(found: Selection) -> _Outcome:
    column = found.column
    texts = [found.grid.cell(row, column.index) if column else found.grid.name(row) for row in found.rows]
    of = f"{column.name} of " if column else ""
    texts = [text for text in texts if not is_missing(text)] or texts
    said = f"{of}{over(found, found.rows)}"
    return _Outcome(joined(tuple(dict.fromkeys(texts))) or "none", said, found.rows)


def _join(found: Selection) -> _Outcome:
    if found.calculation.join is None:
        raise WrongOperands("a join needs a second table; name it, and a column of each, in `join`")
    return _filter(found)


def _aggregate(found: Selection) -> _Outcome:
    """Add up, average or take the middle of the values of one column, each cell once."""
    column, operation = figures_column(found), found.calculation.operation
    rows = entering_rows(found, column, found.rows)
    values = sorted(exact(found, column, row) for row in rows)
    half = len(values) // 2
    match operation:
        case "mean":
            amount = sum(values, Decimal(0)) / len(values)
        case "median":
            amount = values[half] if len(values) % 2 else (values[half - 1] + values[half]) / 2
        case _:
            amount = sum(values, Decimal(0))
    further = 0 if operation == "sum" else FURTHER_DIGITS
    said = f"{operation.capitalize()} of {column.name} over {over(found, rows)}{left_out(found.rows, column)}"
    return _written(found, column, amount, rows, said, further)


def _extreme(found: Selection) -> _Outcome:
    """Find the value at a place of the order, and the rows that have it."""
    column, calculation = ordered_column(found), found.calculation
    upwards = calculation.operation in ("min", "earliest")
    downwards = not upwards and (calculation.operation != "ordinal" or calculation.descending)
    position = calculation.position if calculation.operation == "ordinal" else 1
    rows = entering_rows(found, column, found.rows)
    if not 1 <= position <= len(rows):
        raise WrongOperands(f"there is no place {position} among {len(rows)} rows with a value in {column.name!r}")
    ranked = rank(column, rows, downwards, position)
    winners = places(ranked, position) if ranked else None
    if not winners:
        raise Undecided(f"place {position} by {column.name!r} is not certain: cells are ranges, or the place is tied")
    value = value_of(found, column, winners[0])
    names = joined([found.grid.name(row) for row in winners[:TOLD]])
    ends = ("Earliest", "Latest") if column.is_of_times else ("Least", "Greatest")
    place = f"Place {position} from {_end(column, downwards)}" if position > 1 else ends[downwards]
    said = f"{place} by {column.name} over {over(found, rows)}{left_out(found.rows, column)}, of {names}"
    exact = column.kind != "date" and value.low == value.high
    measure = written_in(column)
    amount = value.low / measure.factor if exact else None
    return _Outcome(value.text, said, rows, amount, measure.text, winners)


def _rank(found: Selection) -> _Outcome:
    """Count the rows that come before one: its place is the next, which ties share."""
    column = ordered_column(found)
    if len(found.rows) != 1 or found.rows[0] not in found.whole:
        raise WrongOperands(f"a rank is that of one row among those ranked, and {len(found.rows)} are named")
    rows = entering_rows(found, column, found.whole)
    own, name = value_of(found, column, found.rows[0]), found.grid.name(found.rows[0])
    before, tied = 0, 0
    for row in rows:
        other = value_of(found, column, row)
        tied += (other.low, other.high) == (own.low, own.high)
        if (other.low, other.high) != (own.low, own.high):
            before += related("above" if found.calculation.descending else "below", other, own, found.grid.name(row))
            related("is", other, own, found.grid.name(row))
    shared = f", shared by {tied}" if tied > 1 else ""
    end = _end(column, found.calculation.descending)
    said = f"Place of {name} from {end} by {column.name} among {len(rows)} rows{shared}"
    return _Outcome(str(before + 1), said, rows, Decimal(before + 1), "", found.rows)


def _end(column: Column, downwards: bool) -> str:
    return f"the {('earliest', 'latest')[downwards] if column.is_of_times else ('bottom', 'top')[downwards]}"


def _difference(found: Selection) -> _Outcome:
    (column, first), (other, second) = operands_of(found)
    if column.kind == other.kind == "date":
        return _date_difference(found)
    require_one_dimension(column, other)
    amount = exact(found, column, first) - exact(found, other, second)
    said = f"{told(found, column, first)} minus {told(found, other, second)}"
    return _written(found, column, amount, both(first, second), said)


def _ratio(found: Selection) -> _Outcome:
    (column, first), (other, second) = operands_of(found)
    require_one_dimension(column, other)
    divisor = exact(found, other, second)
    if divisor == 0:
        raise Undecided(f"{other.name!r} of {found.grid.name(second)!r} is 0, which nothing is divided by")
    amount = exact(found, column, first) / divisor
    said = f"{told(found, column, first)} divided by {told(found, other, second)}"
    return _Outcome(written(amount, BARE, _digits(amount)), said, both(first, second), amount)


def _percentage(found: Selection) -> _Outcome:
    """Divide a part by its whole: the sum of a column, or the number of rows."""
    if set(found.rows) - set(found.whole):
        outside = found.grid.ids(sorted(set(found.rows) - set(found.whole)))
        raise WrongOperands("rows of the part do not belong to the whole that `among` leaves", outside)
    part, whole, rows, of = Decimal(len(found.rows)), Decimal(len(found.whole)), found.whole, "rows"
    if found.column:
        column = figures_column(found)
        rows, of = entering_rows(found, column, found.whole), f"{column.name}"
        chosen = {found.grid.owner(row, column.index) for row in found.rows}
        whole = sum((exact(found, column, row) for row in rows), Decimal(0))
        mine = (row for row in rows if found.grid.owner(row, column.index) in chosen)
        part = sum((exact(found, column, row) for row in mine), Decimal(0))
    if whole == 0:
        raise Undecided("the whole is 0, and has no part")
    amount = 100 * part / whole
    said = f"Share of {len(found.rows)} out of {len(found.whole)} rows in all {of}"
    return _Outcome(written(amount, Measure("%", "share"), _digits(amount)), said, rows, amount, "%")


def _change(found: Selection) -> _Outcome:
    """Take the first value in time from the last one."""
    if found.other:
        (column, first), (other, second) = operands_of(found)
    else:
        column = other = figures_column(found)
        first, second = ends_in_time(found, column)
    require_one_dimension(column, other)
    before, after = exact(found, column, first), exact(found, other, second)
    share = f", {written(100 * (after - before) / before, Measure('%', 'share'), 1)}" if before > 0 else ""
    said = f"Change from {told(found, column, first)} to {told(found, other, second)}{share}"
    return _written(found, column, after - before, both(first, second), said)


def _date_difference(found: Selection) -> _Outcome:
    (column, first), (other, second) = operands_of(found)
    if column.kind != "date" or other.kind != "date":
        raise WrongKind(f"{column.name!r} and {other.name!r} are not both columns of dates", (column.name, other.name))
    values = value_of(found, column, first), value_of(found, other, second)
    span: Span | None = span_between(*values)
    if span is None:
        raise Undecided(f"{values[0].text!r} and {values[1].text!r} are not both days, months or years")
    value = f"{span.amount:,} {span.unit}{'' if span.amount == 1 else 's'}"
    said = f"Time between {told(found, column, first)} and {told(found, other, second)}"
    return _Outcome(value, said, both(first, second), Decimal(span.amount), f"{span.unit}s")


def _comparison(found: Selection) -> _Outcome:
    """Say `Yes` or `No`: whether a row stands in a relation to another row, or to a value."""
    calculation = found.calculation
    relation = calculation.relation
    column = required(found.column, "a column", found)
    words = relation_words(relation, column)
    if calculation.value:
        row = only_row(found)
        verdict = meets(relation, row, column, found.grid, calculation.value, bound_of(calculation.value, column))
        if row in column.missing:
            value_of(found, column, row)
        rows, said = (
            (row,),
            f"Whether {told(found, column, row)} {words} {calculation.value}",
        )
        return _Outcome("Yes" if verdict else "No", said, rows)
    (column, first), (other, second) = operands_of(found)
    if column.kind == "text" or other.kind == "text":
        text = found.grid.cell(second, other.index)
        verdict = meets(relation, first, column, found.grid, text, None)
    else:
        require_one_dimension(column, other, dates=True)
        left, right = value_of(found, column, first), value_of(found, other, second)
        verdict = related(relation, left, right, found.grid.name(first))
    said = f"Whether {told(found, column, first)} {words} {told(found, other, second)}"
    return _Outcome("Yes" if verdict else "No", said, both(first, second))


def _written(
    found: Selection, column: Column, amount: Decimal, rows: tuple[int, ...], said: str, further: int = 0
) -> _Outcome:
    """Write an amount of base units in the column's measure."""
    measure = written_in(column)
    columns = (column, found.other) if found.other else (column,)
    decimals = max(decimals_of(each, row, measure) for each in columns for row in rows) + further
    return _Outcome(written(amount, measure, decimals), said, rows, amount / measure.factor, measure.text)


def _digits(amount: Decimal) -> int:
    return FURTHER_DIGITS - min(0, amount.adjusted()) if amount else 0


_OPERATIONS: Mapping[Operation, Callable[[Selection], _Outcome]] = {
    "count": _count, "filter": _filter, "join": _join, "sum": _aggregate, "mean": _aggregate, "median": _aggregate,
    "max": _extreme, "min": _extreme, "latest": _extreme, "earliest": _extreme, "ordinal": _extreme, "rank": _rank,
    "difference": _difference, "ratio": _ratio, "percentage": _percentage, "change": _change,
    "date_difference": _date_difference, "comparison": _comparison,
}  # fmt: skip
