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
from heliograph.types import ORDERING, TABLE_OPERATIONS, Slots, TableEvidence, TableOperation, TableQuestion
from tools.arithmetic.calculations import calculate
from tools.arithmetic.plans import (
    LogicalForm,
    Mention,
    calculation_of,
    candidate_conditions,
    is_foregone,
    logical_forms,
    table_question,
)
from tools.arithmetic.result import Computed, TableAnswers
from tools.arithmetic.sheet import Sheet, sheet_of
from tools.arithmetic.telling import answer_of, tell

LEAST = 0.05
"""Probability below which nothing is returned."""
MOST_READ = 24
"""Logical forms of a question that are calculated, the most probable first."""
LONGEST_QUESTION = 1_000
"""Characters of a question that is read over tables."""
MOST_CELLS = 20_000
"""Cells of the tables that one question is read over: a second or so."""
MOST_TABLES = 12
"""Tables that one question is read over, the best first."""
LEAST_ROWS = {"find": 1, "sum": 2, "mean": 2, "most": 2, "least": 2}
"""Rows without which there is nothing to tell, to add up or to order."""
OVER_ROWS: frozenset[TableOperation] = ORDERING | {"count", "sum", "mean"}
"""What is asked over several rows, which no single one answers."""


@dataclass(frozen=True, slots=True)
class _Read:
    """A table with the slots of a question over it."""

    sheet: Sheet
    mentions: tuple[Mention, ...]
    slots: Slots

    @property
    def nothing(self) -> float:
        """How probable it is that nothing is asked of the table."""
        return math.exp(self.slots.operation[TABLE_OPERATIONS.index("none")])

    def asks(self, kinds: frozenset[TableOperation]) -> float:
        """Return how probable it is that one of several things is asked."""
        return float(
            sum(
                math.exp(share)
                for kind, share in zip(TABLE_OPERATIONS, self.slots.operation, strict=True)
                if kind in kinds
            )
        )


class TableReader:
    """Read questions over tables with a trained parser; what blocks runs in a thread."""

    def __init__(self, parser: QuestionParser) -> None:
        self._parser = parser

    async def weigh(self, question: str, tables: Sequence[TableEvidence]) -> TableAnswers:
        """Compute the most probable value of each table that gives any."""
        read = await self._read(question, tables)
        every = await asyncio.to_thread(lambda: [best for each in read if (best := _best(question, each))])
        found = sorted((each for each in every if each.confidence >= LEAST), key=lambda one: -one.confidence)
        return TableAnswers(tuple(found), max((each.asks(OVER_ROWS) for each in read), default=0.0))

    async def _read(self, question: str, tables: Sequence[TableEvidence]) -> list[_Read]:
        shown = await asyncio.to_thread(_shown, question, tables)
        slots = await self._parser.parse([asked for _, _, asked in shown]) if shown else ()
        return [_Read(sheet, mentions, each) for (sheet, mentions, _), each in zip(shown, slots, strict=True)]


def _shown(question: str, tables: Sequence[TableEvidence]) -> list[tuple[Sheet, tuple[Mention, ...], TableQuestion]]:
    """Return the tables that can be read, with conditions that the question may set and what the parser reads."""
    sheets = [sheet for table in affordable(question, tables) if (sheet := sheet_of(table))]
    found = [(sheet, candidate_conditions(question, sheet)) for sheet in sheets]
    return [(sheet, mentions, table_question(question, sheet, mentions)) for sheet, mentions in found]


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
    """Return the value that is most probable of one table, by all logical forms that give it.

    Its probability is that among all that were tried, those that the cells do not allow and nothing included.
    """
    found, tried = dict[str, Computed](), 0
    mass, page = read.nothing, _unsaid_page(question, read.sheet)
    for form in logical_forms(read.slots, read.mentions):
        if is_foregone(form, read.sheet):
            continue
        if (tried := tried + 1) > MOST_READ:
            break
        mass += math.exp(form.score)
        if result := _result(form, read.sheet, page):
            before = found.setdefault(result.answer, replace(result, confidence=0.0))
            found[result.answer] = replace(before, confidence=before.confidence + result.confidence)
    best = max(found.values(), key=lambda each: each.confidence, default=None)
    return None if best is None else replace(best, confidence=best.confidence / mass)


def _unsaid_page(question: str, sheet: Sheet) -> str:
    """Return the title of a table's page behind a semicolon; nothing where the question says it."""
    title = plain_title(sheet.table.place.title)
    return "" if set(content_stems(title)) <= set(stems(question)) else f"; {title}"


def _result(form: LogicalForm, sheet: Sheet, page: str) -> Computed | None:
    """Calculate a logical form and tell it with its page; None where the cells allow no certain result."""
    try:
        found = calculate(calculation_of(form, sheet), [sheet.table])
    except CalculationError:
        return None
    if len(found.rows) < LEAST_ROWS.get(form.operation, 0):
        return None
    numbers = {sheet.id(row): row for row in sheet.rows}
    rows, winners = (tuple(numbers[row] for row in ids if row in numbers) for ids in (found.rows, found.winners))
    told = winners or rows
    answer = answer_of(form, sheet, found, winners)
    if not answer:
        return None
    names = tuple(dict.fromkeys(sheet.name(row) for row in told))
    ids = tuple(sheet.id(row) for row in told) if len(told) < len(sheet.rows) else ()
    sentence = f"{answer} ({tell(form, sheet, found, rows, winners)}{page})."
    return Computed(found.computation, sentence, names, ids, math.exp(form.score), answer=answer)
