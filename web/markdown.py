"""A sentence of an answer as a tree of nodes: Markdown read by a library, and of what it knows only emphasis and code.

Whatever else a sentence holds, HTML, links and images above all, stays the text that it is; a page builds elements of
the nodes and never reads markup.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.token import Token

TAGS = {"strong_open": "strong", "em_open": "em"}
CODE = "code"
"""Beside them: its words are never read for emphasis."""


@dataclass(frozen=True, slots=True)
class Words:
    """Plain text."""

    text: str


@dataclass(frozen=True, slots=True)
class Element:
    """An element by its tag, one of strong, em and code."""

    tag: str
    nodes: tuple["Words | Element", ...]


Node = Words | Element
NodeJson = dict[str, "str | list[NodeJson]"]


def nodes_of(sentence: str) -> tuple[Node, ...]:
    """Read a sentence; its words are all there, in their order."""
    inline = (token for paragraph in _reader().parseInline(sentence) for token in paragraph.children or ())
    return tuple(_joined(_nodes(inline)))


def nodes_json(nodes: Sequence[Node]) -> list[NodeJson]:
    """Return nodes as JSON."""
    return [
        {"text": node.text} if isinstance(node, Words) else {"tag": node.tag, "nodes": nodes_json(node.nodes)}
        for node in nodes
    ]


@cache
def _reader() -> MarkdownIt:
    known = ["text", "newline", "escape", "backticks", "emphasis", "balance_pairs", "fragments_join", "text_join"]
    return MarkdownIt("zero", {"html": False, "linkify": False}).enable(known, ignoreInvalid=True)


def _nodes(tokens: Iterator[Token]) -> Iterator[Node]:
    """Yield nodes until the element that is open ends."""
    for token in tokens:
        if token.type in TAGS:
            yield Element(TAGS[token.type], tuple(_joined(_nodes(tokens))))
        elif token.nesting < 0:
            return
        elif token.type == "code_inline":
            yield Element(CODE, (Words(token.content),))
        else:
            yield Words(token.content or " ")


def _joined(nodes: Iterator[Node]) -> Iterator[Node]:
    """Join text that stands side by side."""
    text = ""
    for node in nodes:
        if isinstance(node, Words):
            text += node.text
            continue
        if text:
            yield Words(text)
        text = ""
        yield node
    if text:
        yield Words(text)
