"""The graph tools over the pages of one question: retrieval, expansion and refinement of its subgraph."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from heliograph.protocols import DataGraph, TableTextSearch
from heliograph.types import Document, Edge, EvidenceId, Scored, Subgraph
from indexers.edges.pages import targets_of
from indexers.parser import page_name, page_of
from tools.arithmetic import TableReader
from tools.expansion import Expansion, NodeExpander
from tools.refinement import Candidates, ListwiseRefiner, Refinement, Refiner
from tools.subgraph import SubgraphRetriever

K1, K2 = 150, 50
"""Edges that late interaction finds and that the reranker leaves: the pages of a question have hundreds of edges, not
the hundreds of thousands for which the paper takes 400 and 100. So many are in the state of a run, too."""
SEED_ROWS = 10
"""Rows whose linked pages are read: the beam width of the paper (section 5.4)."""


@dataclass(frozen=True, slots=True)
class TableText:
    """Algorithm 1 of HELIOS over the pages that one question has read."""

    search: TableTextSearch
    documents: tuple[Document, ...]

    async def subgraph(self, question: str) -> Subgraph:
        """Return the candidate subgraph G_c (section 4.1); empty where the pages have no tables."""
        retriever = SubgraphRetriever(_Edges(self.search, self.documents), _Scorer(self.search, self.documents), K1, K2)
        return await retriever.retrieve(question)

    async def expansion(self, question: str, graph: Subgraph) -> Expansion:
        """Return the expanded subgraph G_l (section 4.2)."""
        if not graph.edges:
            return Expansion(graph, (), ())
        search, documents = self.search, self.documents
        expander = NodeExpander(
            self._data,
            _Nodes(search, documents),
            _Passages(search, documents),
            _Segments(search, documents),
            _Scorer(search, documents),
        )
        found = await expander.expand(question, graph)
        return replace(found, graph=Subgraph(found.graph.edges[:K2]))

    async def refinements(
        self, candidates: Sequence[Candidates], refiner: ListwiseRefiner | None, reader: TableReader | None = None
    ) -> tuple[Refinement, ...]:
        """Return the refined subgraph G_q of each need (section 4.3) without the edges that the model refuses.

        Without a refiner code alone refines, where there is a `reader` of tables. What else has found the nodes of
        refused edges keeps its place; the graph does not raise them, nor bring them in by itself.
        """
        scorer = _Scorer(self.search, self.documents)
        if refiner is None:
            alone = Refiner(scorer, reader=reader)
            return tuple([await alone.refine(each.need, each.graph, self._data) for each in candidates])
        return tuple(map(_without_refused, await refiner.refine(candidates, self._data, scorer)))

    def linked_titles(self, graph: Subgraph) -> tuple[tuple[str, str], ...]:
        """Return the titles that the cells of the best rows link to, each after its wiki, best row first."""
        rows = tuple(dict.fromkeys(edge.segment for edge in graph.edges))[:SEED_ROWS]
        named = (
            (page_name(page_of(row)).wiki, title) for row in rows for title in targets_of([self._data.segment(row)])
        )
        return tuple(dict.fromkeys(named))

    @property
    def _data(self) -> DataGraph:
        return self.search.data(self.documents)


def _without_refused(found: Refinement) -> Refinement:
    refused = set(found.refused)
    kept = tuple(edge for edge in found.graph.edges if edge not in refused)
    return replace(found, graph=Subgraph(kept), removed=found.refused)


@dataclass(frozen=True, slots=True)
class _Bound:
    """A search bound to pages."""

    search: TableTextSearch
    documents: Sequence[Document]


class _Edges(_Bound):
    """EdgeIndex."""

    async def retrieve(self, query: str, k: int) -> tuple[Edge, ...]:
        return await self.search.retrieve(query, k, self.documents)


class _Scorer(_Bound):
    """EdgeScorer."""

    async def score(self, question: str, edges: Sequence[Edge], among: Sequence[Edge] = ()) -> tuple[float, ...]:
        return await self.search.score(question, edges, among, self.documents)


class _Nodes(_Bound):
    """NodeScorer."""

    async def score(self, question: str, nodes: Sequence[EvidenceId]) -> tuple[float, ...]:
        return await self.search.score_nodes(question, nodes, self.documents)


class _Passages(_Bound):
    """NodeIndex of one side."""

    async def retrieve(self, query: str, k: int) -> tuple[Scored[EvidenceId], ...]:
        return await self.search.passages(query, k, self.documents)


class _Segments(_Bound):
    """NodeIndex of the other side."""

    async def retrieve(self, query: str, k: int) -> tuple[Scored[EvidenceId], ...]:
        return await self.search.segments(query, k, self.documents)
