"""The state of one question: ids and small records, never page text."""

from collections.abc import Sequence
from typing import Annotated, TypedDict, TypeVar

from agent.meter import Spending
from heliograph.types import (
    Answer,
    Draft,
    EvidenceId,
    FoundPaths,
    Hit,
    Need,
    Observation,
    PageKey,
    Plan,
    Query,
    Recollection,
    RoundRecord,
    SearchResult,
    SourceReport,
    StopReason,
    Subgraph,
    VectorUse,
    Verdict,
)

T = TypeVar("T")


def append(old: Sequence[T], new: Sequence[T]) -> tuple[T, ...]:
    """Join two sequences of either kind: a checkpoint brings tuples back as lists."""
    return (*old, *new)


class State(TypedDict, total=False):
    """What the nodes read and write; the annotated fields grow, the others hold the present round.

    A need is named by its place in `needs`. `active` are the needs that this round asks for, `subgraphs` and `agreed`
    theirs, in that order; `paths` say whose they are.
    """

    question: str
    started: float
    round: int
    recalled: tuple[PageKey, ...]
    recollection: Recollection
    plan: Plan
    queries: tuple[Query, ...]
    spare: tuple[Query, ...]
    active: tuple[int, ...]
    relaxed: tuple[Query, ...]
    hits: tuple[Hit, ...]
    read: tuple[PageKey, ...]
    found: tuple[EvidenceId, ...]
    subgraphs: tuple[Subgraph, ...]
    agreed: tuple[tuple[EvidenceId, ...], ...]
    paths: tuple[FoundPaths, ...]
    verdict: Verdict
    draft: Draft
    stop_reason: StopReason
    answer: Answer
    needs: Annotated[tuple[Need, ...], append]
    activated: Annotated[tuple[int, ...], append]
    results: Annotated[tuple[SearchResult, ...], append]
    documents: Annotated[tuple[PageKey, ...], append]
    observations: Annotated[tuple[Observation, ...], append]
    rounds: Annotated[tuple[RoundRecord, ...], append]
    sources: Annotated[tuple[SourceReport, ...], append]
    fetched: Annotated[tuple[int, ...], append]
    embedded: Annotated[tuple[int, ...], append]
    vectors: Annotated[tuple[VectorUse, ...], append]
    notes: Annotated[tuple[str, ...], append]
    spent: Annotated[tuple[Spending, ...], append]
