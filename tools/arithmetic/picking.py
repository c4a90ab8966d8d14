"""Pick the rows of a table that a superlative or a place of a question selects, whatever else the question asks.

`compute` demands that a table explain the whole question. Here the rest may be answered elsewhere, by a passage that
the row links to ("When was the third highest paid player born?"), so only the order itself must be the table's: a
column that it is measured by, and rows among which it selects.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from heliograph.text.words import stem, stems
from heliograph.types import EvidenceId, TableEvidence
from tools.arithmetic.grounds import BESIDE, LABELLED, Grounds
from tools.arithmetic.likeness import Selection, Target
from tools.arithmetic.request import Order, read_request
from tools.arithmetic.sheet import Sheet, sheet_of

MOST_TIED = 4
"""Rows that may share a place; where more do, it selects nothing."""
REACH = 3
"""Words after a superlative that may say what it is said of."""
WHOLE = 0.99
"""Quality of a selection whose cells are said whole."""
READ = 0.6
"""Share of the rows among which a place is sought that must hold a value."""
_RANKS = frozenset(stems("rank ranking place placing position pos finish seed standing standings no number nr"))


@dataclass(frozen=True, slots=True)
class Picked:
    """Rows that an order selects out of those `among` which it does.

    `column` is what they are ordered by, `shown` the order in the question's words, `strength` how surely the question
    speaks of that column (`tools.arithmetic.grounds`).
    """

    rows: tuple[EvidenceId, ...]
    among: tuple[EvidenceId, ...]
    column: str
    shown: str
    strength: float


def speaks_of_order(question: str) -> bool:
    """Say whether a question holds a superlative or a place."""
    request = read_request(question)
    return request is not None and bool(request.orders)


def pick_rows(question: str, table: TableEvidence) -> Picked | None:
    """Return the rows that the question's most certain order selects; None where no order is the table's."""
    request = read_request(question)
    sheet = sheet_of(table) if request and request.orders else None
    if request is None or sheet is None:
        return None
    reader = Grounds(request, sheet)
    picks = [picked for order in request.orders if (picked := _picked(order, reader))]
    return max(picks, key=lambda picked: picked.strength, default=None)


def _picked(order: Order, reader: Grounds) -> Picked | None:
    sheet = reader.sheet
    found = None if order.idea is None else _measured(order, reader)
    placed = found is None and (order.idea is None or stem(order.shown.split()[-1]) in sheet.subject)
    found = _by_rank(sheet) if placed else found
    if found is None:
        return None
    least = order.position + order.take - 1 if order.idea else 1
    rows = _restricted(order, reader, found, least)
    chosen = _at_rank(order, sheet, found, rows) if placed else _at_place(order, reader, found, rows)
    if not chosen:
        return None
    within, name = tuple(sheet.id(row) for row in rows), sheet.table.header[found.index]
    return Picked(tuple(sheet.id(row) for row in chosen), within, name, order.shown, found.strength)


def _by_rank(sheet: Sheet) -> Target | None:
    """Return the column of ranks, in which the first place is the smallest number."""
    ranks = (
        each.index
        for each in sheet.columns
        if each.kind == "number" and ("#" in each.name or {term.stem for term in sheet.headers[each.index]} & _RANKS)
    )
    found = next(ranks, None)
    return None if found is None else Target(found, 1.0)


def _measured(order: Order, reader: Grounds) -> Target | None:
    if _names_column(order, reader.sheet) or not _speaks_of_rows(order, reader):
        return None
    found = [each for each in reader.measured(order, Selection(reader.sheet.rows)) if each.strength >= BESIDE]
    return max(found, key=lambda target: (target.strength, -target.index), default=None)


def _speaks_of_rows(order: Order, reader: Grounds) -> bool:
    """Say whether what a superlative is said of is anything that the table or one of its columns is about."""
    tokens = reader.request.tokens
    lead: list[int] = []
    for place in range(max(order.tokens) + 1, min(max(order.tokens) + 1 + REACH, len(tokens))):
        if tokens[place].weight == 0:
            break
        lead.append(place)
    if order.idea is not None and order.idea.name == "date":  # what has no date of its own is not told by another's
        said = lead or sorted(reader.request.asked)
        return order.shown.endswith("ly") or not said or reader.base.get(said[-1], 0) >= LABELLED
    return not lead or any(place in reader.base for place in lead)


def _names_column(order: Order, sheet: Sheet) -> bool:
    """Say whether an order is part of a column's name: `Last title`, `Highest score`."""
    said = set(stems(order.shown))
    return any(said <= {term.stem for term in header} for header in sheet.headers)


def _restricted(order: Order, reader: Grounds, found: Target, least: int) -> tuple[int, ...]:
    """Return the rows that most words of the question pick, as long as `least` of them are left."""
    taken = order.tokens | found.tokens
    fitting = [
        each
        for each in reader.selections
        if len(each.rows) >= least
        and found.index not in each.columns
        and not each.tokens & taken
        and each.quality >= WHOLE
    ]
    return max(fitting, key=lambda each: (len(each.tokens), each.quality)).rows if fitting else reader.sheet.rows


def _at_rank(order: Order, sheet: Sheet, found: Target, rows: Sequence[int]) -> tuple[int, ...]:
    """Return the rows whose rank is the place; the highest rank is the first."""
    values = ((row, sheet.columns[found.index].values[row]) for row in rows)
    places = range(order.position, order.position + order.take)
    at = tuple(row for row, value in values if value and value.low == value.high and value.low in places)
    return at if len(at) < order.take + MOST_TIED else ()


def _at_place(order: Order, reader: Grounds, found: Target, rows: Sequence[int]) -> tuple[int, ...]:
    """Return the rows at the place, ties with them."""
    column, descending = reader.sheet.columns[found.index], reader.descending(order, found.index)
    values = {row: value for row in rows if (value := column.values[row]) is not None}
    if len(values) < max(1.0, READ * len(rows)):
        return ()
    keys = {row: (-value.high, -value.low) if descending else (value.low, value.high) for row, value in values.items()}
    ranked = sorted(keys, key=lambda row: (keys[row], row))
    first, last = order.position - 1, order.position + order.take - 2
    if last >= len(ranked):
        return ()
    chosen = tuple(row for row in ranked if keys[ranked[first]] <= keys[row] <= keys[ranked[last]])
    return chosen if len(chosen) < order.take + MOST_TIED else ()
