"""The links that a page's own cells carry, as passages of an index."""

from collections.abc import Iterator

from heliograph.types import EvidenceId, TableSegment
from indexers.linking.linker import CellLink
from indexers.linking.titles import ALIAS, BASE, TITLE, TitleIndex
from indexers.linking.words import name_key


def given_links(segment: TableSegment, titles: TitleIndex) -> tuple[CellLink, ...]:
    """Return the passages that the links of a row's cells lead to, cell by cell; each passage once a cell.

    A target that no passage is titled by may be a redirect: a name that only one passage goes by stands for it.
    """
    return tuple(dict.fromkeys(_given(segment, titles)))


def _given(segment: TableSegment, titles: TitleIndex) -> Iterator[CellLink]:
    for column, cell in enumerate(segment.cells):
        seen: set[EvidenceId] = set()
        for link in cell.links:
            passage = target(link.target, titles)
            if passage is not None and passage not in seen:
                seen.add(passage)
                yield CellLink(segment.number - 1, column, link.text, passage, 1.0, "given")


def target(title: str, titles: TitleIndex) -> EvidenceId | None:
    """Return the passage that a link to a title leads to, None where there is none or it cannot be told."""
    page = title.partition("#")[0].replace("_", " ").strip()
    named = titles.called(name_key(page))
    written = [passage for passage, _ in named if titles.written[passage] == page]
    if written:
        return titles.ids[written[0]]
    for kind in (TITLE, BASE, ALIAS):
        passages = [passage for passage, source in named if source == kind]
        if passages:
            return titles.ids[passages[0]] if _one_page(passages, titles) else None
    return None


def _one_page(passages: list[int], titles: TitleIndex) -> bool:
    return len({int(titles.twins[passage]) for passage in passages}) == 1
