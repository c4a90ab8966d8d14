"""Pages as documents, as a run would read them."""

from heliograph.types import Document, Page, SourcePage
from indexers.parser import parse_page


def document(title: str, html: str, revision: str = "1") -> Document:
    return parse_page(Page("w", title, revision, "", html, "2026-01-01T00:00:00Z"))


def read_back(page: SourcePage) -> Document:
    return document(page.title, page.html)


def names(document: Document) -> list[str]:
    """The leaves as they are named within the page."""
    return [leaf.id.partition("#")[2] for leaf in document.leaves]
