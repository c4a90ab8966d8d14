"""Blocks of an answer, made of what a model wrote: text, lists, tables of cited cells, cited pictures."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace

from agent.citations.numbering import without_markers
from agent.citations.quotes import row_text
from agent.citations.wording import claim_coverage, unknown_names
from agent.language.addresses import holds_address
from agent.language.copied_text import CopiedTextFilter
from agent.language.framing import Frame
from agent.writing.claims import ClaimReader, tidy
from agent.writing.replies import (
    LABEL_CHARACTERS,
    MOST_TABLE_COLUMNS,
    MOST_TABLE_ROWS,
    WrittenBlock,
    WrittenClaim,
    WrittenFigure,
    WrittenHeading,
    WrittenTable,
    WrittenText,
)
from heliograph.text.figures import missing_figures
from heliograph.text.numbers import without_marks
from heliograph.text.sentences import as_sentence
from heliograph.types import (
    Draft,
    DraftBlock,
    DraftCell,
    DraftClaim,
    ImageEvidence,
    Need,
    Quote,
    TableEvidence,
    TableSegment,
    UnsaidClaim,
)
from prompts.harmless import clipped

CAPTION_CHARACTERS = 400
"""Of a picture's caption, which is its page's own."""
OWN_WORDS = 0.5
"""Share of a label's words that must be words of needs and titles."""


@dataclass(slots=True)
class Part:
    """A part of an answer: claims, the blocks that they stand in, and sentences that had to be left out."""

    claims: list[DraftClaim] = field(default_factory=list)
    blocks: list[DraftBlock] = field(default_factory=list)
    not_said: list[UnsaidClaim] = field(default_factory=list)

    def say(self, claims: Iterable[DraftClaim | UnsaidClaim | None]) -> tuple[int, ...]:
        """Take claims up and return their places; what is no claim has none."""
        first = len(self.claims)
        for claim in claims:
            match claim:
                case DraftClaim():
                    self.claims.append(claim)
                case UnsaidClaim():
                    self.not_said.append(claim)
        return tuple(range(first, len(self.claims)))

    def without(self, places: Collection[int]) -> "Part":
        """Return the part without some claims, blocks that say nothing else, and headings with nothing under them."""
        kept = [place for place in range(len(self.claims)) if place not in places]
        new = {place: number for number, place in enumerate(kept)}
        blocks = [
            replace(block, claims=tuple(new[place] for place in block.claims if place in new))
            for block in self.blocks
            if not block.claims or not new.keys().isdisjoint(block.claims)
        ]
        kinds = [*(block.kind for block in blocks[1:]), "heading"]
        blocks = [block for block, after in zip(blocks, kinds, strict=False) if {block.kind, after} != {"heading"}]
        return Part([self.claims[place] for place in kept], blocks, self.not_said)


def joined(parts: Iterable[Part], reason: str = "", not_found: Iterable[str] = ()) -> Draft:
    """Return parts as one draft, their claims counted through."""
    claims: list[DraftClaim] = []
    blocks: list[DraftBlock] = []
    not_said: list[UnsaidClaim] = []
    for part in parts:
        blocks += (replace(block, claims=tuple(place + len(claims) for place in block.claims)) for block in part.blocks)
        claims += part.claims
        not_said += part.not_said
    if not claims:
        blocks = []
    unsaid = tuple(dict.fromkeys(not_said))
    return Draft(tuple(claims), reason, tuple(blocks), tuple(dict.fromkeys(not_found)), not_said=unsaid)


class Labels:
    """Checks headings, titles and captions, which nobody checks as claims are checked.

    Nothing that a page had a model write may come to stand in an answer uncited. A label speaks in words of the needs
    and of titles, copies no two words of a page beside these, and has no name or figure that stands nowhere below it.
    """

    def __init__(self, needs: Sequence[Need], frame: Frame) -> None:
        pieces = tuple(frame.handles.values())
        places = (" ".join((piece.place.title, *piece.place.path)) for piece in pieces)
        self._known = (*(need.text for need in needs), *dict.fromkeys(places))
        self._copied = CopiedTextFilter(" ".join(need.text for need in needs), pieces, ())

    def honest(self, text: str, said: Sequence[str], named: Sequence[str] = ()) -> str:
        """Return a label that a model wrote; nothing where it is to be left out.

        Args:
            said: what it stands over.
            named: words that it may use beside those of needs and titles: the columns of a table.
        """
        line, known = label(text), (*self._known, *named)
        own = unknown_names(line, (*known, *said)) or missing_figures(line, (*known, *said))
        return "" if own or claim_coverage(line, known) < OWN_WORDS or self._copied.copies_run(line) else line


