"""Claims and what they cite as a model sees them: what a reader sees who follows a citation.

A row is shown whole, with its column names and the caption of its table; a sentence with the one before it. All is one
line a piece, made harmless, as in `agent.language.framing`.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from agent.citations.grounds import Ground, find_evidence
from agent.citations.numbering import described
from agent.citations.quotes import row_text
from agent.citations.sentences import split_sentences
from agent.language.framing import (
    MARGIN,
    PLACE_CHARACTERS,
    SEPARATOR,
    SHORTEST_PIECE,
    kind_of,
    words_of,
)
from heliograph.protocols import LLM
from heliograph.types import Computation, DraftClaim, Evidence, EvidenceId, TableEvidence, TableSegment, TextEvidence
from prompts import render_prompt
from prompts.harmless import clipped, harmless
from tools.arithmetic.columns import row_id

PIECE_CHARACTERS = 1_200
"""Characters of a piece that a judge is shown."""
ROWS_SHOWN = 24
"""Rows of a computation that are shown."""


Piece = tuple[str, str, str]
"""The kind of a piece, its place and its words, all harmless."""


@dataclass(frozen=True, slots=True)
class Exhibit:
    """A claim with the pieces that it rests on."""

    claim: DraftClaim
    pieces: tuple[Piece, ...]


def exhibit_of(claim: DraftClaim, grounds: Sequence[Ground], cited: Mapping[EvidenceId, Evidence]) -> Exhibit:
    """Return a claim with what it rests on; quotes that were not found are left out."""
    pieces = [_quoted(ground) for ground in grounds if ground.located is not None]
    table = cited.get(claim.computation.table) if claim.computation else None
    if claim.computation is not None and isinstance(table, TableEvidence):
        pieces.append(("computed", _place(table), _computed(claim.computation, table)))
    return Exhibit(claim, tuple(dict.fromkeys(pieces)))


def pages(
    llm: LLM, exhibits: Sequence[Exhibit], most: int, longest: int, *beside: str
) -> Iterator[tuple[Exhibit, ...]]:
    """Split exhibits, in their order, so that each part fits a prompt and has at most so many.

    Args:
        longest: characters of a piece.
        beside: the other texts of the prompt, whose tokens are taken off the room.
    """
    room = llm.room - MARGIN - sum(map(llm.count, (*beside, evidence_part((), 0), claims_part(()))))
    part: tuple[Exhibit, ...] = ()
    for exhibit in exhibits:
        wider = (*part, exhibit)
        cost = sum(llm.count(line) + 1 for line in (*_lines(wider, longest), *_claims(wider)))
        if part and (cost > room or len(part) == most):
            yield part
            wider = (exhibit,)
        part = wider
    if part:
        yield part


def longest_piece(llm: LLM, most: int = PIECE_CHARACTERS) -> int:
    """Return how many characters of a piece are shown: in a small context a quarter of its room in tokens."""
    return max(SHORTEST_PIECE, min(most, llm.room // 4))


def evidence_part(exhibits: Sequence[Exhibit], longest: int) -> str:
    """Return the part of a prompt that shows the pieces of some claims, each once, numbered from E1."""
    rest = "Each claim names the pieces that it cites."
    return render_prompt("framed_evidence", pieces="\n".join(_lines(exhibits, longest)), rest=rest)


def claims_part(exhibits: Sequence[Exhibit], reasons: Sequence[str] = ()) -> str:
    """Return the part of a prompt that shows the claims, numbered from C1, each with its pieces and what it lacks."""
    return render_prompt("the_claims", claims="\n".join(_claims(exhibits, reasons)))


def _lines(exhibits: Sequence[Exhibit], longest: int) -> list[str]:
    return [
        f"[E{number}] ({kind}) {place}{SEPARATOR}{clipped(words, longest)}"
        for (kind, place, words), number in numbers_of(exhibits).items()
    ]


def _claims(exhibits: Sequence[Exhibit], reasons: Sequence[str] = ()) -> Iterator[str]:
    numbers = numbers_of(exhibits)
    for place, exhibit in enumerate(exhibits):
        handles = ", ".join(f"E{numbers[piece]}" for piece in exhibit.pieces) or "nothing"
        lacking = f" (refused: {harmless(reasons[place])})" if reasons else ""
        yield f"[C{place + 1}] cites {handles}: {harmless(exhibit.claim.text)}{lacking}"


def numbers_of(exhibits: Sequence[Exhibit]) -> dict[Piece, int]:
    """Number the pieces of some claims, each once, in the order of the claims."""
    pieces = dict.fromkeys(piece for exhibit in exhibits for piece in exhibit.pieces)
    return {piece: number for number, piece in enumerate(pieces, start=1)}


def _quoted(ground: Ground) -> Piece:
    piece, located = ground.evidence, ground.located
    assert piece is not None
    assert located is not None
    match piece:
        case TextEvidence():
            return "text", _place(piece), _in_context(located.text, located.source, located.start, located.end)
        case TableSegment():
            return "row", _place(piece), _row(piece, located.text)
        case TableEvidence() if located.row is not None:
            row = find_evidence(row_id(piece, located.row), {piece.id: piece})
            assert isinstance(row, TableSegment)
            return "row", _place(piece), _row(row, located.text)
        case TableEvidence():
            return "table", _place(piece), harmless(f"{piece.caption} // {' | '.join(piece.header)}")
        case _:
            return kind_of(piece), _place(piece), harmless(located.text)


def _row(row: TableSegment, quote: str) -> str:
    """Return a row with its caption, as a reader sees it."""
    text = row_text(row.header, row.cells)
    return harmless(f"{row.caption} // {text}" if row.caption.strip() else text) or harmless(quote)


def _in_context(quote: str, source: str, start: int, end: int) -> str:
    """Return a quote with the sentence before it, and with its own where it is a part of one."""
    places: list[tuple[int, int]] = []
    for sentence in split_sentences(source):
        first = source.index(sentence, places[-1][1] if places else 0)
        places.append((first, first + len(sentence)))
    touched = [number for number, (first, last) in enumerate(places) if first < end and start < last]
    if not touched:
        return harmless(quote)
    before = source[slice(*places[touched[0] - 1])] if touched[0] else ""
    own = source[places[touched[0]][0] : places[touched[-1]][1]]
    around = before if harmless(own).rstrip(".!?") == harmless(quote).rstrip(".!?") else f"{before} {own}"
    return f"{harmless(quote)} // around: {harmless(around)}" if around.strip() else harmless(quote)


def _computed(computation: Computation, table: TableEvidence) -> str:
    """Return a computation, and the rows that entered it."""
    cited = {table.id: table}
    rows = (find_evidence(row, cited) for row in computation.rows[:ROWS_SHOWN])
    texts = (row_text(row.header, row.cells) for row in rows if isinstance(row, TableSegment))
    return harmless(" // ".join((table.caption, described(computation), *texts)))


def whole(piece: Evidence) -> Piece:
    """Return all words of a piece."""
    return kind_of(piece), _place(piece), harmless(words_of(piece))


def _place(piece: Evidence) -> str:
    return clipped(" > ".join(map(harmless, (piece.place.title, *piece.place.path))), PLACE_CHARACTERS)
