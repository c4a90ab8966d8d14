"""g_e without a cross-encoder: what late interaction and BM25 say of an edge, of its star and of its table, weighed.

An edge alone says too little: in a star (a row with all its found passages) the row is often named by one passage and
the answer stands in another, and rows of one table share all but a cell or two. So an edge is judged by itself, by its
two nodes, by the best other edge of its star, and by what star and table say together (early fusion's fused block,
here as context and not as the unit that is retrieved; HELIOS, sections 1 and 5.3). The weights are learned on
questions that the retriever has not learned from.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from heliograph.errors import ModelMissing
from heliograph.protocols import EdgeIndex
from heliograph.storage import MALFORMED
from heliograph.types import Edge
from indexers.edges.bm25 import NO_PASSAGE, EdgeBM25, EdgeList
from indexers.edges.graph import BipartiteGraph
from indexers.edges.maxsim import Maxima, similarity
from indexers.edges.node_tokens import NodeTokens
from indexers.edges.search import compared

FEATURES = (
    "edge",
    "segment",
    "passage",
    "sibling",
    "star",
    "table",
    "weakest",
    "close",
    "bm25",
    "first",
    "row_degree",
    "passage_degree",
)
"""Sums over the tokens of the query, but:

- weakest: mean of the WEAKEST smallest maxima; close: sum of squares of what maxima have above NEAR
- bm25: the score of the edge's words; first: the logarithm of its place by that score among the candidates
- degrees: logarithm of the edges that meet in the row and in the passage: a passage that half the table links to is
  seldom what is asked for
