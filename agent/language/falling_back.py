"""Each language task by a model first and, where it fails, by its extractive twin: counted, and said in the answer."""

from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NoReturn, TypeVar

from agent.language.addresses import may_be_told, tellable
from agent.language.around import AroundLLM
from agent.meter import Meter
from heliograph.errors import ModelBudgetSpent, ModelError, ModelTimeout, ModelUnreachable
from heliograph.protocols import (
    Answerer,
    ClaimVerifier,
    DocumentReranker,
    EvidenceIndex,
    EvidenceReranker,
    Planner,
    Reflector,
)
from heliograph.types import (
    Brief,
    Document,
    Draft,
    DraftClaim,
    Evidence,
    EvidenceId,
    FormChoice,
    Hit,
    Indexed,
    Judgment,
    Modality,
    ModelFailure,
    ModelRole,
    Need,
    Observation,
    PageKey,
    Plan,
    Prompt,
    Refusal,
    RoundRecord,
    Scored,
    SearchResult,
    Verdict,
)

T = TypeVar("T")

PATIENCE = 2
"""Times that a role's model may be silent or unreachable in a run before it is asked no more."""

TASKS: Mapping[ModelRole, tuple[str, str]] = {
    "rewrite": ("planning", "queries were made of the question's rare words"),
    "rerank": ("reranking", "pages and evidence were ranked by embeddings"),
    "reflect": ("reflection", "further rounds were decided by how probable an answer was"),
    "answer": ("answering", "sentences and rows were quoted, or claims left out"),
    "judge": ("checking claims", "claims were checked by their words"),
    "refine": ("refinement of stars", "edges stayed as they were ranked"),
}
"""What each role is called in a note, and what is done where its model fails."""


@dataclass(slots=True)
class Attempts:
    """The attempts of one run at its models; every failure goes to the meter.

    A role whose model was silent, unreachable or out of budget PATIENCE times is not asked again in the run: each
    further silence would cost its full deadline. What it is then spared counts as the same failure.
    """

    meter: Meter
    patience: int = PATIENCE
    _lost: Counter[ModelRole] = field(default_factory=Counter)
    _last: dict[ModelRole, ModelError] = field(default_factory=dict)

    async def make(self, role: ModelRole, first: Callable[[], Awaitable[T]], second: Callable[[], Awaitable[T]]) -> T:
        """Return what the model makes or, after a ModelError, what its twin does."""
        if self._lost[role] < self.patience:
            try:
                return await first()
            except ModelError as err:
                self._last[role] = err
                self._lost[role] += isinstance(err, ModelTimeout | ModelUnreachable | ModelBudgetSpent)
        self.meter.fail(role, self._last[role])
        return await second()

    def error(self, role: ModelRole) -> ModelError:
        """Return what a role failed with last."""
        return self._last[role]


def failure_notes(failures: Sequence[ModelFailure]) -> tuple[str, ...]:
    """Say for each role how its model failed and what was done instead."""
    kinds: dict[ModelRole, list[str]] = {}
    for failure in failures:
        times = f" {failure.count} times" if failure.count > 1 else ""
        kinds.setdefault(failure.role, []).append(f"{failure.kind}{times}")
    return tuple(
        f"the language model failed at {TASKS[role][0]} ({', '.join(how)}); there {TASKS[role][1]}"
        for role, how in kinds.items()
    )


@dataclass(frozen=True, slots=True)
class FallingBackPlanner:
    """A Planner that falls back; so do its siblings below, each for its Protocol."""

    first: Planner
    second: Planner
    attempts: Attempts

    async def plan(self, question: str, form: FormChoice) -> Plan:
        """Plan by the model or its twin."""
        return await self.attempts.make(
            "rewrite", lambda: self.first.plan(question, form), lambda: self.second.plan(question, form)
        )


@dataclass(frozen=True, slots=True)
class FallingBackDocumentReranker:
    """A DocumentReranker that falls back."""

    first: DocumentReranker
    second: DocumentReranker
    attempts: Attempts

    async def rerank(
        self, question: str, results: Sequence[SearchResult], read: Collection[tuple[str, str]], limit: int
    ) -> tuple[Hit, ...]:
        """Rank pages by the model or its twin."""
        return await self.attempts.make(
            "rerank",
            lambda: self.first.rerank(question, results, read, limit),
            lambda: self.second.rerank(question, results, read, limit),
        )


