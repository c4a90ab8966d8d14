"""Token vectors of many nodes on disk, read through memory maps (HELIOS, equation 2).

A vector of unit length is kept as one signed byte a dimension and the scale that makes these bytes its numbers. Nodes
are only ever appended. The manifest is written once; a record in `blocks`, written last, makes an append true. What a
killed process wrote beyond the last record is cut off by the next append.
"""

import hashlib
import json
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heliograph.errors import StoreDamaged
from heliograph.protocols import Vectors
from heliograph.storage import MALFORMED, storage_error
from indexers.edges.blocks import RECORD, Block, Width, extent_of, read_blocks, whole_blocks
from indexers.edges.spans import spread

SCHEMA = "heliograph.tokens/2"
MANIFEST = "manifest.json"
BLOCKS = "blocks"
FILES = ("codes", "scales", "ends", "keys")
"""In the order of a block's checksum."""
KEY_BYTES = 16
BIGGEST = 127
"""What the largest number of a vector becomes."""

Codes = NDArray[np.int8]
Scales = NDArray[np.float16]
_REMEDY = "delete the folder and build it again"


@dataclass(frozen=True, slots=True)
class Manifest:
    """By which model a store's vectors are, and of how many numbers."""

    model: str
    dimensions: int


@dataclass(frozen=True, slots=True, eq=False)
class Coded:
    """Token vectors of nodes as they are kept: `codes` times `scales`; node n's begin at `starts[n]`."""

    codes: Codes
    scales: Scales
    starts: NDArray[np.int64]


def key_of(text: str) -> bytes:
    """Return the key under which a text's vectors are kept."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=KEY_BYTES).digest()


def widths(dimensions: int) -> Mapping[str, Width]:
    """Return how many bytes of each file belong to a node or to a token."""
    sizes = (Width(token=dimensions), Width(token=2), Width(node=8), Width(node=KEY_BYTES))
    return dict(zip(FILES, sizes, strict=True))


def quantised(vectors: Vectors) -> tuple[Codes, Scales]:
    """Return a byte a number and a scale a vector."""
    scales = (np.abs(vectors).max(axis=1, initial=0.0) / BIGGEST).astype(np.float16)
    safe = np.maximum(scales.astype(np.float32), np.float32(1e-6))
    return np.rint(vectors / safe[:, None]).clip(-BIGGEST, BIGGEST).astype(np.int8), scales


class TokenStore:
    """The store of one folder and one model; one process writes at a time, any number read.

    Raises:
        StoreDamaged: it is of another model, shape or schema, or a file is shorter than its records say.
        StoreFull | StoreError: it cannot be written.
    """

    def __init__(self, folder: Path, model: str, dimensions: int) -> None:
        self._folder = folder
        self._manifest = Manifest(model, dimensions)
        _check_manifest(folder, self._manifest)
        self._extent = extent_of(read_blocks(folder / BLOCKS, _REMEDY))
        self._map()
        _refuse_unordered(self._ends, self.tokens, folder / "ends")
        kept = self._keys.tobytes()
        self._places = {kept[at : at + KEY_BYTES]: at // KEY_BYTES for at in range(0, len(kept), KEY_BYTES)}

    def __len__(self) -> int:
        return self._extent.nodes

    @property
    def folder(self) -> Path:
        """Where it is."""
        return self._folder

    @property
    def dimensions(self) -> int:
        """How many numbers a vector has."""
        return self._manifest.dimensions

    @property
    def tokens(self) -> int:
        """How many vectors there are."""
        return self._extent.tokens

    @property
    def ends(self) -> NDArray[np.int64]:
        """Where the vectors of each node end, shape (nodes,)."""
        return self._ends

    @property
    def codes(self) -> Codes:
        """The bytes of all vectors, shape (tokens, dimensions): along each vector, but not of its length."""
        return self._codes

    def fingerprint(self, nodes: slice) -> int:
        """Return a checksum of which texts some nodes are."""
        return zlib.crc32(self._keys[nodes].tobytes())

    def position(self, text: str) -> int | None:
        """Return the number of a text's node, None where it has no vectors yet."""
        return self._places.get(key_of(text))

    def append(self, texts: Sequence[str], vectors: Sequence[Vectors]) -> None:
        """Keep the vectors of texts that the store does not have."""
        tokens = np.concatenate([*vectors, np.zeros((0, self._manifest.dimensions), np.float32)])
        codes, scales = quantised(tokens)
        ends = self.tokens + np.cumsum([len(each) for each in vectors], dtype=np.int64)
        keys = b"".join(map(key_of, texts))
        parts = {"codes": codes.tobytes(), "scales": scales.tobytes(), "ends": ends.tobytes(), "keys": keys}
        block = Block(len(texts), len(tokens), _checksum(parts))
        self._cut()
        try:
            _write_manifest(self._folder, self._manifest)
            for name, content in (*parts.items(), (BLOCKS, block.record())):
                with (self._folder / name).open("ab") as file:
                    file.write(content)
        except OSError as err:
            raise storage_error(err, self._folder) from err
        self._places.update({key_of(text): len(self) + number for number, text in enumerate(texts)})
        self._extent = self._extent.grown(block)
        self._map()

    def vectors(self, nodes: Sequence[int]) -> tuple[Vectors, NDArray[np.int64]]:
        """Return the token vectors of nodes, one after the other, and where each node's begin, shape (nodes,)."""
        found = self.coded(np.asarray(nodes, np.int64))
        return found.codes.astype(np.float32) * found.scales.astype(np.float32)[:, None], found.starts

    def coded(self, nodes: NDArray[np.int64]) -> Coded:
        """Return the same as bytes and scales."""
        ends = self._ends[nodes]
        begins = np.where(nodes > 0, self._ends[nodes - 1], 0)
        rows, starts = spread(begins, ends - begins)
        scales = self._scales[rows]
        if not (np.isfinite(scales) & (scales >= 0)).all():
            raise StoreDamaged(f"{self._folder / 'scales'} was altered; {_REMEDY}")
        return Coded(self._codes[rows], scales, starts)

    def verify(self) -> None:
        """Read everything once.

        Raises:
            StoreDamaged: bytes are not those that were written.
        """
        blocks = read_blocks(self._folder / BLOCKS, _REMEDY)[: self._extent.blocks]
        whole = whole_blocks(self._folder, blocks, widths(self.dimensions))
        if whole < len(blocks):
            raise StoreDamaged(f"block {whole} of {self._folder} was altered; {_REMEDY}")

    def _map(self) -> None:
        nodes, tokens, dimensions = self._extent.nodes, self._extent.tokens, self._manifest.dimensions
        self._codes: Codes = self._mapped("codes", np.int8, (tokens, dimensions))
        self._scales: Scales = self._mapped("scales", np.float16, (tokens,))
        self._ends: NDArray[np.int64] = self._mapped("ends", np.int64, (nodes,))
        self._keys = self._mapped("keys", np.uint8, (nodes, KEY_BYTES))

    def _mapped(self, name: str, kind: Any, shape: tuple[int, ...]) -> Any:
        path = self._folder / name
        if 0 in shape:
            return np.zeros(shape, kind)
        try:
            return np.asarray(np.memmap(path, kind, mode="r", shape=shape))
        except (OSError, ValueError, OverflowError) as err:
            raise StoreDamaged(f"{path} is missing or cut short; {_REMEDY}") from err

    def _cut(self) -> None:
        """Cut off what an append that was killed left behind."""
        whole = Block(self._extent.nodes, self._extent.tokens, 0)
        sizes = {name: width.of(whole) for name, width in widths(self.dimensions).items()}
        sizes[BLOCKS] = RECORD.itemsize * self._extent.blocks
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            for name, size in sizes.items():
                path = self._folder / name
                if path.exists() and path.stat().st_size > size:
                    with path.open("r+b") as file:
                        file.truncate(size)
        except OSError as err:
            raise storage_error(err, self._folder) from err


