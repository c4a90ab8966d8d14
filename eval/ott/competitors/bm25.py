"""BM25 over edges, over nodes and over stars: no fusion, and early fusion at two grains."""

import time
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from eval.ott.corpus import NO_PASSAGE, Numbers, OttCorpus, passages_of
from eval.ott.postings import OttPostings
from eval.ott.ranking import CUT, Unit, UnitKind
from eval.ott.retriever import Retrieval
from indexers.edges.bm25 import Counting, EdgeBM25, best
from indexers.edges.postings import Counts


@dataclass(frozen=True, slots=True, eq=False)
class BM25Units:
    """BM25 over units of one kind, and which unit stands at each place of its scores."""

    kind: UnitKind
    index: EdgeBM25
    unit: Callable[[int], Unit]

    def ranked(self, query: str, k: int) -> tuple[int, ...]:
        """Return the places of the k best units, best first."""
        found: list[int] = best(self.index.scores(query), k).tolist()
        return tuple(found)


class BM25Retriever:
    """Rank units by BM25 alone."""

    def __init__(self, units: BM25Units, digest: str) -> None:
        self.kind, self.digest = units.kind, digest
        self._units = units

    async def retrieve(self, question: str) -> Retrieval:
        """Return the CUT best units."""
        began = time.perf_counter()
        ranking = tuple(map(self._units.unit, self._units.ranked(question, CUT)))
        return Retrieval(ranking, {"retrieve": time.perf_counter() - began})


def bm25_units(kind: UnitKind, corpus: OttCorpus, postings: OttPostings, edges: Numbers) -> BM25Units:
    """Return BM25 over the edges given, over single rows and passages, or over rows with all they link to."""
    match kind:
        case "edge":
            return BM25Units(kind, EdgeBM25(postings.rows, postings.passages, edges), lambda at: _edge(edges, at))
        case "node":
            return BM25Units(kind, _over_nodes(postings), lambda at: node_unit(corpus.rows, at))
        case "star":
            return BM25Units(kind, _over_stars(postings, edges), lambda row: Unit(row, passages_of(edges, row)))


def node_unit(rows: int, place: int) -> Unit:
    """Return the node at a place, where rows come first and passages follow."""
    return Unit(place) if place < rows else Unit(None, (place - rows,))


def _edge(edges: Numbers, place: int) -> Unit:
    return Unit.edge(int(edges[place, 0]), int(edges[place, 1]))


def _over_nodes(postings: OttPostings) -> EdgeBM25:
    """Compose single nodes as edges: rows alone, and passages with a row that says nothing."""
    rows, passages = len(postings.rows), len(postings.passages)
    with_silent = replace(postings.rows, lengths=np.append(postings.rows.lengths, np.int32(0)))
    alone = np.stack([np.arange(rows), np.full(rows, NO_PASSAGE)], axis=1)
    beside = np.stack([np.full(passages, rows), np.arange(passages)], axis=1)
    return EdgeBM25(with_silent, postings.passages, np.concatenate([alone, beside]).astype(np.int32))


def _over_stars(postings: OttPostings, edges: Numbers) -> EdgeBM25:
    """Compose stars as edges between a row and all its passages together."""
    rows = np.arange(len(postings.rows), dtype=np.int32)
    return EdgeBM25(
        postings.rows, Gathered(postings.passages, edges, len(postings.rows)), np.stack([rows, rows], axis=1)
    )


class Gathered:
    """The passages of each row as one node: its words are theirs together."""

    def __init__(self, passages: Counting, edges: Numbers, rows: int) -> None:
        linked = edges[edges[:, 1] != NO_PASSAGE]
        self._passages, self._rows, self._row, self._passage = passages, rows, linked[:, 0], linked[:, 1]

    @property
    def lengths(self) -> NDArray[np.int32]:
        """The number of words of each row's passages, shape (rows,)."""
        return self._sums(self._passages.lengths).astype(np.int32)

    def counted(self, word: str) -> Counts:
        """Return how often the passages of each row say a word, shape (rows,)."""
        return self._sums(self._passages.counted(word)).astype(np.float32)

    def _sums(self, values: NDArray[np.int32] | Counts) -> NDArray[np.float64]:
        weights = values[self._passage].astype(np.float64)
        return np.bincount(self._row, weights, self._rows).astype(np.float64)
