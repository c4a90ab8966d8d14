"""Carry an operation out over given rows of a given column, and write what cells and values say.

`recompute` derives a value again with it from a record that names no calculation, as those of earlier versions are.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Decimal, localcontext

from heliograph.text.units import BARE, HOURS_AND_MINUTES, Measure
from heliograph.types import Operation, TableEvidence
from tools.arithmetic.columns import Column, cell_text, label_index, origin
from tools.arithmetic.ranking import places, rank, total


@dataclass(frozen=True, slots=True)
class Derived:
    """What an operation gives: a figure as it is to be written, and the rows that have it (for rankings)."""

    figure: str
    winners: tuple[int, ...] = ()


def derive(
    table: TableEvidence,
    column: Column,
    rows: Sequence[int],
    operation: Operation,
    position: int,
    take: int,
    descending: bool,
) -> Derived | None:
    """Carry out an operation; None where the cells do not allow a certain result."""
    match operation:
        case "count":
            count = count_items(table, rows)
            return None if count is None else Derived(str(count))
        case "sum" | "mean":
            return _aggregated(table, column, rows, operation)
        case "max" | "latest":
            descending = True
        case "min" | "earliest":
            descending = False
    ranked = rank(column, rows, descending, position + take - 1)
    winners = places(ranked, position, take) if ranked else None
    if not winners:
        return None
    shown = dict.fromkeys(value.text for row in winners if (value := column.values[row]) is not None)
    return Derived(joined(tuple(shown)), winners)


def told(table: TableEvidence, column: Column, row: int) -> str:
    """Return what one cell says, with the unit that its column's name states."""
    value = column.values[row]
    return cell_text(table, row, column.index) if value is None else value.text


def count_items(table: TableEvidence, rows: Sequence[int]) -> int | None:
    """Count distinct items, spanned copies once; None where two separate rows bear one name.

    Where no column names the rows, rows of distinct content are counted.
    """
    label = label_index(table)
    if label is None:
        contents = {tuple(cell.text for cell in table.rows[row]) for row in rows}
        return len(rows) if len(contents) == len(rows) else None
    owners = {origin(table, row, label) for row in rows}
    names = {cell_text(table, row, label).casefold() for row in owners}
    return len(owners) if len(names) == len(owners) else None


def entering(table: TableEvidence, column: Column, rows: Sequence[int]) -> tuple[int, ...]:
    """Return the rows whose value counts once: valued, and not the copy of a cell that already counts."""
    owners: dict[int, int] = {}
    for row in rows:
        if column.values[row] is not None:
            owners.setdefault(origin(table, row, column.index), row)
    return tuple(owners.values())


def joined(names: Sequence[str]) -> str:
    """Join names as a sentence does: `A, B and C`."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}" if names else ""


def written(amount: Decimal, measure: Measure, decimals: int) -> str:
    """Write an amount of base units in a measure, with thousands separators and no trailing zeros."""
    with localcontext() as context:
        context.prec = 60
        if measure.text == HOURS_AND_MINUTES:
            return written_duration(amount, decimals)
        figure = (amount / measure.factor).quantize(Decimal(1).scaleb(-decimals), rounding=ROUND_HALF_EVEN)
    text = f"{figure:,f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    if sign := next((sign for sign in "$€£¥" if sign in measure.text), ""):
        return f"{sign}{text} {' '.join(measure.text.replace('US$', '').replace(sign, '').split())}".rstrip()
    return f"{text}%" if measure.text == "%" else f"{text} {measure.text}".strip()


def written_duration(seconds: Decimal, decimals: int = 0) -> str:
    """Write seconds as `2 h 5 min`, the last part with as many decimals as are given."""
    sign, left = ("-" if seconds < 0 else ""), abs(seconds).quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_EVEN)
    parts = []
    for unit, size in (("h", 3600), ("min", 60)):
        if left >= size:
            parts.append(f"{int(left // size)} {unit}")
            left %= size
    return sign + " ".join([*parts, f"{left} s"] if left or not parts else parts)


def _aggregated(table: TableEvidence, column: Column, rows: Sequence[int], operation: Operation) -> Derived | None:
    if column.kind not in ("number", "duration") or set(column.unreadable) & set(rows):
        return None
    counted = entering(table, column, rows)
    amount = total(column, counted)
    if amount is None or len(counted) < 2:
        return None
    measure = written_in(column)
    decimals = max(decimals_of(column, row, measure) for row in counted)
    if operation == "mean":
        amount, decimals = amount / len(counted), decimals + 2
    return Derived(written(amount, measure, decimals))


def written_in(column: Column) -> Measure:
    """Return the measure in which figures of a column are written."""
    return column.measure if column.measure.text or column.measure.dimension else BARE


def decimals_of(column: Column, row: int, measure: Measure) -> int:
    """Return how many decimals a value has where it is written in a measure."""
    value = column.values[row]
    exponent = (value.low / measure.factor).normalize().as_tuple().exponent if value else 0
    return min(12, max(0, -exponent)) if isinstance(exponent, int) else 0
