"""Named calculations over tables: an operation, a table, its columns and rows."""

from dataclasses import dataclass
from typing import Literal, get_args

from heliograph.types.evidence import EvidenceId

Operation = Literal[
    "count", "max", "min", "sum", "mean", "latest", "earliest", "ordinal", "median", "rank", "difference", "ratio",
    "percentage", "change", "date_difference", "comparison", "filter", "join",
]  # fmt: skip
Relation = Literal["is", "is_not", "contains", "above", "at_least", "below", "at_most"]


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition on the cells of one column, such as `Height (m)` `above` `2 km`; a row without a value fails it."""

    column: str
    relation: Relation
    value: str


@dataclass(frozen=True, slots=True)
class Join:
    """A second table whose rows are appended to those of the first where two cells say the same.

    `column` is of the first table, `other` of `table`, where each cell of `other` may stand once. Of the columns of
    both tables with one name, the second's is called `Name (title of its page)`.
    """

    table: EvidenceId
    column: str
    other: str


@dataclass(frozen=True, slots=True)
class Calculation:
    """What is to be calculated, by names that `tools.arithmetic.calculate` resolves.

    `rows` are evidence ids or texts of cells, and with `where` restrict the rows that enter; all rows enter where both
    are empty. `among` restricts the rows that a percentage is a share of, or among which a row is ranked.

      count, filter, join        rows left; a filter or join tells their cells of `column`, the names where it is empty
      sum, mean, median          of a column of figures
      max, min, ordinal          of figures or dates, with the rows that have it; `position` is the place of an ordinal
      rank                       the place of one row, from the top where `descending`
      difference, ratio          two rows: the first minus, or divided by, the second; of dates as date_difference
      percentage                 the share of a column's sum, or of the number of rows where `column` is empty
      change                     from the earliest row to the latest by the dates of `time`
      date_difference            the time between two dates, never negative
      comparison                 `Yes` or `No`: whether the first row stands in `relation` to the second, or to `value`

    The two operands of difference, ratio, change, date_difference and comparison are `column` and `other` of one row
    where `other` is named; a change goes from `column` to `other`.
    """

    operation: Operation
    table: EvidenceId
    column: str = ""
    rows: tuple[str, ...] = ()
    where: tuple[Condition, ...] = ()
    among: tuple[Condition, ...] = ()
    other: str = ""
    time: str = ""
    relation: Relation = "above"
    value: str = ""
    position: int = 1
    descending: bool = True
    join: Join | None = None


TableOperation = Literal["none", "find", "count", "sum", "mean", "most", "least", "difference", "more", "less", "is"]
"""What a question asks of a table: nothing; cells; their number, sum or mean; a row by an order; how far two rows are
apart; and, with yes or no, whether a row has more, or less, than another, or whether there is a row."""
TABLE_OPERATIONS: tuple[TableOperation, ...] = get_args(TableOperation)
"""Everything that may be asked, in the order in which a parser gives it."""
SELECTING: frozenset[TableOperation] = frozenset(("find", "sum", "mean", "most", "least"))
"""What is asked of a column that is told."""
ORDERING: frozenset[TableOperation] = frozenset(("most", "least", "difference", "more", "less"))
"""What is asked of a column that orders or compares."""
RANKING: frozenset[TableOperation] = frozenset(("most", "least"))
"""What is asked of a place in an order."""
ConditionOperator = Literal["is", "not", "has", "above", "below", "at_least", "at_most"]
"""How a question wants a cell to stand to a value."""
CONDITION_OPERATORS: tuple[ConditionOperator, ...] = get_args(ConditionOperator)


@dataclass(frozen=True, slots=True)
class TableQuestion:
    """A question with what is read of a table: what it is about, its columns, and conditions that may be set.

    Columns and conditions begin with a mark of one token that says how much of them the question says. Conditions that
    one mention in the question may mean stand together: of these at most one is set.
    """

    question: str
    about: str
    columns: tuple[str, ...]
    conditions: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Slots:
    """How probable each value of each slot of a question over a table is, as logarithms.

    `operation` is in the order of TABLE_OPERATIONS, `place` in that of places of an order from the first; `selected`,
    the column that is told, and `ordering`, that by which rows are ordered, have one a column that was read. `mentions`
    have a row for each that was read: first that it sets no condition, then for each of its conditions the operators,
    in the order of CONDITION_OPERATORS.
    """

    operation: tuple[float, ...]
    place: tuple[float, ...]
    selected: tuple[float, ...]
    ordering: tuple[float, ...]
    mentions: tuple[tuple[float, ...], ...]
