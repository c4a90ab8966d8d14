"""Name the page of the same wiki that a link leads to."""

import re
from functools import lru_cache
from urllib.parse import unquote, urlsplit

_SCHEME = re.compile(r"(?:https?|ftps?|mailto|javascript|data|tel|geo|ircs?|news|magnet|urn|blob|file):", re.IGNORECASE)
_NAMESPACE = re.compile(
    r"(?:file|image|media|category|template|module|help|portal|special|draft|book|user|project|wikipedia|wp|mediawiki"
    r"|timedtext|gadget|topic|talk|[a-z]+[ _]talk|datei|bild|kategorie|vorlage|spezial|hilfe|benutzer"
    r"|fichier|catégorie|modèle|spécial|aide|utilisateur|projet|archivo|categoría|plantilla|especial|usuario"
    r"|categoria|ficheiro|arquivo|immagine|bestand|categorie|sjabloon|speciaal)[ _]*:",
    re.IGNORECASE,
)
_SUFFIX = re.compile(r"\.(?:html?|md)$", re.IGNORECASE)
_FOREIGN_CLASSES = frozenset(("new", "external", "extiw", "image", "mw-file-description", "interlanguage-link"))
_FOREIGN_RELATIONS = frozenset(("mw:ExtLink", "mw:WikiLink/Interwiki", "mw:MediaLink", "nofollow"))


class LinkReader:
    """Read the links of one page.

    Args:
        title: of the page; links to itself lead nowhere new.
        url: of the page; an absolute link is one of ours where it shares host and folder.
    """

    def __init__(self, title: str, url: str) -> None:
        parts = urlsplit(url) if _parses(url) else urlsplit("")
        self._title = title
        self._host = parts.netloc.casefold()
        self._folder = parts.path.rpartition("/")[0] + "/"

    def target(self, href: str, classes: str = "", relation: str = "") -> str:
        """Return the canonical title that a link names, or "" where it names no page of this wiki.

        Red, interwiki and outward links, files, categories and other name spaces name no page.
        """
        if not href or href[0] == "#" or "redlink=1" in href:
            return ""
        if classes and not _FOREIGN_CLASSES.isdisjoint(classes.split()):
            return ""
        if relation and not _FOREIGN_RELATIONS.isdisjoint(relation.split()):
            return ""
        title = _title(self._path(href))
        return "" if title == self._title else title

    def _path(self, href: str) -> str:
        """Return the part of a link that carries the title, still encoded."""
        if href.startswith("/wiki/"):
            return href[6:].partition("#")[0].partition("?")[0]
        if href.startswith("//") or _SCHEME.match(href):
            if not _parses(href) or not self._host or urlsplit(href).netloc.casefold() != self._host:
                return ""
            href = "/" + href.partition("//")[2].partition("/")[2]
        path = href.partition("#")[0].partition("?")[0]
        if not path.startswith("/"):
            return _climb(path)
        for folder in ("/wiki/", self._folder, "/A/"):
            if path.startswith(folder):
                return path[len(folder) :]
        return ""


@lru_cache(maxsize=4096)
def _title(path: str) -> str:
    title = " ".join(unquote(path).replace("_", " ").split())
    if ":" in title and _NAMESPACE.match(title):
        return ""
    return _SUFFIX.sub("", title) if "." in title else title


def _climb(path: str) -> str:
    """Return what is left of a relative path; Kiwix keeps articles in the folder A."""
    climbed = path
    while climbed.startswith(("./", "../")):
        climbed = climbed.partition("/")[2]
    return climbed.removeprefix("A/") if path.startswith("../") else climbed


def _parses(url: str) -> bool:
    try:
        urlsplit(url)
    except ValueError:
        return False
    return True
