"""Find the page that a title means: by its path or title, through redirects of both kinds."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote

from heliograph.errors import PageUnavailable
from tools.zim.markup import decoded, redirect_target

MOST_REDIRECTS = 16
REDIRECT_BYTES = 4_096
"""Pages that only redirect are smaller."""
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
        """Return the entry of a title as readers write it, pages and redirects before anything else.

        Underscores count as spaces, and the first letter may be in either case.
        """
        other = None
        for entry in self._bearing(title.encode("utf-8", "replace").decode("utf-8")):
            if entry.is_redirect or is_page(entry):
                return entry
            other = other or entry
        return other

    def found(self, path: str) -> Any | None:
        """Return the page that a search result leads to, None where it leads to none.

        Nothing is read but the directory: pages that only redirect are found out when they are read.
        """
        try:
            entry = self._target(self._archive.get_entry_by_path(path), [])
        except (KeyError, PageUnavailable):
            return None
        return entry if is_page(entry) else None

    def pages(self) -> Iterator[Any]:
        """Yield the entries of all pages, redirects of the archive left out."""
        for number in range(self._archive.all_entry_count):
            entry = self._archive._get_entry_by_id(number)
            if not entry.is_redirect and entry.path.startswith(self._folder) and is_page(entry):
                yield entry

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
            entry = self._target(entry, chain)
            target = self._sent_on(entry)
            if target is None:
                return entry
            onward = self.at(target)
            if onward is None:
                raise PageUnavailable(f"{self._file} redirects to a missing page: {' > '.join(chain)} > {target}")
            entry = onward

    def _target(self, entry: Any, chain: list[str]) -> Any:
        """Follow redirects of the archive; `chain` grows by the paths met."""
        while True:
            if entry.path in chain or len(chain) > MOST_REDIRECTS:
                raise PageUnavailable(f"{self._file} redirects in a loop: {' > '.join([*chain, entry.path])}")
            chain.append(entry.path)
            if not entry.is_redirect:
                return entry
            entry = entry.get_redirect_entry()

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

    def _bearing(self, title: str) -> Iterator[Any]:
        names = dict.fromkeys((title, title[:1].upper() + title[1:], title[:1].lower() + title[1:]))
        for name in filter(None, names):
            for path in dict.fromkeys((name.replace(" ", "_"), name)):
                if (entry := self.at(self._folder + path)) is not None:
                    yield entry
            for written in dict.fromkeys((name, name.replace("_", " "))):
                if self._archive.has_entry_by_title(written):
                    yield self._archive.get_entry_by_title(written)

    def _sent_on(self, entry: Any) -> str | None:
        """Return the path to which a page that only redirects leads, None for a page."""
        item = entry.get_item()
        if not is_page(entry):
            raise PageUnavailable(f'"{item.title}" in {self._file} is {item.mimetype or "empty"} and no page')
        if item.size > REDIRECT_BYTES:
            return None
        target = redirect_target(decoded(bytes(item.content), item.mimetype))
        return None if target is None else _resolved(item.path, target)


def is_page(entry: Any) -> bool:
    """Tell pages from pictures, styles and documents."""
    return bool(entry.get_item().mimetype.lower().startswith(PAGE_TYPES))


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
