"""The stars of several needs as one list: tables, rows of them, and below each row the passages of its edges.

    [E1] (table) Lighthouses of Varn :: Lighthouse | Keeper | Height (m) (2 of 4 rows)
    [E1.1] Holm Light | Ada Holm | 31
    [E2] (text) Ada Holm :: Ada Holm is known on Varn.
    [E1.4] Bare Rock | - | 12

Everything stands in the order of ids, so that a list depends on which pieces it has, and neither on their scores nor on
which need wants them. A passage of several rows is written once and then named.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from heliograph.protocols import DataGraph
from heliograph.turns import by_turns
from heliograph.types import EvidenceId, Passage, Prompt, TableEvidence
from prompts import render_prompt
from prompts.harmless import harmless
from tools.arithmetic.columns import row_id
from tools.refinement.framing import PromptRoom, cells_of, framed, heading_line, mention, passage_line

PASSAGE_CHARACTERS = (600, 300, 150)
"""Characters of each passage that are shown: as many as let all of them stand in one list, the same for all."""
MARK_TOKENS = 4
"""Taken by a passage where it is said for which need it is to be judged."""
COUNT_TOKENS = 16
"""Taken by what the head of a table says of its rows."""
WIDEST = 9_999
"""A number as wide as any that is issued."""

RowPassage = tuple[EvidenceId, EvidenceId]
"""A row and a passage."""


@dataclass(frozen=True, slots=True)
class StarTask:
    """What is to be judged for a need: rows with passages, best first, and tables whose rows it may compare."""

    need: str
    pairs: tuple[RowPassage, ...]
    tables: tuple[TableEvidence, ...] = ()


@dataclass(frozen=True, slots=True)
class StarList:
    """A prompt and what its handles stand for.

    `pairs` by their numbers, `rows` by the numbers of table and row; `judged` has the numbers of the passages that are
    to be judged for each need, in the order of the needs.
    """

    prompt: Prompt
    pairs: Mapping[int, RowPassage]
    rows: Mapping[tuple[int, int], EvidenceId]
    judged: tuple[frozenset[int], ...]


def star_lists(wanted: Sequence[StarTask], data: DataGraph, room: PromptRoom, most: int) -> tuple[StarList, ...]:
    """Return one list of all that is wanted, or as many as it takes and `most` allows; what is left over has none.

    Passages are cut until all fit into one list. Where they do not fit even then, the best of each need come first, by
    turns. Rows that may be compared get half of the room before passages are cut for them, and what those leave.
    """
    pairs = by_turns(want.pairs for want in wanted)
    tables = dict.fromkeys(table.id for want in wanted for table in want.tables)
    held = {table.id: table for want in wanted for table in want.tables}
    rows = tuple(row_id(held[name], row) for name in tables for row in range(len(held[name].rows)))
    lists: list[StarList] = []
    while (pairs or rows) and len(lists) < most:
        taken = _filled(wanted, pairs, rows, data, room)
        if not taken.rows:
            break
        lists.append(_laid_out(wanted, taken, data))
        pairs, rows = pairs[len(taken.pairs) :], ()
    return tuple(lists)


@dataclass(slots=True)
class _Filling:
    """A list being filled: rows and passages are taken as long as there is room."""

    data: DataGraph
    room: PromptRoom
    left: int
    longest: int
    pairs: list[RowPassage] = field(default_factory=list)
    rows: set[EvidenceId] = field(default_factory=set)
    known: set[EvidenceId] = field(default_factory=set)

    def add_pair(self, pair: RowPassage, needs: int) -> bool:
        """Take a passage that so many needs want, with its row, if they fit."""
        row, name = pair
        passage = self.data.passage(name)
        line = _same(WIDEST, passage, WIDEST) if name in self.known else passage_line(WIDEST, passage, self.longest)
        if not self.add_row(row, self.room.cost((line,)) + MARK_TOKENS * needs):
            return False
        self.pairs.append(pair)
        self.known.add(name)
        return True

    def add_rows(self, rows: Sequence[EvidenceId], least: int) -> int:
        """Take rows as long as they fit and leave at least so many tokens; return how many."""
        for count, row in enumerate(rows):
            if self.left <= least or not self.add_row(row):
                return count
        return len(rows)

    def add_row(self, row: EvidenceId, more: int = 0) -> bool:
        """Take a row with the head of its table, if they and so many tokens more fit."""
        segment, table = self.data.segment(row), self.data.table(row)
        if row not in self.rows:
            more += self.room.cost((_row_line(WIDEST, segment.number, table),))
        if table.id not in self.known:
            more += self.room.cost((heading_line(table, f"E{WIDEST}"),)) + COUNT_TOKENS
        if more > self.left:
            return False
        self.left -= more
        self.rows.add(row)
        self.known.add(table.id)
        return True


def _filled(
    wanted: Sequence[StarTask],
    pairs: Sequence[RowPassage],
    rows: Sequence[EvidenceId],
    data: DataGraph,
    room: PromptRoom,
) -> _Filling:
    """Return as many rows and passages as one list can hold."""
    left = room.beside(render_prompt("refine_stars"), _needs_part(wanted), _judge_part([()] * len(wanted)))
    asking = [frozenset(want.pairs) for want in wanted]
    for longest in PASSAGE_CHARACTERS:
        taken = _Filling(data, room, left, longest)
        compared = taken.add_rows(rows, left // 2)
        if all(taken.add_pair(pair, sum(pair in each for each in asking)) for pair in pairs):
            break
    taken.add_rows(rows[compared:], 0)
    return taken


@dataclass(slots=True)
class _Layout:
    """Lines being written, and what their handles stand for."""

    data: DataGraph
    longest: int
    lines: list[str] = field(default_factory=list)
    pairs: dict[int, RowPassage] = field(default_factory=dict)
    rows: dict[tuple[int, int], EvidenceId] = field(default_factory=dict)
    written: dict[EvidenceId, int] = field(default_factory=dict)
    number: int = 0

    def add_table(self, rows: Sequence[EvidenceId], pairs: Mapping[EvidenceId, Sequence[RowPassage]]) -> None:
        """Write a table with some of its rows, in their order, and the passages below each."""
        self.number = head = self.number + 1
        table = self.data.table(rows[0])
        self.lines.append(f"{heading_line(table, f'E{head}')} ({len(rows)} of {len(table.rows)} rows)")
        for row in rows:
            number = self.data.segment(row).number
            self.rows[head, number] = row
            self.lines.append(_row_line(head, number, table))
            for pair in pairs.get(row, ()):
                self._add_passage(pair)

    def _add_passage(self, pair: RowPassage) -> None:
        self.number += 1
        self.pairs[self.number] = pair
        passage = self.data.passage(pair[1])
        first = self.written.setdefault(pair[1], self.number)
        same = first != self.number
        self.lines.append(
            _same(self.number, passage, first) if same else passage_line(self.number, passage, self.longest)
        )


def _laid_out(wanted: Sequence[StarTask], taken: _Filling, data: DataGraph) -> StarList:
    layout = _Layout(data, taken.longest)
    pairs = {row: tuple(held) for row, held in groupby(sorted(taken.pairs), key=lambda pair: pair[0])}
    segments = sorted(map(data.segment, taken.rows), key=lambda row: (row.table, row.number))
    for _, held in groupby(segments, key=lambda row: row.table):
        layout.add_table([row.id for row in held], pairs)
    judged = tuple(frozenset(number for number, pair in layout.pairs.items() if pair in want.pairs) for want in wanted)
    parts = (_needs_part(wanted), framed(layout.lines, "Nothing else is to be judged."), _judge_part(judged))
    prompt = Prompt("refine_stars", render_prompt("refine_stars"), parts)
    return StarList(prompt, layout.pairs, layout.rows, judged)


def _needs_part(wanted: Sequence[StarTask]) -> str:
    needs = (f"[N{place}] {harmless(want.need)}" for place, want in enumerate(wanted, start=1))
    return render_prompt("the_needs", needs="\n".join(needs))


def _judge_part(judged: Sequence[Collection[int]]) -> str:
    """Return the part of a prompt that says which passages are to be judged for each need."""
    lines = (f"N{place}: {', '.join(_runs(sorted(each))) or 'none'}" for place, each in enumerate(judged, start=1))
    return render_prompt("passages_to_judge", needs="\n".join(lines))


def _runs(numbers: Sequence[int]) -> Iterator[str]:
    """Yield numbers as handles, those that follow each other as one: E2-E5."""
    for _, run in groupby(enumerate(numbers), key=lambda each: each[1] - each[0]):
        first, *others = (number for _, number in run)
        yield f"E{first}-E{others[-1]}" if others else f"E{first}"


def _row_line(head: int, number: int, table: TableEvidence) -> str:
    return f"[E{head}.{number}] {cells_of(table, number - 1)}"


def _same(number: int, passage: Passage, first: int) -> str:
    return f"[E{number}] (text) {mention(passage)} :: as E{first}"
