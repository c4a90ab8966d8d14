"""Say of a calculated value what it is of."""

from heliograph.text.numbers import ORDINALS
from heliograph.text.units import header_words, is_missing
from tools.arithmetic.calculations import Calculated
from tools.arithmetic.derivation import joined, told
from tools.arithmetic.plans import LogicalForm
from tools.arithmetic.sheet import Sheet

_PLACES = dict(enumerate(ORDINALS, start=1))
MOST_NAMED = 8
"""Rows that a sentence names."""
_SAYS = {"not": "not", "has": "with", "above": "above", "below": "below", "at_least": "at least", "at_most": "at most"}
_YES_NO = ("is", "more", "less")


def answer_of(form: LogicalForm, sheet: Sheet, found: Calculated, winners: tuple[int, ...]) -> str:
    """Return what is asked for: the value, yes or no, or what the rows that have it say in the column that is told."""
    if form.operation in _YES_NO:
        return found.value if found.value in ("Yes", "No") else "No" if found.value == "0" else "Yes"
    if not winners:
        return "" if form.operation == "find" and is_missing(found.value) else found.value
    column = sheet.columns[form.selected]
    texts = (told(sheet.table, column, row) for row in winners)
    return joined(tuple(dict.fromkeys(text for text in texts if not is_missing(text))))


def tell(form: LogicalForm, sheet: Sheet, found: Calculated, rows: tuple[int, ...], winners: tuple[int, ...]) -> str:
    """Return what an answer is of: operation, column, conditions and rows."""
    under, few = _conditions(form, sheet), 0 < len(rows) <= MOST_NAMED
    names = _names(sheet, rows) if few else ""
    match form.operation:
        case "count":
            return _listed(f"of {len(sheet.rows)}", under, names if len(rows) < len(sheet.rows) else "")
        case "sum" | "mean":
            return _listed(f"{form.operation} of {_column(sheet, form.selected)} over {len(rows)} rows", under)
        case "most" | "least":
            return _listed(_extreme(form, sheet, found, winners), under)
        case "difference" | "more" | "less":
            column = sheet.columns[form.ordering]
            values = ", ".join(f"{sheet.name(row)} {told(sheet.table, column, row)}" for row in rows)
            return f"{_column(sheet, form.ordering)}: {values}"
        case "is":
            counted = "" if found.value in ("Yes", "No") else f"{found.value} of {len(sheet.rows)}"
            return _listed(counted, under, "" if names in under else names)
        case _:
            names = names if form.selected != sheet.label else ""
            of = f"{_column(sheet, form.selected)}{f' of {names}' if names else ''}"
            return _listed(of, _conditions(form, sheet, names))


def _extreme(form: LogicalForm, sheet: Sheet, found: Calculated, winners: tuple[int, ...]) -> str:
    order = "greatest" if form.operation == "most" else "least"
    if sheet.columns[form.ordering].kind == "date" or sheet.columns[form.ordering].measure.dimension == "clock":
        order = "latest" if form.operation == "most" else "earliest"
    place = f"{_PLACES[form.place]} {order}" if form.place > 1 else order
    by = _column(sheet, form.ordering)
    if form.selected == form.ordering:
        return f"{place} {by}: {_names(sheet, winners)}"
    of = "" if form.selected == sheet.label else f"{_column(sheet, form.selected)} of {_names(sheet, winners)}, "
    return f"{of}{place} by {by}: {found.value}"


def _names(sheet: Sheet, rows: tuple[int, ...]) -> str:
    return joined(tuple(dict.fromkeys(sheet.name(row) for row in rows)))


def _conditions(form: LogicalForm, sheet: Sheet, told: str = "") -> str:
    """Return what rows had to fulfil, but for what names them where that is `told` already."""
    said = [
        " ".join(filter(None, (_column(sheet, each.column), _SAYS.get(relation, ""), each.value)))
        for each, relation in form.where
        if not told or each.value not in told
    ]
    return " and ".join(said)


def _column(sheet: Sheet, index: int) -> str:
    name = sheet.table.header[index]
    return header_words(name) or name


def _listed(*parts: str) -> str:
    return ", ".join(filter(None, parts))
