"""Named calculations over tables: a caller names operation, table, column and rows, and code calculates.

Names resolve forgivingly: of columns the same name first, then the same but for case and blanks, then the only one that
begins so; of rows an evidence id, or the text of a cell that one row alone holds.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from heliograph.types import Calculation, Computation, EvidenceId, TableEvidence


@dataclass(frozen=True, slots=True)
class Calculated:
    """A calculated value.

    `value` is it as it is to be written, with its `unit`; `amount` the figure in that unit where it is one, unrounded.
    `rows` are the rows that entered, of both tables after a join; `winners` those that have the value of a max, min or
    ordinal. `description` says in a sentence what was done. `computation` is the record that a claim cites, and that
    `recompute` carries out again.
    """

    value: str
    unit: str
    amount: Decimal | None
    rows: tuple[EvidenceId, ...]
    winners: tuple[EvidenceId, ...]
    description: str
    computation: Computation


def calculate(calculation: Calculation, tables: Sequence[TableEvidence]) -> Calculated:
    """Carry out a calculation over the tables at hand, in time linear in their cells but for sorting.

    Raises:
        CalculationError: A name does not resolve, or the cells allow no certain result; the leaf of the tree
            (UnknownTable, UnknownColumn, UnknownRow, WrongOperands, WrongKind, Undecided) and its message say which,
            and `known` lists the names that there are.
    """
    raise NotImplementedError
