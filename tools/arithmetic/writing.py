"""How cells and calculated values are written."""

from collections.abc import Sequence
from decimal import ROUND_HALF_EVEN, Decimal, localcontext

from heliograph.text.units import BARE, HOURS_AND_MINUTES, Measure
from heliograph.types import TableEvidence
from tools.arithmetic.columns import Column, cell_text


def told(table: TableEvidence, column: Column, row: int) -> str:
    """Return what one cell says, with the unit that its column's name states."""
    value = column.values[row]
    return cell_text(table, row, column.index) if value is None else value.text


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


def written_in(column: Column) -> Measure:
    """Return the measure in which figures of a column are written."""
    return column.measure if column.measure.text or column.measure.dimension else BARE


def decimals_of(column: Column, row: int, measure: Measure) -> int:
    """Return how many decimals a value has where it is written in a measure."""
    value = column.values[row]
    exponent = (value.low / measure.factor).normalize().as_tuple().exponent if value else 0
    return min(12, max(0, -exponent)) if isinstance(exponent, int) else 0
