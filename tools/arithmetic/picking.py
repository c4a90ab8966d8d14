"""Pick the rows of a table that a superlative or a place of a question selects, whatever else the question asks.

`compute` demands that a table explain the whole question. Here the rest may be answered elsewhere, by a passage that
the row links to ("When was the third highest paid player born?"), so only the order itself must be the table's: a
column that it is measured by, and rows among which it selects.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from heliograph.types import EvidenceId, TableEvidence
from tools.arithmetic.columns import row_id
from tools.arithmetic.ordering import Measured, measured
from tools.arithmetic.orders import Order, orders_of
from tools.arithmetic.restricting import restricted_rows
from tools.arithmetic.view import View, view_of

MOST_TIED = 4
"""Rows that may share a place; where more do, it selects nothing."""
READ = 0.6
"""Share of the rows among which a place is sought that must hold a value."""


@dataclass(frozen=True, slots=True)
class Picked:
    """Rows that an order selects out of those `among` which it does.

    `column` is what they are ordered by, `shown` the order in the question's words, `strength` how surely the question
    speaks of that column (`tools.arithmetic.ordering`: NAMED or MEANT).
    """

    rows: tuple[EvidenceId, ...]
    among: tuple[EvidenceId, ...]
    column: str
    shown: str
    strength: int


def speaks_of_order(question: str) -> bool:
    """Say whether a question holds a superlative or a place."""
    return bool(orders_of(question))


def pick_rows(question: str, table: TableEvidence) -> Picked | None:
    """Return the rows that the question's most certain order selects; None where no order is the table's."""
    orders = orders_of(question)
    view = view_of(table) if orders else None
    if view is None:
        return None
    picks = [picked for order in orders if (picked := _picked(order, question, view))]
    return max(picks, key=lambda picked: picked.strength, default=None)


def _picked(order: Order, question: str, view: View) -> Picked | None:
    found = measured(order, view)
    if found is None:
        return None
    rows = restricted_rows(question, view, order.position + order.take - 1)
    chosen = _at_place(order, found, rows)
    if not chosen:
        return None
    names = {row: row_id(view.table, row) for row in view.rows}
    within = tuple(names[row] for row in rows)
    return Picked(tuple(names[row] for row in chosen), within, found.column.name, order.shown, found.strength)


def _at_place(order: Order, found: Measured, rows: Sequence[int]) -> tuple[int, ...]:
    """Return the rows at the place, ties with them; a place in a column of ranks is the figure that stands there."""
    values = {row: value for row in rows if (value := found.column.values[row]) is not None}
    if order.superlative is None:
        at = tuple(row for row, value in values.items() if value.low == value.high == order.position)
        return at if len(at) <= MOST_TIED else ()
    if len(values) < max(1.0, READ * len(rows)):
        return ()
    return _tied({row: (value.low, value.high) for row, value in values.items()}, order, found.descending)


def _tied(values: dict[int, tuple[Decimal, Decimal]], order: Order, descending: bool) -> tuple[int, ...]:
    """Return the rows from the order's place on, as many as it takes, and those that share the last place."""
    keys = {row: (-high, -low) if descending else (low, high) for row, (low, high) in values.items()}
    ranked = sorted(keys, key=lambda row: (keys[row], row))
    first, last = order.position - 1, order.position + order.take - 2
    if last >= len(ranked):
        return ()
    chosen = tuple(row for row in ranked if keys[ranked[first]] <= keys[row] <= keys[ranked[last]])
    return chosen if len(chosen) < order.take + MOST_TIED else ()
