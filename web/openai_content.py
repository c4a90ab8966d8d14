"""An answer of several parts as the content of a reply: Markdown in pieces, each with where its markers stand in it."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from agent.answer_parts import (
    Sentence,
    body_of,
    figure_owed,
    hedge,
    is_plain,
    not_found_line,
    rows_of,
    sentences_of,
    title_of,
)
from agent.markdown_answer import DEEPEST, one_line
from heliograph.types import Answer, Block

_TAG = re.compile(r"<(?=[A-Za-z/!?])")


def harmless(text: str) -> str:
    """Return sentences in which no tag begins: front ends may take what a page wrote for markup, and fetch for it."""
    return _TAG.sub("&lt;", text)


@dataclass(slots=True)
class Piece:
    """A part of a reply, and the place of each marker in it, counted in code points."""

    text: str = ""
    places: list[tuple[int, int]] = field(default_factory=list)
    """Markers and where they begin."""

    def add(self, text: str, markers: Sequence[int] = ()) -> None:
        """Put text behind what there is, and markers behind the text."""
        self.text += f"{text}{' ' if text and markers else ''}"
        for marker in markers:
            self.places.append((marker, len(self.text)))
            self.text += f"[{marker}]"


def pieces_of(answer: Answer) -> Iterator[Piece]:
    """Yield an answer of several parts from its title to what was not found; an empty line stands between two."""
    yield Piece(f"# {one_line(title_of(answer))}")
    if unsure := hedge(answer):
        yield Piece(unsure.strip())
    for block in body_of(answer):
        if block.kind not in ("table", "figure"):
            yield _prose(answer, block)
            continue
        if block.claims:
            yield _prose(answer, block)
        yield from _drawn(answer, block)
    yield from _not_found(answer)


def rest_of(answer: Answer) -> Iterator[Piece]:
    """Yield what an answer has besides its claims, for who was told these one by one."""
    if not is_plain(answer):
        for block in body_of(answer):
            yield from _drawn(answer, block)
    yield from _not_found(answer)


def _not_found(answer: Answer) -> Iterator[Piece]:
    if line := not_found_line(answer):
        yield Piece(one_line(line))


def _prose(answer: Answer, block: Block) -> Piece:
    said = sentences_of(answer, block)
    piece = Piece()
    if block.kind == "heading":
        piece.add(f"{'#' * min(DEEPEST, max(2, block.level))} {one_line(block.text)}")
    for number, sentence in enumerate(said):
        _say(piece, sentence, "- " if block.kind == "list" else "", "\n" if block.kind == "list" else " ", number)
    if block.kind == "calculation":
        for computed in filter(None, (each.computed for each in said)):
            piece.add(f"\n\n> Computed: {one_line(computed)}")
    return piece


def _say(piece: Piece, sentence: Sentence, lead: str, between: str, number: int) -> None:
    piece.add(f"{between if number else ''}{lead}{one_line(sentence.text)}", sentence.markers)


def _drawn(answer: Answer, block: Block) -> Iterator[Piece]:
    """Yield a table below its caption, or the line that stands for a picture."""
    if block.kind == "table":
        if caption := one_line(block.text):
            yield Piece(f"**{caption}**")
        yield _table(block)
    elif block.figure is not None:
        piece = Piece()
        piece.add(f"Picture: {one_line(block.figure.caption)}", [block.figure.marker])
        owed = one_line(figure_owed(answer, block.figure))
        piece.add(f" ({owed})" if owed else "")
        yield piece


def _table(block: Block) -> Piece:
    columns = max((len(block.header), *map(len, block.rows)))
    piece = Piece()
    names = [one_line(name) for name in block.header]
    for line in ([*names, *[""] * (columns - len(names))], ["---"] * columns):
        piece.add(f"| {' | '.join(line)} |\n")
    for number, row in enumerate(rows_of(block)):
        piece.add("\n|" if number else "|")
        for cell in row:
            piece.add(f" {one_line(cell.text)}", cell.markers)
            piece.add(" |")
        piece.add("  |" * (columns - len(row)))
    return piece
