"""Tiny archives: one made by `build_snapshot`, and any by libzim itself, for layouts that are not ours."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from libzim.writer import Creator, Hint, Item, StringProvider

from tools.zim import ZimArchive, build_snapshot
from tools.zim.writing import stdout_to

NOW = "2026-01-01T00:00:00+00:00"
PAGES = {
    "Red fox": "<p>The red fox jumps over the dog at AT&amp;T, 1,234 km from O'Brien.</p><p>Café, C++ and the U.S.</p>",
    "Fox, red": "<p>A dog is jumped over by foxes that are red.</p>",
    "Tokyo": "<p>東京は日本の首都です。</p>",
    "Rock and roll": "<p>Rock and roll, or jazz, not blues; state-of-the-art.</p>",
}
MakeZim = Callable[..., ZimArchive]


@dataclass(frozen=True, slots=True)
class Stored:
    """One entry to be written as it is."""

    path: str
    title: str
    content: str | bytes
    mimetype: str = "text/html"


class _Item(Item):  # type: ignore[misc]  # libzim carries no types
    def __init__(self, stored: Stored) -> None:
        super().__init__()
        self._stored = stored

    def get_path(self) -> str:
        return self._stored.path

    def get_title(self) -> str:
        return self._stored.title

    def get_mimetype(self) -> str:
        return self._stored.mimetype

    def get_contentprovider(self) -> Any:
        return StringProvider(self._stored.content)

    def get_hints(self) -> dict[Any, bool]:
        return {Hint.FRONT_ARTICLE: self._stored.mimetype.startswith("text/html")}


@pytest.fixture(scope="session")
def stored() -> type[Stored]:
    """Return the class of entries that `make_zim` takes."""
    return Stored


@pytest.fixture(scope="session")
def make_zim(tmp_path_factory: pytest.TempPathFactory) -> MakeZim:
    """Return a function that writes an archive by libzim alone."""

    def make(
        entries: Sequence[Stored],
        redirects: Mapping[str, str] = {},
        metadata: Mapping[str, str] = {},
        indexed: bool = True,
    ) -> ZimArchive:
        path = tmp_path_factory.mktemp("zim") / "made.zim"
        with stdout_to(2), Creator(path).config_indexing(indexed, "eng") as creator:
            for entry in entries:
                creator.add_item(_Item(entry))
            for source, target in redirects.items():
                creator.add_redirection(source.replace(" ", "_"), source, target, {Hint.FRONT_ARTICLE: True})
            for key, value in metadata.items():
                creator.add_metadata(key, value)
        return ZimArchive(path, now=lambda: NOW)

    return make


@pytest.fixture(scope="session")
def fox_zim(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build an archive of four pages; the wiki is called foxes."""
    folder = tmp_path_factory.mktemp("foxes")
    for title, html in PAGES.items():
        (folder / f"{title}.html").write_text(f"<title>{title}</title>{html}", encoding="utf8")
    build_snapshot([folder], folder / "foxes.zim")
    return folder / "foxes.zim"
