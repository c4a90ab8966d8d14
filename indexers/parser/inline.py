"""Read what stands inside a line: links, breaks, raised digits, formulas, preformatted text."""

import re

from lxml import etree

from indexers.parser.dom import words_of
from indexers.parser.flow import Flow
from indexers.parser.text import BREAK

_STYLE_WRAPPER = re.compile(r"\{\\(?:display|text|script)style\s+(.*)\}", re.DOTALL)


def read_link(flow: Flow, element: etree._Element) -> None:
    """Read the words of a link and note where it leads."""
    target = flow.links.target(element.get("href", ""), element.get("class", ""), element.get("rel", ""))
    words, mark = flow.words, len(flow.words.parts)
    flow.content(element)
    if target and flow.words is words and (text := words.since(mark)):
        words.note(text, target)


def read_break(flow: Flow, _element: etree._Element) -> None:
    """Begin a new line in a paragraph; in cells and items a break is a space, since it only wraps them."""
    flow.words.add(" " if flow.captured else BREAK)


def read_raised(flow: Flow, element: etree._Element) -> None:
    """Read superscript digits as such, so that `m2` and `1024` are not misread."""
    words, mark = flow.words, len(flow.words.parts)
    flow.content(element)
    if flow.words is words:
        words.raise_since(mark)


def read_formula(flow: Flow, element: etree._Element) -> None:
    """Read a formula by its alternative text, the TeX it was written in."""
    tex = element.get("alttext") or _alternative(element) or words_of(element)
    wrapped = _STYLE_WRAPPER.fullmatch(tex.strip())
    flow.words.add(f" {wrapped[1] if wrapped else tex} ")


def read_preformatted(flow: Flow, element: etree._Element) -> None:
    """Read text whose line ends count."""
    words = flow.capture(element)
    flow.boundary()
    flow.words.add("".join(words.parts).replace("\n", BREAK))
    flow.words.links += words.links
    flow.boundary()


def read_block(flow: Flow, element: etree._Element) -> None:
    """Read an element that stands on lines of its own."""
    flow.block(element)


def _alternative(element: etree._Element) -> str:
    for child in element.iter("img", "math", "annotation"):
        tex = child.get("alt") or child.get("alttext") or (child.text if child.tag == "annotation" else "")
        if tex:
            return tex
    return ""
