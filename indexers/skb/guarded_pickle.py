"""Pickles and tensors of STaRK's files, read without torch and without running what a file says.

Every name that a pickle asks for is answered by an object of ours, or refused: neither numpy nor torch is called. A
file that nests a million levels or names more memory than there is can still end the process; it runs nothing.
"""

import math
import pickle
import re
import struct
import zipfile
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from heliograph.errors import UsageError
from heliograph.storage import MALFORMED, plain_file

Integers = npt.NDArray[np.int64]
Shape = tuple[int, ...]
Order = Literal["C", "F"]
AGAIN = "download the data set snap-stanford/stark again"
MOST_HEADER = 2**16
"""Bytes of the pickle that describes a tensor; torch writes about 200."""
_DAMAGED = (EOFError, MemoryError, RuntimeError, BufferError, struct.error, pickle.UnpicklingError, zipfile.BadZipFile)
"""What pickle, zipfile and numpy raise of damaged files, beside what is MALFORMED."""


def read_plain_pickle(path: Path) -> object:
    """Return what a pickle of plain data holds; scalars and arrays of numpy become Python's numbers, texts and lists.

    Raises:
        UsageError: the file cannot be read, or asks for a class or function that plain data does not need.
    """
    with reading(path), plain_file(path).open("rb") as file:
        return _GuardedUnpickler(file, path, _PLAIN).load()


def read_tensor(path: Path) -> Integers:
    """Return the tensor of integers that `torch.save` wrote, mapped into memory and not copied where it can be.

    Storages must be stored without compression, as torch does, so that none is larger than the file.

    Raises:
        UsageError: the file is damaged, older than torch 1.6, compressed, or holds anything else.
    """
    with reading(path), plain_file(path).open("rb") as whole:
        if not zipfile.is_zipfile(whole):
            raise UsageError(f"{path} is cut short, or older than torch 1.6; {AGAIN}, or save it with a newer torch")
        archive = zipfile.ZipFile(whole)
        header = next((each for each in archive.namelist() if each.endswith("/data.pkl")), "")
        with archive.open(_stored(archive, header, MOST_HEADER)) as file:
            tensor = _TensorUnpickler(file, path, archive, header.removesuffix("data.pkl")).load()
        if not isinstance(tensor, np.ndarray):
            raise TypeError("no tensor in it")
        return tensor.astype(np.int64, copy=False)


@contextmanager
def reading(path: Path, place: str = "") -> Iterator[None]:
    """Translate what reading a file raises; `place` says where in it."""
    try:
        yield
    except OSError as err:
        raise UsageError(f"{path} cannot be read ({err.strerror or err}); check its name and permissions") from err
    except (*MALFORMED, *_DAMAGED) as err:
        reason = " ".join(str(err).split()) or type(err).__name__
        raise UsageError(f"{path} cannot be read{place} ({reason}); {AGAIN}") from err


class _Call(NamedTuple):
    """A function of ours under a foreign name; a pickle can set attributes of functions, but not of tuples."""

    function: Callable[..., object]

    def __call__(self, *given: object) -> object:
        return self.function(*given)


class _GuardedUnpickler(pickle.Unpickler):
    """Answers each admitted name with an object of ours, so that neither numpy nor torch runs what a file says."""

    def __init__(self, file: IO[bytes], path: Path, admitted: Mapping[str, object]) -> None:
        super().__init__(file)
        self._path, self._admitted = path, admitted

    def find_class(self, module: str, name: str) -> Any:
        asked = f"{module}.{name}"
        if asked not in self._admitted:
            raise UsageError(f"{self._path} asks for {asked}, which is no plain data, and was not run; {AGAIN}")
        return self._admitted[asked]


class _TensorUnpickler(_GuardedUnpickler):
    """Reads the header of a tensor; storages are members of the same zip, named by persistent ids."""

    def __init__(self, file: IO[bytes], path: Path, archive: zipfile.ZipFile, root: str) -> None:
        super().__init__(file, path, _TENSORS)
        self._archive, self._root = archive, root

    def persistent_load(self, pid: Any) -> Integers:
        match pid:
            case ("storage", "i8" | "i4" as kind, str() as key, _, int() as items):
                return self._storage(np.dtype(self._byte_order() + kind), f"{self._root}data/{key}", items)
        raise pickle.UnpicklingError("a storage is not of 64-bit or 32-bit integers")

    def _byte_order(self) -> str:
        name = f"{self._root}byteorder"
        if name not in self._archive.namelist():
            return "<"
        return {b"little": "<", b"big": ">"}[self._archive.read(_stored(self._archive, name, len(b"little")))]

    def _storage(self, dtype: np.dtype[Any], name: str, items: int) -> Integers:
        """Map a member into memory once its checksum has been verified."""
        member = _stored(self._archive, name, items * dtype.itemsize)
        if member.file_size != items * dtype.itemsize:
            raise ValueError(f"{name} has {member.file_size:,} bytes and not {items:,} numbers")
        with self._archive.open(member) as file:
            while file.read(2**20):
                pass
        return (
            np.memmap(self._path, dtype, "r", _first_byte(self._path, member), items) if items else np.empty(0, dtype)
        )


