"""Write entries into a new archive by libzim; its complaints are translated here.

On a full disk libzim's threads end without a word, and it then waits for them for ever. So space is looked for before
it is needed, and a writer that stands still is given up.
"""

import ctypes
import os
import shutil
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any
from weakref import WeakSet

from libzim.writer import Creator, Hint, Item, StringProvider

from heliograph.errors import StoreFull

LOOK_EVERY = 1_000_000
"""Bytes added between two looks at the disk."""
UNWRITTEN_BYTES = 32_000_000
"""What libzim and its index may hold back in memory."""
MOST_GROWTH = 8
"""Bytes on the disk for one of text held back: 7 were measured for pages of random numbers, 1.5 for Wikipedia's."""
PATIENCE_SECONDS = 20.0
"""How long libzim may neither write nor compute before it is given up."""
STILL_SECONDS = 0.5
"""How long libzim's threads free nothing before they are held to be done."""
PAGE_TYPE = "text/html;charset=utf-8"


class _Entry(Item):  # type: ignore[misc]  # libzim carries no types
    """One entry as libzim asks for it."""

    def __init__(self, path: str, title: str, mimetype: str, content: bytes, held: "WeakSet[StringProvider]") -> None:
        super().__init__()
        self._path, self._title, self._mimetype, self._content, self._held = path, title, mimetype, content, held

    def get_path(self) -> str:
        return self._path

    def get_title(self) -> str:
        return self._title

    def get_mimetype(self) -> str:
        return self._mimetype

    def get_contentprovider(self) -> Any:
        provider = StringProvider(self._content)
        self._held.add(provider)
        return provider

    def get_hints(self) -> dict[Any, bool]:
        return {Hint.FRONT_ARTICLE: self._mimetype == PAGE_TYPE}


class ArchiveWriter:
    """An archive in the making, with full-text and title index; it is whole after `finish`.

    libzim leaves other files beside the archive, so it should have a folder of its own.

    Raises (from everything):
        StoreFull: the disk takes no more.
    """

    def __init__(self, path: Path, language: str, patience: float = PATIENCE_SECONDS) -> None:
        self._folder = path.parent
        self._patience = patience
        self._added = self._looked = 0
        self._held: WeakSet[StringProvider] = WeakSet()
        with self._translated():
            self._creator = Creator(path).config_indexing(True, language)
            self._creator.__enter__()

    def add_page(self, path: str, title: str, html: bytes) -> None:
        """Add a page: UTF-8, searched by its text and title."""
        self._add(path, title, PAGE_TYPE, html)

    def add_file(self, path: str, mimetype: str, content: bytes) -> None:
        """Add something that is no page."""
        self._add(path, path, mimetype, content)

    def add_redirect(self, path: str, title: str, target: str) -> None:
        """Add another title of the page at the path `target`."""
        with self._translated():
            self._creator.add_redirection(path, title, target, {Hint.FRONT_ARTICLE: True})

    def finish(self, main: str, metadata: Mapping[str, str]) -> None:
        """Write the indexes and close the archive; `main` is the path of the page that readers open first."""
        self._look_for_space()
        with self._translated():
            self._creator.set_mainpath(main)
            for key, value in metadata.items():
                self._creator.add_metadata(key, value)
        with stdout_to(2):
            self._close()

    def abandon(self) -> None:
        """End the threads of libzim, which wait for ever where an archive is left unfinished; the file is of no use."""
        with Path(os.devnull).open("wb") as nowhere, stdout_to(nowhere.fileno()):
            try:
                self._close()
            except StoreFull:
                self._leave()

    def _leave(self) -> None:
        """Let go of threads that do not end, as none does once a write has failed.

        They go on to free contents. One that does so while Python shuts down aborts the process, and so does freeing
        the creator: wait until they are still, and never free it.
        """
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(self._creator))
        held, since = len(self._held), time.monotonic()
        until = since + self._patience
        while time.monotonic() < min(since + STILL_SECONDS, until):
            time.sleep(0.02)
            if len(self._held) != held:
                held, since = len(self._held), time.monotonic()

    def _add(self, path: str, title: str, mimetype: str, content: bytes) -> None:
        self._added += len(content)
        if self._added - self._looked > LOOK_EVERY:
            self._looked = self._added
            self._look_for_space()
        with self._translated():
            self._creator.add_item(_Entry(path, title, mimetype, content, self._held))

    def _look_for_space(self) -> None:
        """The index is copied once in the end, and what is held back will be written."""
        index = sum(_bytes(path) for path in self._folder.iterdir() if path.is_dir())
        needed = index + MOST_GROWTH * min(self._added, UNWRITTEN_BYTES)
        free = shutil.disk_usage(self._folder).free
        if free < needed:
            raise StoreFull(
                f"{free:,} bytes are free on the disk of {self._folder.parent} and about {needed:,} are needed; "
                "free some space or name another folder"
            )

    def _close(self) -> None:
        """Let libzim finish in a thread of its own, for as long as it does something."""
        complaints: list[RuntimeError] = []

        def close() -> None:
            try:
                self._creator.__exit__(None, None, None)
            except RuntimeError as err:
                complaints.append(err)

        with self._translated():
            closing = Thread(target=close, daemon=True)
            closing.start()
            _wait_while_busy(closing, lambda: _bytes(self._folder), self._patience)
            if complaints:
                raise complaints[0]

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except RuntimeError as err:
            raise StoreFull(
                f"cannot write {self._folder.parent}: {err}; free some space or name another folder"
            ) from err


def _wait_while_busy(thread: Thread, written: Callable[[], int], patience: float) -> None:
    """Wait for a thread to end.

    Raises:
        RuntimeError: for `patience` seconds nothing was written and no processor time used, to half a second.
    """
    seen, since = (-1, -1), time.monotonic()
    while thread.is_alive():
        thread.join(0.1)
        now = (written(), int(time.process_time() * 2))
        if now != seen:
            seen, since = now, time.monotonic()
        elif time.monotonic() - since > patience:
            raise RuntimeError("writing came to a stop, as on a full disk")


def _bytes(folder: Path) -> int:
    """Return the bytes of a folder; files that go meanwhile count nothing."""
    total = 0
    for inner, _, names in os.walk(folder):
        for name in names:
            try:
                total += (Path(inner) / name).stat().st_size
            except FileNotFoundError:
                continue
    return total


@contextmanager
def stdout_to(descriptor: int) -> Iterator[None]:
    """Send what libzim prints from C++ elsewhere: our stdout is for results."""
    sys.stdout.flush()
    kept = os.dup(1)
    os.dup2(descriptor, 1)
    try:
        yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)