@dataclass(frozen=True, slots=True)
class BlockBuilder:
    """Builds the blocks of one reply.

    Args:
        needs: what the answer must say, the question first; a block names its need by number, counted from 1.
    """

    frame: Frame
    reader: ClaimReader
    needs: Sequence[Need]
    labels: Labels

    def part(self, written: Sequence[WrittenBlock]) -> Part:
        """Return what a reply says; blocks without anything that is cited are left out."""
        part = Part()
        for block in written:
            match block:
                case WrittenText():
                    self._text(part, block)
                case WrittenTable():
                    self._table(part, block)
                case WrittenFigure():
                    self.figure(part, block.picture, self._need(block.need))
                case WrittenHeading():
                    part.blocks.append(DraftBlock("heading", text=block.text, level=2, need=self._need(block.need)))
        return part

    def sentences(self, written: Sequence[WrittenClaim], pictures: Sequence[str]) -> Part:
        """Return a few sentences as a paragraph, with the pictures that are asked for."""
        part = Part()
        places = part.say(map(self.reader.read, written))
        alone = len(places) == 1 and part.claims[0].computation is not None
        if places:
            part.blocks.append(DraftBlock("calculation" if alone else "paragraph", places, need=0))
        for handle in dict.fromkeys(pictures):
            self.figure(part, handle, 0)
        return part

    def figure(self, part: Part, handle: str, need: int | None) -> None:
        """Show a picture; where nothing else is said its caption is, since an answer without claims is none."""
        piece = self.frame.piece(handle)
        if not isinstance(piece, ImageEvidence) or any(block.figure == piece.id for block in part.blocks):
            return
        caption = piece.caption.strip() or piece.alt.strip()
        if not part.claims and caption:
            places = part.say([DraftClaim(as_sentence(caption), (Quote(piece.id, caption),))])
            part.blocks.append(DraftBlock("paragraph", places, need=need))
        if part.claims:
            text = label(caption, CAPTION_CHARACTERS) or label(piece.place.title)
            part.blocks.append(DraftBlock("figure", text=text, figure=piece.id, need=need))

    def _text(self, part: Part, block: WrittenText) -> None:
        places = part.say(map(self.reader.read, block.claims))
        if not places:
            return
        computed = len(places) == 1 and part.claims[places[0]].computation is not None
        kind = "paragraph" if block.kind == "calculation" and not computed else block.kind
        part.blocks.append(DraftBlock(kind, places, need=self._need(block.need)))

    def _table(self, part: Part, block: WrittenTable) -> None:
        rows = self._rows(block.rows)
        if not rows:
            return
        header = _columns(block.columns, rows)
        marked = {
            (str(piece.id), _folded(each.column))
            for each in block.marked
            if (piece := self.frame.piece(each.row)) is not None
        }
        cells = tuple(tuple(_cell(row, name, marked) for name in header) for row in rows)
        if not any(cell.quote for row in cells for cell in row):
            return
        said = [cell.text for row in cells for cell in row]
        caption = self.labels.honest(block.caption, said, (rows[0].caption, *header)) or label(rows[0].caption)
        names = tuple(without_markers(without_marks(name)) for name in header)
        part.blocks.append(DraftBlock("table", text=caption, header=names, rows=cells, need=self._need(block.need)))

    def _rows(self, handles: Sequence[str]) -> tuple[TableSegment, ...]:
        """Return rows by their handles, each once; the handle of a table stands for its rows that are shown."""
        found: list[TableSegment] = []
        for handle in handles:
            match self.frame.piece(handle):
                case TableSegment() as row:
                    found.append(row)
                case TableEvidence() as table:
                    found += self.frame.rows_of(table)
        return tuple(dict.fromkeys(found))[:MOST_TABLE_ROWS]

    def _need(self, number: int) -> int | None:
        return number - 1 if 1 <= number <= len(self.needs) else None


def label(text: str, most: int = LABEL_CHARACTERS) -> str:
    """Return a heading, title or caption as one line without markers and handles; nothing where it holds an address."""
    line = clipped(without_markers(tidy(text)), most).strip().rstrip(".:").strip()
    return "" if holds_address(text) or holds_address(line) else line


def _columns(wanted: Sequence[str], rows: Sequence[TableSegment]) -> tuple[str, ...]:
    """Return the names of columns as the tables spell them; all columns where none of those wanted is known."""
    known = {_folded(name): name for row in rows for name in row.header if name.strip()}
    named = dict.fromkeys(known[_folded(name)] for name in wanted if _folded(name) in known)
    return tuple(named or known.values())[:MOST_TABLE_COLUMNS]


def _cell(row: TableSegment, column: str, marked: Collection[tuple[str, str]]) -> DraftCell:
    """Return the cell of a row in a column; an empty one where it has none.

    It quotes the whole row, as claims do: all cells of a row are one reference, which says what they are about.
    """
    for name, cell in zip(row.header, row.cells, strict=False):
        if _folded(name) != _folded(column) or not cell.text.strip():
            continue
        text = without_markers(without_marks(cell.text))
        if text and not holds_address(text):
            return DraftCell(text, Quote(row.id, row_text(row.header, row.cells)), (row.id, _folded(column)) in marked)
    return DraftCell("")


def _folded(name: str) -> str:
    return " ".join(without_marks(name).casefold().split())
