"""Where a reader finds what is cited: the revision that was read, at the section that it stands in."""

from urllib.parse import quote

from heliograph.types import Document, Evidence

REVISION = "oldid="
"""What a MediaWiki address of one revision holds; its sections are then where they were when they were read."""
SAFE = "/:@!$'()*,;~"


def permalink(piece: Evidence, document: Document) -> str:
    """Return the page's address and, where it names a revision, the innermost section that the piece stands in."""
    if REVISION not in document.url or not piece.place.path:
        return document.url
    return anchored(document.url, piece.place.path[-1])


def anchored(url: str, section: str) -> str:
    """Return the address of a section of a page, by its title; of the page itself where the title is empty."""
    page = url.partition("#")[0]
    return f"{page}#{quote('_'.join(section.split()), safe=SAFE, errors='replace')}" if section.strip() else page
