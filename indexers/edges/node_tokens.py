"""The token vectors of nodes: encoded once, kept, and compared with queries."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Sequence

import numpy as np

from heliograph.errors import StoreDamaged
from heliograph.protocols import TokenEncoder, Vectors
from indexers.edges.maxsim import Maxima, maxima
from indexers.edges.token_store import TokenStore

LINES_A_COMMIT = 256
"""Lines encoded between two commits: what an interrupted build keeps."""
NODES_AT_ONCE = 2000
"""Nodes whose vectors are in memory together."""
QUERIES_KEPT = 64

Say = Callable[[int, int], None]
"""Told how many lines are encoded, and of how many."""


class NodeTokens:
    """Encode lines that the store lacks, and return maxima (HELIOS, equation 4) from what it holds.

    Args:
        grows: whether lines are added; the store of a finished graph is only read.

    Raises:
        StoreDamaged: a line has no vectors in a store that does not grow.
    """

    def __init__(self, encoder: TokenEncoder, store: TokenStore, *, grows: bool = True) -> None:
        self._encoder = encoder
        self._store = store
        self._grows = grows
        self._queries: OrderedDict[str, Vectors] = OrderedDict()
        self._turn = asyncio.Lock()

    async def query(self, text: str) -> Vectors:
        """Return the token vectors of a query; the last few are remembered."""
        if text not in self._queries:
            (self._queries[text],) = await self._encoder.encode_queries([text])
            while len(self._queries) > QUERIES_KEPT:
                self._queries.popitem(last=False)
        return self._queries[text]

    async def keep(self, lines: Sequence[str], say: Say = lambda *_: None) -> int:
        """Encode the lines that are not kept yet, and return how many these were."""
        async with self._turn:
            missing = [line for line in dict.fromkeys(lines) if self._store.position(line) is None]
            if missing and not self._grows:
                raise StoreDamaged(
                    f"{self._store.folder} lacks the vectors of {len(missing):,} lines of its graph; "
                    "give the command that built it again (heliograph graph build …), it mends what is broken"
                )
            missing.sort(key=len)
            for start in range(0, len(missing), LINES_A_COMMIT):
                part = missing[start : start + LINES_A_COMMIT]
                vectors = await self._encoder.encode_documents(part)
                await asyncio.to_thread(self._store.append, part, vectors)
                say(start + len(part), len(missing))
        return len(missing)

    async def maxima(self, query: str, lines: Sequence[str]) -> Maxima:
        """Return M of a query and lines, shape (lines, tokens of the query)."""
        await self.keep(lines)
        asked = await self.query(query)
        return await asyncio.to_thread(self._maxima, asked, lines)

    def _maxima(self, asked: Vectors, lines: Sequence[str]) -> Maxima:
        places = [place for line in lines if (place := self._store.position(line)) is not None]
        parts = [
            maxima(asked, *self._store.vectors(places[start : start + NODES_AT_ONCE]))
            for start in range(0, len(places), NODES_AT_ONCE)
        ]
        return np.concatenate([*parts, np.zeros((0, len(asked)), np.float32)])