"""
COMPARED = ("edge", "segment", "passage", "sibling", "star", "table")
JUDGED = (*FEATURES, *(f"{name}, relative" for name in FEATURES), *(f"{name}, place" for name in COMPARED))
"""What is weighed: FEATURES; the same less their mean among the candidates, over their spread there; and the logarithm
of the place that an edge has among the candidates by COMPARED."""
WEAKEST = 3
NEAR = 0.5
UNLINKED = 4.0
"""What a pair that is no edge of the graph loses. The weights are learned on edges, where a good row comes with good
passages; beside any other good passage it would score as well, and expansion would bring those first."""
NARROW = 1e-6
"""The least spread that is divided by."""
SCHEMA = "heliograph.fusion/2"

Features = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class FusionWeights:
    """A weight for each of JUDGED, after its mean is taken off and it is divided by its spread."""

    model: str
    means: tuple[float, ...]
    spreads: tuple[float, ...]
    weights: tuple[float, ...]

    def scores(self, features: Features) -> NDArray[np.float32]:
        """Return one score an edge."""
        means, spreads = np.asarray(self.means, np.float32), np.asarray(self.spreads, np.float32)
        scores: NDArray[np.float32] = ((features - means) / spreads) @ np.asarray(self.weights, np.float32)
        return scores

    def write(self, path: Path) -> None:
        """Write a file that `read_weights` reads."""
        kept = {"schema": SCHEMA, "features": JUDGED, **asdict(self)}
        path.write_text(json.dumps(kept, indent=1) + "\n", encoding="ascii")


def read_weights(path: Path) -> FusionWeights:
    """Read the weights that belong to a retriever.

    Raises:
        ModelMissing: there are none, or they are of other features.
    """
    try:
        kept = json.loads(path.read_text(encoding="ascii"))
        found = FusionWeights(
            str(kept["model"]), *(tuple(map(float, kept[name])) for name in ("means", "spreads", "weights"))
        )
        fits = kept["schema"] == SCHEMA and tuple(kept["features"]) == JUDGED
    except (OSError, *MALFORMED) as err:
        raise ModelMissing(f"no weights of a fused reranker in {path}; make them: heliograph train fusion") from err
    lengths = {len(found.means), len(found.spreads), len(found.weights)}
    if not fits or lengths != {len(JUDGED)}:
        raise ModelMissing(f"{path} is of another release; make it anew: heliograph train fusion")
    return found


class FusedEdgeScorer:
    """Score edges of a graph by weighed features; scores of one question compare.

    An edge is judged in company: its star, its table, and how it stands among the others. The company is the `k` edges
    that `candidates` finds for the question and those that a call brings, so that edges which are added later are
    judged among the same ones as those before. Without `candidates` only scores of one call compare.
    """

    def __init__(
        self,
        graph: BipartiteGraph,
        bm25: EdgeBM25,
        tokens: NodeTokens,
        weights: FusionWeights,
        candidates: EdgeIndex | None = None,
        k: int = 0,
    ) -> None:
        self._features = EdgeFeatures(graph, bm25, tokens)
        self._graph = graph
        self._weights = weights
        self._candidates, self._k = candidates, k
        self._last: tuple[str, tuple[Edge, ...]] = ("", ())

    async def score(self, question: str, edges: Sequence[Edge], among: Sequence[Edge] = ()) -> tuple[float, ...]:
        """Return a score an edge, in the order given."""
        if not edges:
            return ()
        pairs = self._graph.pairs((*edges, *among, *await self._company(question)))
        _, first, place = np.unique(pairs, axis=0, return_index=True, return_inverse=True)
        features = in_company(await self._features.of(question, pairs[first]))
        scores = self._weights.scores(features) - UNLINKED * ~self._features.linked(pairs[first])
        return tuple(scores[place.reshape(-1)[: len(edges)]].tolist())

    async def _company(self, question: str) -> tuple[Edge, ...]:
        """Return the candidates of a question; the last ones are remembered."""
        if self._candidates is None:
            return ()
        if self._last[0] != question:
            self._last = (question, await self._candidates.retrieve(question, self._k))
        return self._last[1]


class EdgeFeatures:
    """Computes FEATURES."""

    def __init__(self, graph: BipartiteGraph, bm25: EdgeBM25, tokens: NodeTokens) -> None:
        self._graph, self._bm25, self._tokens = graph, bm25, tokens
        self._tables = np.asarray(graph.segments.tables, np.int32)
        self._edges = np.sort(_keys(graph.edges))
        linked = graph.edges[graph.edges[:, 1] != NO_PASSAGE]
        self._row_degrees = np.bincount(linked[:, 0], minlength=len(graph.segments))
        self._passage_degrees = np.bincount(linked[:, 1], minlength=len(graph.passages) + 1)  # 0 at the end: NO_PASSAGE

    def linked(self, pairs: EdgeList) -> NDArray[np.bool_]:
        """Tell which pairs are edges of the graph, shape (pairs,)."""
        keys = _keys(pairs)
        found: NDArray[np.bool_] = np.searchsorted(self._edges, keys, "right") > np.searchsorted(self._edges, keys)
        return found

    async def of(self, question: str, pairs: EdgeList) -> Features:
        """Return shape (edges, features) in the order of FEATURES."""
        nodes = await compared(question, pairs, self._graph, self._tokens)
        words = self._bm25.scores_of(question, pairs)
        edges = np.maximum(nodes.segments, nodes.passages)
        whole = similarity(edges)
        found = {
            "edge": whole,
            "segment": similarity(nodes.segments),
            "passage": similarity(np.maximum(nodes.passages, 0)),
            "sibling": siblings(whole, pairs[:, 0]),
            "star": similarity(together(edges, pairs[:, 0])),
            "table": similarity(together(edges, self._tables[pairs[:, 0]])),
            "weakest": np.sort(edges, axis=1)[:, :WEAKEST].mean(axis=1),
            "close": (np.maximum(edges - NEAR, 0) ** 2).sum(axis=1),
            "bm25": words,
            "first": np.log1p(np.argsort(np.argsort(-words, kind="stable"), kind="stable")),
            "row_degree": np.log1p(self._row_degrees[pairs[:, 0]]),
            "passage_degree": np.log1p(self._passage_degrees[pairs[:, 1]]),
        }
        return np.stack([found[name].astype(np.float32) for name in FEATURES], axis=1)


def _keys(pairs: EdgeList) -> NDArray[np.int64]:
    """Return a number a pair; NO_PASSAGE has one as well."""
    keys: NDArray[np.int64] = pairs[:, 0].astype(np.int64) * 2**32 + pairs[:, 1]
    return keys


def in_company(features: Features) -> Features:
    """Return JUDGED of candidates from their FEATURES: how each stands among the others says more than a sum does."""
    relative = (features - features.mean(axis=0)) / np.maximum(features.std(axis=0), NARROW)
    compared = features[:, [FEATURES.index(name) for name in COMPARED]]
    places = np.argsort(np.argsort(-compared, axis=0, kind="stable"), axis=0, kind="stable")
    return np.hstack([features, relative, np.log1p(places)]).astype(np.float32)


def together(maxima: Maxima, groups: NDArray[np.int32]) -> Maxima:
    """Return for each member of a group what all members say together: their greatest maxima."""
    _, group_of = np.unique(groups, return_inverse=True)
    united = np.full((int(group_of.max(initial=-1)) + 1, maxima.shape[1]), -np.inf, np.float32)
    np.maximum.at(united, group_of, maxima)
    return united[group_of]


def siblings(scores: NDArray[np.float32], groups: NDArray[np.int32]) -> NDArray[np.float32]:
    """Return for each member of a group the best score of another member, its own where it is alone."""
    order = np.lexsort((-scores, groups))
    ordered, of = scores[order], groups[order]
    first = np.concatenate([[True], of[1:] != of[:-1]])
    leader = np.maximum.accumulate(np.where(first, np.arange(len(of)), 0))
    second = np.minimum(leader + 1, len(of) - 1)
    alone = of[second] != of
    other = np.where(first, np.where(alone, ordered, ordered[second]), ordered[leader])
    found = np.empty_like(scores)
    found[order] = other
    return found
