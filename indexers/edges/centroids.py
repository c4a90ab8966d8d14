"""A PLAID-like index over the token vectors of a store: late interaction finds nodes without looking at all of them.

Beside a store stand centroids of its vectors and, for each centroid, the nodes with a token near it, memory-mapped.
A query's tokens choose centroids, these choose candidates, and MaxSim over the store's own vectors ranks candidates.
Nodes that the store gained are assigned to the centroids there are; so an index is never built again because of a
few texts, and `outgrown` says when it should be.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import NDArray

from heliograph.errors import StoreDamaged
from heliograph.protocols import Vectors
from indexers.edges.clusters import Nearest, kmeans
from indexers.edges.inverted import InvertedLists
from indexers.edges.kept_centroids import REMEDY, CentroidFiles
from indexers.edges.maxsim import Maxima, coded_maxima, similarity
from indexers.edges.probing import Estimates, Probed, estimated, most, probed
from indexers.edges.token_store import TokenStore

FOLDER = "centroids"
TOKENS_A_CENTROID = 32
"""Token vectors that k-means looks at, for each centroid."""
MOST_CENTROIDS = 32_768
"""A query is compared with each of them."""
TOKENS_A_PART = 2_000_000
"""Tokens assigned between two commits: what an interrupted build keeps."""
OUTGROWN = 0.5
"""The share of nodes that centroids have not been trained on from which they should be trained again."""
NODES_AT_ONCE = 2000

Nodes = NDArray[np.int64]
Say = Callable[[int, int], None]
"""Told how many nodes are assigned, and of how many."""


@dataclass(frozen=True, slots=True)
class Depth:
    """How thoroughly to search: centroids a token of the query, and nodes that are compared exactly."""

    probes: int = 64
    candidates: int = 500


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """Nodes of the store, ascending, and M of each, shape (nodes, tokens of the query).

    `floor` is what a node that was not found is taken to give at most, shape (tokens of the query,).
    """

    nodes: Nodes
    maxima: Maxima
    floor: Vectors


def centroids_for(tokens: int) -> int:
    """Return how many centroids so many tokens get: PLAID's 16 √tokens as a power of two, within bounds."""
    wanted = 1 << int(np.log2(max(1.0, 16 * np.sqrt(tokens))))
    return int(max(1, min(wanted, MOST_CENTROIDS, tokens // 4)))


class CentroidIndex:
    """The index of one store; one process builds or extends it at a time, any number search.

    Raises:
        StoreDamaged: there is none, a file is not what was written, or it is of another store.
    """

    def __init__(self, store: TokenStore, folder: Path | None = None) -> None:
        self._store = store
        self._files = CentroidFiles.opened(folder or store.folder / FOLDER, store.dimensions)
        for part in self._files.manifest.parts:
            if part.end > len(store) or store.fingerprint(slice(part.begin, part.end)) != part.fingerprint:
                raise StoreDamaged(f"{self._files.folder} is not of the vectors in {store.folder}; {REMEDY}")
        self._nearest: Nearest | None = None

    @classmethod
    def build(
        cls,
        store: TokenStore,
        folder: Path | None = None,
        *,
        centroids: int | None = None,
        seed: int = 0,
        say: Say = lambda *_: None,
    ) -> Self:
        """Train centroids and assign all nodes; what stood in the folder is replaced.

        Raises:
            StoreFull | StoreError: it cannot be written.
        """
        trained = _trained(store, centroids or centroids_for(store.tokens), seed)
        CentroidFiles.begun(folder or store.folder / FOLDER, trained, len(store) if store.tokens else 0)
        index = cls(store, folder)
        index.extend(say)
        return index

    def __len__(self) -> int:
        """Return how many nodes can be found."""
        return self._files.end

    @property
    def store(self) -> TokenStore:
        """Whose vectors it is of."""
        return self._store

    @property
    def centroids(self) -> int:
        """How many there are."""
        return self._files.manifest.centroids

    @property
    def unseen(self) -> float:
        """The share of the store's nodes that the centroids have not been trained on."""
        return 1 - self._files.manifest.trained / len(self._store) if len(self._store) else 0.0

    @property
    def outgrown(self) -> bool:
        """Whether centroids should be trained again: `build`."""
        return self.unseen > OUTGROWN

    def extend(self, say: Say = lambda *_: None) -> int:
        """Assign the nodes that the store has and the index has not, and return how many these were.

        Raises:
            StoreFull | StoreError: it cannot be written.
        """
        first, total = len(self), len(self._store)
        ends = self._store.ends
        while (begin := len(self)) < total:
            tokens = int(ends[begin - 1]) if begin else 0
            end = max(begin + 1, int(np.searchsorted(ends, tokens + TOKENS_A_PART, side="right")))
            self._files = self._files.grown(self._lists(begin, end), end, self._store.fingerprint)
            say(end, total)
        return total - first

    def estimates(self, query: Vectors, probes: int) -> tuple[Estimates, Probed]:
        """Return the first stage's score of each node that can be found, and the probed centroids."""
        near = probed(query, self._files.centroids, probes)
        return estimated(near, self._files.lists, len(self)), near

    def find(self, query: Vectors, depth: Depth, among: NDArray[np.bool_] | None = None) -> Found:
        """Return candidates for a query, compared exactly; `among` says which of `len(self)` nodes may be found."""
        if not len(query):
            return Found(np.zeros(0, np.int64), np.zeros((0, len(query)), np.float32), np.zeros(len(query), np.float32))
        estimates, near = self.estimates(query, depth.probes)
        nodes = most(estimates if among is None else np.where(among, estimates, np.float32(0)), depth.candidates)
        parts = [
            coded_maxima(query, self._store.coded(nodes[start : start + NODES_AT_ONCE]))
            for start in range(0, len(nodes), NODES_AT_ONCE)
        ]
        return Found(nodes, np.concatenate([*parts, np.zeros((0, len(query)), np.float32)]), near.floor)

    def search(self, query: Vectors, k: int, depth: Depth | None = None) -> tuple[Nodes, NDArray[np.float32]]:
        """Return the k most similar nodes and their similarity, best first, ties to the smaller number."""
        found = self.find(query, depth or Depth())
        scores = similarity(found.maxima)
        order = np.argsort(-scores, kind="stable")[:k]
        return found.nodes[order], scores[order]

    def _lists(self, begin: int, end: int) -> InvertedLists:
        if self._nearest is None:
            self._nearest = Nearest(np.ascontiguousarray(self._files.centroids.T))
        ends = self._store.ends[begin:end]
        start = int(self._store.ends[begin - 1]) if begin else 0
        nodes = np.repeat(np.arange(begin, end, dtype=np.int32), np.diff(ends, prepend=start))
        nearest = self._nearest.of(self._store.codes[start : int(ends[-1])])
        return InvertedLists.of(nearest, nodes, self.centroids)


def _trained(store: TokenStore, centroids: int, seed: int) -> Vectors:
    """Return centroids of a sample; where there are no vectors yet, one that stands for all to come."""
    count = min(centroids, store.tokens)
    if not count:
        return np.eye(1, store.dimensions, dtype=np.float32)
    sampled = min(store.tokens, count * TOKENS_A_CENTROID)
    chosen = np.random.default_rng(seed).choice(store.tokens, sampled, replace=False, shuffle=False)
    sample = store.codes[np.sort(chosen)].astype(np.float32)
    sample /= np.maximum(np.linalg.norm(sample, axis=1, keepdims=True), np.float32(1e-9))
    return kmeans(sample, count, seed)
