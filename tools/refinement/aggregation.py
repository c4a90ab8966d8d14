"""Column-wise aggregation: the rows that a superlative, a place, a count or a sum selects, by code and by the model."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from heliograph.protocols import LLM, DataGraph
from heliograph.types import Edge, EvidenceId, TableEvidence
from tools.arithmetic import Computed, compute, pick_rows
from tools.refinement.detection import Detected, detect
from tools.refinement.replies import MOST_NUMBERS
from tools.refinement.result import TablePicks
from tools.refinement.tables import ModelRows, restored, rows_by_model

LONGEST_TABLE = 2_000
"""Rows of a table that code still reads: a longer one would hold up everything else for seconds."""


@dataclass(frozen=True, slots=True)
class CodeRows:
    """The rows that code selects, by table, in the order of the tables, and the answer that it computes of the best."""

    rows: tuple[tuple[EvidenceId, ...], ...]
    computed: Computed | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Aggregation:
    """What aggregation selects: `picks` has the tables of which any row was named."""

    detected: Detected
    picks: tuple[TablePicks, ...] = ()
    computed: Computed | None = None
    notes: tuple[str, ...] = ()


async def aggregate(
    question: str, edges: Sequence[Edge], data: DataGraph, llm: LLM | None, tables: int, width: int
) -> Aggregation:
    """Detect aggregation and have each judge that sees one select rows, of at most so many tables."""
    detected = await detect(question, llm)
    whole = restored(edges, data, tables) if detected.judges else ()
    none = ((),) * len(whole)
    code = await asyncio.to_thread(rows_by_code, question, whole) if "code" in detected.judges else CodeRows(none)
    held = {edge.segment for edge in edges}.union(*code.rows)
    asked = llm if "model" in detected.judges else None
    model = await rows_by_model(question, whole, held, data, asked, width) if asked else ModelRows(none)
    named = zip(whole, code.rows, model.rows, strict=True)
    picks = tuple(TablePicks(table.id, *rows) for table, *rows in named if any(rows))
    return Aggregation(detected, picks, code.computed, (*detected.notes, *code.notes, *model.notes))


def rows_by_code(question: str, tables: Sequence[TableEvidence]) -> CodeRows:
    """Return the rows that a computed answer rests on and, of tables that give none, those that an order selects."""
    short = [table for table in tables if len(table.rows) <= LONGEST_TABLE]
    computed = compute(question, short)
    rows = tuple(_selected(question, table, computed) if len(table.rows) <= LONGEST_TABLE else () for table in tables)
    long = (table.id for table in tables if len(table.rows) > LONGEST_TABLE)
    return CodeRows(rows, computed, tuple(f"{name} is too long to be computed on" for name in long))


def _selected(question: str, table: TableEvidence, computed: Computed | None) -> tuple[EvidenceId, ...]:
    """Return rows of one table; none where there are more than a model may name.

    A count of most of a table is no reason to read all of it.
    """
    if computed is not None and computed.computation.table == table.id:
        rows = computed.winners or computed.computation.rows
    else:
        picked = pick_rows(question, table)
        rows = picked.rows if picked else ()
    return rows if len(rows) <= MOST_NUMBERS else ()


def edges_of(rows: Sequence[EvidenceId], data: DataGraph) -> tuple[Edge, ...]:
    """Return every edge of rows, without scores; a row that links nothing is an edge by itself."""
    return tuple(Edge(row, passage) for row in rows for passage in dict.fromkeys(data.linked(row)) or (None,))
