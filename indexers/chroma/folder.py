"""Chroma in this process, its files in a folder: what a killed process left is mended, and damage is named."""

import re
import shutil
import struct
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import chromadb
from chromadb.api import ClientAPI
from chromadb.api.shared_system_client import SharedSystemClient
from chromadb.errors import InternalError

from heliograph.errors import StoreDamaged, StoreError, StoreFull
from indexers.chroma.quiet import QuietSettings
from indexers.vector_server import DISK_FULL

PREFIX = "heliograph"
SCANT_BYTES = 16 * 2**20
"""With less free space than this a failure is put down to the disk: Chroma does not always say so."""
HEADER_BYTES, HEADER_VERSION, COUNT_AT = 100, b"\1\0\0\0", 20
"""Of the header of the vector files: its length, its version, and where it counts entries and says their length."""
ENTRIES, LENGTHS, LENGTH_BYTES = "data_level0.bin", "length.bin", 4
FLUSHED = "index_metadata.pickle"
"""Beside vectors that were flushed at least once; until then Chroma's log has them all."""


class ChromaFolder:
    """A folder of collections.

    Raises:
        StoreDamaged | StoreFull: the folder cannot be used.
    """

    prefix = PREFIX

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        with self.translated():
            folder.mkdir(parents=True, exist_ok=True)
            _mend(folder)
            self._client = _client(folder)
        self._writing = threading.Lock()

    @property
    def most(self) -> int:
        """How many nodes may be added at a time."""
        return self._client.get_max_batch_size()

    def made(self, name: str) -> chromadb.Collection:
        """Return a collection, which is made if need be."""
        return self._client.get_or_create_collection(
            name, configuration={"hnsw": {"space": "cosine"}}, embedding_function=None
        )

    def listed(self) -> Sequence[chromadb.Collection]:
        """Return all collections of ours."""
        return [found for found in self._client.list_collections() if found.name.startswith(f"{PREFIX}.")]

    def delete(self, name: str) -> None:
        """Delete a collection."""
        self._client.delete_collection(name)

    @contextmanager
    def translated(self) -> Iterator[None]:
        """Turn Chroma's errors into typed ones that name the folder."""
        try:
            yield
        except InternalError as err:
            raise _in_our_words(self._folder, err) from err
        except OSError as err:
            raise StoreFull(
                f"cannot write {self._folder} ({err.strerror}); free some space or set HELIOGRAPH_HOME"
            ) from err

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Translate the errors of what makes files, one at a time, and leave none of this process's memory in them.

        A collection's files are made by its first vectors, and again by the first reading of them in each process.
        """
        with self._writing, self.translated():
            try:
                yield
            finally:
                for vectors in self._folder.glob("*/"):
                    if _is_whole(vectors):
                        _clear_unused(vectors)

    def close(self) -> None:
        """Close the files of the folder."""
        self._client.close()  # type: ignore[attr-defined]  # the class that is made has it, its interface lacks it


def _client(folder: Path) -> ClientAPI:
    """Open a folder; one that cannot be opened is forgotten, else Chroma would hand its remains to the next caller."""
    try:
        return chromadb.PersistentClient(str(folder), QuietSettings(anonymized_telemetry=False))
    except InternalError:
        SharedSystemClient._identifier_to_system.pop(str(folder), None)
        raise


def _mend(folder: Path) -> None:
    """Remove vector files that a killed process had begun and not flushed; Chroma makes them anew from its log.

    Flushed ones that were cut are refused: Chroma reads past their end, and the process dies without a word.
    """
    for vectors in sorted(folder.glob("*/")):
        if _is_whole(vectors):
            _clear_unused(vectors)
            continue
        if (vectors / FLUSHED).exists():
            raise StoreDamaged(_damage(folder, f"{vectors.name} is cut"))
        shutil.rmtree(vectors)


def _is_whole(vectors: Path) -> bool:
    """Tell whether the vectors of a collection have the length that their header says."""
    header, entries, lengths = vectors / "header.bin", vectors / ENTRIES, vectors / LENGTHS
    if not (header.exists() and entries.exists() and lengths.exists()):
        return False
    content = header.read_bytes()
    if len(content) < HEADER_BYTES:
        return False
    if content[:4] != HEADER_VERSION:
        return True
    _, size = _entries(content)
    return bool(entries.stat().st_size == lengths.stat().st_size // LENGTH_BYTES * size)


def _clear_unused(vectors: Path) -> None:
    """Write zeros where no vector stands yet.

    A new collection's files are written at their full capacity from memory that Chroma never set, so that they hold
    whatever this process had there before, keys included (chroma-core/chroma, issue 7688).
    """
    content = (vectors / "header.bin").read_bytes()
    if content[:4] != HEADER_VERSION:
        return
    count, size = _entries(content)
    for name, width in ((ENTRIES, size), (LENGTHS, LENGTH_BYTES)):
        with (vectors / name).open("r+b") as file:
            file.seek(count * width)
            unused = file.read()
            if any(unused):
                file.seek(count * width)
                file.write(bytes(len(unused)))


def _entries(header: bytes) -> tuple[int, int]:
    """Read how many entries there are, and how many bytes one takes."""
    count, size = struct.unpack_from("<QQ", header, COUNT_AT)
    return count, size


def _in_our_words(folder: Path, err: InternalError) -> StoreError:
    if re.search(DISK_FULL, str(err)) or shutil.disk_usage(folder).free < SCANT_BYTES:
        return StoreFull(f"no space is left for the indexes in {folder}; free some space or set HELIOGRAPH_HOME")
    return StoreDamaged(_damage(folder, str(err)))


def _damage(folder: Path, reason: str) -> str:
    return (
        f"the indexes in {folder} cannot be read ({reason}); run heliograph store purge --indexes, "
        "and they are built again from the pages"
    )
