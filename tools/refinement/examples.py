"""Supervised chat examples to tune a model of its own for refinement (HELIOS, appendix B.4).

The paper has a larger model write the replies. Here they follow from gold nodes, traced answers of HybridQA, and there
is no example where gold does not decide:

    detection   true where code picks a gold row, false where code finds no question over rows
    rows        the gold rows that code picks, with the column as the reason; none for the best table without gold
    passages    the passages of gold edges; none for the best stars of rows that hold no gold at all

A star whose gold is a cell tells nothing about its passages. Answers that are found in many rows are mostly matches by
chance: such questions give nothing. Prompts are those of refinement star by star (`heliograph eval ott`).
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Literal, TypeVar

from pydantic import BaseModel

from heliograph.errors import ContextOverflow
from heliograph.protocols import DataGraph
from heliograph.types import EvidenceId, Prompt, Star, Subgraph, TableEvidence
from prompts.harmless import clipped, harmless
from tools.arithmetic import LIKELY, Picked, TableReader
from tools.refinement.detection import detection_prompt
from tools.refinement.framing import PromptRoom
from tools.refinement.replies import REASON_CHARACTERS, Aggregates, PassageChoice, RowChoice
from tools.refinement.stars import Pair, batches, pair, stars_of
from tools.refinement.tables import MOST_TABLES, restored, rows_prompt
from tools.refinement.verification import passages_prompt

MOST_GOLD_ROWS = 3
"""Rows that may hold the answer before it is taken for a match by chance."""
NEGATIVES = 2
"""Stars without gold that a question gives: the best ones, which are the hardest to tell."""
NOTHING = "No column of this table holds what the question compares."

T = TypeVar("T")
Task = Literal["detection", "rows", "passages"]


@dataclass(frozen=True, slots=True)
class GoldQuestion:
    """A question, its candidate subgraph, and the gold: edges whose passage has the answer, or rows whose cell has it.

    A row whose cell has the answer is a pair without a passage.
    """

    question: str
    graph: Subgraph
    gold: frozenset[Pair]

    @property
    def rows(self) -> frozenset[EvidenceId]:
        """The rows that hold gold in a cell or by a passage."""
        return frozenset(row for row, _ in self.gold)


@dataclass(frozen=True, slots=True)
class ChatExample:
    """One prompt and the reply that gold asks for."""

    task: Task
    prompt: Prompt
    reply: BaseModel

    def line(self) -> str:
        """Return the example as a line of JSON in the form of the chat API."""
        said = (("system", self.prompt.system), ("user", "\n\n".join(self.prompt.parts)))
        told = (*said, ("assistant", self.reply.model_dump_json()))
        return json.dumps({"messages": [{"role": role, "content": text} for role, text in told]}, ensure_ascii=False)


async def chat_examples(
    asked: GoldQuestion, data: DataGraph, room: PromptRoom, reader: TableReader
) -> tuple[ChatExample, ...]:
    """Return the examples of one question, detection first; none whose prompt does not fit."""
    if not asked.gold or len(asked.rows) > MOST_GOLD_ROWS:
        return ()
    tables = restored(asked.graph.edges, data, MOST_TABLES)
    over_rows = (await reader.answers(asked.question, tables)).over_rows >= LIKELY
    found = {table.id: await reader.pick_rows(asked.question, table) for table in tables}
    picks = {table: picked for table, picked in found.items() if picked and set(picked.rows) & asked.rows}
    without = [table for table in tables if found[table.id] is None]
    return (
        *_detection(asked, bool(picks), over_rows),
        *_rows(asked, [table for table in tables if table.id in picks], picks, without, data, room),
        *_passages(asked, data, room),
    )


def _detection(asked: GoldQuestion, confirmed: bool, over_rows: bool) -> Iterator[ChatExample]:
    if confirmed or not over_rows:
        yield ChatExample("detection", detection_prompt(asked.question), Aggregates(aggregation=confirmed))


def _rows(
    asked: GoldQuestion,
    confirmed: Sequence[TableEvidence],
    picks: Mapping[EvidenceId, Picked],
    others: Sequence[TableEvidence],
    data: DataGraph,
    room: PromptRoom,
) -> Iterator[ChatExample]:
    """Yield a table with confirmed rows for each there is, and the best table that holds no gold beside them."""
    golden = {row.rpartition("/r")[0] for row in asked.rows}
    without = [table for table in others if table.id not in golden]
    for table in (*confirmed, *(without[:1] if picks else ())):
        shown = _fitting(partial(rows_prompt, asked.question, table, asked.rows, data, room))
        if shown:
            yield ChatExample("rows", shown.prompt, _row_choice(asked, table, picks.get(table.id)))


def _row_choice(asked: GoldQuestion, table: TableEvidence, picked: Picked | None) -> RowChoice:
    if picked is None:
        return RowChoice(reason=NOTHING, rows=[])
    numbers = [int(row.rpartition("/r")[2]) for row in picked.rows if row in asked.rows]
    index = table.header.index(picked.column)
    values = ", ".join(table.rows[number - 1][index].text for number in numbers)
    reason = f"By {picked.column}, the question asks for the row with {values}."
    return RowChoice(reason=clipped(harmless(reason), REASON_CHARACTERS), rows=numbers)


def _passages(asked: GoldQuestion, data: DataGraph, room: PromptRoom) -> Iterator[ChatExample]:
    """Yield every batch with gold, then the best ones of rows without any."""
    cut = batches(stars_of(asked.graph.edges))
    golden = (star for star in cut if any(pair(edge) in asked.gold for edge in star.edges))
    others = (star for star in cut if star.centre not in asked.rows)
    for star in (*golden, *islice(others, NEGATIVES)):
        prompt = _fitting(partial(passages_prompt, asked.question, star, data, room))
        if prompt:
            yield ChatExample("passages", prompt, _passage_choice(asked, star))


def _passage_choice(asked: GoldQuestion, star: Star) -> PassageChoice:
    return PassageChoice(passages=[at for at, edge in enumerate(star.edges, start=1) if pair(edge) in asked.gold])


def _fitting(make: Callable[[], T]) -> T | None:
    try:
        return make()
    except ContextOverflow:
        return None
