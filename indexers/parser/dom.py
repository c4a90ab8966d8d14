"""Read HTML, however broken, into lxml's tree."""

import re

from lxml import etree

from heliograph.errors import PageUnavailable
from heliograph.types import Page
from indexers.parser.limits import Budget

_CHUNK = 1 << 16
"""Bytes that libxml2 reads between two looks at the clock."""

MOST_ATTRIBUTES = 256
"""Attributes of one element that are still read; libxml2's time grows with their square. Real ones have below 30."""

_ATTRIBUTE = rb"[\s/]++[^\s=/>]++(?:=\"[^\"]*+\"|\s*+=\s*+(?:\"[^\"]*+\"|'[^']*+'|[^\s>]*+))?+"

_CROWDED = re.compile(
    rb"(?:<(?:/[^<]*+"
    rb"|[a-zA-Z][^\s/>]*+(?:%(attribute)s){0,%(most)d}+(?![\s/]++[^\s=/>])[^<]*+"
    rb"|!--(?:-?>|.*?(?:--!?>|\Z))"
    rb"|(?![a-zA-Z/]|!--))"
    rb"|[^<]++)*+<[a-zA-Z]" % {b"attribute": _ATTRIBUTE, b"most": MOST_ATTRIBUTES},
    re.DOTALL,
)
"""Tags in good order, comments and the text after each, up to the first crowded tag; no match where none is."""


def read_html(page: Page, budget: Budget) -> etree._Element:
    """Parse the HTML of a page.

    libxml2's own caps are lifted, since past them it drops the rest of a page in silence; ours speak.

    Raises:
        PageUnavailable: there is nothing to parse.
        HostilePage: the page is too long, takes too long or has an element with too many attributes.
    """
    source = page.html.encode("utf-8", "replace").replace(b"\x00", b"")
    budget.check_bytes(len(source))
    budget.check_tags(source.count(b"<"))
    if _CROWDED.match(source):
        budget.refuse(
            f"an element with more than {MOST_ATTRIBUTES} attributes", "what the HTML parser reads in bounded time"
        )
    parser = etree.HTMLParser(
        encoding="utf-8", huge_tree=True, remove_comments=True, remove_pis=True, collect_ids=False
    )
    try:
        for start in range(0, len(source), _CHUNK):
            parser.feed(source[start : start + _CHUNK])
            budget.check_time()
        root = parser.close() if source.strip() else None
    except etree.ParserError as err:
        raise nothing_to_read(page) from err
    if root is None:
        raise nothing_to_read(page)
    return root


def words_of(element: etree._Element) -> str:
    """Return every word in an element, seen or not, on one line."""
    return " ".join("".join(map(str, element.itertext())).split())


def nothing_to_read(page: Page) -> PageUnavailable:
    """Say that a page holds nothing a reader would see."""
    return PageUnavailable(f'page "{page.title}" of {page.wiki} is empty; ask another source, or fetch it again')
