"""Claims and what they cite as a model sees them: what a reader sees who follows a citation.

Judge and repair see the frame that the writer saw (`agent.language.framing`): a row stands inside its table, which is
shown whole where it fits and else says how many of its rows are shown; of a paragraph the quoted sentences stand with
what is around them. Each claim names the handles of what it cites.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from agent.citations.computations import describe
from agent.citations.grounds import Ground, find_evidence
from agent.language.framing import MARGIN, SHORTEST_PIECE, EvidenceFrames, Frame
from heliograph.errors import ContextOverflow
from heliograph.protocols import LLM
from heliograph.text.sentences import split_sentences
from heliograph.types import (
    DraftClaim,
    Evidence,
    EvidenceId,
    Scored,
    TableEvidence,
    TableSegment,
    TextEvidence,
)
from prompts import render_prompt
from prompts.harmless import clipped, harmless
from tools.arithmetic.columns import row_id

AROUND_CHARACTERS = 400
"""Characters of a paragraph up to which a judge sees what stands around a quote."""
EVIDENCE_TOKENS = 8_000
"""The most that evidence may take of a prompt; tables are filled up to it."""
HANDLE_TOKENS = 6
"""Taken by a handle in the line of a claim."""
ROWS_CITED = 24
"""Rows of a computation that are shown before the rest of its table."""
NAME_CHARACTERS = 60
"""Characters by which a reason names a piece."""
_CUT = " … "
_HANDLE = re.compile(r"[\[(]?\bE\d+(?:\.\d+)?\b[\])]?")
_CLAIM = re.compile(r"[\[(]?\bC\d+\b[\])]?")


@dataclass(frozen=True, slots=True)
class Exhibit:
    """A claim with what it cites.

    `quotes` are the words of each piece that are cited; `tables` those of its rows; `computed` is its computation in
    words.
    """

    claim: DraftClaim
    quotes: Mapping[EvidenceId, tuple[str, ...]]
    pieces: tuple[Evidence, ...]
    tables: tuple[TableEvidence, ...] = ()
    computed: str = ""

    def cited(self) -> tuple[EvidenceId, ...]:
        """Return what the claim names: the rows of a computation stand under its table."""
        table = () if self.claim.computation is None else (self.claim.computation.table,)
        return tuple(dict.fromkeys((*self.quotes, *table)))


@dataclass(frozen=True, slots=True)
class ClaimsFrame:
    """Claims and what they cite as the parts of a prompt; `whole` tells that every piece fits."""

    exhibits: tuple[Exhibit, ...]
    frame: Frame
    claims: str
    whole: bool

    def piece(self, handle: str) -> Evidence | None:
        """Return the piece that a model means by a handle, with all of its words."""
        found = self.frame.piece(handle)
        return found and next((piece for piece in self.pieces() if piece.id == found.id), found)

    def pieces(self) -> tuple[Evidence, ...]:
        """Return all that is cited or shown, with all of its words."""
        cited = {piece.id: piece for exhibit in self.exhibits for piece in exhibit.pieces}
        shown = {piece.id: piece for piece in self.frame.handles.values()}
        return tuple((cited | {name: piece for name, piece in shown.items() if name not in cited}).values())

    def reason(self, text: str, exhibit: Exhibit) -> str:
        """Return a reason in which pieces have names in place of handles, which nobody else knows."""
        named = _HANDLE.sub(lambda found: self._name(found[0], exhibit), text)
        return _CLAIM.sub("the claim", named)

    def _name(self, handle: str, exhibit: Exhibit) -> str:
        piece = self.frame.piece(handle)
        if piece is None:
            return "a piece"
        words = next(iter(exhibit.quotes.get(piece.id, ())), "")
        if isinstance(piece, TableEvidence):
            return f"the table “{clipped(harmless(piece.caption or piece.place.title), NAME_CHARACTERS)}”"
        if isinstance(piece, TableSegment):
            words = next((cell.text for cell in piece.cells if cell.text.strip()), words)
            return f"the row “{clipped(harmless(words), NAME_CHARACTERS)}”"
        return f"“{clipped(harmless(words or piece.place.title), NAME_CHARACTERS)}”"


def exhibit_of(claim: DraftClaim, grounds: Sequence[Ground], cited: Mapping[EvidenceId, Evidence]) -> Exhibit:
    """Return a claim with what it cites; of a quote that was not found the piece that it names."""
    quotes: dict[EvidenceId, tuple[str, ...]] = {}
    pieces: dict[EvidenceId, Evidence] = {}
    for ground in grounds:
        if ground.evidence is not None:
            piece = _row_of(ground.evidence, ground.located.row if ground.located else None)
            pieces[piece.id] = piece
            quotes[piece.id] = (*quotes.get(piece.id, ()), *((ground.located.text,) if ground.located else ()))
    computation = claim.computation
    table = cited.get(computation.table) if computation else None
    if computation is not None and table is not None:
        rows = (find_evidence(row, cited) for row in computation.rows[:ROWS_CITED])
        pieces |= {piece.id: piece for piece in (table, *rows) if piece is not None}
    names = [piece.table for piece in pieces.values() if isinstance(piece, TableSegment)]
    tables = (cited.get(name) for name in dict.fromkeys(names))
    return Exhibit(
        claim,
        quotes,
        tuple(pieces.values()),
        tuple(each for each in tables if isinstance(each, TableEvidence)),
        describe(computation, cited) if computation else "",
    )


def pages(
    llm: LLM,
    exhibits: Sequence[Exhibit],
    most: int,
    around: int,
    *beside: str,
    reasons: Sequence[str] = (),
) -> Iterator[ClaimsFrame]:
    """Show claims in their order, as many in a prompt as fit, but at most so many.

    Args:
        around: characters of a paragraph up to which what is around a quote is shown.
        beside: the other texts of the prompt, whose tokens are taken off the room.
        reasons: why each claim was refused.

    Raises:
        ContextOverflow: of what one claim cites no piece fits.
    """
    start = 0
    while start < len(exhibits):
        shown = _as_many(llm, exhibits[start : start + most], around, beside, reasons[start : start + most])
        yield shown
        start += len(shown.exhibits)


def _as_many(
    llm: LLM, exhibits: Sequence[Exhibit], around: int, beside: Sequence[str], reasons: Sequence[str]
) -> ClaimsFrame:
    """Show the most claims, from the first, whose pieces all fit; the first is shown as far as it fits."""
    shown = show(llm, exhibits, around, *beside, reasons=reasons)
    fits, fails = 1, len(exhibits)
    if shown.whole or fails == 1:
        return shown
    while fails - fits > 1:
        half = (fits + fails) // 2
        if show(llm, exhibits[:half], around, *beside, reasons=reasons[:half]).whole:
            fits = half
        else:
            fails = half
    return show(llm, exhibits[:fits], around, *beside, reasons=reasons[:fits])


def show(llm: LLM, exhibits: Sequence[Exhibit], around: int, *beside: str, reasons: Sequence[str] = ()) -> ClaimsFrame:
    """Show some claims and what they cite.

    Raises:
        ContextOverflow: no piece fits.
    """
    tables = {table.id: table for exhibit in exhibits for table in exhibit.tables}
    shown = {piece.id: piece for piece in _excerpts(exhibits, max(SHORTEST_PIECE, min(around, llm.room // 4)))}
    ranked = [Scored(piece, 0.0) for piece in (shown | tables).values()]
    claims = "\n".join(_claims(exhibits, {}, reasons))
    handles = HANDLE_TOKENS * sum(len(exhibit.pieces) for exhibit in exhibits)
    evidence = llm.room - MARGIN - handles - sum(map(llm.count, (*beside, claims_part(claims))))
    reserved = handles + max(0, evidence - EVIDENCE_TOKENS)
    try:
        frame = EvidenceFrames(llm).frame(ranked, *beside, claims_part(claims), reserved=reserved)
    except ContextOverflow:
        if len(exhibits) == 1:
            raise
        frame = Frame("", {}, tuple(shown))
    names = {piece.id: handle for handle, piece in frame.handles.items()}
    lines = "\n".join(_claims(exhibits, names, reasons))
    return ClaimsFrame(tuple(exhibits), frame, claims_part(lines), not frame.left_out)


def claims_part(lines: str) -> str:
    """Return the part of a prompt that shows claims."""
    return render_prompt("the_claims", claims=lines)


def _claims(
    exhibits: Sequence[Exhibit], handles: Mapping[EvidenceId, str], reasons: Sequence[str] = ()
) -> Iterator[str]:
    """Yield a line for each claim, numbered from C1: what it cites, its computation, and why it was refused."""
    for number, exhibit in enumerate(exhibits, start=1):
        cited = ", ".join(handles[name] for name in exhibit.cited() if name in handles) or "nothing"
        computed = f" (computed: {harmless(exhibit.computed)})" if exhibit.computed else ""
        lacking = f" (refused: {harmless(reasons[number - 1])})" if reasons else ""
        yield f"[C{number}] cites {cited}: {harmless(exhibit.claim.text)}{computed}{lacking}"


def _excerpts(exhibits: Sequence[Exhibit], longest: int) -> Iterator[Evidence]:
    """Yield each piece once; of text what all claims quote of it, and what is around that."""
    pieces = {piece.id: piece for exhibit in exhibits for piece in exhibit.pieces}
    for name, piece in pieces.items():
        quotes = [words for exhibit in exhibits for words in exhibit.quotes.get(name, ())]
        yield _excerpt(piece, quotes, longest) if isinstance(piece, TextEvidence) and quotes else piece


def _excerpt(piece: TextEvidence, quotes: Sequence[str], longest: int) -> TextEvidence:
    """Return the quoted sentences of a text with the one before each, and with more around them while these are short.

    A sentence that is too long is cut around the words quoted.
    """
    text = piece.text
    sentences = _places(text)
    spans = [(start, start + len(words)) for words in quotes if (start := text.find(words)) >= 0]
    quoted = [
        number
        for number, (first, last) in enumerate(sentences)
        if any(first < end and start < last for start, end in spans)
    ]
    if not quoted:
        return piece
    chosen = {max(0, number - step) for number in quoted for step in (0, 1)}
    by_distance = sorted(
        set(range(len(sentences))) - chosen, key=lambda each: (min(abs(each - number) for number in quoted), -each)
    )
    room = longest - sum(last - first for first, last in (sentences[number] for number in chosen))
    for number in by_distance:
        room -= sentences[number][1] - sentences[number][0]
        if room < 0:
            break
        chosen.add(number)
    parts = [sentences[number] for number in chosen]
    if sum(last - first for first, last in parts) > max(longest, 2 * sum(end - start for start, end in spans)):
        parts = [(max(0, start - longest // 2), min(len(text), end + longest // 2)) for start, end in spans]
    return replace(piece, text=_joined(text, parts))


def _places(text: str) -> list[tuple[int, int]]:
    """Return where the sentences of a text begin and end."""
    places: list[tuple[int, int]] = []
    for sentence in split_sentences(text):
        first = text.index(sentence, places[-1][1] if places else 0)
        places.append((first, first + len(sentence)))
    return places


def _joined(text: str, parts: Sequence[tuple[int, int]]) -> str:
    """Return parts of a text, whole words only, with an ellipsis for what is left out."""
    said: list[str] = []
    done = 0
    for start, end in sorted(parts):
        first, last = _whole_words(text, max(start, done), end)
        if first < last:
            said.append((_CUT if text[done:first].strip() else " ") + text[first:last])
            done = last
    return ("".join(said) + (_CUT if text[done:].strip() else "")).strip()


def _whole_words(text: str, first: int, last: int) -> tuple[int, int]:
    while 0 < first < last and text[first].isalnum() and text[first - 1].isalnum():
        first += 1
    while first < last < len(text) and text[last].isalnum() and text[last - 1].isalnum():
        last -= 1
    return first, last


def _row_of(piece: Evidence, row: int | None) -> Evidence:
    """Return the row of a whole table in which a quote was found."""
    if not isinstance(piece, TableEvidence) or row is None:
        return piece
    return find_evidence(row_id(piece, row), {piece.id: piece}) or piece
