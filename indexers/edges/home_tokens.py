"""The token vectors of a home folder: what late interaction compares at question time."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from heliograph.protocols import TokenEncoder
from indexers.edges.mended_tokens import mended_store
from indexers.edges.node_tokens import NodeTokens
from indexers.edges.token_store import TokenStore

FOLDER = "tokens"


@dataclass(frozen=True, slots=True)
class OpenTokens:
    """Token vectors, and the name of the model that makes them."""

    model: str
    nodes: NodeTokens


class TokenFolder:
    """`home`/tokens, where each model has a store that is opened once: two writers would overwrite each other.

    What is damaged is made again. The caller holds the home folder.
    """

    def __init__(self, home: Path) -> None:
        self._folder = home / FOLDER
        self._opened: dict[str, OpenTokens] = {}
        self._turn = asyncio.Lock()

    async def open(self, encoder: Callable[[], TokenEncoder]) -> OpenTokens:
        """Return the vectors by a model; models of one name are one model."""
        async with self._turn:
            return await asyncio.to_thread(self._open, encoder)

    def _open(self, asked: Callable[[], TokenEncoder]) -> OpenTokens:
        encoder = asked()
        if encoder.name not in self._opened:
            self._opened[encoder.name] = OpenTokens(encoder.name, NodeTokens(encoder, self._store(encoder)))
        return self._opened[encoder.name]

    def _store(self, encoder: TokenEncoder) -> TokenStore:
        """Open a model's store. What is damaged of it is left out: it is made of lines that somebody brings again."""
        place = self._folder / encoder.name.replace("/", "--")
        return mended_store(place, encoder.name, encoder.dimensions)


class HomeTokens:
    """Vectors of a home folder by one model, kept by the line that they encode.

    Args:
        encoder: returns the model; asked at the first question.
        folder: where they are; shared by all that compare vectors of this home.

    Raises:
        ModelMissing: at the first question.
        StoreFull | StoreError: at the first question, the vectors cannot be kept.
    """

    def __init__(self, encoder: Callable[[], TokenEncoder], folder: TokenFolder) -> None:
        self._encoder, self._folder = encoder, folder
        self._opened: OpenTokens | None = None

    async def open(self) -> OpenTokens:
        """Return the vectors, opened once."""
        if self._opened is None:
            self._opened = await self._folder.open(self._encoder)
        return self._opened
