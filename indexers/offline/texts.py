"""Many texts in one file, read through a memory map: what a list of strings is, without the memory."""

import os
import shutil
from array import array
from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, overload

import numpy as np
from numpy.lib.format import open_memmap
from numpy.typing import DTypeLike, NDArray

from heliograph.errors import StoreDamaged
from heliograph.storage import MALFORMED

TEXT, ENDS = ".txt", ".ends.npy"
REMEDY = "give the command that built it again, it mends what is broken"
_CODING, _ERRORS = "utf-8", "surrogatepass"


def write_texts(folder: Path, name: str, texts: Iterable[str]) -> int:
    """Write texts one after the other, and where each ends; return how many there were."""
    ends = array("q")
    with (folder / f"{name}{TEXT}").open("wb") as file:
        for text in texts:
            file.write(text.encode(_CODING, _ERRORS))
            ends.append(file.tell())
    np.save(folder / f"{name}{ENDS}", np.array(ends, np.int64))
    return len(ends)


def join_texts(folder: Path, name: str, parts: Iterable[tuple[Path, str]]) -> int:
    """Write the texts of several files, given as folder and name, as one; return how many there were."""
    ends = array("q")
    with (folder / f"{name}{TEXT}").open("wb") as file:
        for where, part in parts:
            before = file.tell()
            ends.frombytes((np.load(where / f"{part}{ENDS}", allow_pickle=False) + before).tobytes())
            with (where / f"{part}{TEXT}").open("rb") as source:
                shutil.copyfileobj(source, file, 1 << 20)
    np.save(folder / f"{name}{ENDS}", np.array(ends, np.int64))
    return len(ends)


class MappedTexts(Sequence[str]):
    """The texts of a file by position; each is decoded when it is asked for.

    Raises:
        StoreDamaged: the file cannot be mapped, or a text of it is none.
    """

    def __init__(self, folder: Path, name: str) -> None:
        self._path = folder / f"{name}{TEXT}"
        self._ends = mapped_array(folder / f"{name}{ENDS}")
        try:
            size = self._path.stat().st_size
            self._text = np.memmap(self._path, np.uint8, mode="r") if size else np.zeros(0, np.uint8)
        except (OSError, ValueError) as err:
            raise StoreDamaged(f"{self._path} cannot be read ({type(err).__name__}); {REMEDY}") from err
        if (int(self._ends[-1]) if len(self._ends) else 0) != size:
            raise self._altered(len(self._ends))

    def __len__(self) -> int:
        return len(self._ends)

    @overload
    def __getitem__(self, position: int) -> str: ...

    @overload
    def __getitem__(self, position: slice) -> list[str]: ...

    def __getitem__(self, position: int | slice) -> str | list[str]:
        if isinstance(position, slice):
            places = range(*position.indices(len(self)))
            return self._run(places) if places.step == 1 else [self[each] for each in places]
        if not 0 <= position < len(self):
            raise IndexError(position)
        start, end = int(self._ends[position - 1]) if position else 0, int(self._ends[position])
        if not 0 <= start <= end <= len(self._text):
            raise self._altered(position)
        try:
            return self._text[start:end].tobytes().decode(_CODING, _ERRORS)
        except UnicodeDecodeError as err:
            raise StoreDamaged(f"{self._path} was altered at byte {start + err.start}; {REMEDY}") from err

    def _run(self, places: range) -> list[str]:
        """Return texts that stand one after the other, read at once."""
        start = int(self._ends[places.start - 1]) if places.start else 0
        ends = (self._ends[places.start : places.stop] - start).tolist()
        if any(end < begin for begin, end in pairwise((0, *ends))):
            return [self[each] for each in places]  # which says where
        held = self._text[start : start + ends[-1]].tobytes() if ends else b""
        try:
            return [held[begin:end].decode(_CODING, _ERRORS) for begin, end in pairwise((0, *ends))]
        except UnicodeDecodeError:
            return [self[each] for each in places]

    def _altered(self, position: int) -> StoreDamaged:
        return StoreDamaged(f"{self._path} or where its texts end was altered near text {position}; {REMEDY}")


def mapped_array(path: Path, dimensions: int = 1) -> NDArray[np.int64]:
    """Map an array of whole numbers; an empty one is read.

    Raises:
        StoreDamaged: it cannot be read, or is none.
    """
    try:
        found: NDArray[np.int64] = np.load(path, mmap_mode="r", allow_pickle=False)
        whole = found.dtype.kind in "iu" and found.ndim == dimensions
    except (OSError, EOFError, *MALFORMED) as err:
        raise StoreDamaged(f"{path} cannot be read ({type(err).__name__}); {REMEDY}") from err
    if not whole:
        raise StoreDamaged(f"{path} is no array of whole numbers; {REMEDY}")
    return found


def writable_array(path: Path, kind: DTypeLike, shape: tuple[int, ...]) -> NDArray[Any]:
    """Map a new array to be written, with its room on the disk taken: a full disk found later ends the process.

    Raises:
        OSError: there is no room.
    """
    found = open_memmap(path, "w+", np.dtype(kind), shape)
    if found.size and hasattr(os, "posix_fallocate"):
        with path.open("r+b") as file:
            os.posix_fallocate(file.fileno(), 0, path.stat().st_size)
    return found
