"""Rows and passages as lines of a frame that page text can neither end nor write handles in.

The form is that of every prompt with evidence (prompts/framed_evidence.md): `[E3] (row) Page > Section :: words`.
Numbers are issued here; no title or id of ours is ever read back from a model.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Self

from heliograph.protocols import LLM
from heliograph.types import Passage, TableEvidence, TableSegment
from prompts import render_prompt
from prompts.harmless import clipped, harmless

ROW_CHARACTERS = 800
"""Characters of one row, of a table's heading and of its place that are shown."""
PLACE_CHARACTERS = 160
TITLE_CHARACTERS = 80
SLASHES = re.compile("/(?=/)")
MARGIN = 64
"""Tokens kept free for what a chat template adds."""


@dataclass(frozen=True, slots=True)
class PromptRoom:
    """How many tokens a prompt may have, and how they are counted."""

    tokens: int
    count: Callable[[str], int]

    @classmethod
    def of(cls, llm: LLM) -> Self:
        """Return the room of a model's prompts."""
        return cls(llm.room, llm.count)

    def beside(self, *parts: str) -> int:
        """Return the tokens that the other parts of a prompt leave for the lines of its frame."""
        return self.tokens - MARGIN - sum(map(self.count, (*parts, framed((), "0 rows of this table are not shown."))))

    def cost(self, lines: Sequence[str]) -> int:
        """Return the tokens of lines, each with its end."""
        return sum(self.count(line) + 1 for line in lines)


def question_part(question: str) -> str:
    """Return the part of a prompt that says what is asked."""
    return render_prompt("the_question", question=harmless(question))


def framed(lines: Sequence[str], rest: str) -> str:
    """Return lines as quoted data."""
    return render_prompt("framed_evidence", pieces="\n".join(lines), rest=rest)


def heading_line(table: TableEvidence, handle: str = "D1") -> str:
    """Return the place, caption and column names of a table."""
    names = " | ".join(map(part_of, table.header))
    return f"[{handle}] (table) {_place(table)} :: {clipped(_captioned(table.caption, names), ROW_CHARACTERS)}"


def cells_line(number: int, table: TableEvidence, row: int) -> str:
    """Return the cells of one row, counted from 0, under the column names of `heading_line`."""
    return f"[E{number}] (row) {cells_of(table, row)}"


def cells_of(table: TableEvidence, row: int) -> str:
    """Return the cells of one row, counted from 0."""
    return clipped(" | ".join(part_of(cell.text) for cell in table.rows[row]), ROW_CHARACTERS)


def segment_line(segment: TableSegment) -> str:
    """Return one row by itself, each cell after the name of its column."""
    pairs = zip(segment.header, segment.cells, strict=False)
    cells = " | ".join(f"{part_of(name)}: {part_of(cell.text)}" for name, cell in pairs if cell.text.strip())
    return f"[D1] (row) {_place(segment)} :: {clipped(_captioned(segment.caption, cells), ROW_CHARACTERS)}"


def passage_line(number: int, passage: Passage, longest: int) -> str:
    """Return one passage under its title."""
    return f"[E{number}] (text) {mention(passage)} :: {clipped(harmless(passage.text), longest)}"


def mention(passage: Passage) -> str:
    """Return the title of a passage."""
    return clipped(part_of(passage.title), TITLE_CHARACTERS)


def _place(piece: TableEvidence | TableSegment) -> str:
    return clipped(" > ".join(map(part_of, (piece.place.title, *piece.place.path))), PLACE_CHARACTERS)


def _captioned(caption: str, text: str) -> str:
    return f"{part_of(caption)} // {text}" if caption.strip() else text


def part_of(text: str) -> str:
    """Return a name, cell or title that reads as one: nothing in it looks like what stands between two of them."""
    return SLASHES.sub("/ ", harmless(text).replace("|", "¦"))
