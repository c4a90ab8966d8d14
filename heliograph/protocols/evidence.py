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
    Scored,
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


class EntityLinker(Protocol):
    """Pages that the cells of a row may name (HELIOS, section 4.1)."""

    def link(self, segment: TableSegment) -> tuple[Scored[PageKey], ...]: ...


class EdgeIndex(Protocol):
    """Late-interaction search over edges (HELIOS, equation 4)."""

    async def retrieve(self, query: str, k: int) -> tuple[Edge, ...]: ...
