"""Say a calculated value in a sentence: the value first, then what it is of."""

from heliograph.text.units import header_words
from tools.arithmetic.calculations import Calculated
from tools.arithmetic.choosing import Reading
from tools.arithmetic.derivation import joined, told
from tools.arithmetic.sheet import Sheet

MOST_NAMED = 8
"""Rows that a sentence names."""


def tell(reading: Reading, found: Calculated, rows: tuple[int, ...], winners: tuple[int, ...]) -> str:
    """Return the sentence of a reading that was calculated over rows, of which the winners have an extreme."""
    sheet = reading.sheet
    match reading.calculation.operation:
        case "count":
            listed = f": {_names(sheet, rows)}" if 0 < len(rows) <= MOST_NAMED and len(rows) < len(sheet.rows) else ""
            noun = f" {reading.noun}" if reading.noun and found.value != "1" else ""
            return f"{found.value}{noun} of {len(sheet.rows)}{_where(reading)}{listed}."
        case "sum" | "mean":
            kind = "sum" if reading.calculation.operation == "sum" else "mean"
            of = f"{kind} of {_column(reading.calculation.column)} over {len(rows)} rows"
            return f"{found.value} ({of}{_conditions(reading)})."
        case "max" | "min" | "ordinal":
            return _extreme(reading, found, winners)
        case "comparison" | "difference":
            column = sheet.columns[reading.answer or 0]
            said = ", ".join(f"{sheet.name(row)} {told(sheet.table, column, row)}" for row in rows)
            return f"{found.value} ({_column(column.name)}: {said})."
        case _:
            return _filtered(reading, found, rows)


def _filtered(reading: Reading, found: Calculated, rows: tuple[int, ...]) -> str:
    sheet = reading.sheet
    of = "" if reading.answer == sheet.label else f": {_names(sheet, rows)}" if len(rows) <= MOST_NAMED else ""
    return f"{found.value} ({_column(sheet.table.header[reading.answer or 0])}{of}{_conditions(reading, of)})."


def answer_of(reading: Reading, winners: tuple[int, ...]) -> str:
    """Return what the winners' cells of the answering column say."""
    sheet = reading.sheet
    column = sheet.columns[reading.answer or 0]
    return joined(tuple(dict.fromkeys(told(sheet.table, column, row) for row in winners)))


def _extreme(reading: Reading, found: Calculated, winners: tuple[int, ...]) -> str:
    sheet, column = reading.sheet, reading.calculation.column
    answer, header = answer_of(reading, winners), _column(column)
    shown = reading.order.shown if reading.order else ""
    if reading.answer is not None and sheet.table.header[reading.answer] == column:
        return f"{answer} ({shown} {header}: {_names(sheet, winners)}{_conditions(reading)})."
    of = (
        ""
        if reading.answer == sheet.label
        else f"{_column(sheet.table.header[reading.answer or 0])} of {_names(sheet, winners)}, "
    )
    return f"{answer} ({of}{shown} by {header}: {found.value}{_conditions(reading)})."


def _names(sheet: Sheet, rows: tuple[int, ...]) -> str:
    return joined(tuple(dict.fromkeys(sheet.name(row) for row in rows)))


def _where(reading: Reading) -> str:
    conditions = _conditions(reading).removeprefix(", ")
    return f" ({conditions})" if conditions else ""


def _conditions(reading: Reading, told: str = "") -> str:
    """Return what rows had to fulfil, but for what names them where that is `told` already."""
    where = (each for each in reading.calculation.where if each.value not in told)
    said = (f"{_column(each.column)} {each.relation.replace('_', ' ')} {each.value}" for each in where)
    joined_up = " and ".join(said)
    return f", {joined_up}" if joined_up else ""


def _column(name: str) -> str:
    return header_words(name) or name
