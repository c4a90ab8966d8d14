"""Nodes as the text that models read: the two halves of x in equation 1 (HELIOS, section 4.1)."""

from collections.abc import Sequence

from heliograph.types import Node, Passage, TableSegment

CELL_CHARACTERS = 300
"""Characters of one cell that are read; a row has others to show."""


def linearize(node: Node) -> str:
    """Return "Title | Section | Header : value ; …" for a table segment, "Title | text" for a passage."""
    match node:
        case TableSegment():
            return row_line(
                (node.place.title, *node.place.path, node.caption), node.header, [cell.text for cell in node.cells]
            )
        case Passage():
            return passage_line(node.title, node.text)


def row_line(titles: Sequence[str], header: Sequence[str], cells: Sequence[str]) -> str:
    """Return the line of a row; empty titles, cells and column names leave no trace."""
    names = (*header, *("",) * max(0, len(cells) - len(header)))
    values = [
        f"{_plain(name)} : {_plain(cell)[:CELL_CHARACTERS]}" if _plain(name) else _plain(cell)[:CELL_CHARACTERS]
        for name, cell in zip(names, cells, strict=False)
        if _plain(cell)
    ]
    return " | ".join(part for part in (*map(_plain, titles), " ; ".join(values)) if part)


def passage_line(title: str, text: str) -> str:
    """Return the line of a passage."""
    return " | ".join(part for part in (_plain(title), _plain(text)) if part)


def _plain(text: str) -> str:
    return " ".join(text.split())
