"""Write entries into a new archive by libzim; its complaints are translated here."""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from libzim.writer import Creator, Hint, Item, StringProvider

from heliograph.errors import StoreFull

PAGE_TYPE = "text/html;charset=utf-8"


class _Entry(Item):  # type: ignore[misc]  # libzim carries no types
    """One entry as libzim asks for it."""

    def __init__(self, path: str, title: str, mimetype: str, content: bytes) -> None:
        super().__init__()
        self._path, self._title, self._mimetype, self._content = path, title, mimetype, content

    def get_path(self) -> str:
        return self._path

    def get_title(self) -> str:
        return self._title

    def get_mimetype(self) -> str:
        return self._mimetype

    def get_contentprovider(self) -> Any:
        return StringProvider(self._content)

    def get_hints(self) -> dict[Any, bool]:
        return {Hint.FRONT_ARTICLE: self._mimetype == PAGE_TYPE}


class ArchiveWriter:
    """An archive in the making, with full-text and title index; it is whole after `finish`.

    Raises (from everything):
        StoreFull: the disk takes no more.
    """

    def __init__(self, path: Path, language: str) -> None:
        self._path = path
        with self._translated():
            self._creator = Creator(path).config_indexing(True, language)
            self._creator.__enter__()

    def add_page(self, path: str, title: str, html: bytes) -> None:
        """Add a page: UTF-8, searched by its text and title."""
        with self._translated():
            self._creator.add_item(_Entry(path, title, PAGE_TYPE, html))

    def add_file(self, path: str, mimetype: str, content: bytes) -> None:
        """Add something that is no page."""
        with self._translated():
            self._creator.add_item(_Entry(path, path, mimetype, content))

    def add_redirect(self, path: str, title: str, target: str) -> None:
        """Add another title of the page at the path `target`."""
        with self._translated():
            self._creator.add_redirection(path, title, target, {Hint.FRONT_ARTICLE: True})

    def finish(self, main: str, metadata: Mapping[str, str]) -> None:
        """Write the indexes and close the archive; `main` is the path of the page that readers open first."""
        with self._translated(), _silenced_stdout():
            self._creator.set_mainpath(main)
            for key, value in metadata.items():
                self._creator.add_metadata(key, value)
            self._creator.__exit__(None, None, None)

    def abandon(self) -> None:
        """End the threads of libzim, which wait for ever where an archive is left unfinished; the file is of no use."""
        with suppress(RuntimeError), _silenced_stdout():
            self._creator.__exit__(None, None, None)

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except RuntimeError as err:
            raise StoreFull(f"cannot write {self._path.parent}: {err}; free some space or name another folder") from err


@contextmanager
def _silenced_stdout() -> Iterator[None]:
    """Keep libzim, which prints from C++ while it finishes, off stdout: that is for results."""
    kept, silence = os.dup(1), os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)
    try:
        yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)
        os.close(silence)
