"""Evidence in a prompt: numbered by us, framed as quotation, bounded by what the model has room for.

Every piece is one line, `[E3] (text) Page > Section :: words`. A table that is at hand whole is a block of lines: a
head `[E4] (table) Page > Section :: caption // columns: A | B (2 rows)`, then its rows in the order of the table, each
with a handle of its own, `[E4.2] cell | cell`. Words hold no line break, no square bracket and no tag
(`prompts.harmless`), so that no page can end the frame, begin a line or write a handle. Handles stand for evidence
ids, which no model ever sees or writes.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from agent.citations.quotes import resolve, row_text
from heliograph.errors import ContextOverflow
from heliograph.protocols import LLM
from heliograph.types import (
    Cell,
    Evidence,
    EvidenceId,
    ImageEvidence,
    Scored,
    TableEvidence,
    TableSegment,
    TextEvidence,
)
from prompts import render_prompt
from prompts.harmless import clipped, harmless
from tools.arithmetic.columns import row_id

PIECE_CHARACTERS = 4_000
"""Characters of one paragraph that are shown; in a small context half of its room in tokens, so that several fit."""
SHORTEST_PIECE = 200
CELL_CHARACTERS = 600
"""Characters of one cell: a row is shown whole, and a cell that holds a page of text does not take the others' room."""
PLACE_CHARACTERS = 160
SEPARATOR = " :: "
"""Between the place of a piece and its words."""
BAR = " | "
"""Between the cells of a row."""
ALL_SHOWN = "All pieces are shown; … stands for words that are not."
COUNT_TOKENS = 16
"""Taken by what the head of a table says of its rows."""
MARGIN = 64
"""Tokens kept free for what a chat template adds."""

_HANDLE = re.compile(r"\W*E?\s*(\d{1,6})(?:\s*\.\s*(?:row\s*|r)?(\d{1,6}))?\W*", re.IGNORECASE)

_Line = tuple[int, int]
"""The place of a line in a frame: the number of its piece, and that of a row in its table, 0 for the piece itself."""


@dataclass(frozen=True, slots=True)
class Frame:
    """Pieces as a model sees them; `handles` leads back to them, `left_out` names those there was no room for."""

    text: str
    handles: Mapping[str, Evidence]
    left_out: tuple[EvidenceId, ...] = ()

    def piece(self, handle: str) -> Evidence | None:
        """Return the piece that a model means by a handle; None for a handle that we did not issue here."""
        found = _HANDLE.fullmatch(handle)
        if found is None:
            return None
        return self.handles.get(_handle((int(found[1]), int(found[2] or 0))))

    @property
    def tables(self) -> tuple[TableEvidence, ...]:
        """The whole tables of which rows are shown."""
        return tuple(piece for piece in self.handles.values() if isinstance(piece, TableEvidence))

    def rows_of(self, table: TableEvidence) -> tuple[TableSegment, ...]:
        """Return the rows of a table that are shown, in its order."""
        pieces = self.handles.values()
        return tuple(piece for piece in pieces if isinstance(piece, TableSegment) and piece.table == table.id)


@dataclass(slots=True)
class _Filling:
    """A frame being filled: lines by their places, as long as there is room."""

    llm: LLM
    room: int
    lines: dict[_Line, str] = field(default_factory=dict)
    pieces: dict[_Line, Evidence] = field(default_factory=dict)

    def add(self, *lines: tuple[_Line, str, Evidence]) -> bool:
        """Add lines that stand together or none; what is there already costs nothing."""
        new = [line for line in lines if line[0] not in self.lines]
        heads = sum(isinstance(piece, TableEvidence) for _, _, piece in new)
        cost = sum(self.llm.count(text) + 1 for _, text, _ in new) + heads * COUNT_TOKENS
        if cost > self.room:
            return False
        self.room -= cost
        for place, text, piece in new:
            self.lines[place] = text
            self.pieces[place] = piece
        return True


