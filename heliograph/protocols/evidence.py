"""The seams of evidence: indexes, ranking, and the graph of tables and passages."""

from collections.abc import Sequence
from typing import Protocol

from heliograph.types import (
    Document,
    Edge,
    Evidence,
    EvidenceId,
    Indexed,
    Modality,
    Observation,
    PageKey,
    Passage,
    Scored,
    TableEvidence,
    TableSegment,
)


class EvidenceIndex(Protocol):
    """Modality-specific indexes over the leaves and rows of documents."""

    async def add(self, documents: Sequence[Document]) -> Indexed:
        """Index what is new and tell what that took; nothing is embedded when all was known."""

    async def retrieve(
        self, query: str, modality: Modality, k: int, within: Sequence[PageKey]
    ) -> tuple[Scored[EvidenceId], ...]: ...


class EvidenceReranker(Protocol):
    """Score evidence against the original question, absolutely: the same pair always scores the same."""

    async def rerank(
        self, question: str, evidence: Sequence[Evidence], known: Sequence[Evidence], round: int
    ) -> tuple[Observation, ...]:
        """`known` are pieces already in the ledger, through whose links second hops are scored."""


class DataGraph(Protocol):
    """G_d: what the nodes of the graph hold (Γ), which edges it has, and the table that a segment was cut from (M)."""

    def segment(self, id: EvidenceId) -> TableSegment: ...

    def passage(self, id: EvidenceId) -> Passage: ...

    def linked(self, segment: EvidenceId) -> tuple[EvidenceId, ...]:
        """Return the passages that a table segment has an edge to, in the order of its cells."""

    def table(self, segment: EvidenceId) -> TableEvidence:
        """Return the whole table of a segment (HELIOS, section 3.1: the mapping M)."""


class EntityLinker(Protocol):
    """Passages that the cells of a row may name (HELIOS, section 4.1), most likely first."""

    def link(self, segment: TableSegment) -> tuple[Scored[EvidenceId], ...]: ...


class EdgeIndex(Protocol):
    """Late-interaction search over edges (HELIOS, equation 4)."""

    async def retrieve(self, query: str, k: int) -> tuple[Edge, ...]:
        """Return the k most similar edges, best first."""


class NodeIndex(Protocol):
    """Late-interaction search over the nodes of one side of the graph, for expanded queries (HELIOS, section 4.2)."""

    async def retrieve(self, query: str, k: int) -> tuple[Scored[EvidenceId], ...]:
        """Return the k most similar nodes, best first."""


class EdgeScorer(Protocol):
    """How well edges answer a question: g_e of HELIOS, section 4.1. Scores of one question can be compared."""

    async def score(self, question: str, edges: Sequence[Edge], among: Sequence[Edge] = ()) -> tuple[float, ...]:
        """Return a score an edge, in the order given; greater is better.

        `among` are edges of the graph that were scored before, for a scorer that judges an edge by its company too.

        Raises:
            ModelError: the scorer's model cannot be used.
        """


class NodeScorer(Protocol):
    """How well single nodes answer a question: g_n of HELIOS, section 4.2."""

    async def score(self, question: str, nodes: Sequence[EvidenceId]) -> tuple[float, ...]:
        """Return a score a node, in the order given; greater is better."""


class TableTextSearch(Protocol):
    """Search over the table-text graph of some pages, made of them when it is first asked (HELIOS, section 4)."""

    def data(self, documents: Sequence[Document]) -> DataGraph:
        """Return what the nodes of the pages hold, and their edges: pure."""

    async def retrieve(self, query: str, k: int, documents: Sequence[Document]) -> tuple[Edge, ...]:
        """Return the k most similar edges, best first (EdgeIndex)."""

    async def score(
        self, question: str, edges: Sequence[Edge], among: Sequence[Edge], documents: Sequence[Document]
    ) -> tuple[float, ...]:
        """Return a score an edge (EdgeScorer); those of one question and the same pages compare."""

    async def score_nodes(
        self, question: str, nodes: Sequence[EvidenceId], documents: Sequence[Document]
    ) -> tuple[float, ...]:
        """Return a score a node (NodeScorer)."""

    async def passages(self, query: str, k: int, documents: Sequence[Document]) -> tuple[Scored[EvidenceId], ...]:
        """Return the k most similar passages (NodeIndex)."""

    async def segments(self, query: str, k: int, documents: Sequence[Document]) -> tuple[Scored[EvidenceId], ...]:
        """Return the k most similar rows (NodeIndex)."""
