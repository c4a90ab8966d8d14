"""Chroma on a server of its own: collections under the name of a home folder, every request with a deadline.

chromadb.HttpClient waits without end, asks before a deadline could be set, and raises bare exceptions: so its parts
are put together here (decision record 038).
"""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path

import chromadb
from chromadb.api.fastapi import FastAPI
from chromadb.config import System
from chromadb.types import Collection as ListedCollection

from indexers.chroma.quiet import QuietSettings
from indexers.vector_server import SECONDS, VectorServer, checked, known_name, reaching, refuse_failures

MOST_NODES = 500
"""Nodes in one request: a server takes bodies of 40 MB."""
PAGE_SIZE = 100
"""Collections in one list."""


class ChromaServer:
    """The collections of one kind that a home folder has on a server.

    Args:
        name: of the home folder there.
        kind: of collections; without one all kinds are meant, and nothing can be made.

    Raises:
        StoreUnreachable: it is down, slow, refuses us, or is something else.
    """

    def __init__(self, server: VectorServer, name: str, kind: str = "") -> None:
        self._server = server
        self.prefix = f"heliograph-{name}-{kind}"
        self._all_ours = f"{self.prefix}." if kind else self.prefix
        checked(server)
        self._api = _api(server)
        with self.translated():
            self.most = min(MOST_NODES, self._api.get_max_batch_size())

    def made(self, name: str) -> chromadb.Collection:
        """Return a collection, which is made if need be."""
        return self._collection(self._api.get_or_create_collection(name, configuration={"hnsw": {"space": "cosine"}}))

    def listed(self) -> Sequence[ListedCollection]:
        """Return all collections with the prefix; those of other homes are none of ours."""
        found: list[ListedCollection] = []
        while part := self._api.list_collections(limit=PAGE_SIZE, offset=len(found)):
            found += part
        return [collection for collection in found if collection.name.startswith(self._all_ours)]

    def delete(self, name: str) -> None:
        """Delete a collection."""
        self._api.delete_collection(name)

    def count(self) -> int:
        """Return how many vectors all collections with the prefix hold."""
        return sum(self._collection(each).count() for each in self.listed())

    def translated(self) -> AbstractContextManager[None]:
        """Turn what the network says into typed errors that name the server."""
        return reaching(self._server)

    def writing(self) -> AbstractContextManager[None]:
        """Turn what the network says of a write into typed errors."""
        return self.translated()

    def close(self) -> None:
        """Hang up."""
        self._api._session.close()

    def _collection(self, model: ListedCollection) -> chromadb.Collection:
        return chromadb.Collection(client=self._api, model=model, embedding_function=None)


def stored_at(server: VectorServer, home: Path) -> str:
    """Say what a home folder has on a server.

    Raises:
        StoreUnreachable: the server cannot be asked.
    """
    version, name = checked(server), known_name(home)
    if name is None:
        return f"nothing yet at {server.url} (API {version})"
    ours = ChromaServer(server, name)
    with ours.translated():
        said = f"{ours.count():,} vectors in {len(ours.listed())} collections at {server.url} (API {version})"
    ours.close()
    return said


def removed_at(server: VectorServer, home: Path) -> int:
    """Delete all collections that a home folder has on a server; return how many there were.

    Raises:
        StoreUnreachable: the server cannot be asked.
    """
    name = known_name(home)
    if name is None:
        return 0
    ours = ChromaServer(server, name)
    with ours.translated():
        names = [collection.name for collection in ours.listed()]
        for each in names:
            ours.delete(each)
    ours.close()
    return len(names)


def _api(server: VectorServer) -> FastAPI:
    """Return Chroma's client of a server, its session with our deadline, our token, and our eye on every response."""
    settings = QuietSettings(
        chroma_api_impl="chromadb.api.fastapi.FastAPI",
        chroma_server_host=server.base,
        chroma_server_http_port=0,
        anonymized_telemetry=False,
    )
    api = FastAPI(System(settings))
    api._session.timeout = SECONDS
    api._session.headers.update(server.headers)
    api._session.event_hooks = {"response": [partial(refuse_failures, server)]}
    return api
