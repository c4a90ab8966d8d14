"""Chroma: vectors in a folder of this process or on a server, one collection an index, searched exactly within pages.

The only folder that imports chromadb (0.8 s, with LlamaIndex): import it on first use only.
"""

from pathlib import Path
from typing import Literal

from indexers.chroma.collections import ChromaCollections
from indexers.chroma.folder import ChromaFolder
from indexers.chroma.server import ChromaServer, removed_at, stored_at
from indexers.chroma.store import PageVectorStore, within
from indexers.vector_server import VectorServer, name_at_server

__all__ = ["ChromaCollections", "PageVectorStore", "open_collections", "removed_at", "stored_at", "within"]

Kind = Literal["evidence", "pictures"]
FOLDERS: dict[Kind, str] = {"evidence": "chroma", "pictures": "pictures"}
"""Where the vectors of a kind stand under `indexes` in the home folder, if no server keeps them."""


def open_collections(
    home: Path, kind: Kind, model: str, dimensions: int, server: VectorServer | None = None
) -> ChromaCollections:
    """Open the collections that one embedding model has in a home folder, or under its name on a server.

    Raises:
        StoreDamaged | StoreFull: the folder cannot be used.
        StoreUnreachable: the server cannot.
    """
    if server is None:
        place: ChromaFolder | ChromaServer = ChromaFolder(home / "indexes" / FOLDERS[kind])
    else:
        place = ChromaServer(server, name_at_server(home), kind)
    return ChromaCollections(place, model, dimensions)
