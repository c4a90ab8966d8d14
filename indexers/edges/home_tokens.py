"""The token vectors of a home folder: what late interaction compares at question time."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from heliograph.protocols import TokenEncoder
from indexers.edges.node_tokens import NodeTokens
from indexers.edges.token_store import TokenStore

FOLDER = "tokens"


@dataclass(frozen=True, slots=True)
class OpenTokens:
    """Token vectors, and the name of the model that makes them."""

    model: str
    nodes: NodeTokens


class HomeTokens:
    """Vectors of `home`/tokens, kept by the line that they encode; the caller holds the home folder.

    Args:
        encoder: returns the edge retriever; asked at the first question.

    Raises:
        ModelMissing: at the first question.
        StoreDamaged | StoreFull: at the first question, the vectors cannot be used.
    """

    def __init__(self, encoder: Callable[[], TokenEncoder], home: Path) -> None:
        self._encoder, self._folder = encoder, home / FOLDER
        self._opened: OpenTokens | None = None
        self._turn = asyncio.Lock()

    async def open(self) -> OpenTokens:
        """Return the vectors, opened once."""
        async with self._turn:
            if self._opened is None:
                self._opened = await asyncio.to_thread(self._open)
        return self._opened

    def _open(self) -> OpenTokens:
        encoder = self._encoder()
        store = TokenStore(self._folder / encoder.name.replace("/", "--"), encoder.name, encoder.dimensions)
        return OpenTokens(encoder.name, NodeTokens(encoder, store))
