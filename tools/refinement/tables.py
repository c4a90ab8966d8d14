"""Column-wise aggregation by the model: restored tables, each shown as far as it fits (HELIOS, section 4.3)."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from heliograph.errors import ContextOverflow, ModelError
from heliograph.protocols import LLM, DataGraph
from heliograph.types import Edge, EvidenceId, Prompt, TableEvidence
from prompts import render_prompt
from prompts.harmless import clipped
from tools.arithmetic.columns import row_id
from tools.refinement.framing import PromptRoom, cells_line, framed, heading_line, mention, part_of, question_part
from tools.refinement.replies import RowChoice
from tools.refinement.stars import by_score
from tools.refinement.waves import in_waves

MOST_TABLES = 5
"""Tables that are restored, those with the best edges first. The paper restores every table of the graph, but each
costs a prompt of its own, and a table further down adds rows that are mostly of another subject."""
LINKED_CHARACTERS = 120
"""Characters of each linked passage that are shown beside its row, where the table leaves room for them."""
LONGEST_LINKED = 60
"""Rows of a table beside which linked passages are shown at all."""


@dataclass(frozen=True, slots=True)
class ShownTable:
    """A prompt, and the rows (counted from 1, as they are numbered in it) that the model sees."""

    prompt: Prompt
    rows: frozenset[int]
    of: int


@dataclass(frozen=True, slots=True)
class ModelRows:
    """The rows that the model names, by table, in the order of the tables."""

    rows: tuple[tuple[EvidenceId, ...], ...]
    notes: tuple[str, ...] = ()


def restored(edges: Iterable[Edge], data: DataGraph, most: int) -> tuple[TableEvidence, ...]:
    """Return the whole tables of segments, in the order of their best edges (the mapping M)."""
    found: dict[EvidenceId, TableEvidence] = {}
    for edge in by_score(edges):
        name = data.segment(edge.segment).table
        if name not in found:
            if len(found) == most:
                break
            found[name] = data.table(edge.segment)
    return tuple(found.values())


async def rows_by_model(
    question: str, tables: Sequence[TableEvidence], held: Collection[EvidenceId], data: DataGraph, llm: LLM, width: int
) -> ModelRows:
    """Ask about each table which rows the aggregation gives; of a table about which the model fails there are none.

    `held` are rows that must be among those shown of a table that does not fit.
    """
    room = PromptRoom.of(llm)
    calls = [partial(_chosen, question, table, held, data, llm, room) for table in tables]
    found = await in_waves(calls, width)
    rows = tuple(() if isinstance(each, ModelError) else each[0] for each in found)
    notes = (_note(table, each) for table, each in zip(tables, found, strict=True))
    return ModelRows(rows, tuple(note for note in notes if note))


def rows_prompt(
    question: str, table: TableEvidence, held: Collection[EvidenceId], data: DataGraph, room: PromptRoom
) -> ShownTable:
    """Return the prompt that shows a table: with what its rows link to, with the titles of that, or by itself.

    Of a table that fits in none of these ways the rows that are `held` are shown, and of the others as many as fit,
    from the top.

    Raises:
        ContextOverflow: not one row fits.
    """
    system, asked = render_prompt("select_rows"), question_part(question)
    heading, left = heading_line(table), room.beside(system, asked)
    for lines in _detailed(table, data):
        if room.cost((heading, *lines)) <= left:
            return _shown(system, asked, heading, dict(enumerate(lines)), table)
    fitting = _fitting(table, held, room, left - room.cost((heading,)))
    if not fitting:
        raise ContextOverflow("no row of a table fits the prompt; set a larger context_tokens for the model")
    return _shown(system, asked, heading, fitting, table)


def _detailed(table: TableEvidence, data: DataGraph) -> Iterator[list[str]]:
    """Yield the rows of a table with linked passages, with their titles, and alone."""
    plain = [cells_line(row + 1, table, row) for row in range(len(table.rows))]
    if len(plain) <= LONGEST_LINKED:
        links = [[data.passage(each) for each in data.linked(row_id(table, row))] for row in range(len(plain))]
        said = [
            [f"{mention(each)}: {clipped(part_of(each.text), LINKED_CHARACTERS)}" for each in held] for held in links
        ]
        yield [_linking(line, held) for line, held in zip(plain, said, strict=True)]
        yield [_linking(line, list(map(mention, held))) for line, held in zip(plain, links, strict=True)]
    yield plain


def _linking(line: str, linked: Sequence[str]) -> str:
    return f"{line} // links: {'; '.join(linked)}" if linked else line


def _fitting(table: TableEvidence, held: Collection[EvidenceId], room: PromptRoom, left: int) -> dict[int, str]:
    """Return the rows that there is room for: those held first, then from the top."""
    numbers = sorted(range(len(table.rows)), key=lambda row: (row_id(table, row) not in held, row))
    lines: dict[int, str] = {}
    for row in numbers:
        line = cells_line(row + 1, table, row)
        left -= room.cost((line,))
        if left < 0:
            break
        lines[row] = line
    return lines


def _shown(system: str, asked: str, heading: str, lines: dict[int, str], table: TableEvidence) -> ShownTable:
    missing = len(table.rows) - len(lines)
    rest = f"{missing} rows of this table are not shown." if missing else "All rows of this table are shown."
    frame = framed([heading, *(lines[row] for row in sorted(lines))], rest)
    return ShownTable(
        Prompt("select_rows", system, (asked, frame)), frozenset(row + 1 for row in lines), len(table.rows)
    )


async def _chosen(
    question: str, table: TableEvidence, held: Collection[EvidenceId], data: DataGraph, llm: LLM, room: PromptRoom
) -> tuple[tuple[EvidenceId, ...], ShownTable]:
    shown = rows_prompt(question, table, held, data, room)
    named = dict.fromkeys((await llm.ask(shown.prompt, RowChoice)).rows)
    known = [number for number in named if number in shown.rows]
    return tuple(row_id(table, number - 1) for number in known), shown


def _note(table: TableEvidence, found: tuple[tuple[EvidenceId, ...], ShownTable] | ModelError) -> str:
    if isinstance(found, ModelError):
        return f"rows of {table.id} were not selected by the model ({type(found).__name__})"
    shown = found[1]
    return f"{len(shown.rows)} of {shown.of} rows of {table.id} were shown" if len(shown.rows) < shown.of else ""
