"""The pictures that an answer shows, fetched for a file that holds them."""

from collections.abc import Awaitable, Callable
from pathlib import Path

from heliograph.errors import PageUnavailable, SearchUnavailable, StoreError, UnknownName
from heliograph.types import Answer, EvidenceId, ImageEvidence, Picture
from indexers.parser import find_evidence, page_of, parse_page
from memory.pages import FilePageStore


async def pictures_of(
    answer: Answer, pages: Path, picture: Callable[[ImageEvidence], Awaitable[Picture]]
) -> dict[EvidenceId, Picture]:
    """Return the pictures of an answer's figures; one that cannot be had any more is left out."""
    found: dict[EvidenceId, Picture] = {}
    for name in dict.fromkeys(block.figure.evidence for block in answer.blocks if block.figure):
        try:
            page = FilePageStore(pages).get(page_of(name))
            piece = find_evidence(parse_page(page), name)
            if isinstance(piece, ImageEvidence):
                found[name] = await picture(piece)
        except (PageUnavailable, SearchUnavailable, StoreError, UnknownName):
            continue
    return found
