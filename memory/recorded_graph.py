"""Search over the graph of pages as it is recorded: edges, scores and nodes, not the vectors behind them."""

from collections.abc import Sequence

from heliograph.protocols import DataGraph, Recorder, TableTextSearch
from heliograph.types import Document, Edge, EvidenceId, Scored

Scores = tuple[float, ...]
Edges = tuple[Edge, ...]
Nodes = tuple[Scored[EvidenceId], ...]


class RecordedTableText:
    """A TableTextSearch whose every result is recorded; what the nodes hold follows from the pages."""

    def __init__(self, search: TableTextSearch, recorder: Recorder) -> None:
        self._search = search
        self._recorder = recorder

    def data(self, documents: Sequence[Document]) -> DataGraph:
        """Return what the nodes of the pages hold."""
        return self._search.data(documents)

    async def retrieve(self, query: str, k: int, documents: Sequence[Document]) -> Edges:
        """Search edges, or give back what was found."""
        given = {"query": query, "k": k, **_within(documents)}
        return await self._recorder.effect(
            "RETRIEVER", "edges", given, Edges, lambda: self._search.retrieve(query, k, documents)
        )

    async def score(
        self, question: str, edges: Sequence[Edge], among: Sequence[Edge], documents: Sequence[Document]
    ) -> Scores:
        """Score edges, or give back their scores."""
        given = {"question": question, "edges": tuple(edges), "among": tuple(among), **_within(documents)}
        return await self._recorder.effect(
            "RERANKER", "score_edges", given, Scores, lambda: self._search.score(question, edges, among, documents)
        )

    async def score_nodes(self, question: str, nodes: Sequence[EvidenceId], documents: Sequence[Document]) -> Scores:
        """Score nodes, or give back their scores."""
        given = {"question": question, "nodes": tuple(nodes), **_within(documents)}
        return await self._recorder.effect(
            "RERANKER", "score_nodes", given, Scores, lambda: self._search.score_nodes(question, nodes, documents)
        )

    async def passages(self, query: str, k: int, documents: Sequence[Document]) -> Nodes:
        """Search passages, or give back what was found."""
        given = {"query": query, "k": k, **_within(documents)}
        return await self._recorder.effect(
            "RETRIEVER", "passages", given, Nodes, lambda: self._search.passages(query, k, documents)
        )

    async def segments(self, query: str, k: int, documents: Sequence[Document]) -> Nodes:
        """Search rows, or give back what was found."""
        given = {"query": query, "k": k, **_within(documents)}
        return await self._recorder.effect(
            "RETRIEVER", "segments", given, Nodes, lambda: self._search.segments(query, k, documents)
        )


def _within(documents: Sequence[Document]) -> dict[str, object]:
    return {"pages": tuple(document.key for document in documents)}
