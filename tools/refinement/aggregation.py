"""Column-wise aggregation: the rows that a superlative, a place, a count or a sum selects, by code and by the model."""

from collections.abc import Sequence
from dataclasses import dataclass

from heliograph.protocols import LLM, DataGraph
from heliograph.types import Edge, EvidenceId, TableEvidence
from tools.arithmetic import LIKELY, Computed, TableReader, left_out
from tools.refinement.detection import Detected, detect
from tools.refinement.replies import MOST_NUMBERS
from tools.refinement.result import TablePicks
from tools.refinement.tables import ModelRows, restored, rows_by_model


@dataclass(frozen=True, slots=True)
class Judges:
    """Who says whether a question is one over rows, and selects them: a reader of tables, a language model, or both."""

    reader: TableReader | None = None
    llm: LLM | None = None


@dataclass(frozen=True, slots=True)
class CodeRows:
    """The rows that code selects, by table, in the order of the tables, and the answer that it computes of the best.

    `aggregates` says whether the question is one over rows at all; nothing is selected where it is none.
    """

    rows: tuple[tuple[EvidenceId, ...], ...]
    computed: Computed | None = None
    notes: tuple[str, ...] = ()
    aggregates: bool = False


@dataclass(frozen=True, slots=True)
class Aggregation:
    """What aggregation selects: `picks` has the tables of which any row was named."""

    detected: Detected
    picks: tuple[TablePicks, ...] = ()
    computed: Computed | None = None
    notes: tuple[str, ...] = ()


async def aggregate(
    question: str,
    edges: Sequence[Edge],
    data: DataGraph,
    judges: Judges,
    tables: int,
    width: int,
) -> Aggregation:
    """Detect aggregation; each judge that sees one, code or the model, selects rows of at most so many tables."""
    whole = restored(edges, data, tables) if judges.reader or judges.llm else ()
    code = await rows_by_code(question, whole, judges.reader) if judges.reader else CodeRows(((),) * len(whole))
    detected = await detect(question, code.aggregates, judges.llm)
    held = {edge.segment for edge in edges}.union(*code.rows)
    asked = judges.llm if "model" in detected.judges else None
    model = await rows_by_model(question, whole, held, data, asked, width) if asked else ModelRows(((),) * len(whole))
    named = zip(whole, code.rows, model.rows, strict=True)
    picks = tuple(TablePicks(table.id, *rows) for table, *rows in named if any(rows))
    return Aggregation(detected, picks, code.computed, (*detected.notes, *code.notes, *model.notes))


async def rows_by_code(question: str, tables: Sequence[TableEvidence], reader: TableReader) -> CodeRows:
    """Return the rows that a computed answer rests on and, of tables that give none, those that an order selects."""
    found, notes = await reader.answers(question, tables), left_out(question, tables)
    if found.over_rows < LIKELY:
        return CodeRows(((),) * len(tables), notes=notes)
    rows = [await _selected(question, table, found.best, reader) for table in tables]
    return CodeRows(tuple(rows), found.best, notes, True)


async def _selected(
    question: str, table: TableEvidence, computed: Computed | None, reader: TableReader
) -> tuple[EvidenceId, ...]:
    """Return rows of one table; none where there are more than a model may name.

    A count of most of a table is no reason to read all of it.
    """
    if computed is not None and computed.computation.table == table.id:
        rows = computed.winners or computed.computation.rows
    else:
        picked = await reader.pick_rows(question, table)
        rows = picked.rows if picked else ()
    return rows if len(rows) <= MOST_NUMBERS else ()


def edges_of(rows: Sequence[EvidenceId], data: DataGraph) -> tuple[Edge, ...]:
    """Return every edge of rows, without scores; a row that links nothing is an edge by itself."""
    return tuple(Edge(row, passage) for row in rows for passage in dict.fromkeys(data.linked(row)) or (None,))
