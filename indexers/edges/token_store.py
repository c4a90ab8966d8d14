"""Token vectors of many nodes on disk, read through memory maps (HELIOS, equation 2).

A vector of unit length is kept as one signed byte a dimension and the scale that makes these bytes its numbers. Nodes
are only ever appended. The manifest is replaced last and says how much of each file is true: what a killed process
wrote beyond that is cut off when the store is opened to write.
"""

import hashlib
import json
import zlib
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heliograph.errors import StoreDamaged
from heliograph.protocols import Vectors
from heliograph.storage import storage_error

SCHEMA = "heliograph.tokens/1"
MANIFEST = "manifest.json"
KEY_BYTES = 16
BIGGEST = 127
"""What the largest number of a vector becomes."""

Codes = NDArray[np.int8]
Scales = NDArray[np.float16]
_REMEDY = "delete the folder and build it again"


@dataclass(frozen=True, slots=True)
class Block:
    """What one append wrote: nodes, tokens, and a checksum of their bytes."""

    nodes: int
    tokens: int
    checksum: int


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a store holds, and by which model."""

    model: str
    dimensions: int
    blocks: tuple[Block, ...] = ()

    @property
    def nodes(self) -> int:
        """How many texts have vectors."""
        return sum(block.nodes for block in self.blocks)

    @property
    def tokens(self) -> int:
        """How many vectors there are."""
        return sum(block.tokens for block in self.blocks)


def key_of(text: str) -> bytes:
    """Return the key under which a text's vectors are kept."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=KEY_BYTES).digest()


def quantised(vectors: Vectors) -> tuple[Codes, Scales]:
    """Return a byte a number and a scale a vector."""
    scales = (np.abs(vectors).max(axis=1, initial=0.0) / BIGGEST).astype(np.float16)
    safe = np.maximum(scales.astype(np.float32), np.float32(1e-6))
    return np.rint(vectors / safe[:, None]).clip(-BIGGEST, BIGGEST).astype(np.int8), scales


class TokenStore:
    """The store of one folder and one model; one process writes at a time, any number read.

    Raises:
        StoreDamaged: it is of another model or shape, or a file is shorter than the manifest says.
        StoreFull | StoreError: it cannot be written.
    """

    def __init__(self, folder: Path, model: str, dimensions: int) -> None:
        self._folder = folder
        self._manifest = _read_manifest(folder, Manifest(model, dimensions))
        self._map()
        kept = self._keys.tobytes()
        self._places = {kept[at : at + KEY_BYTES]: at // KEY_BYTES for at in range(0, len(kept), KEY_BYTES)}

    def __len__(self) -> int:
        return self._manifest.nodes

    @property
    def tokens(self) -> int:
        """How many vectors there are."""
        return self._manifest.tokens

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
            for name, content in parts.items():
                with (self._folder / name).open("ab") as file:
                    file.write(content)
            grown = replace(self._manifest, blocks=(*self._manifest.blocks, block))
            _write_manifest(self._folder, grown)
        except OSError as err:
            raise storage_error(err, self._folder) from err
        self._places.update({key_of(text): len(self) + number for number, text in enumerate(texts)})
        self._manifest = grown
        self._map()

    def vectors(self, nodes: Sequence[int]) -> tuple[Vectors, NDArray[np.int64]]:
        """Return the token vectors of nodes, one after the other, and where each node's begin, shape (nodes,)."""
        spans = [np.arange(self._start(node), self._ends[node]) for node in nodes]
        rows = np.concatenate([*spans, np.zeros(0, np.int64)]).astype(np.int64)
        starts = np.cumsum([0, *map(len, spans[:-1])]) if spans else np.zeros(0, np.int64)
        scales = self._scales[rows].astype(np.float32)
        return self._codes[rows].astype(np.float32) * scales[:, None], starts.astype(np.int64)

    def verify(self) -> None:
        """Read everything once.

        Raises:
            StoreDamaged: bytes are not those that were written.
        """
        node = token = 0
        for number, block in enumerate(self._manifest.blocks):
            nodes, tokens = slice(node, node + block.nodes), slice(token, token + block.tokens)
            found = {
                "codes": self._codes[tokens].tobytes(),
                "scales": self._scales[tokens].tobytes(),
                "ends": self._ends[nodes].tobytes(),
                "keys": self._keys[nodes].tobytes(),
            }
            if _checksum(found) != block.checksum:
                raise StoreDamaged(f"block {number} of {self._folder} was altered; {_REMEDY}")
            node, token = node + block.nodes, token + block.tokens

    def _start(self, node: int) -> int:
        return int(self._ends[node - 1]) if node else 0

    def _map(self) -> None:
        nodes, tokens, dimensions = self._manifest.nodes, self._manifest.tokens, self._manifest.dimensions
        self._codes: Codes = self._mapped("codes", np.int8, (tokens, dimensions))
        self._scales: Scales = self._mapped("scales", np.float16, (tokens,))
        self._ends: NDArray[np.int64] = self._mapped("ends", np.int64, (nodes,))
        self._keys = self._mapped("keys", np.uint8, (nodes, KEY_BYTES))

    def _mapped(self, name: str, kind: Any, shape: tuple[int, ...]) -> Any:
        path = self._folder / name
        if 0 in shape:
            return np.zeros(shape, kind)
        try:
            return np.memmap(path, kind, mode="r", shape=shape)
        except (OSError, ValueError) as err:
            raise StoreDamaged(f"{path} is missing or cut short; {_REMEDY}") from err

    def _cut(self) -> None:
        """Cut off what an append that was killed left behind."""
        nodes, tokens, dimensions = self._manifest.nodes, self._manifest.tokens, self._manifest.dimensions
        sizes = {"codes": tokens * dimensions, "scales": 2 * tokens, "ends": 8 * nodes, "keys": KEY_BYTES * nodes}
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
    for name in ("codes", "scales", "ends", "keys"):
        total = zlib.crc32(parts[name], total)
    return total


def _read_manifest(folder: Path, wanted: Manifest) -> Manifest:
    path = folder / MANIFEST
    if not path.exists():
        return wanted
    try:
        kept = json.loads(path.read_text(encoding="ascii"))
        found = Manifest(kept["model"], kept["dimensions"], tuple(Block(*block) for block in kept["blocks"]))
    except (OSError, ValueError, KeyError, TypeError) as err:
        raise StoreDamaged(f"{path} cannot be read ({type(err).__name__}); {_REMEDY}") from err
    if kept.get("schema") != SCHEMA or (found.model, found.dimensions) != (wanted.model, wanted.dimensions):
        raise StoreDamaged(
            f"{folder} holds vectors of {found.model}, {found.dimensions} numbers each, "
            f"not of {wanted.model}, {wanted.dimensions}; name another folder, or {_REMEDY}"
        )
    return found


def _write_manifest(folder: Path, manifest: Manifest) -> None:
    kept = {"schema": SCHEMA, "model": manifest.model, "dimensions": manifest.dimensions}
    blocks = [list(asdict(block).values()) for block in manifest.blocks]
    fresh = folder / f"{MANIFEST}.new"
    fresh.write_text(json.dumps({**kept, "blocks": blocks}), encoding="ascii")
    fresh.replace(folder / MANIFEST)
