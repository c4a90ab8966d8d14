"""Edges that words would not propose, by the token vectors of their nodes."""

import asyncio

import numpy as np
from numpy.typing import NDArray

from heliograph.protocols import Vectors
from indexers.edges.centroids import CentroidIndex, Depth, Found
from indexers.edges.graph import BipartiteGraph, Lines
from indexers.edges.maxsim import ABSENT, similarity
from indexers.edges.node_tokens import NodeTokens
from indexers.edges.spans import Places, spread
from indexers.edges.token_store import TokenStore

PROPOSED = 1000
"""Edges that vectors propose."""
NOT_FOUND, NOBODY = -1, -2
"""Of an edge's node: it was not found, or there is none."""


def nodes_of(lines: Lines, store: TokenStore) -> Places:
    """Return where the lines of a side are in a store, NOT_FOUND for one that was not encoded, shape (lines,)."""
    found = (store.position(lines[place]) for place in range(len(lines)))
    return np.fromiter((NOT_FOUND if node is None else node for node in found), np.int64, len(lines))


class Placed:
    """Where the nodes of a side are in a store, as `nodes_of` says; alike ones are one there."""

    def __init__(self, nodes: Places) -> None:
        self._order = np.argsort(nodes, kind="stable")[np.count_nonzero(nodes == NOT_FOUND) :]
        self._nodes = nodes[self._order]

    def among(self, nodes: int) -> NDArray[np.bool_]:
        """Say which of the first nodes of the store belong to the side, shape (nodes,)."""
        mask = np.zeros(nodes, np.bool_)
        mask[self._nodes[: np.searchsorted(self._nodes, nodes)]] = True
        return mask

    def positions(self, nodes: Places) -> tuple[Places, Places]:
        """Return all positions in the side of nodes of the store, and for each the place of its node in `nodes`."""
        begins = np.searchsorted(self._nodes, nodes)
        alike = np.searchsorted(self._nodes, nodes, side="right") - begins
        places, _ = spread(begins, alike)
        return self._order[places], np.repeat(np.arange(len(nodes)), alike)


class VectorEdges:
    """Propose edges of which a node was found by its vectors: those that are most similar as far as is known.

    A node that was not found counts as no closer to the query than the last centroid that was probed.
    """

    def __init__(
        self,
        graph: BipartiteGraph,
        placed: tuple[Placed, Placed],
        index: CentroidIndex,
        tokens: NodeTokens,
        depth: Depth,
        proposed: int = PROPOSED,
    ) -> None:
        self._graph, self._placed = graph, placed
        self._index, self._tokens = index, tokens
        self._depth, self._proposed = depth, proposed

    async def propose(self, query: str) -> NDArray[np.int64]:
        """Return positions among the edges of the graph, best first, ties to the smaller position."""
        asked = await self._tokens.query(query)
        return await asyncio.to_thread(self._proposals, asked)

    def _proposals(self, asked: Vectors) -> NDArray[np.int64]:
        rows, passages = self._placed
        count = len(self._index)
        found = self._index.find(asked, self._depth, rows.among(count) | passages.among(count))
        row_of = _node_of(rows, len(self._graph.segments), found)
        passage_of = np.append(_node_of(passages, len(self._graph.passages), found), NOBODY)
        pairs = self._graph.edges  # NO_PASSAGE is the last place
        nodes = np.stack([row_of[pairs[:, 0]], passage_of[pairs[:, 1]]], axis=1)
        touched = np.flatnonzero((nodes >= 0).any(axis=1))
        nobody = np.full((1, len(asked)), ABSENT, np.float32)
        maxima = np.concatenate([found.maxima, nobody, found.floor[None]])
        composed = np.maximum(maxima[nodes[touched, 0]], maxima[nodes[touched, 1]])
        return touched[np.argsort(-similarity(composed), kind="stable")[: self._proposed]]


def _node_of(placed: Placed, nodes: int, found: Found) -> Places:
    """Return for each node of a side its place among those found, NOT_FOUND for the others."""
    place_of = np.full(nodes, NOT_FOUND, np.int64)
    positions, places = placed.positions(found.nodes)
    place_of[positions] = places
    return place_of