def _stored(archive: zipfile.ZipFile, name: str, most: int) -> zipfile.ZipInfo:
    """Return a member that is stored as it is, and has no more bytes than it may.

    Raises:
        ValueError: it is compressed or larger.
        KeyError: there is none.
    """
    member = archive.getinfo(name)
    if member.compress_type != zipfile.ZIP_STORED or member.compress_size != member.file_size:
        raise ValueError(f"{name} is compressed, which torch never does")
    if member.file_size > most:
        raise ValueError(f"{name} has {member.file_size:,} bytes where {most:,} are expected")
    return member


def _first_byte(path: Path, member: zipfile.ZipInfo) -> int:
    """Return where the bytes of a member begin: behind its own header, a name and an extra field (APPNOTE 4.3.7)."""
    with path.open("rb") as file:
        file.seek(member.header_offset)
        name, extra = struct.unpack("<26xHH", file.read(30))
    return member.header_offset + 30 + int(name) + int(extra)


def _rebuilt_tensor(storage: Integers, offset: int, size: Shape, stride: Shape, *_: object) -> Integers:
    """Return a view of a storage; numpy refuses one that leaves it."""
    if math.prod(size) > storage.size:
        raise ValueError(f"a tensor of {math.prod(size):,} numbers in a storage of {storage.size:,}")
    bytes_apart = tuple(each * storage.itemsize for each in stride)
    return np.ndarray(size, storage.dtype, storage, offset * storage.itemsize, bytes_apart)


class _Dtype:
    """Stands for numpy.dtype, whose own `__setstate__` would let a file pass bytes off as pointers."""

    def __init__(self, code: str, *_: object) -> None:
        if not re.fullmatch(r"[biufSU]\d{1,9}|O8?", code):
            raise ValueError(f"numpy's type {code} is no plain data")
        self.numpy = np.dtype(code)

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        self.numpy = self.numpy.newbyteorder("<" if state[1] == "<" else ">" if state[1] == ">" else "=")

    def items(self, data: bytes | list[object], shape: Shape, order: Order = "C") -> list[object]:
        """Return the items of an array, rows within rows; arrays of objects have one dimension."""
        if isinstance(data, list):
            (_length,) = shape
            return data
        return list(np.frombuffer(data, self.numpy).reshape(shape, order=order).tolist())


class _Array(list[object]):
    """Stands for numpy.ndarray, whose state arrives after its making."""

    def __init__(self, *_: object) -> None:
        super().__init__()

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        _, shape, dtype, fortran, data = state
        self[:] = dtype.items(data, shape, "F" if fortran else "C")


def _scalar(dtype: _Dtype, data: bytes) -> object:
    return dtype.items(data, (1,))[0] if data else ""


def _array(data: bytes, dtype: _Dtype, shape: Shape, order: Order) -> object:
    return dtype.items(data, shape, order)


def _bytes(text: str = "", _codec: str = "latin1") -> bytes:
    """Return bytes as the second protocol of pickle writes them."""
    return text.encode("latin1")


_COLLECTIONS = {"set": set, "frozenset": frozenset, "bytes": _Call(_bytes)}
_CORES, _BUILTINS = ("numpy.core", "numpy._core"), ("builtins", "__builtin__")
_PLAIN: Mapping[str, object] = {
    "collections.OrderedDict": OrderedDict,
    "_codecs.encode": _Call(_bytes),
    "numpy.dtype": _Call(_Dtype),
    "numpy.ndarray": None,
    **{f"{core}.multiarray.scalar": _Call(_scalar) for core in _CORES},
    **{f"{core}.multiarray._reconstruct": _Call(_Array) for core in _CORES},
    **{f"{core}.numeric._frombuffer": _Call(_array) for core in _CORES},
    **{f"{module}.{name}": kind for module in _BUILTINS for name, kind in _COLLECTIONS.items()},
}
"""What pickles of plain data name in protocols 2 to 5; numbers, texts, lists and dictionaries need no name."""
_TENSORS: Mapping[str, object] = {
    "collections.OrderedDict": OrderedDict,
    "torch._utils._rebuild_tensor_v2": _Call(_rebuilt_tensor),
    "torch.LongStorage": "i8",
    "torch.IntStorage": "i4",
}
