"""Sources from their settings: archives, a live wiki, DuckDuckGo restricted to that wiki."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from heliograph.config import Settings
from heliograph.errors import UnknownName, UsageError
from heliograph.paths import base_folders, expanded
from heliograph.protocols import DocumentSearch
from tools.duckduckgo import DuckDuckGo
from tools.wikipedia import Wikipedia
from tools.zim import ZimArchive

if TYPE_CHECKING:
    from tools.skb.entity_pages import KnowledgeBasePages

LIVE = ("wikipedia", "duckduckgo")


@dataclass(frozen=True, slots=True)
class Sources:
    """Where to search and where to read.

    `fallback` is searched when every other source fails; `live` names the wikis that are asked over the network, and
    each of the `connections` is hung up by a call.
    """

    searches: tuple[DocumentSearch, ...] = ()
    pages: "tuple[Wikipedia | ZimArchive | KnowledgeBasePages, ...]" = ()
    archives: "tuple[ZimArchive | KnowledgeBasePages, ...]" = ()
    fallback: tuple[DocumentSearch, ...] = ()
    live: tuple[str, ...] = ()
    connections: tuple[Callable[[], None], ...] = ()

    def with_progress(self, say: Callable[[str], None]) -> "Sources":
        """Return these sources with searches that tell `say` of the work before a first answer, where it takes long."""
        heard = {id(each): each.with_progress(say) for each in self.archives if not isinstance(each, ZimArchive)}
        searches, fallback = (
            tuple(heard.get(id(each), each) for each in several) for several in (self.searches, self.fallback)
        )
        return replace(self, searches=searches, fallback=fallback)


def build_sources(settings: Settings) -> Sources:
    """Build every source of the settings, opening none; DuckDuckGo's pages are read from the wiki.

    Raises:
        UsageError: a source that cannot be used, none, or a live wiki without a contact.
    """
    if not settings.sources:
        raise UsageError("no source: name one with --source zim:PATH, or try --preset demo or --preset live")
    searches: list[DocumentSearch] = []
    archives: list[ZimArchive | KnowledgeBasePages] = []
    bases = _knowledge_bases((*settings.sources, settings.fallback))
    wiki = _wikipedia(settings) if set(LIVE) & set(settings.sources) else None
    for name in settings.sources:
        if name == "wikipedia" and wiki:
            searches.append(wiki)
        elif name == "duckduckgo" and wiki:
            searches.append(_duckduckgo(settings, wiki.wiki))
        else:
            archives.append(_archive(name, settings.home, bases))
            searches.append(archives[-1])
    fallback = (_archive(settings.fallback, settings.home, bases),) if settings.fallback else ()
    archives += fallback
    wikis = (wiki,) if wiki else ()
    live_wikis = tuple(each.wiki for each in wikis)
    connections = tuple(each.close for each in wikis)
    return Sources(tuple(searches), (*wikis, *archives), tuple(archives), fallback, live_wikis, connections)


def _wikipedia(settings: Settings) -> Wikipedia:
    return Wikipedia(settings.wiki, settings.contact, settings.wiki_at_once, settings.source_seconds)


def _duckduckgo(settings: Settings, wiki: str) -> DocumentSearch:
    return DuckDuckGo(wiki, settings.duckduckgo_url, settings.source_seconds)


def _knowledge_bases(sources: Iterable[str]) -> "Mapping[Path, KnowledgeBasePages]":
    """Return the knowledge bases among sources by their folders, each told apart from the others."""
    folders = base_folders(sources)
    if not folders:
        return {}
    from tools.skb.entity_pages import KnowledgeBasePages  # with the models of plans it takes a second to import

    return {each: KnowledgeBasePages(each, beside={*folders} - {each}) for each in folders}


def _archive(source: str, home: Path, bases: "Mapping[Path, KnowledgeBasePages]") -> "ZimArchive | KnowledgeBasePages":
    kind, _, path = source.partition(":")
    if source == "demo":
        return ZimArchive(home / "demo.zim")
    if kind not in ("zim", "skb") or not path:
        raise UnknownName(f"unknown source {source!r}; known are zim:PATH, skb:PATH, wikipedia, duckduckgo")
    if kind == "skb":
        return bases[expanded(path)]
    return ZimArchive(expanded(path))
