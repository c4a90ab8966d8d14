"""The answer in a few words without a language model: for measures that compare it with a short gold answer."""

from collections.abc import Sequence

from agent.extractive.composer import Composer, Plan
from heliograph.types import Evidence, Scored


class ExtractiveReader:
    """Answer as `ExtractiveAnswerer` does, by the same plan, but by a value, a cell or a few words of its quote."""

    def __init__(self, composer: Composer) -> None:
        self._composer = composer

    async def read(self, question: str, evidence: Sequence[Scored[Evidence]]) -> str:
        """Return the short answer; nothing where the answerer abstains."""
        plan = await self._composer.plan(question, evidence)
        return short_answer(plan) if plan.has_answer else ""


def short_answer(plan: Plan) -> str:
    """Return the words that a trained reader took, a computed value, or the sentence or row that answers best."""
    if plan.answer is not None:
        return plan.answer.text
    if not plan.runs:
        return plan.computed.answer if plan.computed else ""
    return max(plan.runs[-1].matches, key=lambda match: (match.holds, match.cosine)).unit.quote
