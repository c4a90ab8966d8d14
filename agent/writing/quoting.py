"""Quotes that a model copied from a frame, found again in the source and handed back in its own words."""

import re
from collections.abc import Iterator

from agent.citations.quotes import find_words, locate, quotable, row_text
from agent.language.framing import SEPARATOR, rows_of
from heliograph.types import Evidence, Quote, TableEvidence, TableSegment
from prompts.harmless import harmless, shown_with_places
from tools.arithmetic.columns import row_id

_CUT = re.compile(r"\s*(?:…|\.\.\.)\s*$")
_NAMED_CELL = re.compile(r"^[^:|]{1,120}:\s+(?=\S)")


def exact_quote(quote: str, piece: Evidence) -> Quote | None:
    """Return the source's own words for a quote of what was shown; a row of a whole table is quoted as the row.

    None where the words do not stand in the piece. Models make sentences of quotes and copy what is around the words
    shown, so the first letter may be of the other case, the place may stand before and an ellipsis behind; cells of
    one row may be joined in any way of ours. What is returned is as the source has it.
    """
    found = next(filter(None, (_found(wanted, piece) for wanted in _spellings(quote))), None)
    if found is not None or not isinstance(piece, TableEvidence | TableSegment):
        return found
    rows = (piece,) if isinstance(piece, TableSegment) else rows_of(piece)
    return next(filter(None, (_found_in_cells(quote, row) for row in rows)), None)


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


def _found_in_cells(quote: str, row: TableSegment) -> Quote | None:
    """Return the whole row where a quote is several cells of it: `A | | 3`, `Name: A; Height: 3`."""
    parts = [part.strip() for part in re.split(r"\||;(?=\s)", _CUT.sub("", quote)) if part.strip()]
    if len(parts) < 2:
        return None
    shown = [harmless(cell.text) for cell in row.cells]
    for part in parts:
        said = _NAMED_CELL.sub("", part)
        if not any(find_words(words, cell) for words in (part, said) for cell in shown):
            return None
    return Quote(row.id, row_text(row.header, row.cells))


def _quote(piece: Evidence, row: int | None, text: str) -> Quote:
    return Quote(row_id(piece, row) if isinstance(piece, TableEvidence) and row is not None else piece.id, text)
