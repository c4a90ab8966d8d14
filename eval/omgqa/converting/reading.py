"""Read the pages of supporting facts from where a run reads its own, so that their labels name the same states."""

from collections.abc import Iterable
from dataclasses import replace

from eval.omgqa.converting.gold import GoldFact, gold_titles
from heliograph.errors import HostilePage, PageUnavailable
from heliograph.protocols import PageSource
from heliograph.types import Document
from indexers.parser import parse_page


async def gold_documents(facts: Iterable[GoldFact], source: PageSource) -> tuple[Document, ...]:
    """Read the pages of the facts; one that cannot be had is left out, so that its facts are said not to resolve.

    A page found under another title has the one that was asked for among its aliases.

    Raises:
        SearchUnavailable: the source serves no pages at all.
    """
    found: dict[str, Document] = {}
    for title in gold_titles(facts):
        try:
            document = parse_page(await source.fetch(title))
        except (PageUnavailable, HostilePage):
            continue
        known = found.get(document.key, document)
        other = title != known.title and title not in known.aliases
        found[document.key] = replace(known, aliases=(*known.aliases, title)) if other else known
    return tuple(found.values())
