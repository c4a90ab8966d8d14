"""Search a graph that was built offline, through memory maps."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import numpy as np
from numpy.typing import NDArray

from heliograph.errors import StoreDamaged, UsageError
from heliograph.protocols import TokenEncoder
from heliograph.types import Edge, EvidenceId
from indexers.edges.bm25 import NO_PASSAGE, EdgeBM25, best
from indexers.edges.graph import BipartiteGraph, Side
from indexers.edges.node_tokens import NodeTokens
from indexers.edges.postings import Postings
from indexers.edges.search import EdgeSearch
from indexers.offline.build import finals_in
from indexers.offline.encodings import asks_for_centroids
from indexers.offline.filesets import opened
from indexers.offline.linking import EDGES, PASSAGES
from indexers.offline.merging import SEGMENTS
from indexers.offline.plan import plan_in
from indexers.offline.postings import map_postings
from indexers.offline.proposing import CENTROIDS, centroids_in
from indexers.offline.texts import MappedTexts, mapped_array
from indexers.offline.tokens import TOKENS, store_in

CHECKED_BYTES = 64_000_000
"""Graphs up to this size are read whole before they are searched: a tenth of a second at most."""


@dataclass(frozen=True, slots=True)
class Found:
    """An edge with what its two nodes say."""

    edge: Edge
    segment: str
    passage: str


class OfflineGraph:
    """A finished graph of one folder; `lacks_centroids` where it was asked for them and words alone propose edges.

    Raises:
        UsageError: the folder holds no graph, or one that is not finished.
        StoreDamaged: a file is missing, cut or altered.
    """

    def __init__(self, folder: Path, checked_bytes: int = CHECKED_BYTES) -> None:
        plan = plan_in(folder)
        self.model = str(plan.identity["encoder"])
        self._folder = folder
        self.lacks_centroids = asks_for_centroids(folder) and not (folder / CENTROIDS).exists()
        sets = [opened(each) for each in finals_in(folder, plan)]
        whole = [each for each in sets if each is not None]
        if len(whole) < len(sets):
            raise UsageError(f"the graph in {folder} is not finished; give the command that began it again")
        if sum(each.size for each in whole) <= checked_bytes:
            for each in whole:
                each.verify()
        with _telling_where(folder):
            self.graph = _graph(folder)
            segments, passages = (map_postings(folder / side / "words") for side in (SEGMENTS, PASSAGES))
            _refuse_unequal(self.graph, segments, passages)
            self.bm25 = EdgeBM25(segments, passages, self.graph.edges)

    async def search(self, query: str, k: int, encoder: TokenEncoder | None = None) -> tuple[Found, ...]:
        """Return the k best edges, best first, ties to the smaller position: by late interaction, else by BM25.

        Raises:
            StoreDamaged: what is read is not what was written.
        """
        with _telling_where(self._folder):
            if encoder is None:
                scores = self.bm25.scores(query)
                places = best(scores, k)
                return tuple(self._found(self.graph.edges[place], scores[place]) for place in places)
            return await self._compared(query, k, encoder)

    async def _compared(self, query: str, k: int, encoder: TokenEncoder) -> tuple[Found, ...]:
        store = store_in(self._folder / TOKENS / "store", encoder)
        tokens = NodeTokens(encoder, store, grows=False)
        vectors = centroids_in(self._folder, self.graph, store, tokens)
        pairs, scores = await EdgeSearch(self.graph, self.bm25, tokens, further=vectors).ranked(query, k)
        return tuple(map(self._found, pairs, scores))

    def _found(self, pair: NDArray[np.int32], score: np.float32) -> Found:
        row, passage = pair.tolist()
        said = "" if passage == NO_PASSAGE else self.graph.passages.lines[passage]
        return Found(self.graph.edge((row, passage), float(score)), self.graph.segments.lines[row], said)


@contextmanager
def _telling_where(folder: Path) -> Iterator[None]:
    """Turn what arrays say of numbers that were altered into an error that says how to find them."""
    try:
        yield
    except (IndexError, ValueError, OverflowError, MemoryError) as err:
        raise StoreDamaged(
            f"the graph in {folder} was altered ({err}); heliograph graph check {folder} says where"
        ) from err


def _graph(folder: Path) -> BipartiteGraph:
    rows, leads = folder / SEGMENTS, folder / PASSAGES
    tables = cast(Sequence[int], mapped_array(rows / "tables.npy"))
    return BipartiteGraph(
        Side(_ids(rows), MappedTexts(rows, "lines"), tables),
        Side(_ids(leads), MappedTexts(leads, "lines")),
        np.asarray(mapped_array(rows / EDGES, 2), np.int32),
    )


def _refuse_unequal(graph: BipartiteGraph, segments: Postings, passages: Postings) -> None:
    """Compare what all files of a side count alike, and the nodes that edges name; a large graph is not read whole.

    Raises:
        ValueError: they differ.
    """
    for side, postings in ((graph.segments, segments), (graph.passages, passages)):
        if {len(side.ids), len(side.lines), len(postings.lengths)} != {len(side)}:
            raise ValueError("files of one side have nodes of different numbers")
        words, entries = len(postings.numbers), len(postings.nodes)
        if len(postings.starts) != words + 1 or {len(postings.counts), int(postings.starts[-1])} != {entries}:
            raise ValueError("words and their places are of different numbers")
    if len(graph.segments.tables) != len(graph.segments):
        raise ValueError("rows and their tables are of different numbers")
    bounds = (range(len(graph.segments)), range(NO_PASSAGE, len(graph.passages)))
    for nodes, there in zip(graph.edges.T, bounds, strict=True):
        if len(nodes) and not (int(nodes.min()) in there and int(nodes.max()) in there):
            raise ValueError("an edge joins what is not there")


def _ids(folder: Path) -> Sequence[EvidenceId]:
    return cast(Sequence[EvidenceId], MappedTexts(folder, "ids"))
