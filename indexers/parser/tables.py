"""Read tables: cells by the walk, spans by the grid, then column names, caption and body rows."""

import re
import string
from dataclasses import dataclass, field, replace

from lxml import etree

from heliograph.types import Cell
from indexers.parser.dom import words_of
from indexers.parser.drafts import ImageDraft, TableDraft
from indexers.parser.flow import Flow, skip
from indexers.parser.grid import GridRow, Span
from indexers.parser.headings import HEADINGS
from indexers.parser.infobox import is_infobox, shape_infobox
from indexers.parser.shape import EMPTY, shape_table
from indexers.parser.text import tidy
from indexers.parser.visibility import is_removed

LAYOUT_CLASSES = frozenset(("multicol", "col-begin", "columns", "mw-layout"))
"""Classes of tables that only put blocks side by side."""

_BLOCKS = frozenset((*HEADINGS, "blockquote", "div", "dl", "figure", "ol", "p", "section", "table", "ul"))
_ROWS = frozenset(("tr", "td", "th"))
_CELLS = frozenset(("td", "th"))
_SPAN = re.compile(r"\s*\+?([0-9]{1,9})")
_CAPTION_LINE = re.compile(r"Table:\s*(.+)", re.DOTALL)
_MARKS = string.whitespace + string.punctuation


Rows = list[GridRow[Cell]]


@dataclass(slots=True)
class _Source:
    """What the walk found in a table element; `first` are its first two rows."""

    infobox: bool
    caption: str = ""
    head: Rows = field(default_factory=list)
    bodies: list[Rows] = field(default_factory=list)
    foot: Rows = field(default_factory=list)
    first: list[etree._Element] = field(default_factory=list)

    def groups(self) -> list[Rows]:
        return [group for group in (self.head, *self.bodies, self.foot) if group]


def read_table(flow: Flow, element: etree._Element) -> None:
    """Read a table as a leaf of its own, also where it stands inside a cell; a layout table is read through."""
    if _is_layout(element):
        flow.block(element)
        return
    flow.boundary()
    at = len(flow.drafts)
    draft = _draft(flow, element)
    if draft:
        flow.drafts.insert(at, draft)
        flow.budget.check_leaves(len(flow.drafts))
        if flow.figure is not None:
            flow.figure.append(draft)
    flow.release()


def read_caption_line(flow: Flow, element: etree._Element) -> None:
    """Read a paragraph; one in italics before a table, `Table: …`, is kept for that table to take."""
    if not flow.captured and _names_table(element):
        flow.boundary()
        flow.next_caption = _caption_in(flow.capture(element).text())
    else:
        flow.block(element)


def _names_table(element: etree._Element) -> bool:
    following = element.getnext()
    if len(element) != 1 or element[0].tag not in ("em", "i") or following is None or following.tag != "table":
        return False
    around = (element.text or "") + (element[0].tail or "") + (element.tail or "")
    return not around.strip() and bool(_CAPTION_LINE.match(words_of(element)))


def _caption_in(line: str) -> str:
    found = _CAPTION_LINE.fullmatch(line)
    return " ".join(found[1].split()) if found else line


def _draft(flow: Flow, element: etree._Element) -> TableDraft | None:
    caption, flow.next_caption = flow.next_caption, ""
    source = _Source(infobox=is_infobox(element), caption=caption)
    _read_rows(flow, element, source)
    if source.infobox:
        caption, header, rows = shape_infobox(source.groups(), source.caption, flow.budget)
    else:
        bold_names = bool(source.first) and _is_bold(source.first[0]) and not _is_bold(source.first[-1])
        caption, header, rows = shape_table(source.groups(), source.caption, bold_names, flow.budget)
    if not rows:
        return None
    return TableDraft(flow.outline.place, "infobox" if source.infobox else "table", caption, header, rows)


def _read_rows(flow: Flow, element: etree._Element, source: _Source) -> None:
    loose: Rows = []
    for child in element:
        if flow.handler(child) is skip:
            continue
        match child.tag:
            case "caption":
                source.caption = flow.capture(child).text().replace("\n", " ") or source.caption
            case "thead":
                source.head += _group(flow, child, source)
            case "tbody":
                source.bodies.append(_group(flow, child, source))
            case "tfoot":
                source.foot += _group(flow, child, source)
            case "tr" | "td" | "th":
                loose.append(_row(flow, child, source))
            case _:
                flow.element(child)
    if loose:
        source.bodies.append(loose)


