"""Write a document's table of contents as an LLM reads it (OMG-QA, Figure 2)."""

from collections.abc import Collection
from typing import Literal, get_args

from heliograph.errors import UnknownName
from heliograph.types import Document, ImageEvidence, Leaf, Section, TableEvidence

Node = Section | Leaf
Listed = Literal["table", "image"]
LISTED: tuple[Listed, ...] = get_args(Listed)
"""Leaves that Figure 2 lists; the generative retriever reads the contents without them (section A.1)."""


def table_of_contents(document: Document, listed: Collection[Listed] = LISTED) -> str:
    """List sections, and the tables and images in them, a line each: `- Title [node id]`.

    A line is indented by one space for each section around it. The lead has no line, since it is the document;
    its tables and images come first. Leaves without caption, column names or alternative text have none either.
    """
    depths = _depths(document)
    lines = []
    for number, node in enumerate(nodes(document)):
        if isinstance(node, Section):
            if node.parent is not None:
                lines.append(f"{' ' * depths[node.id]}- {node.title} [{number}]")
        elif label := _label(node, listed):
            lines.append(f"{' ' * (depths[node.place.section] + 1)}- {label} [{number}]")
    return "\n".join(lines)


def nodes(document: Document) -> tuple[Node, ...]:
    """Return sections and leaves in document order; a node's id is its place here, and 0 is the lead."""
    leaves: dict[str, list[Leaf]] = {section.id: [] for section in document.sections}
    for leaf in document.leaves:
        leaves[leaf.place.section].append(leaf)
    return tuple(node for section in document.sections for node in (section, *leaves[section.id]))


def node_at(document: Document, number: int) -> Node:
    """Return the section or leaf that a table of contents names by `number`.

    Raises:
        UnknownName: the document has no such node.
    """
    found = nodes(document)
    if not 0 <= number < len(found):
        raise UnknownName(f'no node {number} in "{document.title}"; its nodes are 0 to {len(found) - 1}')
    return found[number]


def _depths(document: Document) -> dict[str, int]:
    """Count the sections around each section; those right under the lead stand at 0, the lead at -1."""
    depths: dict[str, int] = {}
    for section in document.sections:
        depths[section.id] = depths[section.parent] + 1 if section.parent is not None else -1
    return depths


def _label(leaf: Leaf, listed: Collection[Listed]) -> str:
    match leaf:
        case TableEvidence() if "table" in listed:
            title = leaf.caption or ", ".join(name for name in leaf.header if name)
            return f"[table] {title}" if title else ""
        case ImageEvidence() if "image" in listed:
            title = leaf.caption or leaf.alt
            return f"[image] {title}" if title else ""
        case _:
            return ""
