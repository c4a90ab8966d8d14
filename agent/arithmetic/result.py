"""A computed answer, and the steps that both readers of questions share in making one."""

from collections.abc import Sequence
from dataclasses import dataclass

from agent.arithmetic.columns import Column, row_id
from agent.arithmetic.derivation import Derived, derive
from agent.arithmetic.questions import Asked
from agent.arithmetic.scope import Scope
from heliograph.types import Computation, EvidenceId

READABLE = 0.75
"""Share of the rows of a ranking that must hold a value that can be read."""


@dataclass(frozen=True, slots=True)
class Computed:
    """A computed answer: its computation, a sentence that tells it, and the rows that it names.

    `continues`: the question goes on from the item found (`names`), so this is its first hop and not its answer.
    """

    computation: Computation
    sentence: str
    names: tuple[str, ...]
    winners: tuple[EvidenceId, ...]
    confidence: float
    continues: bool = False


def ranked_by(asked: Asked, scope: Scope, column: Column) -> Derived | None:
    """Rank the rows of a scope by a column; None where a cell cannot be read or too few hold a value."""
    rows = tuple(row for row in scope.rows if column.values[row] is not None)
    if set(column.unreadable) & set(scope.rows):
        return None
    if len(rows) < max(2, asked.position + asked.take - 1) or len(rows) < READABLE * len(scope.rows):
        return None
    return derive(scope.view.table, column, rows, asked.operation, asked.position, asked.take, asked.descending)


def computation_of(asked: Asked, scope: Scope, column: Column, rows: Sequence[int], value: str) -> Computation:
    """Record what was computed, from which rows of which column."""
    table = scope.view.table
    entered = tuple(row_id(table, row) for row in rows)
    return Computation(asked.operation, table.id, column.name, entered, value, asked.position, asked.descending)


def row_ids(scope: Scope, rows: Sequence[int]) -> tuple[EvidenceId, ...]:
    """Return the ids of rows given by number."""
    return tuple(row_id(scope.view.table, row) for row in rows)
