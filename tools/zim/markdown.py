"""Markdown to HTML: tables and raw HTML are allowed, and a picture that stands alone with a title is a figure."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from html import escape
from itertools import pairwise
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token


@dataclass(frozen=True, slots=True)
class Rendered:
    """A rendered text; `title` is its first heading where that is of the first level, else empty."""

    title: str
    html: str


def render(text: str) -> Rendered:
    """Render CommonMark with tables; `![alt](x.png "Caption")` in a paragraph of its own becomes a figure."""
    tokens = _renderer().parse(text)
    _mark_figures(tokens)
    return Rendered(_title(tokens), str(_renderer().renderer.render(tokens, _renderer().options, {})))


@cache
def _renderer() -> "MarkdownIt":
    from markdown_it import MarkdownIt

    markdown = MarkdownIt("commonmark", {"html": True}).enable("table")
    markdown.add_render_rule("figure", _figure)
    return markdown


def _title(tokens: Sequence["Token"]) -> str:
    for opening, inline in pairwise(tokens):
        if opening.type == "heading_open":
            return _plain(inline) if opening.tag == "h1" else ""
    return ""


def _plain(inline: "Token") -> str:
    words = (" " if token.type == "softbreak" else token.content for token in inline.children or ())
    return " ".join("".join(words).split())


def _mark_figures(tokens: Sequence["Token"]) -> None:
    for opening, inline, closing in zip(tokens, tokens[1:], tokens[2:], strict=False):
        children = inline.children or []
        if opening.type != "paragraph_open" or [child.type for child in children] != ["image"]:
            continue
        if children[0].attrGet("title"):
            children[0].type = "figure"
            opening.hidden = closing.hidden = True


def _figure(renderer: Any, tokens: Sequence["Token"], at: int, options: Any, env: Any) -> str:
    token = tokens[at]
    alt = escape(renderer.renderInlineAsText(token.children, options, env))
    source, caption = escape(str(token.attrGet("src"))), escape(str(token.attrGet("title")))
    image = f'<img src="{source}" alt="{alt}" title="{caption}">'
    return f"<figure>{image}<figcaption>{caption}</figcaption></figure>\n"
