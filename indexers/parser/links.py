"""Name the page of the same wiki that a link leads to."""

import re
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
        self._known: dict[str, str] = {}
        self._host = parts.netloc.casefold()
        self._folder = parts.path.rpartition("/")[0] + "/"

    def target(self, href: str, classes: str = "", relation: str = "") -> str:
        """Return the canonical title that a link names, or "" where it names no page of this wiki.

        Red, interwiki and outward links, files, categories and other name spaces name no page.
        """
        if classes and not _FOREIGN_CLASSES.isdisjoint(classes.split()):
            return ""
        if relation and not _FOREIGN_RELATIONS.isdisjoint(relation.split()):
            return ""
        known = self._known.get(href)
        if known is None:
            known = self._known[href] = self._title_of(href)
        return known

    def _title_of(self, href: str) -> str:
        if not href or href[0] == "#" or "redlink=1" in href:
            return ""
        path = self._path(href)
        if "%" in path:
            path = unquote(path)
        title = " ".join(path.replace("_", " ").split())
        if title == self._title or (":" in title and _NAMESPACE.match(title)):
            return ""
        return _SUFFIX.sub("", title) if "." in title else title

    def _path(self, href: str) -> str:
        """Return the part of a link that carries the title, still encoded."""
        if "#" in href or "?" in href:
            href = href.partition("#")[0].partition("?")[0]
        if href.startswith("/wiki/"):
            return href[6:]
        if href.startswith("//") or _SCHEME.match(href):
            if not _parses(href) or not self._host or urlsplit(href).netloc.casefold() != self._host:
                return ""
            href = "/" + href.partition("//")[2].partition("/")[2]
        if not href.startswith("/"):
            return _climb(href)
        for folder in ("/wiki/", self._folder, "/A/"):
            if href.startswith(folder):
                return href[len(folder) :]
        return ""


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