class EvidenceFrames:
    """The frames of one task in one run: what was once shown keeps its number and its place, new pieces follow.

    So each prompt begins with the one before it as far as its pieces are still there, and a server's prefix cache
    serves them.
    """

    def __init__(self, llm: LLM) -> None:
        self._llm = llm
        self._longest = max(SHORTEST_PIECE, min(PIECE_CHARACTERS, llm.room // 2))
        self._numbers: dict[EvidenceId, int] = {}
        self._pieces: dict[EvidenceId, Evidence] = {}

    def frame(
        self,
        evidence: Sequence[Scored[Evidence]],
        *beside: str,
        reserved: int = 0,
        left_out: Sequence[EvidenceId] = (),
    ) -> Frame:
        """Show the pieces, best first, until the room is used; then pieces shown before; then the rest of the tables.

        Whole tables that fit come before parts of larger ones. A row stands inside its table where that is at hand,
        and nowhere else.

        Args:
            beside: the other texts of the prompt, whose tokens are taken off the room.
            reserved: further tokens to be taken off, as for pictures.
            left_out: pieces that did not fit before these were put in another order.

        Raises:
            ContextOverflow: there is evidence, and not one piece fits.
        """
        given = {scored.item.id: scored.item for scored in evidence}
        pieces = {**given, **self._pieces}
        tables = {name: piece for name, piece in pieces.items() if isinstance(piece, TableEvidence)}
        room = self._llm.room - MARGIN - reserved - sum(map(self._llm.count, (*beside, _framed((), 0))))
        filling = _Filling(self._llm, room)
        for name, piece in pieces.items():
            if self._show(piece, tables, filling):
                self._pieces[name] = piece
        if given and not filling.lines:
            raise ContextOverflow("no piece of evidence fits the prompt; set a larger context_tokens for the model")
        self._show_rest(tables.values(), filling)
        return self._filled(given, filling, left_out)

    def _show(self, piece: Evidence, tables: Mapping[EvidenceId, TableEvidence], filling: _Filling) -> bool:
        """Show one piece; a row with the head of its table, a table with all its rows if they fit."""
        table = tables.get(piece.table) if isinstance(piece, TableSegment) else None
        number = self._number(table or piece)
        if isinstance(piece, TableSegment) and table is not None:
            shown = filling.add(self._head(number, table), self._row(number, piece))
        elif isinstance(piece, TableEvidence):
            head = self._head(number, piece)
            shown = filling.add(head, *(self._row(number, row) for row in rows_of(piece))) or filling.add(head)
        else:
            line = piece_line(_handle((number, 0)), piece, self._longest)
            shown = filling.add(((number, 0), line, piece))
        if shown:
            self._numbers[(table or piece).id] = number
        return shown

    def _show_rest(self, tables: Iterable[TableEvidence], filling: _Filling) -> None:
        """Show the rows that nobody chose: tables that fit whole first, then the rest of others from the top."""
        parts: list[list[tuple[_Line, str, Evidence]]] = []
        for table in tables:
            number = self._numbers.get(table.id)
            if number is None or (number, 0) not in filling.lines:
                continue
            rows = [self._row(number, row) for row in rows_of(table)]
            if not filling.add(*rows):
                parts.append(rows)
        for row in (row for rows in parts for row in rows):
            if not filling.add(row):
                return

    def _filled(self, given: Mapping[EvidenceId, Evidence], filling: _Filling, before: Sequence[EvidenceId]) -> Frame:
        places = sorted(filling.lines)
        lines = [_counted(filling.lines[place], filling.pieces[place], place, places) for place in places]
        handles = {_handle(place): filling.pieces[place] for place in places}
        shown = {piece.id for piece in handles.values()}
        left_out = tuple(name for name in dict.fromkeys((*given, *before)) if name not in shown)
        return Frame(_framed(lines, len(left_out)), handles, left_out)

    def _number(self, piece: Evidence) -> int:
        return self._numbers.get(piece.id, len(self._numbers) + 1)

    def _head(self, number: int, table: TableEvidence) -> tuple[_Line, str, Evidence]:
        return (number, 0), piece_line(_handle((number, 0)), table), table

    def _row(self, number: int, row: TableSegment) -> tuple[_Line, str, Evidence]:
        return (number, row.number), f"[{_handle((number, row.number))}] {_cells(row.cells)}", row


def rows_of(table: TableEvidence) -> Iterator[TableSegment]:
    """Yield the rows of a table as pieces of their own."""
    for number in range(len(table.rows)):
        row = resolve(row_id(table, number), table)
        if row is not None:
            yield row


def piece_line(handle: str, piece: Evidence, longest: int = PIECE_CHARACTERS) -> str:
    """Return a piece as one line of a frame; of a whole table it is the head, and of text a cut ends a sentence."""
    place = " > ".join(map(harmless, (piece.place.title, *piece.place.path)))
    if isinstance(piece, TableEvidence):
        said = harmless(_captioned(piece.caption, f"columns: {BAR.join(piece.header)}"))
    else:
        said = harmless(words_of(piece))
    said = clipped(said, longest) if isinstance(piece, TextEvidence | ImageEvidence) else said
    return f"[{handle}] ({kind_of(piece)}) {clipped(place, PLACE_CHARACTERS)}{SEPARATOR}{said}"


def words_of(piece: Evidence) -> str:
    """Return what a model may quote of a piece, in the spelling in which it is quoted."""
    match piece:
        case TextEvidence():
            return piece.text
        case ImageEvidence():
            return " / ".join(dict.fromkeys(part for part in (piece.caption, piece.alt) if part.strip()))
        case TableSegment():
            return _captioned(piece.caption, row_text(piece.header, piece.cells))
        case TableEvidence():
            rows = (BAR.join(cell.text for cell in row if cell.text.strip()) for row in piece.rows)
            return _captioned(piece.caption, " // ".join((BAR.join(piece.header), *rows)))


def kind_of(piece: Evidence) -> str:
    """Name what a piece is, for a reader."""
    match piece:
        case TextEvidence():
            return "text"
        case TableSegment():
            return "row"
        case TableEvidence():
            return "table"
        case ImageEvidence():
            return "image"


def framed_lines(head: str, lines: Sequence[str]) -> Iterator[str]:
    """Number lines of page text, each by a handle of its own: `[D1] Title`."""
    return (f"[{head}{number}] {harmless(line)}" for number, line in enumerate(lines, start=1))


def question_part(question: str) -> str:
    """Return the part of a prompt that says what is asked."""
    return render_prompt("the_question", question=harmless(question))


def _handle(place: _Line) -> str:
    number, row = place
    return f"E{number}.{row}" if row else f"E{number}"


def _cells(cells: Sequence[Cell]) -> str:
    return BAR.join(clipped(harmless(cell.text), CELL_CHARACTERS) for cell in cells).strip()


def _counted(line: str, piece: Evidence, place: _Line, places: Sequence[_Line]) -> str:
    """Return the head of a table with how many of its rows are shown; another line as it is."""
    if not isinstance(piece, TableEvidence):
        return line
    shown = sum(number == place[0] and row > 0 for number, row in places)
    every = len(piece.rows)
    return f"{line} ({shown} of {every} rows are shown)" if shown < every else f"{line} (all {every} rows)"


def _captioned(caption: str, text: str) -> str:
    return f"{caption} // {text}" if caption.strip() else text


def _framed(lines: Sequence[str], left_out: int) -> str:
    rest = f"{left_out} less fitting pieces are not shown." if left_out else ALL_SHOWN
    return render_prompt("framed_evidence", pieces="\n".join(lines), rest=rest)
