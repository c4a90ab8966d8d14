"""Find the page that a title means: by its path or title, through redirects of both kinds."""

from typing import Any
from urllib.parse import unquote

from heliograph.errors import PageUnavailable
from tools.zim.markup import decoded, redirect_target

MOST_REDIRECTS = 16
REDIRECT_BYTES = 512
"""Pages that only redirect are smaller; the text of larger ones is not read to find out, for that is slow."""
PAGE_TYPES = ("text/html", "application/xhtml+xml")


class Entries:
    """The entries of one open archive. `file` is its name in messages.

    Archives of before 2021 keep articles under `A/` and pictures under `I/`; later ones have no such folders.
    """

    def __init__(self, archive: Any, file: str) -> None:
        self._archive = archive
        self._file = file
        self._folder = "" if archive.has_new_namespace_scheme else "A/"

    def find(self, title: str) -> Any | None:
        """Return the entry of a title as readers write it: underscores, and the first letter in either case."""
        title = title.encode("utf-8", "replace").decode("utf-8")
        names = dict.fromkeys((title, title[:1].upper() + title[1:], title[:1].lower() + title[1:]))
        for name in filter(None, names):
            underscored = name.replace(" ", "_")
            found = self.at(self._folder + underscored) or self.at(self._folder + name) or self._titled(name)
            if found is None and "_" in name:
                found = self._titled(name.replace("_", " "))
            if found is not None:
                return found
        return None

    def at(self, path: str) -> Any | None:
        """Return the entry of a path, not one that libzim takes for it by guessing a namespace."""
        if not self._archive.has_entry_by_path(path):
            return None
        entry = self._archive.get_entry_by_path(path)
        return entry if entry.path == path else None

    def page(self, entry: Any) -> Any:
        """Follow redirects of the archive, and pages that only redirect, to the entry of a page.

        Raises:
            PageUnavailable: the redirects go round or nowhere, or end at something that is no page.
        """
        chain: list[str] = []
        while True:
            if entry.path in chain or len(chain) > MOST_REDIRECTS:
                raise PageUnavailable(f"{self._file} redirects in a loop: {' > '.join([*chain, entry.path])}")
            chain.append(entry.path)
            if entry.is_redirect:
                entry = entry.get_redirect_entry()
                continue
            target = self._sent_on(entry.get_item())
            if target is None:
                return entry
            onward = self.at(target)
            if onward is None:
                raise PageUnavailable(f"{self._file} redirects to a missing page: {' > '.join(chain)} > {target}")
            entry = onward

    def name(self, entry: Any) -> str:
        """Return the title by which `find` gives this entry: its own, or its path where that names another."""
        title: str = entry.title
        if self._folder + title.replace(" ", "_") == entry.path:
            return title
        found = self.find(title)
        return title if found is not None and found.path == entry.path else str(entry.path).removeprefix(self._folder)

    def linked(self, entry: Any, link: str) -> Any | None:
        """Return the entry that a relative link of a page leads to."""
        return self.at(_resolved(entry.path, link))

    def _titled(self, title: str) -> Any | None:
        return self._archive.get_entry_by_title(title) if self._archive.has_entry_by_title(title) else None

    def _sent_on(self, item: Any) -> str | None:
        """Return the path to which a page that only redirects leads, None for a page."""
        if not item.mimetype.startswith(PAGE_TYPES):
            raise PageUnavailable(f'"{item.title}" in {self._file} is {item.mimetype or "empty"} and no page')
        if item.size > REDIRECT_BYTES:
            return None
        target = redirect_target(decoded(bytes(item.content), item.mimetype))
        return None if target is None else _resolved(item.path, target)


def _resolved(path: str, link: str) -> str:
    """Return the path that a link on the page of another path means: links are encoded, paths are not."""
    bare = unquote(link.partition("#")[0].partition("?")[0])
    if bare.startswith("/"):
        return bare.lstrip("/")
    folders = path.split("/")[:-1]
    while bare.startswith(("./", "../")):
        step, _, bare = bare.partition("/")
        folders = folders[:-1] if step == ".." else folders
    return "/".join((*folders, bare))
