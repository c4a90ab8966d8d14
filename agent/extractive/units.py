"""The units an extractive answer is made of: sentences, list items, table rows, captions."""

from collections.abc import Iterator
from dataclasses import dataclass

from agent.citations.quotes import row_text
from agent.citations.sentences import split_sentences
from heliograph.types import Evidence, ImageEvidence, Scored, TableEvidence, TableSegment, TextEvidence
from indexers.render import heading, render

LONGEST = 600
"""Characters of a sentence past which it is no sentence but a list or a table in disguise; it is not quoted."""


@dataclass(frozen=True, slots=True)
class Unit:
    """Words that can be quoted, the `number`-th of their piece; `said` is them with the place they stand in,
    `score` the score of the piece."""

    evidence: Evidence
    number: int
    quote: str
    said: str
    score: float

    @property
    def continuous(self) -> bool:
        """Tell whether the unit goes on from the one before: sentences of a paragraph do, list items do not."""
        return isinstance(self.evidence, TextEvidence) and self.evidence.kind == "paragraph"


def units_of(scored: Scored[Evidence]) -> tuple[Unit, ...]:
    """Split a piece of evidence into units; a whole table has none, since its rows are pieces of their own."""
    quotes = enumerate(_quotes(scored.item))
    return tuple(Unit(scored.item, number, quote, _said(scored.item, quote), scored.score) for number, quote in quotes)


def subject_of(evidence: Evidence) -> str:
    """Name what a piece is about: a row by its first cell, all else by its page."""
    if isinstance(evidence, TableSegment):
        return next((cell.text for cell in evidence.cells if cell.text), evidence.place.title)
    return evidence.place.title


def _quotes(evidence: Evidence) -> Iterator[str]:
    match evidence:
        case TextEvidence(kind="paragraph", text=text):
            yield from (sentence for sentence in split_sentences(text) if len(sentence) <= LONGEST)
        case TextEvidence(text=text):
            yield from (item.strip() for item in text.splitlines() if item.strip() and len(item) <= LONGEST)
        case TableSegment():
            yield row_text(evidence.header, evidence.cells)
        case ImageEvidence(caption=caption, alt=alt):
            yield from filter(None, [caption or alt])
        case TableEvidence():
            return


def _said(evidence: Evidence, quote: str) -> str:
    match evidence:
        case TableSegment():
            return render(evidence)
        case ImageEvidence(alt=alt):
            return f"{heading(evidence.place)}, image: {quote} {alt if alt != quote else ''}".rstrip()
        case _:
            return f"{heading(evidence.place)}: {quote}"