def _checksum(parts: dict[str, bytes]) -> int:
    total = 0
    for name in FILES:
        total = zlib.crc32(parts[name], total)
    return total


def _refuse_unordered(ends: NDArray[np.int64], tokens: int, path: Path) -> None:
    """Refuse ends that would give a node the vectors of others, or a range that no memory holds."""
    if len(ends) and not (ends[0] >= 0 and ends[-1] == tokens and (np.diff(ends) >= 0).all()):
        raise StoreDamaged(f"{path} was altered; {_REMEDY}")


def _check_manifest(folder: Path, wanted: Manifest) -> None:
    path = folder / MANIFEST
    if not path.exists():
        if (folder / BLOCKS).exists():
            raise StoreDamaged(f"{path} is missing; {_REMEDY}")
        return
    try:
        kept = json.loads(path.read_text(encoding="ascii"))
        schema, found = kept["schema"], Manifest(kept["model"], kept["dimensions"])
    except (OSError, *MALFORMED) as err:
        raise StoreDamaged(f"{path} cannot be read ({type(err).__name__}); {_REMEDY}") from err
    if schema != SCHEMA:
        raise StoreDamaged(f"{folder} is of schema {schema}, not {SCHEMA}; {_REMEDY}")
    if found != wanted:
        raise StoreDamaged(
            f"{folder} holds vectors of {found.model}, {found.dimensions} numbers each, "
            f"not of {wanted.model}, {wanted.dimensions}; name another folder, or {_REMEDY}"
        )


def _write_manifest(folder: Path, manifest: Manifest) -> None:
    if (folder / MANIFEST).exists():
        return
    kept = {"schema": SCHEMA, "model": manifest.model, "dimensions": manifest.dimensions}
    fresh = folder / f"{MANIFEST}.new"
    fresh.write_text(json.dumps(kept), encoding="ascii")
    fresh.replace(folder / MANIFEST)
