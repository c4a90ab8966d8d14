"""The answer without a language model: computed values, quoted sentences, rows and captions, each cited."""

from collections.abc import Sequence

from agent.extractive.composer import Composer, Plan
from agent.extractive.coverage import Run, plain
from heliograph.types import Draft, DraftClaim, Evidence, ImageEvidence, Quote, Scored, TableSegment
from prompts import render_prompt

ANSWERABLE = 0.55
"""Confidence below which nothing is claimed; tuned on the demo's first question set."""


class ExtractiveAnswerer:
    """Quote what answers, in the order in which it reads best, or say what is not covered."""

    def __init__(self, composer: Composer) -> None:
        self._composer = composer

    async def answer(self, question: str, evidence: Sequence[Scored[Evidence]]) -> Draft:
        """Return a draft of one to three claims, or none with the reason."""
        plan = await self._composer.plan(question, evidence)
        if plan.confidence < ANSWERABLE:
            return Draft((), reason(plan))
        computed = (DraftClaim(plan.computed.sentence, (), plan.computed.computation),) if plan.computed else ()
        return Draft((*computed, *map(claim_of, plan.runs)))

    async def repair(
        self,
        claim: DraftClaim,
        evidence: Sequence[Scored[Evidence]],  # noqa: ARG002 - what is quoted needs nothing else
    ) -> DraftClaim | None:
        """Return the claim in the words of its source alone; None where it stood in them already."""
        quoted = " ".join(quote.text for quote in claim.quotes)
        return DraftClaim(quoted, claim.quotes) if quoted and quoted != claim.text else None


def claim_of(run: Run) -> DraftClaim:
    """Say what a run says, with the subject named where its own words do not name it."""
    subject = plain(run.evidence.place.title)
    match run.evidence:
        case TableSegment(caption=caption):
            text = f"{caption or subject}: {run.quote}."
        case ImageEvidence():
            text = f"{subject}, in a picture: {run.quote}"
        case _:
            text = run.quote if subject in run.quote else f"{subject}: {run.quote}"
    return DraftClaim(text, tuple(Quote(run.evidence.id, match.unit.quote) for match in run.matches))


def reason(plan: Plan) -> str:
    """Say why nothing is claimed."""
    if not plan.missing:
        return "nothing that was found fits the question closely enough"
    return render_prompt("not_covered", words=", ".join(word.span.text for word in plan.missing))
