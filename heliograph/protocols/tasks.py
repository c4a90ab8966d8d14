"""The seams of the language tasks; each is done by a model and without one."""

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

from heliograph.types import (
    Brief,
    Draft,
    DraftClaim,
    Episode,
    Evidence,
    EvidenceId,
    FormChoice,
    Hit,
    Judgment,
    Need,
    PageKey,
    Plan,
    Query,
    Recollection,
    Refusal,
    RoundRecord,
    Scored,
    SearchResult,
    Verdict,
)


class Planner(Protocol):
    """Say what an answer must say, before anything is read."""

    async def plan(self, question: str, form: FormChoice) -> Plan:
        """Return the form of the answer, its needs, the question first, and the first queries where it has any."""


class QueryRewriter(Protocol):
    """Turn the question and the memory of past rounds into search queries, the most promising first."""

    async def rewrite(self, question: str, memory: Sequence[RoundRecord]) -> tuple[Query, ...]: ...


class DocumentReranker(Protocol):
    """Order found pages by their promise for the question, before any is read."""

    async def rerank(
        self, question: str, results: Sequence[SearchResult], read: Collection[tuple[str, str]], limit: int
    ) -> tuple[Hit, ...]:
        """Rank the pages that the results of all rounds name, those already `read` (wiki and title) left out."""


class Reflector(Protocol):
    """Judge which needs the evidence meets, and name what is missing and where it may stand."""

    async def reflect(
        self,
        needs: Sequence[Need],
        evidence: Sequence[Scored[Evidence]],
        memory: Sequence[RoundRecord],
        read: Collection[PageKey],
        queries: Sequence[str],
    ) -> Verdict:
        """`needs` has the question first; `read` are all pages that were read, those of this round too.

        `memory` holds the earlier rounds, `queries` are those of this one.
        """


class Answerer(Protocol):
    """Write claims, each with the words it rests on."""

    async def answer(self, brief: Brief, evidence: Sequence[Scored[Evidence]]) -> Draft:
        """Write what the brief wants said, in its form, and name the needs that the evidence does not answer."""

    async def repair(
        self, refused: Sequence[Refusal], evidence: Sequence[Scored[Evidence]]
    ) -> tuple[DraftClaim | None, ...]:
        """Rewrite claims that were refused, once and in their order; None for one that cannot be rewritten."""


class ClaimVerifier(Protocol):
    """Check claims against what they cite."""

    async def verify(self, claims: Sequence[DraftClaim], cited: Mapping[EvidenceId, Evidence]) -> tuple[Judgment, ...]:
        """Judge each claim, in their order; the markers of a claim count its quotes from 1, then its computation."""


class EpisodicMemory(Protocol):
    """Past questions: what they propose for a new one, and one more when it has been answered."""

    async def recollect(self, question: str) -> Recollection:
        """Return what questions like this one propose; nothing where there are none.

        Raises:
            StoreError: the memory cannot be read.
        """

    async def keep(self, episode: Episode) -> None:
        """Remember a question that was answered; of one run the last is kept.

        Raises:
            StoreError: the memory cannot be written.
        """
