"""Locate a quote in the evidence that it cites, and hand back the source's own spelling of it.

What may be quoted: of text, its words; of a row, each cell, the row as `Header: value; Header: value`, its cells
joined by ` | `, and the caption; of a whole table, the same of each of its rows, and its column names; of an image,
caption and alternative text. Blanks, dashes, quotation marks and invisible characters are compared by kind and not by
code point; nothing else may differ. A quote begins and ends where words and figures do: `527 km` is not in `1,527
km`.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from heliograph.types import Cell, Evidence, EvidenceId, ImageEvidence, TableEvidence, TableSegment, TextEvidence
from tools.arithmetic.columns import row_id

_DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212"
_SINGLE = "\u2018\u2019\u201a\u201b\u2032\u00b4`"
_DOUBLE = "\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb"
_HIDDEN = "\u200b\u200c\u200d\u2060\ufeff\u00ad"
_SPELLED = {
    ord(sign): to for signs, to in ((_DASHES, "-"), (_SINGLE, "'"), (_DOUBLE, '"'), (_HIDDEN, "")) for sign in signs
}
_SPELLED[ord("\u2026")] = "..."


ANSWER_FIRST = " — "
"""What stands between an answer in a few words and the words that say it."""


_ENDS = re.compile(
    r"^(?:[,;:.!?–—/]+|-(?!\d)|(?:and|or|but)\s)|(?:[,;:!?–—/-]+|(?<![^\W\d_]\.[^\W\d_])\.)$"
    r"|(?<!\S)(?:and|or|but)$|\s(?:of|by|with|in|the|an?)$",
    re.IGNORECASE,
)
"""What a span neither begins nor ends with; the point of "U.S." stays."""


@dataclass(frozen=True, slots=True)
class Located:
    """A quote found: the exact words of the source, the text they stand in, and where (characters from 0).

    `row` is the body row, counted from 0, when the quote was found in a row of a whole table.
    """

    text: str
    source: str
    start: int
    end: int
    row: int | None = None


def locate(quote: str, evidence: Evidence) -> Located | None:
    """Find a quote in what may be quoted of a piece; None where it does not stand there."""
    for row, source in quotable(evidence):
        span = find_words(quote, source)
        if span is not None:
            return Located(source[span[0] : span[1]], source, *span, row)
    return None


def quotable(evidence: Evidence) -> Iterator[tuple[int | None, str]]:
    """Yield every text of a piece that may be quoted, with its row in a whole table."""
    match evidence:
        case TextEvidence():
            yield None, evidence.text
        case ImageEvidence():
            yield from ((None, text) for text in (evidence.caption, evidence.alt) if text)
        case TableSegment():
            yield from ((None, text) for text in _row(evidence.header, evidence.cells))
            yield None, evidence.caption
        case TableEvidence():
            yield from (
                (number, text) for number, row in enumerate(evidence.rows) for text in _row(evidence.header, row)
            )
            yield from ((None, text) for text in (evidence.caption, " | ".join(evidence.header)))


def row_text(header: Sequence[str], cells: Sequence[Cell]) -> str:
    """Return a row as it is quoted: `Name: Rhea; Diameter (km): 1,527`; empty cells are left out."""
    named = ((header[index] if index < len(header) else "", cell.text) for index, cell in enumerate(cells))
    return "; ".join(f"{name}: {text}" if name else text for name, text in named if text.strip())


def resolve(wanted: EvidenceId, evidence: Evidence) -> TableSegment | None:
    """Make the row with this id out of its whole table; None where the table has no such row."""
    if not isinstance(evidence, TableEvidence):
        return None
    for row, cells in enumerate(evidence.rows):
        if row_id(evidence, row) == wanted:
            return TableSegment(wanted, evidence.place, evidence.id, row + 1, evidence.caption, evidence.header, cells)
    return None


def trimmed(span: str) -> str:
    """Return words cut out of a text without marks, halves of brackets and words that join at their ends."""
    found = ""
    while found != span:
        found, opened = span, list[int]()
        for place, sign in enumerate(span):
            if sign == "(":
                opened.append(place)
            elif sign == ")" and not opened:
                opened = [place]
                break
            elif sign == ")":
                opened.pop()
        if opened:
            span = span[: opened[0]].strip() or span[opened[0] + 1 :]
        span = _ENDS.sub("", span.strip())
    return span


def find_words(quote: str, source: str) -> tuple[int, int] | None:
    """Return where the words of a quote stand in a source, in the source's own characters; None where they do not."""
    wanted, _ = _normal(quote)
    text, places = _normal(source)
    start = text.find(wanted) if wanted else -1
    while start >= 0:
        end = start + len(wanted)
        if _is_whole(text, start, end):
            return places[start], places[end - 1] + 1
        start = text.find(wanted, start + 1)
    return None


def _row(header: Sequence[str], cells: Sequence[Cell]) -> tuple[str, ...]:
    texts = [cell.text for cell in cells if cell.text.strip()]
    return (*texts, row_text(header, cells), " | ".join(texts))


def _normal(text: str) -> tuple[str, list[int]]:
    """Spell a text in one way; the second list says for each character where it came from."""
    letters: list[str] = []
    places: list[int] = []
    for place, letter in enumerate(text):
        spelled = _SPELLED.get(ord(letter), letter)
        if spelled and spelled.isspace():
            if not letters or letters[-1] == " ":
                continue
            spelled = " "
        letters.extend(spelled)
        places.extend([place] * len(spelled))
    while letters and letters[-1] == " ":
        letters.pop()
        places.pop()
    return "".join(letters), places


def _is_whole(text: str, start: int, end: int) -> bool:
    before, after = text[:start][-2:], text[end : end + 2]
    first, last = text[start], text[end - 1]
    if first.isalnum() and before[-1:].isalnum():
        return False
    if last.isalnum() and after[:1].isalnum():
        return False
    if first.isdigit() and (_joins(before) or (before[-1:] in "-+" and before[-1:] and not before[:-1].isalnum())):
        return False
    return not (last.isdigit() and len(after) == 2 and after[0] in ".,:" and after[1].isdigit())


def _joins(before: str) -> bool:
    return len(before) == 2 and before[1] in ".,:" and before[0].isdigit()
