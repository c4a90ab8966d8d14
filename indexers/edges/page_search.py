"""Search over the data graph of the pages of one question: late interaction, and the fused reranker behind it."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Sequence

from heliograph.types import Document, Edge, EvidenceId, PageKey, Scored
from indexers.edges.fusion import FusedEdgeScorer, FusionWeights
from indexers.edges.home_tokens import HomeTokens
from indexers.edges.node_tokens import NodeTokens
from indexers.edges.pages import PageGraph
from indexers.edges.scorers import LateInteractionNodes
from indexers.edges.search import EdgeSearch, NodeSearch

PROPOSED = 150
"""Edges or nodes that BM25 proposes: their nodes are encoded while somebody waits, a hundred or two a second."""
GRAPHS = 4
"""Graphs that are kept: a question asks of the same pages several times."""


class PageGraphSearch:
    """The TableTextSearch of heliograph.protocols: a graph is built when pages are first asked about.

    Args:
        weights: returns those of the fused reranker for the retriever of a name; asked at the first question.
    """

    def __init__(self, tokens: HomeTokens, weights: Callable[[str], FusionWeights], proposed: int = PROPOSED) -> None:
        self._kept, self._weights = tokens, weights
        self._proposed = proposed
        self._fitted: FusionWeights | None = None
        self._last: tuple[PageGraph, FusedEdgeScorer] | None = None
        self._graphs: OrderedDict[tuple[tuple[PageKey, tuple[str, ...]], ...], PageGraph] = OrderedDict()

    async def retrieve(self, query: str, k: int, documents: Sequence[Document]) -> tuple[Edge, ...]:
        """Return the k most similar edges of the pages, best first."""
        pages, tokens = await self._opened(documents)
        if not pages.rows:
            return ()
        return await EdgeSearch(pages.graph, pages.bm25, tokens, self._proposed).retrieve(query, k)

    async def score(
        self, question: str, edges: Sequence[Edge], among: Sequence[Edge], documents: Sequence[Document]
    ) -> tuple[float, ...]:
        """Return the score of each edge among the first of its question, in the order given."""
        pages, tokens = await self._opened(documents)
        return await self._scorer_of(pages, tokens, await self._weighing()).score(question, edges, among)

    async def score_nodes(
        self, question: str, nodes: Sequence[EvidenceId], documents: Sequence[Document]
    ) -> tuple[float, ...]:
        """Return sim(q, v) for each node, in the order given."""
        pages, tokens = await self._opened(documents)
        return await LateInteractionNodes(pages.graph, tokens).score(question, nodes)

    async def passages(self, query: str, k: int, documents: Sequence[Document]) -> tuple[Scored[EvidenceId], ...]:
        """Return the k passages most similar to a query that a row expands (f_S>P)."""
        pages, tokens = await self._opened(documents)
        return await NodeSearch(pages.graph.passages, pages.words[1], tokens, self._proposed).retrieve(query, k)

    async def segments(self, query: str, k: int, documents: Sequence[Document]) -> tuple[Scored[EvidenceId], ...]:
        """Return the k rows most similar to a query that a passage expands (f_P>S)."""
        pages, tokens = await self._opened(documents)
        return await NodeSearch(pages.graph.segments, pages.words[0], tokens, self._proposed).retrieve(query, k)

    def data(self, documents: Sequence[Document]) -> PageGraph:
        """Return what the nodes of the pages hold, and their edges."""
        key = tuple((document.key, document.aliases) for document in documents)
        if key not in self._graphs:
            self._graphs[key] = PageGraph.of(documents)
            while len(self._graphs) > GRAPHS:
                self._graphs.popitem(last=False)
        self._graphs.move_to_end(key)
        return self._graphs[key]

    async def _opened(self, documents: Sequence[Document]) -> tuple[PageGraph, NodeTokens]:
        pages = self.data(documents)
        await asyncio.to_thread(lambda: (pages.graph, pages.bm25))
        return pages, (await self._kept.open()).nodes

    def _scorer_of(self, pages: PageGraph, tokens: NodeTokens, weights: FusionWeights) -> FusedEdgeScorer:
        """Return the scorer of a graph; the last one is kept, which remembers the candidates of its question."""
        if self._last is None or self._last[0] is not pages:
            search = EdgeSearch(pages.graph, pages.bm25, tokens, self._proposed)
            scorer = FusedEdgeScorer(pages.graph, pages.bm25, tokens, weights, search, self._proposed)
            self._last = pages, scorer
        return self._last[1]

    async def _weighing(self) -> FusionWeights:
        if self._fitted is None:
            self._fitted = self._weights((await self._kept.open()).model)
        return self._fitted
