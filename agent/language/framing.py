"""Evidence in a prompt: numbered by us, framed as quotation, bounded by what the model has room for.

Every piece is one line, `[E3] (row) Page > Section :: words`; its words hold no line break, no square bracket and no
tag (`prompts.harmless`), so that no page can end the frame, begin a line or write a handle. Handles stand for
evidence ids, which no model ever sees or writes.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from agent.citations.quotes import find_words, locate, quotable, row_text
from heliograph.errors import ContextOverflow
from heliograph.protocols import LLM
from heliograph.types import (
    Evidence,
    EvidenceId,
    ImageEvidence,
    Quote,
    Scored,
    TableEvidence,
    TableSegment,
    TextEvidence,
)
from prompts import render_prompt
from prompts.harmless import clipped, harmless, shown_with_places
from tools.arithmetic.columns import row_id

PIECE_CHARACTERS = 1_200
SHORTEST_PIECE = 200
"""Characters of one piece that are shown: in a small context a quarter of its room in tokens, so that a few fit."""
PLACE_CHARACTERS = 160
SEPARATOR = " :: "
"""Between the place of a piece and its words."""
MARGIN = 64
"""Tokens kept free for what a chat template adds."""

_CUT = re.compile(r"\s*(?:…|\.\.\.)\s*$")
_HANDLE = re.compile(r"\W*E?\s*(\d{1,6})\W*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Frame:
    """Pieces as a model sees them; `handles` leads back to them, `left_out` names those there was no room for."""

    text: str
    handles: Mapping[str, Evidence]
    left_out: tuple[EvidenceId, ...] = ()

    def piece(self, handle: str) -> Evidence | None:
        """Return the piece that a model means by a handle; None for a handle that we did not issue here."""
        found = _HANDLE.fullmatch(handle)
        return self.handles.get(f"E{int(found[1])}") if found else None


class EvidenceFrames:
    """The frames of one task in one run: what was once shown keeps its number and its place, new pieces follow.

    So each prompt begins with the one before it as far as its pieces are still there, and a server's prefix cache
    serves them.
    """

    def __init__(self, llm: LLM) -> None:
        self._llm = llm
        self._longest = max(SHORTEST_PIECE, min(PIECE_CHARACTERS, llm.room // 4))
        self._numbers: dict[EvidenceId, int] = {}
        self._pieces: dict[EvidenceId, Evidence] = {}

    def frame(self, evidence: Sequence[Scored[Evidence]], *beside: str, reserved: int = 0) -> Frame:
        """Show whole pieces, best first, until the room is used; then pieces shown before, as far as they fit.

        Args:
            beside: the other texts of the prompt, whose tokens are taken off the room.
            reserved: further tokens to be taken off, as for pictures.

        Raises:
            ContextOverflow: there is evidence, and not one piece fits.
        """
        given = {scored.item.id: scored.item for scored in evidence}
        room = self._llm.room - MARGIN - reserved - sum(map(self._llm.count, (*beside, _framed((), 0))))
        lines: dict[int, str] = {}
        for name, piece in {**given, **self._pieces}.items():
            number = self._numbers.get(name, len(self._numbers) + 1)
            line = piece_line(f"E{number}", piece, self._longest)
            cost = self._llm.count(line) + 1
            if cost <= room:
                room -= cost
                lines[number] = line
                self._numbers[name] = number
                self._pieces[name] = piece
        if given and not lines:
            raise ContextOverflow("no piece of evidence fits the prompt; set a larger context_tokens for the model")
        names = {number: name for name, number in self._numbers.items()}
        handles = {f"E{number}": self._pieces[names[number]] for number in sorted(lines)}
        shown = {piece.id for piece in handles.values()}
        left_out = tuple(name for name in given if name not in shown)
        return Frame(_framed([lines[number] for number in sorted(lines)], len(left_out)), handles, left_out)


def piece_line(handle: str, piece: Evidence, longest: int = PIECE_CHARACTERS) -> str:
    """Return a piece as one line of a frame."""
    place = " > ".join(map(harmless, (piece.place.title, *piece.place.path)))
    said = clipped(harmless(words_of(piece)), longest)
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
            rows = (" | ".join(cell.text for cell in row if cell.text.strip()) for row in piece.rows)
            return _captioned(piece.caption, " // ".join((" | ".join(piece.header), *rows)))


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


def exact_quote(quote: str, piece: Evidence) -> Quote | None:
    """Return the source's own words for a quote of what was shown; a row of a whole table is quoted as the row.

    None where the words do not stand in the piece. Models make sentences of quotes and copy what is around the words
    shown, so the first letter may be of the other case, the place may stand before and an ellipsis behind; what is
    returned is as the source has it.
    """
    return next(filter(None, (_found(wanted, piece) for wanted in _spellings(quote))), None)


def _spellings(quote: str) -> Iterator[str]:
    quote = _CUT.sub("", quote)
    for words in dict.fromkeys((quote, quote.partition(SEPARATOR)[2])):
        yield words
        yield words[:1].swapcase() + words[1:]


def _found(quote: str, piece: Evidence) -> Quote | None:
    located = locate(quote, piece)
    if located is not None:
        return _quote(piece, located.row, located.text)
    for row, source in quotable(piece):
        shown, places = shown_with_places(source)
        span = find_words(quote, shown)
        if span is not None:
            return _quote(piece, row, source[places[span[0]] : places[span[1] - 1] + 1])
    return None


def framed_lines(head: str, lines: Sequence[str]) -> Iterator[str]:
    """Number lines of page text, each by a handle of its own: `[D1] Title`."""
    return (f"[{head}{number}] {harmless(line)}" for number, line in enumerate(lines, start=1))


def question_part(question: str) -> str:
    """Return the part of a prompt that says what is asked."""
    return render_prompt("the_question", question=harmless(question))


def _quote(piece: Evidence, row: int | None, text: str) -> Quote:
    return Quote(row_id(piece, row) if isinstance(piece, TableEvidence) and row is not None else piece.id, text)


def _captioned(caption: str, text: str) -> str:
    return f"{caption} // {text}" if caption.strip() else text


def _framed(lines: Sequence[str], left_out: int) -> str:
    rest = f"{left_out} less fitting pieces are not shown." if left_out else "Nothing was left out."
    return render_prompt("framed_evidence", pieces="\n".join(lines), rest=rest)
