"""Read lists: one leaf a list, nested items indented, long lists cut between items."""

from collections.abc import Iterator

from lxml import etree

from heliograph.types import Link
from indexers.parser.drafts import TextDraft
from indexers.parser.flow import Flow
from indexers.parser.limits import Budget
from indexers.parser.text import Words, readable

LIST_CHARACTERS = 1_200
"""A longer list becomes several leaves, cut between items."""

REFERENCE_SECTIONS = frozenset(
    ("references", "citations", "footnotes", "notes and references", "references and notes", "sources and references")
)
"""Sections whose lists name literature and say nothing about the subject."""

_INDENT = "  "


def read_list(flow: Flow, element: etree._Element) -> None:
    """Read a list: inside another one it is a deeper level, inside a cell it is lines."""
    if flow.items is not None:
        flow.item_depth += 1
        flow.content(element)
        flow.item_depth -= 1
    elif flow.captured:
        flow.block(element)
    else:
        _read_outer_list(flow, element)


def read_item(flow: Flow, element: etree._Element) -> None:
    """Read one item of the open list."""
    if flow.items is None:
        flow.block(element)
        return
    words = Words()
    flow.items.append((flow.item_depth + (element.tag == "dd"), words))
    kept, flow.words = flow.words, words
    flow.content(element)
    flow.words = kept


def _read_outer_list(flow: Flow, element: etree._Element) -> None:
    flow.boundary()
    at, depth = len(flow.drafts), flow.item_depth
    strays = Words()
    flow.words, flow.captured, flow.items, flow.item_depth = strays, True, [(0, strays)], 0
    flow.content(element)
    items = flow.items
    flow.words, flow.captured, flow.items, flow.item_depth = Words(), False, None, depth
    if flow.outline.sections[-1].title.casefold() not in REFERENCE_SECTIONS:
        leaves = [TextDraft(flow.outline.place, "list", text, links) for text, links in _leaves(items, flow.budget)]
        flow.drafts[at:at] = leaves
        flow.budget.check_leaves(len(flow.drafts))
    flow.release()


def _leaves(items: list[tuple[int, Words]], budget: Budget) -> Iterator[tuple[str, tuple[Link, ...]]]:
    lines = [(depth, text.replace("\n", " "), words) for depth, words in items if readable(text := words.text())]
    outermost = min((depth for depth, _, _ in lines), default=0)
    open_lines: list[str] = []
    size, gathered = 0, Words()
    for depth, text, words in lines:
        budget.check_time()
        line = _INDENT * (depth - outermost) + text
        if open_lines and size + len(line) > LIST_CHARACTERS:
            yield "\n".join(open_lines), gathered.distinct_links()
            size, open_lines, gathered = 0, [], Words()
        open_lines.append(line)
        size += len(line)
        gathered.links += words.links
    if open_lines:
        yield "\n".join(open_lines), gathered.distinct_links()
