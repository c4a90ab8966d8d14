"""Token vectors of nodes: encoded by shard, and joined into one store (HELIOS, equation 2)."""

import asyncio
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np

from heliograph.protocols import TokenEncoder
from indexers.edges.node_tokens import LINES_A_COMMIT, NodeTokens
from indexers.edges.token_store import TokenStore
from indexers.offline.shelf import Encoding, encoder_of

TOKENS = "tokens"


def write_tokens(folder: Path, encoding: Encoding, lines: Sequence[str]) -> None:
    """Encode lines, each once, into a store of their own.

    Raises:
        ModelMissing: the model is not there.
    """
    encoder = encoder_of(encoding)
    asyncio.run(NodeTokens(encoder, store_in(folder, encoder)).keep(lines))


def join_tokens(folder: Path, encoding: Encoding, parts: Iterable[tuple[Path, Sequence[Sequence[str]]]]) -> int:
    """Join the stores of shards, given with the lines of their nodes; return how many vectors there are.

    Vectors that were kept are kept again as the same bytes: the largest number of each is 127 already.
    """
    encoder = encoder_of(encoding)
    whole = store_in(folder, encoder)
    for part, sides in parts:
        store = store_in(part, encoder)
        places = {line: store.position(line) for lines in sides for line in lines}
        new = sorted((place, line) for line, place in places.items() if place is not None and _lacks(whole, line))
        for start in range(0, len(new), LINES_A_COMMIT):
            some = new[start : start + LINES_A_COMMIT]
            vectors, starts = store.vectors([place for place, _ in some])
            whole.append([line for _, line in some], np.split(vectors, starts[1:]))
    return whole.tokens


def store_in(folder: Path, encoder: TokenEncoder) -> TokenStore:
    """Open the store of a folder.

    Raises:
        StoreDamaged: it cannot be read.
    """
    return TokenStore(folder, encoder.name, encoder.dimensions)


def _lacks(store: TokenStore, line: str) -> bool:
    return store.position(line) is None
