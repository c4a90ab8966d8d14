"""The append-only file that says how much of a token store is true: one record of fixed size an append."""

import struct
import zlib
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


def extent_of(blocks: tuple[Block, ...]) -> Extent:
    """Add blocks up."""
    return Extent(len(blocks), sum(block.nodes for block in blocks), sum(block.tokens for block in blocks))
