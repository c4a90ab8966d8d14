"""Answer a question by a calculation over one table, or not at all.

A trained parser says how probable each calculation over each table is (`tools.arithmetic.plans`). What several of them
give alike is as probable as all of these together. The most probable value answers, unless another table has one that
is nearly as probable and says something else.
"""

import asyncio
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from heliograph.errors import CalculationError
from heliograph.protocols import QuestionParser
from heliograph.text.names import plain_title
from heliograph.text.words import content_stems, stems
from heliograph.types import EvidenceId, Slots, TableEvidence
from tools.arithmetic.calculations import calculate
from tools.arithmetic.plans import (
    ASKED,
    Filling,
    Possible,
    calculation_of,
    fillings,
    possible_conditions,
    table_question,
)
from tools.arithmetic.result import Computed, Weighed
from tools.arithmetic.sheet import Sheet, sheet_of
from tools.arithmetic.telling import answer_of, tell

LEAST = 0.05
"""Probability below which nothing is returned."""
MOST_READ = 24
"""Fillings of a table's slots that are calculated, the most probable first."""
LONGEST_QUESTION = 1_000
"""Characters of a question that is read over tables."""
MOST_CELLS = 20_000
"""Cells of the tables that one question is read over: a second or so."""
MOST_TABLES = 12
"""Tables that one question is read over, the best first."""
ORDERS = frozenset(("most", "least"))
LEAST_ROWS = {"find": 1, "sum": 2, "mean": 2, "most": 2, "least": 2}
"""Rows without which there is nothing to tell, to add up or to order."""
OVER_ROWS = ORDERS | {"count", "sum", "mean", "difference", "more", "less"}


@dataclass(frozen=True, slots=True)
class Picked:
    """Rows that an order selects, the column that they are ordered by, and how probable that is."""

    rows: tuple[EvidenceId, ...]
    column: str
    probability: float


@dataclass(frozen=True, slots=True)
class _Read:
    """A table with the slots of a question over it."""

    sheet: Sheet
    conditions: tuple[Possible, ...]
    slots: Slots

    @property
    def nothing(self) -> float:
        """How probable it is that nothing is asked of the table."""
        return math.exp(self.slots.asked[ASKED.index("none")])

    def asks(self, kinds: frozenset[str]) -> float:
        """Return how probable it is that one of several things is asked."""
        return float(sum(math.exp(share) for kind, share in zip(ASKED, self.slots.asked, strict=True) if kind in kinds))


class TableReader:
    """Read questions over tables with a trained parser; what blocks runs in a thread."""

    def __init__(self, parser: QuestionParser) -> None:
        self._parser = parser

    async def weigh(self, question: str, tables: Sequence[TableEvidence]) -> Weighed:
        """Compute the most probable value of each table that gives any."""
        read = await self._read(question, tables)
        every = await asyncio.to_thread(lambda: [best for each in read if (best := _best(question, each))])
        found = sorted((each for each in every if each.confidence >= LEAST), key=lambda one: -one.confidence)
        return Weighed(tuple(found), max((each.asks(OVER_ROWS) for each in read), default=0.0))

    async def pick_rows(self, question: str, table: TableEvidence) -> Picked | None:
        """Return the rows that an order selects, whatever else the question asks; None where none is asked for."""
        for read in await self._read(question, [table]):
            ordering = (each for each in fillings(read.slots, read.conditions) if each.asked in ORDERS)
            return next(filter(None, (_winners(filling, read) for filling in ordering)), None)
        return None

    async def _read(self, question: str, tables: Sequence[TableEvidence]) -> list[_Read]:
        sheets, conditions = await asyncio.to_thread(_shown, question, tables)
        given = [table_question(question, *each) for each in zip(sheets, conditions, strict=True)]
        slots = await self._parser.parse(given) if given else ()
        return [_Read(*each) for each in zip(sheets, conditions, slots, strict=True)]


def _shown(question: str, tables: Sequence[TableEvidence]) -> tuple[list[Sheet], list[tuple[Possible, ...]]]:
    sheets = [sheet for table in affordable(question, tables) if (sheet := sheet_of(table))]
    return sheets, [possible_conditions(question, sheet) for sheet in sheets]


def left_out(question: str, tables: Sequence[TableEvidence]) -> tuple[str, ...]:
    """Say what is left out of account: a question, or tables, that would take too long."""
    if len(question) > LONGEST_QUESTION:
        return (f"nothing was computed: the question has more than {LONGEST_QUESTION:,} characters",)
    read = {table.id for table in affordable(question, tables)}
    names = dict.fromkeys(table.id for table in tables if table.id not in read)
    return tuple(f"{name} is too long to be computed on" for name in names)


def affordable(question: str, tables: Sequence[TableEvidence]) -> tuple[TableEvidence, ...]:
    """Return the tables, each once, whose cells can be read in time; they are counted, for replays to do the same."""
    if len(question) > LONGEST_QUESTION:
        return ()
    left, read = MOST_CELLS, list[TableEvidence]()
    for table in {table.id: table for table in tables if table.kind == "table"}.values():
        cells = len(table.rows) * len(table.header)
        if cells <= left and len(read) < MOST_TABLES:
            left -= cells
            read.append(table)
    return tuple(read)


def _best(question: str, read: _Read) -> Computed | None:
    """Return the value that is most probable of one table, by all fillings that give it.

    Its probability is that among everything that can be asked of the table, nothing included.
    """
    found: dict[str, Computed] = {}
    for filling in fillings(read.slots, read.conditions)[:MOST_READ]:
        result = _result(question, filling, read.sheet)
        if result is not None:
            before = found.setdefault(result.answer, replace(result, confidence=0.0))
            found[result.answer] = replace(before, confidence=before.confidence + result.confidence)
    if not found:
        return None
    best = max(found.values(), key=lambda each: each.confidence)
    return replace(best, confidence=best.confidence / (sum(each.confidence for each in found.values()) + read.nothing))


def _result(question: str, filling: Filling, sheet: Sheet) -> Computed | None:
    """Calculate a filling; None where the cells allow no certain result. The page is named if the question does not."""
    try:
        found = calculate(calculation_of(filling, sheet), [sheet.table])
    except CalculationError:
        return None
    if len(found.rows) < LEAST_ROWS.get(filling.asked, 0):
        return None
    numbers = {sheet.id(row): row for row in sheet.rows}
    rows, winners = (tuple(numbers[row] for row in ids if row in numbers) for ids in (found.rows, found.winners))
    told = winners or rows
    answer = answer_of(filling, sheet, found, winners)
    if not answer:
        return None
    names = tuple(dict.fromkeys(sheet.name(row) for row in told))
    ids = tuple(sheet.id(row) for row in told) if len(told) < len(sheet.rows) else ()
    title = plain_title(sheet.table.place.title)
    page = "" if set(content_stems(title)) <= set(stems(question)) else f"; {title}"
    sentence = f"{answer} ({tell(filling, sheet, found, rows, winners)}{page})."
    return Computed(found.computation, sentence, names, ids, math.exp(filling.score), answer)


def _winners(filling: Filling, read: _Read) -> Picked | None:
    try:
        found = calculate(calculation_of(filling, read.sheet), [read.sheet.table])
    except CalculationError:
        return None
    return Picked(found.winners, found.computation.column, math.exp(filling.score))
