"""The collections of one embedding model, wherever Chroma keeps them."""

import hashlib
import re
from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Protocol
from uuid import UUID

import chromadb

from indexers.chroma.store import PageVectorStore


class Named(Protocol):
    """What a list of collections says of each."""

    @property
    def name(self) -> str:
        """Its name, whose first part is the prefix of its place."""

    @property
    def id(self) -> UUID:
        """What tells it from one of the same name that was made before or after it."""


class ChromaPlace(Protocol):
    """Where collections are kept; `prefix` is the first part of the names of ours, and nobody else's have it."""

    @property
    def prefix(self) -> str:
        """What stands before the first full stop."""

    @property
    def most(self) -> int:
        """How many nodes may be added at a time."""

    def made(self, name: str) -> chromadb.Collection:
        """Return a collection, which is made if need be."""

    def listed(self) -> Sequence[Named]:
        """Return all collections with the prefix."""

    def delete(self, name: str) -> None:
        """Delete a collection."""

    def translated(self) -> AbstractContextManager[None]:
        """Turn Chroma's errors into ours."""

    def writing(self) -> AbstractContextManager[None]:
        """Turn the errors of what makes or changes files into ours, one at a time."""

    def close(self) -> None:
        """Close files and connections."""


class ChromaCollections:
    """The collections of one place and one embedding model."""

    def __init__(self, place: ChromaPlace, model: str, dimensions: int) -> None:
        self._place = place
        self._suffix = _suffix(model, dimensions)

    def open(self, index: str) -> PageVectorStore:
        """Open the collection of an index, making it if need be."""
        with self._place.writing():
            collection = self._place.made(self._name(index))
            collection.get(limit=1, include=["embeddings"])
        return PageVectorStore(collection, self._place.translated, self._place.writing, self._place.most)

    def drop(self, index: str) -> None:
        """Delete the collection of an index."""
        with self._place.writing():
            self._place.delete(self._name(index))

    def drop_other_models(self) -> tuple[str, ...]:
        """Delete the collections of other embedding models and return their names."""
        with self._place.writing():
            names = sorted(collection.name for collection in self._place.listed())
            stale = [name for name in names if name.split(".")[2] != self._suffix]
            for name in stale:
                self._place.delete(name)
        return tuple(stale)

    def generations(self) -> frozenset[str]:
        """Name every collection there is, as PageVectorStore does."""
        with self._place.translated():
            return frozenset(f"{collection.name}.{collection.id}" for collection in self._place.listed())

    def close(self) -> None:
        """Close files and connections."""
        self._place.close()

    def _name(self, index: str) -> str:
        return f"{self._place.prefix}.{index}.{self._suffix}"


def _suffix(model: str, dimensions: int) -> str:
    """Name a model in letters that Chroma takes; the digest keeps apart names that those letters would make one."""
    readable = re.sub(r"[^A-Za-z0-9]+", "-", model).strip("-")[:80]
    return f"{readable}-{dimensions}-{hashlib.sha256(model.encode()).hexdigest()[:8]}"
