"""The append-only file that says how much of a token store is true: one record of fixed size an append."""

import struct
import zlib
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import numpy as np

from heliograph.errors import StoreDamaged

RECORD = np.dtype([("nodes", "<u8"), ("tokens", "<u8"), ("content", "<u4"), ("record", "<u4")])
"""Nodes and tokens that were added, a checksum of their bytes, and one of the record itself."""
_UNCHECKED = struct.Struct("<QQI")
_CHECK = struct.Struct("<I")


@dataclass(frozen=True, slots=True)
class Block:
    """What one append wrote: nodes, tokens, and a checksum of their bytes."""

    nodes: int
    tokens: int
    checksum: int

    def record(self) -> bytes:
        """Return the bytes that are kept of it."""
        said = _UNCHECKED.pack(self.nodes, self.tokens, self.checksum)
        return said + _CHECK.pack(zlib.crc32(said))


@dataclass(frozen=True, slots=True)
class Width:
    """Bytes of a file that belong to each node, and to each token."""

    node: int = 0
    token: int = 0

    def of(self, block: Block) -> int:
        """Return how many bytes belong to a block."""
        return self.node * block.nodes + self.token * block.tokens


@dataclass(frozen=True, slots=True)
class Extent:
    """How many appends, nodes and tokens of a store are true."""

    blocks: int = 0
    nodes: int = 0
    tokens: int = 0

    def grown(self, block: Block) -> Self:
        """Return what is true when one more block is."""
        return type(self)(self.blocks + 1, self.nodes + block.nodes, self.tokens + block.tokens)


def read_blocks(path: Path, remedy: str) -> tuple[Block, ...]:
    """Return the blocks of a file; a last record that was torn by a kill is none.

    Raises:
        StoreDamaged: a record before the last was altered, or the file cannot be read.
    """
    try:
        content = path.read_bytes() if path.exists() else b""
    except OSError as err:
        raise StoreDamaged(f"{path} cannot be read ({err.strerror}); {remedy}") from err
    whole = len(content) // RECORD.itemsize
    found = []
    for number, (nodes, tokens, checksum, kept) in enumerate(np.frombuffer(content, RECORD, count=whole).tolist()):
        block = Block(nodes, tokens, checksum)
        if block.record()[-_CHECK.size :] == _CHECK.pack(kept):
            found.append(block)
        elif number < whole - 1 or len(content) > whole * RECORD.itemsize:
            raise StoreDamaged(f"record {number} of {path} was altered; {remedy}")
    return tuple(found)


def whole_blocks(folder: Path, blocks: Sequence[Block], widths: Mapping[str, Width]) -> int:
    """Return how many blocks, from the first on, have the bytes that were written; every file is read once.

    `widths` say how many bytes of each file belong to a node or to a token, in the order of the checksum.

    Raises:
        OSError: a file cannot be read.
    """
    with ExitStack() as stack:
        there = {name: folder / name for name in widths if (folder / name).exists()}
        files = {name: stack.enter_context(path.open("rb")) for name, path in there.items()}
        left = {name: path.stat().st_size for name, path in there.items()}
        for number, block in enumerate(blocks):
            total = 0
            for name, width in widths.items():
                wanted = width.of(block)
                if wanted > left.get(name, 0):
                    return number
                left[name] -= wanted
                total = zlib.crc32(files[name].read(wanted), total)
            if total != block.checksum:
                return number
    return len(blocks)


def extent_of(blocks: tuple[Block, ...]) -> Extent:
    """Add blocks up."""
    return Extent(len(blocks), sum(block.nodes for block in blocks), sum(block.tokens for block in blocks))
