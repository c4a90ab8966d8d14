"""HELIOS as a retriever of the harness: subgraph retrieval, node expansion, star refinement (HELIOS, Algorithm 1)."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from eval.ott.graph import OttGraph
from eval.ott.ranking import CUT, UnitKind
from eval.ott.retriever import Retrieval
from heliograph.protocols import EdgeIndex, EdgeScorer
from heliograph.types import Edge
from tools.expansion import NodeExpander
from tools.refinement import Refiner
from tools.subgraph import SubgraphRetriever


class TimedScorer:
    """An edge scorer that adds up its seconds, so that reranking is told from retrieval."""

    def __init__(self, scorer: EdgeScorer) -> None:
        self._scorer = scorer
        self._spent = 0.0

    async def score(self, question: str, edges: Sequence[Edge], among: Sequence[Edge] = ()) -> tuple[float, ...]:
        """Score as the scorer does."""
        began = time.perf_counter()
        scores = await self._scorer.score(question, edges, among)
        self._spent += time.perf_counter() - began
        return scores

    def taken(self) -> float:
        """Return the seconds since this was asked before."""
        spent, self._spent = self._spent, 0.0
        return spent


@dataclass(frozen=True, slots=True)
class Stages:
    """The parts of HELIOS: a reranker, an expander and a refiner may be left out (HELIOS, Table 5)."""

    index: EdgeIndex
    k1: int
    k2: int
    reranker: EdgeScorer | None = None
    expander: NodeExpander | None = None
    refiner: Refiner | None = None


def scores_in_order(edges: Sequence[Edge]) -> tuple[float, ...]:
    """Return the scores of edges; none where they are no order of theirs, since refinement put some edges first."""
    scores = tuple(edge.score for edge in edges)
    return scores if all(first >= second for first, second in pairwise(scores)) else ()


class HeliosRetriever:
    """Run the stages one after another; tier light is the first alone, tier full all of them."""

    kind: UnitKind = "edge"

    def __init__(self, data: OttGraph, stages: Stages, digest: str) -> None:
        self.digest = digest
        self._data = data
        self._reranker = None if stages.reranker is None else TimedScorer(stages.reranker)
        self._subgraphs = SubgraphRetriever(stages.index, self._reranker, stages.k1, stages.k2)
        self._expander, self._refiner = stages.expander, stages.refiner

    async def retrieve(self, question: str) -> Retrieval:
        """Return the CUT best edges of the last graph, and the seconds of each stage that takes part."""
        instants = [time.perf_counter()]
        graph, notes = await self._subgraphs.retrieve(question), tuple[str, ...]()
        instants.append(time.perf_counter())
        if self._expander is not None:
            graph = (await self._expander.expand(question, graph)).graph
        instants.append(time.perf_counter())
        if self._refiner is not None:
            refined = await self._refiner.refine(question, graph, self._data)
            graph, notes = refined.graph, refined.notes
        instants.append(time.perf_counter())
        best = graph.edges[:CUT]
        return Retrieval(tuple(map(self._data.unit, best)), self._seconds(instants), notes, scores_in_order(best))

    def _seconds(self, instants: Sequence[float]) -> dict[str, float]:
        retrieve, expand, refine = (after - before for before, after in pairwise(instants))
        rerank = {} if self._reranker is None else {"rerank": self._reranker.taken()}
        expanded = {} if self._expander is None else {"expand": expand}
        refined = {} if self._refiner is None else {"refine": refine}
        return {"retrieve": retrieve - rerank.get("rerank", 0.0), **rerank, **expanded, **refined}