def _group(flow: Flow, element: etree._Element, source: _Source) -> Rows:
    rows: Rows = []
    for child in element:
        if child.keys() and flow.handler(child) is skip:
            continue
        if child.tag in _ROWS:
            rows.append(_row(flow, child, source))
        else:
            flow.element(child)
    return rows


def _row(flow: Flow, element: etree._Element, source: _Source) -> GridRow[Cell]:
    """Read a row; a cell outside any row is a row of its own."""
    if len(source.first) < 2:
        source.first.append(element)
    before = len(flow.seen_images)
    cells: list[Cell] = []
    spans: dict[int, Span[Cell]] = {}
    for child in element if element.tag == "tr" else [element]:
        if child.tag not in _CELLS:
            continue
        if not child.keys():
            cells.append(_cell(flow, child, source.infobox))
        elif not is_removed(child):
            cell = EMPTY if flow.handler(child) is skip else _cell(flow, child, source.infobox)
            _note_span(spans, len(cells), child, cell)
            cells.append(cell)
    if before < len(flow.seen_images):
        words = [cell.text.replace("\n", " ") for cell in cells if cell.text]
        _describe(flow.seen_images[before:], words, source.infobox)
    return GridRow(cells, spans)


def _cell(flow: Flow, element: etree._Element, infobox: bool) -> Cell:
    """Read a cell; what an infobox cell says beside its image, with no label in the row, is a caption only."""
    header = element.tag == "th"
    if len(element) == 0:
        return Cell(tidy(element.text or ""), (), header)
    before = len(flow.seen_images)
    words = flow.capture(element)
    text = words.text()
    if header and "\n" in text:
        text = text.replace("\n", " ")
    if infobox and text and not header and len(flow.seen_images) > before and _is_alone(element):
        _describe(flow.seen_images[before:], [text.replace("\n", " ")], infobox)
        return EMPTY
    return Cell(text, words.distinct_links(), header)


def _note_span(spans: dict[int, Span[Cell]], at: int, element: etree._Element, cell: Cell) -> None:
    rows, columns = _span(element, "rowspan"), _span(element, "colspan") or 1
    if rows != 1 or columns != 1:
        spans[at] = Span(rows, columns, replace(cell, spanned=True))


def _is_alone(element: etree._Element) -> bool:
    """Tell a cell without a label beside it: what it says with its image is the caption of that image."""
    row = element.getparent()
    return row is None or all(cell.tag != "th" for cell in row)


def _describe(images: list[ImageDraft], words: list[str], infobox: bool) -> None:
    """Give images in a row its words: as what is near them, in an infobox as their caption."""
    for image in images:
        if infobox:
            image.caption = image.caption or " ".join(words)
        else:
            image.nearby = image.nearby or " | ".join(words)


def _span(element: etree._Element, direction: str) -> int:
    value = element.get(direction)
    found = _SPAN.match(value) if value else None
    return int(found[1]) if found else 1


def _is_bold(row: etree._Element) -> bool:
    """Tell whether a row has words, all bold but for punctuation: tables without header cells name columns so."""
    for cell in row:
        text, child = (cell.text or "").strip(_MARKS), cell[0] if len(cell) else None
        if text or (child is not None and (child.tag not in ("b", "strong") or (child.tail or "").strip(_MARKS))):
            return False
    return any(str(text).strip(_MARKS) for text in row.itertext())


def _is_layout(element: etree._Element) -> bool:
    if element.get("role") == "presentation" or not LAYOUT_CLASSES.isdisjoint(element.get("class", "").split()):
        return True
    rows = [row for group in element for row in (group if group.tag in ("tbody", "thead", "tfoot") else [group])]
    if len(rows) != 1 or rows[0].tag != "tr" or len(rows[0]) != 1 or rows[0][0].tag != "td":
        return False
    return any(child.tag in _BLOCKS for child in rows[0][0])
