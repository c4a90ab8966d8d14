"""Say of a calculated value what it is of."""

from heliograph.text.numbers import ORDINALS
from heliograph.text.units import header_words, is_missing
from tools.arithmetic.calculations import Calculated
from tools.arithmetic.derivation import joined, told
from tools.arithmetic.plans import Filling
from tools.arithmetic.sheet import Sheet

_PLACES = dict(enumerate(ORDINALS, start=1))
MOST_NAMED = 8
"""Rows that a sentence names."""
_SAYS = {"not": "not", "has": "with", "above": "above", "below": "below", "at_least": "at least", "at_most": "at most"}
_YES_NO = ("is", "more", "less")


def answer_of(filling: Filling, sheet: Sheet, found: Calculated, winners: tuple[int, ...]) -> str:
    """Return what is asked for: the value, yes or no, or what the rows that have it say in the column that is told."""
    if filling.asked in _YES_NO:
        return found.value if found.value in ("Yes", "No") else "No" if found.value == "0" else "Yes"
    if not winners:
        return "" if filling.asked == "find" and is_missing(found.value) else found.value
    column = sheet.columns[filling.told]
    texts = (told(sheet.table, column, row) for row in winners)
    return joined(tuple(dict.fromkeys(text for text in texts if not is_missing(text))))


def tell(filling: Filling, sheet: Sheet, found: Calculated, rows: tuple[int, ...], winners: tuple[int, ...]) -> str:
    """Return what a value is of: operation, column, conditions and rows; without the value but for a count."""
    under, few = _conditions(filling, sheet), 0 < len(rows) <= MOST_NAMED
    names = _names(sheet, rows) if few else ""
    match filling.asked:
        case "count":
            return _listed(f"of {len(sheet.rows)}", under, names if len(rows) < len(sheet.rows) else "")
        case "sum" | "mean":
            return _listed(f"{filling.asked} of {_column(sheet, filling.told)} over {len(rows)} rows", under)
        case "most" | "least":
            return _listed(_extreme(filling, sheet, found, winners), under)
        case "difference" | "more" | "less":
            column = sheet.columns[filling.ordered]
            values = ", ".join(f"{sheet.name(row)} {told(sheet.table, column, row)}" for row in rows)
            return f"{_column(sheet, filling.ordered)}: {values}"
        case "is":
            return _listed(under, "" if names in under else names)
        case _:
            names = names if filling.told != sheet.label else ""
            of = f"{_column(sheet, filling.told)}{f' of {names}' if names else ''}"
            return _listed(of, _conditions(filling, sheet, names))


def _extreme(filling: Filling, sheet: Sheet, found: Calculated, winners: tuple[int, ...]) -> str:
    order = "greatest" if filling.asked == "most" else "least"
    if sheet.columns[filling.ordered].kind == "date" or sheet.columns[filling.ordered].measure.dimension == "clock":
        order = "latest" if filling.asked == "most" else "earliest"
    place = f"{_PLACES[filling.place]} {order}" if filling.place > 1 else order
    by = _column(sheet, filling.ordered)
    if filling.told == filling.ordered:
        return f"{place} {by}: {_names(sheet, winners)}"
    of = "" if filling.told == sheet.label else f"{_column(sheet, filling.told)} of {_names(sheet, winners)}, "
    return f"{of}{place} by {by}: {found.value}"


def _names(sheet: Sheet, rows: tuple[int, ...]) -> str:
    return joined(tuple(dict.fromkeys(sheet.name(row) for row in rows)))


def _conditions(filling: Filling, sheet: Sheet, told: str = "") -> str:
    """Return what rows had to fulfil, but for what names them where that is `told` already."""
    said = [
        " ".join(filter(None, (_column(sheet, each.column), _SAYS.get(relation, ""), each.value)))
        for each, relation in filling.where
        if not told or each.value not in told
    ]
    return " and ".join(said)


def _column(sheet: Sheet, index: int) -> str:
    name = sheet.table.header[index]
    return header_words(name) or name


def _listed(*parts: str) -> str:
    return ", ".join(filter(None, parts))
