"""Centroids of a graph's token vectors: by them vectors propose edges that no word of a question names."""

from pathlib import Path

import numpy as np

from indexers.edges.centroids import CentroidIndex, Depth
from indexers.edges.graph import BipartiteGraph
from indexers.edges.node_tokens import NodeTokens
from indexers.edges.token_store import TokenStore
from indexers.edges.vector_search import Placed, VectorEdges, nodes_of
from indexers.offline.filesets import writing
from indexers.offline.linking import PASSAGES
from indexers.offline.merging import SEGMENTS
from indexers.offline.plan import Plan, Work
from indexers.offline.shelf import Encoding, encoder_of
from indexers.offline.texts import MappedTexts, mapped_array
from indexers.offline.tokens import TOKENS, store_in
from indexers.pace import Pace, Say

CENTROIDS = "centroids"
_LISTS = "lists"


def write_centroids(work: Work, plan: Plan, encoding: Encoding, say: Say) -> None:
    """Write an index of all token vectors, and where the nodes of both sides are among them."""
    store = store_in(work.out / TOKENS / "store", encoder_of(encoding))
    with writing(work.out / CENTROIDS, plan.identity) as draft:
        for side in (SEGMENTS, PASSAGES):
            np.save(draft.path / f"{side}.npy", nodes_of(MappedTexts(work.out / side, "lines"), store))
        pace = Pace("nodes assigned to centroids", len(store), say)
        index = CentroidIndex.build(store, draft.path / _LISTS, say=lambda done, _: pace.done(done))
        draft.counts["centroids"] = index.centroids


def centroids_in(folder: Path, graph: BipartiteGraph, store: TokenStore, tokens: NodeTokens) -> VectorEdges | None:
    """Return what proposes edges of the graph in a folder; None where it was built without.

    Raises:
        StoreDamaged: a file is not what was written, or is of other vectors.
    """
    where = folder / CENTROIDS
    if not where.exists():
        return None
    rows, passages = (Placed(mapped_array(where / f"{side}.npy")) for side in (SEGMENTS, PASSAGES))
    return VectorEdges(graph, (rows, passages), CentroidIndex(store, where / _LISTS), tokens, Depth())
