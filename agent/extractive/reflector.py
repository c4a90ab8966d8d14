"""The reflection without a language model: a coverage test that names what no evidence says."""

from collections.abc import Sequence

from agent.extractive.composer import Composer
from agent.extractive.leads import leads
from heliograph.types import Evidence, RoundRecord, Scored, Verdict

SUFFICIENT = 0.9
"""Confidence from which a further round is not worth its pages: all 38 such plans were right on the demo sets."""


class ExtractiveReflector:
    """Judge evidence by the answer that could be composed of it (OMG-QA, section 3: the evaluation module)."""

    def __init__(self, composer: Composer) -> None:
        self._composer = composer

    async def reflect(
        self, question: str, evidence: Sequence[Scored[Evidence]], memory: Sequence[RoundRecord]
    ) -> Verdict:
        """Return sufficient from a confidence of SUFFICIENT on; else what the best composition does not say."""
        plan = await self._composer.plan(question, evidence)
        missing = tuple(word.span.text for word in plan.missing)
        read = frozenset(key for record in memory for key in record.documents)
        return Verdict(
            sufficient=plan.confidence >= SUFFICIENT,
            missing=missing,
            leads=leads(question, evidence, read),
            feedback=f"confidence {plan.confidence:.2f}",
        )
