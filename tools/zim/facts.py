"""What an archive says of itself: its wiki, its edition, its licence, and where its pages stand on the web."""

import re
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

EDITION = "X-Content-Hash"
"""Metadata of archives made by `build_snapshot`: equal pages, equal edition; others go by their uuid."""
WIKIMEDIA_LICENCE = "CC BY-SA 4.0"
"""Kiwix leaves it out: the texts of these projects are under one licence, Wikinews apart."""
URL_SAFE = "/:@!$&'()*+,;=~"

_PROJECTS = "wikipedia|wiktionary|wikivoyage|wikibooks|wikiquote|wikisource|wikinews|wikiversity"
_SOURCE = re.compile(rf"(?:https?://)?([a-z0-9-]+\.(?:{_PROJECTS})\.org)(?:/.*)?", re.IGNORECASE)
_OTHER_WIKI = re.compile(r"(https?://[^/\s]+/(?:[^\s?#]+/)?wiki/)[^\s]*", re.IGNORECASE)
_NAME = re.compile(rf"({_PROJECTS})_([a-z-]+)(?:_.*)?")


@dataclass(frozen=True, slots=True)
class ArchiveFacts:
    """Metadata of one archive; `base` is the URL before a page's title, empty where none is known."""

    wiki: str
    edition: str
    licence: str
    attribution: str
    base: str

    @property
    def host(self) -> str:
        """Name of the machine that serves the wiki, or empty."""
        return self.base.split("/")[2].lower() if self.base else ""

    def url(self, title: str, path: str) -> str:
        """Return where a page stands on the web, else its address within the archive."""
        if self.base:
            return self.base + quote(title.replace(" ", "_"), safe=URL_SAFE)
        return f"zim://{quote(self.wiki)}/{quote(path, safe=URL_SAFE)}"


def read_facts(archive: Any, stem: str) -> ArchiveFacts:
    """Read the metadata of an open archive; what it does not say of its name, the file's stem says."""
    keys = frozenset(archive.metadata_keys)

    def said(key: str) -> str:
        return bytes(archive.get_metadata(key)).decode("utf-8", "replace").strip() if key in keys else ""

    base = _base(said("Source"), said("Name"))
    return ArchiveFacts(
        wiki=said("Name") or said("Title") or stem,
        edition=said(EDITION) or str(archive.uuid),
        licence=said("License") or _licence(base),
        attribution=_attribution(said("Creator"), said("Publisher")),
        base=base,
    )


def _licence(base: str) -> str:
    return WIKIMEDIA_LICENCE if _SOURCE.fullmatch(base) and ".wikinews." not in base else ""


def _attribution(creator: str, publisher: str) -> str:
    if not creator or not publisher or creator == publisher:
        return creator or publisher
    return f"{creator}, published by {publisher}"


def _base(source: str, name: str) -> str:
    if known := _SOURCE.fullmatch(source):
        return f"https://{known[1].lower()}/wiki/"
    if other := _OTHER_WIKI.fullmatch(source):
        return other[1]
    if named := _NAME.fullmatch(name):
        return f"https://{named[2]}.{named[1]}.org/wiki/"
    return ""
