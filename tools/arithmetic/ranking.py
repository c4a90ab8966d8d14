"""Order the rows of a typed column, refusing an order that the cells leave open."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from heliograph.text.units import Value
from tools.arithmetic.columns import Column


@dataclass(frozen=True, slots=True)
class Ranked:
    """Rows with their values, best first, equal values together; `groups` are the ties."""

    groups: tuple[tuple[int, ...], ...]


def rank(column: Column, rows: Sequence[int], descending: bool, depth: int) -> Ranked | None:
    """Rank rows by a column; None where the first `depth` places are not certain because intervals overlap."""
    held = [(value, row) for row in rows if (value := column.values[row]) is not None]
    ordered = sorted(held, key=lambda pair: (_key(pair[0], descending), pair[1]))
    groups: list[list[tuple[Value, int]]] = []
    for value, row in ordered:
        if groups and _equal(groups[-1][0][0], value):
            groups[-1].append((value, row))
        else:
            groups.append([(value, row)])
    firsts = [group[0][0] for group in groups]
    for place, winner in enumerate(firsts[:depth]):
        if any(_overlap(winner, later) for later in firsts[place + 1 :]):
            return None
    return Ranked(tuple(tuple(row for _, row in group) for group in groups))


def places(ranked: Ranked, position: int) -> tuple[int, ...] | None:
    """Return the rows of one place, which ties share; None where a tie above makes it ambiguous."""
    before = 0
    for group in ranked.groups:
        if before >= position - 1:
            return group if before == position - 1 else None
        before += len(group)
    return None


def _key(value: Value, descending: bool) -> tuple[Decimal, Decimal]:
    return (-value.high, -value.low) if descending else (value.low, value.high)


def _equal(left: Value, right: Value) -> bool:
    return (left.low, left.high) == (right.low, right.high)


def _overlap(left: Value, right: Value) -> bool:
    return left.low <= right.high and right.low <= left.high
