"""The units an extractive answer is made of: sentences, list items, table rows, captions."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from agent.citations.quotes import row_text
from heliograph.text.names import names_in
from heliograph.text.sentences import split_sentences
from heliograph.text.words import coverage, stems
from heliograph.types import Evidence, ImageEvidence, TableEvidence, TableSegment, TextEvidence
from indexers.links import subject_of
from indexers.parser import segments
from indexers.render import heading, render

ROWS_A_TABLE = 1_000
"""Rows of one table among which named ones are looked for."""
LONGEST_WHOLE = 20_000
"""Characters of a row or of a caption past which it is not quoted; it is a page in disguise."""
MOST_UNITS = 2_000
"""Units of all evidence that are held against the question, those of the best evidence first; 20 pieces have few."""
LONGEST = 600
"""Characters of a sentence past which it is no sentence but a list or a table in disguise; it is not quoted."""


@dataclass(frozen=True, slots=True)
class Unit:
    """Words that can be quoted, the `number`-th of their piece; `said` is them with the place they stand in."""

    evidence: Evidence
    number: int
    quote: str
    said: str

    @property
    def continuous(self) -> bool:
        """Tell whether the unit goes on from the one before: sentences of a paragraph do, list items do not."""
        return isinstance(self.evidence, TextEvidence) and self.evidence.kind == "paragraph"


@dataclass(frozen=True, slots=True)
class Run:
    """Consecutive units of one piece, quoted together."""

    units: tuple[Unit, ...]

    @property
    def evidence(self) -> Evidence:
        """Return the piece that the run is quoted from."""
        return self.units[0].evidence

    @property
    def quote(self) -> str:
        """Return the words of the run."""
        return " ".join(unit.quote for unit in self.units)

    @property
    def stems(self) -> frozenset[str]:
        """Return the stems that the run says, with the place it stands in."""
        return frozenset(each for unit in self.units for each in stems(unit.said))


def units_of(evidence: Evidence) -> tuple[Unit, ...]:
    """Split a piece of evidence into units; a whole table has none, since its rows are pieces of their own."""
    return tuple(
        Unit(evidence, number, quote, _said(evidence, quote)) for number, quote in enumerate(_quotes(evidence))
    )


def share_of(asked: frozenset[str], unit: Unit) -> float:
    """Return the share of stems that a unit says, with the place it stands in."""
    return coverage(dict.fromkeys(asked, 1.0), frozenset(stems(unit.said)))


def all_units(question: str, evidence: Sequence[Evidence]) -> tuple[Unit, ...]:
    """Split all evidence into units, with the rows that are named: by the question, or by another piece of evidence.

    A row that no search brought is the second half of a hop as soon as its table is known (HELIOS, section 4.3: the
    restored table); only rows that somebody names are looked at.
    """
    units = [unit for piece in evidence for unit in units_of(piece)]
    known = {piece.id for piece in evidence}
    asked = frozenset(stems(question))
    named = {name for unit in units for name in names_in(unit.quote)}
    rows = {row.id: row for piece in evidence for row in _rows(piece)}
    new = (row for row in rows.values() if row.id not in known and (subject_of(row) in named or is_named(row, asked)))
    return (*units, *(unit for row in new for unit in units_of(row)))[:MOST_UNITS]


def unread_units(evidence: Sequence[Evidence]) -> int:
    """Return how many sentences, items and rows of the evidence are beyond MOST_UNITS."""
    return max(0, sum(1 for piece in evidence for _ in _quotes(piece)) - MOST_UNITS)


def _rows(evidence: Evidence) -> tuple[TableSegment, ...]:
    return segments(evidence)[:ROWS_A_TABLE] if isinstance(evidence, TableEvidence) else ()


def is_named(row: TableSegment, asked: frozenset[str]) -> bool:
    """Tell whether all words of what a row is called are asked for; `asked` are stems."""
    subject = frozenset(stems(subject_of(row)))
    return bool(subject) and subject <= asked


def _quotes(evidence: Evidence) -> Iterator[str]:
    match evidence:
        case TextEvidence(kind="paragraph", text=text):
            yield from (sentence for sentence in split_sentences(text) if len(sentence) <= LONGEST)
        case TextEvidence(text=text):
            yield from (item.strip() for item in text.splitlines() if item.strip() and len(item) <= LONGEST)
        case TableSegment():
            if len(row := row_text(evidence.header, evidence.cells)) <= LONGEST_WHOLE:
                yield row
        case ImageEvidence(caption=caption, alt=alt):
            yield from dict.fromkeys(_whole(caption, alt))
        case TableEvidence():
            return


def _whole(*quotes: str) -> Iterator[str]:
    return (quote for quote in quotes if quote and len(quote) <= LONGEST_WHOLE)


def _said(evidence: Evidence, quote: str) -> str:
    match evidence:
        case TableSegment():
            return render(evidence)
        case ImageEvidence(alt=alt):
            return f"{heading(evidence.place)}, image: {quote} {alt if alt != quote else ''}".rstrip()
        case _:
            return f"{heading(evidence.place)}: {quote}"