@dataclass(frozen=True, slots=True)
class FallingBackEvidenceReranker:
    """An EvidenceReranker that falls back, to scores on the same scale (`agent.language.evidence_reranker`)."""

    first: EvidenceReranker
    second: EvidenceReranker
    attempts: Attempts

    async def rerank(
        self, question: str, evidence: Sequence[Evidence], known: Sequence[Evidence], round: int
    ) -> tuple[Observation, ...]:
        """Score evidence by the model or its twin."""
        return await self.attempts.make(
            "rerank",
            lambda: self.first.rerank(question, evidence, known, round),
            lambda: self.second.rerank(question, evidence, known, round),
        )


@dataclass(frozen=True, slots=True)
class FallingBackIndex:
    """An EvidenceIndex that falls back to the index behind it."""

    first: EvidenceIndex
    second: EvidenceIndex
    attempts: Attempts

    async def add(self, documents: Sequence[Document]) -> Indexed:
        """Index what is new."""
        return await self.second.add(documents)

    async def retrieve(
        self, query: str, modality: Modality, k: int, within: Sequence[PageKey]
    ) -> tuple[Scored[EvidenceId], ...]:
        """Retrieve by the model or by the index."""
        return await self.attempts.make(
            "rerank",
            lambda: self.first.retrieve(query, modality, k, within),
            lambda: self.second.retrieve(query, modality, k, within),
        )


@dataclass(frozen=True, slots=True)
class FallingBackReflector:
    """A Reflector that falls back."""

    first: Reflector
    second: Reflector
    attempts: Attempts

    async def reflect(
        self,
        needs: Sequence[Need],
        evidence: Sequence[Scored[Evidence]],
        memory: Sequence[RoundRecord],
        read: Collection[PageKey],
        queries: Sequence[str],
    ) -> Verdict:
        """Judge the evidence by the model or its twin."""
        return await self.attempts.make(
            "reflect",
            lambda: self.first.reflect(needs, evidence, memory, read, queries),
            lambda: self.second.reflect(needs, evidence, memory, read, queries),
        )


@dataclass(frozen=True, slots=True)
class FallingBackAnswerer:
    """An Answerer that falls back, and says nothing with a foreign web address either way."""

    first: Answerer
    second: Answerer
    attempts: Attempts

    async def answer(self, brief: Brief, evidence: Sequence[Scored[Evidence]]) -> Draft:
        """Write claims by the model or its twin."""
        draft = await self.attempts.make(
            "answer", lambda: self.first.answer(brief, evidence), lambda: self.second.answer(brief, evidence)
        )
        return tellable(draft, brief.question)

    async def repair(
        self, refused: Sequence[Refusal], evidence: Sequence[Scored[Evidence]]
    ) -> tuple[DraftClaim | None, ...]:
        """Rewrite claims by the model; where it fails none is, since a quote in its place says something else."""

        async def none() -> tuple[DraftClaim | None, ...]:
            return (None,) * len(refused)

        repaired = await self.attempts.make("answer", lambda: self.first.repair(refused, evidence), none)
        return tuple(claim if claim is not None and may_be_told(claim, "") else None for claim in repaired)


@dataclass(frozen=True, slots=True)
class FallingBackVerifier:
    """A ClaimVerifier that falls back."""

    first: ClaimVerifier
    second: ClaimVerifier
    attempts: Attempts

    async def verify(self, claims: Sequence[DraftClaim], cited: Mapping[EvidenceId, Evidence]) -> tuple[Judgment, ...]:
        """Check claims by the model or its twin."""
        return await self.attempts.make(
            "judge", lambda: self.first.verify(claims, cited), lambda: self.second.verify(claims, cited)
        )


@dataclass(frozen=True, slots=True)
class CountedLLM(AroundLLM):
    """An LLM that has no twin: its failures are counted like those of the others, and whoever asks goes on without."""

    attempts: Attempts

    async def ask(self, prompt: Prompt, reply: type[T]) -> T:
        """Ask, unless the role is not asked any more; that and every failure is a ModelError."""
        return await self.attempts.make(self.role, lambda: self.llm.ask(prompt, reply), self._refuse)

    async def choose(self, prompt: Prompt, choices: Sequence[str]) -> tuple[float, ...]:
        """Choose, likewise."""
        return await self.attempts.make(self.role, lambda: self.llm.choose(prompt, choices), self._refuse)

    async def _refuse(self) -> NoReturn:
        raise self.attempts.error(self.role)
